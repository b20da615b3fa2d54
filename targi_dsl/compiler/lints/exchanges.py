"""Warns of free exchanges that give nothing, that undo each other, or that force a debt on whoever
has to pay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import FreeExchange
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, within
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span


def in_vain(game: Compilation) -> Iterator[Problem]:
    """Free exchanges that give nothing, and two that can be made again and again."""
    spans = {name: node.span for name, node in game.context.nodes(n.FreeExchange)}
    for one in game.exchanges:
        if not any(number for _, number in one.take):
            text = "Nobody gains anything by it. Say what it gives."
            title = f"exchange `{one.name}` gives nothing"
            yield Problem("W919", title, spans[one.name], text)
    for one, other in combinations(game.exchanges, 2):
        if _undo(one, other):
            text = "One gives what the other takes, so the two can be made again and again."
            title = f"exchanges `{one.name}` and `{other.name}` undo each other"
            labels = (Label(spans[one.name], "the other one"),)
            yield Problem("W919", title, spans[other.name], text, "", labels)


_MOST = 12  # as often as an exchange is tried


def _undo(one: FreeExchange, other: FreeExchange) -> bool:
    """Whether nobody loses anything by making both, the one some times and the other some."""
    items = {item for each in (one, other) for item, _ in (*each.give, *each.take)}
    return any(
        all(i * _gain(one, item) + j * _gain(other, item) >= 0 for item in items)
        for i, j in product(range(1, _MOST + 1), repeat=2)
    )


def _gain(one: FreeExchange, item: int) -> int:
    return dict(one.take).get(item, 0) - dict(one.give).get(item, 0)


# ---- debts that nobody wanted ----


def debts(game: Compilation) -> Iterator[Problem]:
    """Exchanges that give what only lowers the score beside what some payment asks of everybody
    who has it: whoever has not is made to exchange.
    """
    made = game.made
    lowering = _lowering(made)
    nodes, owed = dict(game.context.nodes(n.FreeExchange)), [*_owed(made)]
    for one in game.exchanges:
        gives = {resource for item, _ in one.take for resource in _members(made, item)}
        forced = next((span for span, items in owed if items & (gives - lowering)), None)
        if one.when is None and gives & lowering and forced is not None:
            names = " and ".join(made.resources[resource] for resource in gives & lowering)
            text = f"Whoever could pay with its help is made to use it, and the {names} it also"
            text += " gives lower their score. To leave the choice to the players:"
            node, title = nodes[one.name], f"exchange `{one.name}` is forced on whoever owes this"
            whole, end = node.span, node.take[-1].span
            until = end.end - whole.start
            hint = f"{whole.text[:until]} if you like{whole.text[until:]}"
            labels = (Label(forced, "whoever can pay this must"),)
            yield Problem("W932", title, whole, text, hint, labels).with_edit()


def _lowering(game: Game) -> frozenset[int]:
    """The resources of which more means a lower score, whatever else is counted."""
    ways = {way for part in game.scores for way in _ways(game, part.value, 1)}
    return frozenset(
        {one for one, sign in ways if sign < 0} - {one for one, sign in ways if sign > 0}
    )


def _ways(game: Game, value: e.Expr, sign: int) -> Iterator[tuple[int, int]]:
    """The resources that a value counts, and whether it rises or falls with each (1 or -1)."""
    match value:
        case e.Var(base):
            resource = (base - game.slots.amounts) // len(game.players)
            if 0 <= resource < len(game.resources):
                yield resource, sign
        case e.Arith("+" | "-" as op, left, right):
            yield from _ways(game, left, sign)
            yield from _ways(game, right, sign if op == "+" else -sign)
        case e.Arith("*", e.Const(int(by)), of) | e.Arith("*" | "/", of, e.Const(int(by))) if by:
            yield from _ways(game, of, sign if by > 0 else -sign)
        case e.Cond(_, left, right):
            yield from (*_ways(game, left, sign), *_ways(game, right, sign))
        case e.Call(define):
            yield from _ways(game, game.defines[define].value, sign)
        case _:  # perhaps either
            for one in parts(value, e.Var):
                yield from (*_ways(game, one, 1), *_ways(game, one, -1))


def _owed(game: Game) -> Iterator[tuple[Span, frozenset[int]]]:
    """The payments that whoever can make must make, and the resources that they may ask for."""
    for number, rule in enumerate(game.rules):
        asked = [one for one in rule.every(s.Ask) if one.otherwise is not None]
        only = (one.body for ask in asked if len(ask.alternatives) == 1 for one in ask.alternatives)
        pays = [one for one in rule.every(s.Pay) if one.otherwise is not None]
        for pay in (*pays, *within(tuple(only), s.Pay)):
            if pay.span is not None:
                yield pay.span, frozenset(_items(game, number, pay.price))


def _items(game: Game, rule: int, price: e.PriceExpr) -> Iterator[int]:
    """The resources of a price; of one that a rule is given, those of all that it is given."""
    match price:
        case e.Counted(amounts):
            items: Iterable[int] = (item for item, _ in amounts)
        case e.Listed(number):
            listed = (game.prices[one] for one in _numbers(game, rule, number, frozenset()))
            ways = (way for one in listed for way in one.alternatives)
            items = (item for way in ways for item, _ in way)
    return (resource for item in items for resource in _members(game, item))


def _numbers(
    game: Game, rule: int, number: e.Expr, seen: frozenset[tuple[int, int]]
) -> Iterator[int]:
    """The numbers of the prices that an expression in a rule can stand for: any, of a card's."""
    match number:
        case e.Const(int(one)):
            yield from () if one == NOTHING else (one,)
        case e.Local(slot) if slot <= game.rules[rule].params:
            for caller, other in enumerate(game.rules):
                for do in parts(other.body, s.Do) if (rule, slot) not in seen else ():
                    if do.rule == rule:
                        given, known = do.arguments[slot - 1], seen | {(rule, slot)}
                        yield from _numbers(game, caller, given, known)
        case _:
            yield from range(len(game.prices))


def _members(game: Game, item: int) -> tuple[int, ...]:
    """The resources of an item, which may be a group."""
    first = len(game.resources)
    return (item,) if item < first else game.groups[item - first][1]
