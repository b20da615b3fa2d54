"""Warns of sentences on cards that can never take effect in this game: a trigger on a gain that no
card of that kind gives, or a condition on a rule that never uses what it changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

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
    for ability, text in (*_never_gained(game), *_never_asked(game)):
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
    watched = defaultdict[tuple[int, int], list[int]](list)
    for trigger in game.triggers:
        if trigger.verb == "gain" and trigger.kind != NOTHING:
            watched[trigger.ability, trigger.kind].append(trigger.subject)
    for (ability, kind), resources in watched.items():
        there = (one for kinds, one in gains if kind in kinds)
        if not any(_may_be(one.resource, resources) for one in there):
            yield ability, f"No {game.kinds[kind]} of this game gives that, so it never happens."


def _gains(game: Game) -> Iterator[tuple[set[int], s.Gain]]:
    """Every gain with the kinds of the cards whose text may have it."""
    every = set(range(len(game.kinds)))
    acting = defaultdict[int, set[int]](set)
    for card, action in zip(game.cards, game.actions, strict=True):
        acting[action].add(card.kind)
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
    changes = [
        (number, *one) for number in range(len(game.defines)) for one in _changes(game, number)
    ]
    if not changes:
        return
    # Triggers, prohibitions and how abilities modify payments are evaluated during any rule.
    rules = {one.body for one in game.triggers}
    rules |= {one.arrival for one in game.abilities if one.arrival != NOTHING}
    anywhere = _definitions_used(
        game, (game.terms, game.forbids, *(game.rules[one] for one in rules))
    )
    for define, ability, rule in changes:
        if define not in anywhere and define not in _definitions_used(game, (game.rules[rule],)):
            name = game.rules[rule].declared
            text = f"Nothing in {name} uses {game.defines[define].name}, so it has no effect."
            yield ability, text


def _changes(game: Game, define: int) -> Iterator[tuple[int, int]]:
    """Each ability that changes a definition during a rule, and the rule."""
    for change in parts(game.defines[define].value, e.Cond):
        asked = list(_conjuncts(change.condition))
        abilities = [one.ability for one in asked if isinstance(one, e.Active)][:1]
        rules = [one.rule for one in asked if isinstance(one, e.During)]
        yield from ((ability, rule) for ability in abilities for rule in rules)


def _conjuncts(condition: e.Expr) -> Iterator[e.Expr]:
    match condition:
        case e.All(parts=several):
            for one in several:
                yield from _conjuncts(one)
        case _:
            yield condition


def _definitions_used(game: Game, nodes: Iterable[object]) -> set[int]:
    """The definitions that may be evaluated by nodes, and by the rules and definitions that they
    lead to.
    """
    actions = [rule for rule in game.actions if rule != NOTHING]
    rules, defines, pending = set[int](), set[int](), [*nodes]
    for node in pending:
        called = set[int]()
        for one in parts(node, (s.Do, e.CanDo, s.DoAction, e.Call)):
            match one:
                case s.DoAction():
                    called.update(actions)
                case e.Call(define) if define not in defines:
                    defines.add(define)
                    pending.append(game.defines[define].value)
                case s.Do(rule) | e.CanDo(rule):
                    called.add(rule)
        pending += [game.rules[one] for one in called - rules]
        rules |= called
    return defines
