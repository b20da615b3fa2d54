"""Warns of sentences on cards that can never take effect in this game: a trigger on a gain that no
card of that kind gives, or a condition on a rule that never uses what it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Problem
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
        for ability, rule in define.derived(_changes):
            if number not in reach.of_rule(rule):
                name = game.rules[rule].declared
                text = f"Nothing in {name} uses {define.name}, so it has no effect."
                yield ability, text


def _changes(define: d.DefineInfo) -> list[tuple[int, int]]:
    """Each ability that changes a definition during a rule, and the rule."""
    found = []
    for change in parts(define.value, e.Cond):
        asked = list(_conjuncts(change.condition))
        abilities = [one.ability for one in asked if isinstance(one, e.Active)][:1]
        rules = [one.rule for one in asked if isinstance(one, e.During)]
        found += [(ability, rule) for ability in abilities for rule in rules]
    return found


def _conjuncts(condition: e.Expr) -> Iterator[e.Expr]:
    match condition:
        case e.All(parts=several):
            for one in several:
                yield from _conjuncts(one)
        case _:
            yield condition


_Declared = d.RuleInfo | d.DefineInfo | d.ForbidInfo


class _Calls(NamedTuple):
    """The rules and definitions that are called in something, and whether the actions of cards
    are.
    """

    rules: frozenset[int]
    defines: frozenset[int]
    actions: bool


def _calls(node: object) -> _Calls:
    rules, defines, actions = set[int](), set[int](), False
    for one in parts(node, (s.Do, e.CanDo, s.DoAction, e.Call)):
        match one:
            case s.DoAction():
                actions = True
            case e.Call(define):
                defines.add(define)
            case s.Do(rule) | e.CanDo(rule):
                rules.add(rule)
    return _Calls(frozenset(rules), frozenset(defines), actions)


class _Reach:
    """The definitions that may be evaluated while a rule is in progress."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._actions = frozenset(rule for rule in game.actions if rule != NOTHING)
        self._parts: dict[str, set[int]] = {}
        for at, rule in enumerate(game.rules):
            self._parts.setdefault(rule.part_of, set()).add(at)
        self._found: dict[int, set[int]] = {}
        self._anywhere = self._reached(*self._evaluated_anywhere())

    def of_rule(self, rule: int) -> set[int]:
        if rule not in self._found:
            self._found[rule] = self._reached({rule}, ()) | self._anywhere
        return self._found[rule]

    def _evaluated_anywhere(self) -> tuple[set[int], set[int]]:
        """The rules and definitions of triggers, of prohibitions, and of how abilities modify
        payments.
        """
        game = self.game
        rules = {one.body for one in game.triggers}
        rules.update(one.arrival for one in game.abilities if one.arrival != NOTHING)
        defines = set[int]()
        for calls in (_calls(game.terms), *(one.derived(_calls) for one in game.forbids)):
            rules |= self._rules(calls)
            defines |= calls.defines
        return rules, defines

    def _reached(self, rules: Iterable[int], defines: Iterable[int]) -> set[int]:
        """The definitions that these rules and definitions lead to, and these definitions."""
        game, seen, found = self.game, set(rules), set(defines)
        todo: list[_Declared] = [game.rules[one] for one in seen]
        todo += [game.defines[one] for one in found]
        while todo:
            one = todo.pop()
            calls = one.derived(_calls)
            called = self._rules(calls)
            if isinstance(one, d.RuleInfo):
                called |= self._parts.get(one.name, set())
            todo += [game.rules[rule] for rule in called - seen]
            todo += [game.defines[define] for define in calls.defines - found]
            seen |= called
            found |= calls.defines
        return found

    def _rules(self, calls: _Calls) -> set[int]:
        return {*calls.rules, *(self._actions if calls.actions else ())}
