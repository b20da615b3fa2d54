"""Constant folding: whatever does not depend on the position is computed once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.program import Program
from targi_dsl.ir.types import HIGHEST, LOWEST
from targi_dsl.ir.walk import names, rewritten
from targi_dsl.optimize.rewrite import EMPTY, NO, YES, everywhere

ARITHMETIC: dict[e.ArithmeticOperator, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: left // right if right else 0,
    "remainder": lambda left, right: left % right if right else 0,
}
MOST_LOOKED_AT = 10_000
"""The most elements that are visited to evaluate a condition on a constant set at compile time."""

SETS: dict[e.SetOperator, Callable[[set[int], set[int]], set[int]]] = {
    "plus": operator.or_,
    "except": operator.sub,
    "within": operator.and_,
}


def fold(program: Program) -> Program:
    """Replaces what does not depend on the position by its value.

    >>> fold_expression(e.Arith("+", e.Const(2), e.Const(3)))
    Const(value=5)
    >>> fold_expression(e.Compare("more_than", e.Size(e.Local(3)), e.Const(0)))
    Exists(slot=-1, within=Local(slot=3), condition=Const(value=1))
    >>> fold_expression(e.All((e.Local(1), e.Const(1), e.All((e.Local(2), e.Local(3))))))
    All(parts=(Local(slot=1), Local(slot=2), Local(slot=3)))
    """
    return everywhere(program, fold_expression)


def fold_expression(node: e.Expr) -> e.Expr:
    """Folds one expression whose parts have been folded already."""
    match node:
        case e.Const() | e.Local() | e.Var():  # most of all
            return node
        case e.Arith(op, e.Const(int(left)), e.Const(int(right))):
            value = ARITHMETIC[op](left, right)
            return e.Const(value) if LOWEST <= value <= HIGHEST else node
        case e.Compare():
            return _comparison(node)
        case e.Not() | e.All() | e.AnyOf() | e.Cond() | e.Exists():
            return _logic(node)
        case e.Table(values, e.Const(int(index))):
            return e.Const(_looked_up(values, index), node.type)
        case e.Pick(sets, e.Const(int(index))):
            return e.Const(_looked_up(sets, index), node.type)
        case _:
            return _of_sets(node)


def _looked_up(values: tuple[Any, ...], index: int) -> Any:
    return values[index] if 0 <= index < len(values) - 1 else values[-1]


def _comparison(node: e.Compare) -> e.Expr:
    match node:
        case e.Compare(op, e.Const(left), e.Const(right)):
            return _truth(COMPARISONS[op].holds(left, right))
        case e.Compare("more_than", e.Size(of), e.Const(0)):
            return _logic(e.Exists(NOTHING, of, YES))
        case e.Compare("at_least", e.Size(of), e.Const(1)):
            return _logic(e.Exists(NOTHING, of, YES))
        case e.Compare("is" | "at_most", e.Size(of), e.Const(0)):
            return _logic(e.Not(_logic(e.Exists(NOTHING, of, YES))))
        case _:
            return node


def _truth(holds: bool) -> e.Const:
    return YES if holds else NO


def _logic(node: e.Not | e.All | e.AnyOf | e.Cond | e.Exists) -> e.Expr:
    match node:
        case e.Not(e.Const(value)):
            return _truth(not value)
        case e.Not(e.Not(inner)):
            return inner
        case e.Not(e.Compare(op, left, right)):
            return e.Compare(COMPARISONS[op].opposite, left, right)
        case e.All(parts):
            return _join(parts, NO, YES, e.All)
        case e.AnyOf(parts):
            return _join(parts, YES, NO, e.AnyOf)
        case e.Cond(e.Const(value), then, otherwise):
            return then if value else otherwise
        case e.Cond(_, then, otherwise) if then == otherwise:
            return then
        case e.Exists(_, _, e.Const(0)) | e.Exists(_, e.Const(()), _):
            return NO
        case e.Exists(_, e.Const(), e.Const(1)):
            return YES
        case e.Exists(_, e.CardsOn(e.MakeSet((place,))), e.Const(1)):
            return e.Compare("is_not", e.TopCard(place), e.Const(NOTHING, t.Nothing()))
        case e.Exists(_, e.Filter(slot, within, condition), e.Const(1)):
            return e.Exists(slot, within, condition)
        case _:
            return node


def _join(
    parts: tuple[e.Expr, ...],
    deciding: e.Const,
    idle: e.Const,
    join: type[e.All] | type[e.AnyOf],
) -> e.Expr:
    """A conjunction or disjunction without neutral parts, up to the first absorbing one."""
    joined: list[e.Expr] = []
    for part in parts:
        joined += part.parts if isinstance(part, join) else (part,)
    needed = [part for part in joined if part != idle]
    if deciding in needed:
        needed = needed[: needed.index(deciding) + 1]
    if needed[:1] == [deciding] or not needed:
        return deciding if needed else idle
    return needed[0] if len(needed) == 1 else join(tuple(needed))


def _of_sets(node: e.Expr) -> e.Expr:
    match node:
        case e.MakeSet(items):
            values = [item.value for item in items if isinstance(item, e.Const)]
            if len(values) == len(items):
                return _set(values)
            match items:
                case (e.Table(entries, index),):
                    return e.Pick(
                        tuple(() if entry == NOTHING else (entry,) for entry in entries), index
                    )
            return node
        case e.SetOp(op, e.Const(tuple(left)), e.Const(tuple(right))):
            return _set(SETS[op]({*left}, {*right}))
        case e.SetOp("plus", e.Const(()), other) | e.SetOp("plus" | "except", other, e.Const(())):
            return other
        case e.SetOp("within" | "except", e.Const(()), _) | e.SetOp("within", _, e.Const(())):
            return EMPTY
        case e.Image(sets, e.Const(tuple(of))):
            return e.Const(_image(sets, of))
        case e.Image(sets, e.Pick(every, index)):
            return e.Pick(tuple(_image(sets, of) for of in every), index)
        case e.Size(e.Const(tuple(of))):
            return e.Const(len(of))
        case e.First(e.Const(tuple(of))):
            return e.Const(of[0] if of else NOTHING)
        case e.Member(e.Const(item), e.Const(tuple(within))):
            return _truth(item in within)
        case e.Filter(_, within, e.Const(value)):
            return within if value else EMPTY
        case e.Filter(slot, e.Const(tuple(of)), condition) if of:
            return _filter(slot, of, condition)
        case e.Filter(_, e.Const(()), _) | e.Map(_, e.Const(()), _) | e.Places(_, e.Const(())):
            return EMPTY
        case e.CardsOn(e.Const(())) | e.Lying(_, e.Const(()), _) | e.Lying(_, _, e.Const(())):
            return EMPTY
        case _:
            return node


def _filter(slot: int, of: tuple[int, ...], condition: e.Expr) -> e.Expr:
    """A filter whose condition has no parts that are independent of the position."""
    left = list[e.Expr]()
    for part in condition.parts if isinstance(condition, e.All) else (condition,):
        held = _satisfying(slot, of, part) if not left else None
        if held is None:
            left.append(part)
        else:
            of = held
    rest = left[0] if len(left) == 1 else e.All(tuple(left))
    return e.Filter(slot, e.Const(of), rest) if left and of else e.Const(of)


def _satisfying(slot: int, of: tuple[int, ...], condition: e.Expr) -> tuple[int, ...] | None:
    """The elements that satisfy a condition; None if it depends on the position, or if there would
    be too many to visit.
    """
    if len(of) * _looked_at(condition) > MOST_LOOKED_AT:
        return None
    held = list[int]()
    for element in of:
        known: dict[e.Expr, e.Const] = {e.Local(slot): e.Const(element)}
        match rewritten(condition, partial(_with, known)):
            case e.Const(int(value)):
                held += [element] * bool(value)
            case _:
                return None
    return tuple(held)


def _looked_at(node: object) -> int:
    """The most elements that a condition visits, if the sets in it are constant."""
    match node:
        case e.Filter(_, e.Const(tuple(of)), inner) | e.Exists(_, e.Const(tuple(of)), inner):
            return 1 + len(of) * _looked_at(inner)
        case e.Map(_, e.Const(tuple(of)), inner) | e.Fold(_, _, e.Const(tuple(of)), inner):
            return 1 + len(of) * _looked_at(inner)
        case tuple():
            return sum(map(_looked_at, node))
        case _:
            return 1 + sum(_looked_at(getattr(node, name)) for name in names(type(node)))


def _with(known: Mapping[e.Expr, e.Const], node: e.Expr) -> e.Expr:
    """An expression with known parts replaced by their values, folded."""
    return known[node] if node in known else fold_expression(node)


def _image(sets: tuple[tuple[int, ...], ...], of: tuple[int, ...]) -> tuple[int, ...]:
    return _sorted(related for element in of for related in sets[element])


def _set(values: Any) -> e.Const:
    return e.Const(_sorted(values))


def _sorted(values: Any) -> tuple[int, ...]:
    return tuple(sorted({*values} - {NOTHING}))
