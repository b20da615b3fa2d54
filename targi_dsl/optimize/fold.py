"""What is known before the game, worked out once."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from targi_dsl.ir import model as m
from targi_dsl.ir import program as p
from targi_dsl.ir import types as t
from targi_dsl.ir.types import HIGHEST, LOWEST
from targi_dsl.optimize.rewrite import EMPTY, NO, YES, everywhere

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: left // right if right else 0,
}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq,
    "is_not": operator.ne,
    "less_than": operator.lt,
    "at_most": operator.le,
    "more_than": operator.gt,
    "at_least": operator.ge,
}
_OPPOSITES = {
    "is": "is_not",
    "is_not": "is",
    "less_than": "at_least",
    "at_least": "less_than",
    "more_than": "at_most",
    "at_most": "more_than",
}
_SETS: dict[str, Callable[[set[int], set[int]], set[int]]] = {
    "plus": operator.or_,
    "except": operator.sub,
    "within": operator.and_,
}


def fold(program: p.Program) -> p.Program:
    """Replaces what does not depend on the position by its value.

    >>> fold_expression(m.Arith("+", m.Const(2), m.Const(3)))
    Const(value=5)
    >>> fold_expression(m.Compare("more_than", m.Size(m.Local(3)), m.Const(0)))
    Exists(slot=-1, within=Local(slot=3), condition=Const(value=1))
    >>> fold_expression(m.All((m.Local(1), m.Const(1), m.All((m.Local(2), m.Local(3))))))
    All(parts=(Local(slot=1), Local(slot=2), Local(slot=3)))
    """
    return everywhere(program, fold_expression)


def fold_expression(node: m.Expr) -> m.Expr:
    """One expression, the parts of which are folded already."""
    match node:
        case m.Arith(op, m.Const(int(left)), m.Const(int(right))):
            value = _ARITHMETIC[op](left, right)
            return m.Const(value) if LOWEST <= value <= HIGHEST else node
        case m.Compare():
            return _comparison(node)
        case m.Not() | m.All() | m.AnyOf() | m.Cond() | m.Exists():
            return _logic(node)
        case m.Table(values, m.Const(int(index))):
            return m.Const(_looked_up(values, index), node.type)
        case m.Pick(sets, m.Const(int(index))):
            return m.Const(_looked_up(sets, index), node.type)
        case _:
            return _of_sets(node)


def _looked_up(values: tuple[Any, ...], index: int) -> Any:
    return values[index] if 0 <= index < len(values) - 1 else values[-1]


def _comparison(node: m.Compare) -> m.Expr:
    match node:
        case m.Compare(op, m.Const(left), m.Const(right)):
            return _truth(COMPARISONS[op](left, right))
        case m.Compare("more_than", m.Size(of), m.Const(0)):
            return _logic(m.Exists(m.NOTHING, of, YES))
        case m.Compare("at_least", m.Size(of), m.Const(1)):
            return _logic(m.Exists(m.NOTHING, of, YES))
        case m.Compare("is" | "at_most", m.Size(of), m.Const(0)):
            return _logic(m.Not(_logic(m.Exists(m.NOTHING, of, YES))))
        case _:
            return node


def _truth(holds: bool) -> m.Const:
    return YES if holds else NO


def _logic(node: m.Not | m.All | m.AnyOf | m.Cond | m.Exists) -> m.Expr:
    match node:
        case m.Not(m.Const(value)):
            return _truth(not value)
        case m.Not(m.Not(inner)):
            return inner
        case m.Not(m.Compare(op, left, right)):
            return m.Compare(_OPPOSITES[op], left, right)
        case m.All(parts):
            return _joined(parts, NO, YES, m.All)
        case m.AnyOf(parts):
            return _joined(parts, YES, NO, m.AnyOf)
        case m.Cond(m.Const(value), then, otherwise):
            return then if value else otherwise
        case m.Cond(_, then, otherwise) if then == otherwise:
            return then
        case m.Exists(_, _, m.Const(0)) | m.Exists(_, m.Const(()), _):
            return NO
        case m.Exists(_, m.Const(), m.Const(1)):
            return YES
        case m.Exists(_, m.CardsOn(m.MakeSet((place,))), m.Const(1)):
            return m.Compare("is_not", m.TopCard(place), m.Const(m.NOTHING, t.Nothing()))
        case m.Exists(_, m.Filter(slot, within, condition), m.Const(1)):
            return m.Exists(slot, within, condition)
        case _:
            return node


def _joined(
    parts: tuple[m.Expr, ...],
    deciding: m.Const,
    idle: m.Const,
    join: type[m.All] | type[m.AnyOf],
) -> m.Expr:
    """Joined conditions without those that change nothing, up to one that decides."""
    found: list[m.Expr] = []
    for part in parts:
        found += part.parts if isinstance(part, join) else (part,)
    kept = [part for part in found if part != idle]
    if deciding in kept:
        kept = kept[: kept.index(deciding) + 1]
    if kept[:1] == [deciding] or not kept:
        return deciding if kept else idle
    return kept[0] if len(kept) == 1 else join(tuple(kept))


def _of_sets(node: m.Expr) -> m.Expr:
    match node:
        case m.MakeSet(items):
            values = [one.value for one in items if isinstance(one, m.Const)]
            if len(values) == len(items):
                return _set(values)
            match items:
                case (m.Table(entries, index),):
                    return m.Pick(
                        tuple(() if one == m.NOTHING else (one,) for one in entries), index
                    )
            return node
        case m.SetOp(op, m.Const(tuple(left)), m.Const(tuple(right))):
            return _set(_SETS[op]({*left}, {*right}))
        case m.SetOp("plus", m.Const(()), other) | m.SetOp("plus" | "except", other, m.Const(())):
            return other
        case m.SetOp("within" | "except", m.Const(()), _) | m.SetOp("within", _, m.Const(())):
            return EMPTY
        case m.Image(sets, m.Const(tuple(of))):
            return _set({found for element in of for found in sets[element]})
        case m.Size(m.Const(tuple(of))):
            return m.Const(len(of))
        case m.First(m.Const(tuple(of))):
            return m.Const(of[0] if of else m.NOTHING)
        case m.Member(m.Const(item), m.Const(tuple(within))):
            return _truth(item in within)
        case m.Filter(_, within, m.Const(value)):
            return within if value else EMPTY
        case m.Filter(_, m.Const(()), _) | m.Map(_, m.Const(()), _) | m.Places(_, m.Const(())):
            return EMPTY
        case m.CardsOn(m.Const(())) | m.Lying(_, m.Const(()), _) | m.Lying(_, _, m.Const(())):
            return EMPTY
        case _:
            return node


def _set(values: Any) -> m.Const:
    return m.Const(tuple(sorted({*values} - {m.NOTHING})))
