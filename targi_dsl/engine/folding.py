"""Expressions made simpler before they become closures: what is settled by the rules alone is settled once."""

from __future__ import annotations

from targi_dsl.model import (
    NOTHING,
    All,
    AnyOf,
    Compare,
    Cond,
    Const,
    Exists,
    Expr,
    MakeSet,
    Not,
    Pick,
    Size,
    Table,
)

_TRUE, _FALSE = Const(1), Const(0)
_SOME = {("more_than", 0), ("at_least", 1), ("is_not", 0)}  # of a size: that there is an element
_NONE = {("is", 0), ("less_than", 1), ("at_most", 0)}
_OPPOSITE = {
    "is": "is_not",
    "less_than": "at_least",
    "more_than": "at_most",
    "is_not": "is",
    "at_least": "less_than",
    "at_most": "more_than",
}


def folded(node: Expr) -> Expr:
    """An expression that always has the same value, and is no slower."""
    match node:
        case Compare(op, Size(of), Const(int(number))) if (op, number) in _SOME:
            return Exists(NOTHING, of, _TRUE)
        case Compare(op, Size(of), Const(int(number))) if (op, number) in _NONE:
            return Not(Exists(NOTHING, of, _TRUE))
        case Not(of):
            return _not(folded(of))
        case All(parts):
            return _joined(node, [folded(part) for part in parts], _TRUE, _FALSE)
        case AnyOf(parts):
            return _joined(node, [folded(part) for part in parts], _FALSE, _TRUE)
        case Cond(condition, then, otherwise):
            return _cond(folded(condition), folded(then), folded(otherwise))
        case MakeSet(items):
            return _make_set(tuple(folded(item) for item in items))
        case Pick(values, index) | Table(values, index):
            at = folded(index)
            if isinstance(at, Const) and isinstance(at.value, int):
                return Const(values[at.value if 0 <= at.value < len(values) else -1])
    return node


def _not(of: Expr) -> Expr:
    match of:
        case Const(value):
            return _FALSE if value else _TRUE
        case Not(inner):
            return inner
        case Compare(op, left, right):
            return Compare(_OPPOSITE[op], left, right)
        case _:
            return Not(of)


def _joined(node: All | AnyOf, parts: list[Expr], idle: Const, ending: Const) -> Expr:
    """Parts without those that decide nothing, up to one that ends it."""
    kept: list[Expr] = []
    for part in parts:
        if part != idle:
            kept.append(part)
        if part == ending:
            break
    if kept[:1] == [ending]:
        return ending
    return type(node)(tuple(kept)) if kept else idle


def _cond(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    return Cond(condition, then, otherwise)


def _make_set(items: tuple[Expr, ...]) -> Expr:
    values = [item.value for item in items if isinstance(item, Const) and isinstance(item.value, int)]
    if len(values) < len(items):
        return MakeSet(items)
    return Const(tuple(sorted(set(values) - {NOTHING})))
