"""Warns of sentences on cards that can never take effect in this game: a trigger on a gain that no
card of that kind gives, or a condition on a rule that never uses what it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span


def warnings(game: Game) -> Iterator[Problem]:
    """The warnings, once for each ability, however many copies of its card there are."""
    told = set[Span]()
    for problem_of in (_never_gained, _never_asked):
        for ability, text in problem_of(game):
            info = game.abilities[ability]
            if info.span is not None and info.span not in told:
                told.add(info.span)
                name = info.name if info.card == NOTHING else game.cards[info.card].entry
                title = f"`{name}` has no effect"
                yield Problem("W907", title, info.span, text, severity="warning")


# ---- `when you gain R from a KIND` ----


def _never_gained(game: Game) -> Iterator[tuple[int, str]]:
    """Triggers on gains from cards of a kind, if no such card's text has the gain."""
    gains = list(_gains(game))
    watched: dict[tuple[int, int], list[int]] = {}
    for trigger in game.triggers:
        if trigger.verb == "gain" and trigger.kind != NOTHING:
            watched.setdefault((trigger.ability, trigger.kind), []).append(trigger.subject)
    for (ability, kind), resources in watched.items():
        there = (one for kinds, one in gains if kind in kinds)
        if not any(_may_be(one.resource, resources) for one in there):
            text = f"No {game.kinds[kind]} of this game gives that, so it never happens."
            yield ability, text


def _gains(game: Game) -> Iterator[tuple[set[int], s.Gain]]:
    """Every gain with the kinds of the cards whose text may have it."""
    every = set(range(len(game.kinds)))
    acting: dict[int, set[int]] = {}
    for card, action in zip(game.cards, game.actions, strict=True):
        acting.setdefault(action, set()).add(card.kind)
    for number, rule in enumerate(game.rules):
        for gain in rule.every(s.Gain):
            match gain.source:
                case e.Const(int(source)):
                    yield ({game.cards[source].kind} if source != NOTHING else set()), gain
                case _:
                    yield acting.get(number, every), gain


def _may_be(resource: e.Expr, wanted: Sequence[int]) -> bool:
    return not isinstance(resource, e.Const) or resource.value in wanted


# ---- `becomes ... if during R` ----


def _never_asked(game: Game) -> Iterator[tuple[int, str]]:
    """Changes of a definition during a rule that never uses the definition."""
    reach = _Reach(game)
    for number, define in enumerate(game.defines):
        for change in parts(define.value, e.Cond):
            asked = list(_conjuncts(change.condition))
            abilities = [one.ability for one in asked if isinstance(one, e.Active)]
            for one in asked if abilities else ():
                if isinstance(one, e.During) and number not in reach.of_rule(one.rule):
                    name = game.rules[one.rule].declared
                    text = f"Nothing in {name} uses {define.name}, so it has no effect."
                    yield abilities[0], text


def _conjuncts(condition: e.Expr) -> Iterator[e.Expr]:
    match condition:
        case e.All(parts=several):
            for one in several:
                yield from _conjuncts(one)
        case _:
            yield condition


_Called = tuple[set[int], set[int]]


@dataclass(slots=True)
class _Reach:
    """The definitions that may be evaluated while a rule is in progress."""

    game: Game
    _found: dict[int, set[int]] = field(default_factory=dict)
    _calls: dict[int, _Called] = field(default_factory=dict)  # keyed by the identity of a part
    _parts: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for at, one in enumerate(self.game.rules):
            self._parts.setdefault(one.part_of, []).append(at)

    def of_rule(self, rule: int) -> set[int]:
        if rule not in self._found:
            self._found[rule] = self._of(rule)
        return self._found[rule]

    def _of(self, rule: int) -> set[int]:
        game = self.game
        rules, defines = set[int](), set[int]()
        # How abilities modify payments, prohibitions and triggers may be evaluated anywhere.
        todo: list[object] = [game.rules[rule], game.terms, game.forbids]
        todo += [game.rules[one.body] for one in game.triggers]
        todo += [game.rules[one.arrival] for one in game.abilities if one.arrival != NOTHING]
        while todo:
            called, asked = self._called(todo.pop())
            todo += [game.rules[one] for one in called - rules]
            todo += [game.defines[one] for one in asked - defines]
            rules |= called
            defines |= asked
        return defines

    def _called(self, node: object) -> _Called:
        """The rules and definitions that are called anywhere in a node."""
        if id(node) not in self._calls:
            rules, defines = set[int](), set[int]()
            for one in parts(node, (s.Do, e.CanDo, s.DoAction, e.Call)):
                match one:
                    case s.DoAction():
                        rules.update(rule for rule in self.game.actions if rule != NOTHING)
                    case e.Call(define):
                        defines.add(define)
                    case s.Do(rule) | e.CanDo(rule):
                        rules.add(rule)
            if isinstance(node, d.RuleInfo):
                rules.update(self._parts.get(node.name, ()))
            self._calls[id(node)] = rules, defines
        return self._calls[id(node)]
