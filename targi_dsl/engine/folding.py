"""Expressions made simpler before they become closures: what is settled by the rules alone is
settled once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from targi_dsl.engine.code import Code
from targi_dsl.ir.model import (
    NOTHING,
    YOU,
    All,
    AnyOf,
    Call,
    CanDo,
    CanPay,
    Compare,
    Cond,
    Const,
    Exists,
    Expr,
    Filter,
    Fold,
    Local,
    MakeSet,
    Map,
    Member,
    Not,
    Pick,
    Size,
    Table,
    Var,
)

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq,
    "is_not": operator.ne,
    "less_than": operator.lt,
    "at_most": operator.le,
    "more_than": operator.gt,
    "at_least": operator.ge,
}
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


def folded(code: Code, node: Expr) -> Expr:
    """An expression that always has the same value, and is no slower."""
    match node:
        case Call(define, arguments) if _opens(code, define, arguments):
            return folded(code, _put_in(code.game.defines[define].value, arguments))
        case Exists(slot, within, condition):
            return Exists(slot, folded(code, within), condition)
        case Compare(op, Table(values, Local() as of), Const(int(number))) if not COMPARISONS[op](
            values[-1], number
        ):
            return Member(
                of,
                Const(
                    tuple(i for i, one in enumerate(values[:-1]) if COMPARISONS[op](one, number))
                ),
            )
        case Compare(op, Size(of), Const(int(number))) if (op, number) in _SOME:
            return Exists(NOTHING, folded(code, of), _TRUE)
        case Compare(op, Size(of), Const(int(number))) if (op, number) in _NONE:
            return Not(Exists(NOTHING, folded(code, of), _TRUE))
        case Not(of):
            return _not(folded(code, of))
        case All(parts):
            return _joined(node, [folded(code, part) for part in parts], _TRUE, _FALSE)
        case AnyOf(parts):
            return _joined(node, [folded(code, part) for part in parts], _FALSE, _TRUE)
        case Cond(condition, then, otherwise):
            return _cond(folded(code, condition), folded(code, then), folded(code, otherwise))
        case MakeSet(items):
            return _make_set(tuple(folded(code, item) for item in items))
        case Pick(values, index) | Table(values, index):
            at = folded(code, index)
            if isinstance(at, Const) and isinstance(at.value, int):
                return Const(values[at.value if 0 <= at.value < len(values) else -1])
    return node


def _opens(code: Code, define: int, arguments: tuple[Expr, ...]) -> bool:
    """Whether a definition can stand where it is called: it needs no frame of its own, and is as
    quick with what it is given.
    """
    info = code.game.defines[define]
    return (
        arguments[0] == Local(YOU)
        and all(isinstance(argument, Local | Const) for argument in arguments)
        and not _needs_frame(info.value)
    )


def _needs_frame(node: object) -> bool:
    """Whether an expression calls, or binds elements to a slot."""
    match node:
        case Map(slot, within, Var(_, Local(at), _)) if (
            at == slot
        ):  # no slot is needed to look up where things lie
            return _needs_frame(within)
        case Exists(_, within, Const(1)):
            return _needs_frame(within)
        case Call() | CanDo() | CanPay() | Filter() | Map() | Fold() | Exists():
            return True
        case tuple():
            return any(not isinstance(part, int) and _needs_frame(part) for part in node)
        case _:
            return is_dataclass(node) and any(
                _needs_frame(getattr(node, one.name)) for one in fields(node)
            )


def _put_in(node: Any, arguments: tuple[Expr, ...]) -> Any:
    """An expression with its parameters replaced."""
    match node:
        case Local(slot) if slot < len(arguments):
            return arguments[slot]
        case tuple():
            return tuple(
                part if isinstance(part, int) else _put_in(part, arguments) for part in node
            )
        case _ if is_dataclass(node) and not isinstance(node, type):
            return replace(
                node,
                **{one.name: _put_in(getattr(node, one.name), arguments) for one in fields(node)},
            )
        case _:
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
    if len(kept) == 1:
        return kept[0]
    return type(node)(tuple(kept)) if kept else idle


def _cond(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    return Cond(condition, then, otherwise)


def _make_set(items: tuple[Expr, ...]) -> Expr:
    values = [
        item.value for item in items if isinstance(item, Const) and isinstance(item.value, int)
    ]
    if len(values) < len(items):
        return MakeSet(items)
    return Const(tuple(sorted(set(values) - {NOTHING})))
