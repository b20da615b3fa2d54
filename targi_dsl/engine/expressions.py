"""Expressions as closures: each reads a position in a frame, and changes nothing."""

from __future__ import annotations

from typing import Any, assert_never

from targi_dsl.engine import heads, lying, payment, sets
from targi_dsl.engine.code import BLOCKED, Code, Value, Vector
from targi_dsl.engine.faults import HIGHEST, LOWEST, overflow
from targi_dsl.engine.folding import COMPARISONS, folded
from targi_dsl.ir.model import (
    NOTHING,
    YOU,
    Active,
    All,
    AnyOf,
    Arith,
    BottomCard,
    Call,
    CanDo,
    CanPay,
    CardsOn,
    Compare,
    Cond,
    Const,
    During,
    Exists,
    Expr,
    FaceUp,
    Filter,
    First,
    Fold,
    Image,
    Local,
    Lying,
    MakeSet,
    Map,
    Member,
    Not,
    Pick,
    Range,
    SetOp,
    Size,
    Table,
    TopCard,
    Var,
)

_TRUTHS = (Exists, Compare, Member, Not, All, AnyOf, FaceUp, During, Active, CanDo, CanPay)


def number(code: Code, node: Expr) -> Value:
    """As `expression`, with truth as 0 or 1: for what is kept in a slot."""
    value = expression(code, node)
    return (lambda v, fp: 1 if value(v, fp) else 0) if isinstance(node, _TRUTHS) else value


def condition(code: Code, node: Expr) -> Value | None:
    """As `expression`; None for what is always true."""
    node = folded(code, node)
    return None if isinstance(node, Const) and node.value else expression(code, node)


def expression(code: Code, node: Expr) -> Value:
    """The closure of an expression. Those that look at sets one by one stand in `sets`."""
    node = folded(code, node)
    match node:
        case Const(value):
            return lambda v, fp: value
        case Local(slot):
            return (lambda v, fp: v[fp]) if slot == YOU else (lambda v, fp: v[fp + slot])
        case Var(base, index, missing):
            return _var(code, base, index, missing)
        case Table(values, index):
            return _looked_up(code, values, index)
        case Pick(values, index):
            return _looked_up(code, values, index)
        case Arith(op, left, right):
            return _arith(op, expression(code, left), expression(code, right))
        case Compare(op, left, right):
            return _compare(code, op, left, right)
        case Not(of):
            inner = expression(code, of)
            return lambda v, fp: not inner(v, fp)
        case All(parts):
            return _all([expression(code, part) for part in parts])
        case AnyOf(parts):
            return _any([expression(code, part) for part in parts])
        case Cond(test, then, otherwise):
            return _cond(
                expression(code, test), expression(code, then), expression(code, otherwise)
            )
        case TopCard(place):
            return lying.top_card(code, place)
        case BottomCard(place):
            return lying.bottom_card(code, expression(code, place))
        case FaceUp(card):
            return lying.face_up(code, expression(code, card))
        case Call(define, arguments):
            return call(code, define, arguments, code.defines)
        case During(rule):
            return _during(rule)
        case Active(ability):
            active = code.activity(ability)
            return lambda v, fp: active(v, v[fp])
        case CanDo(rule, arguments):
            return _can_do(code, rule, arguments)
        case CanPay(price, terms):
            return payment.can_pay(code, price, terms)
        case (
            Image() | MakeSet() | Range() | SetOp() | Filter() | Map() | Fold() | Size() | First() | Exists() | Member()
            | CardsOn() | Lying()
        ):  # fmt: skip
            return sets.expression(code, node)
        case _:
            assert_never(node)


def call(code: Code, define: int, arguments: tuple[Expr, ...], values: list[Value]) -> Value:
    """A definition in a frame of its own; `values` has its closure by the time it is called."""
    given = [number(code, argument) for argument in arguments]
    framed = code.framed(NOTHING, given, len(code.game.defines[define].slots), values, define)
    return code.fuel.per_call(code.fuel.of_define(define), framed)


def _var(code: Code, base: int, index: Expr, missing: int) -> Value:
    match index:
        case Const(int(at)):
            slot = base + at
            return (lambda v, fp: v[slot]) if at != NOTHING else (lambda v, fp: missing)
        case Local(local) if local == YOU:
            return lambda v, fp: v[base + v[fp]]
        case Local(local):

            def by_local(v: Vector, fp: int) -> int:
                i = v[fp + local]
                return v[base + i] if i >= 0 else missing

            return by_local
    of = expression(code, index)

    def var(v: Vector, fp: int) -> int:
        i = of(v, fp)
        return v[base + i] if i >= 0 else missing

    return var


def _looked_up(code: Code, values: tuple[Any, ...], at: Expr) -> Value:
    last = len(values) - 1
    if isinstance(at, Local):
        slot = at.slot

        def by_local(v: Vector, fp: int) -> Any:
            i = v[fp + slot]
            return values[i] if 0 <= i < last else values[last]

        return by_local
    index = expression(code, at)

    def looked_up(v: Vector, fp: int) -> Any:
        i = index(v, fp)
        return values[i] if 0 <= i < last else values[last]

    return looked_up


def _arith(op: str, left: Value, right: Value) -> Value:
    def plus(v: Vector, fp: int) -> int:
        result: int = left(v, fp) + right(v, fp)
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    def minus(v: Vector, fp: int) -> int:
        result: int = left(v, fp) - right(v, fp)
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    def times(v: Vector, fp: int) -> int:
        result: int = left(v, fp) * right(v, fp)
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    def divided(v: Vector, fp: int) -> int:
        result, by = left(v, fp), right(v, fp)
        result = result // by if by else 0
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    return {"+": plus, "-": minus, "*": times, "/": divided}[op]


def _compare(code: Code, op: str, left: Expr, right: Expr) -> Value:
    test, f = COMPARISONS[op], expression(code, left)
    match op, left, right:
        case "is", Local(slot), Const(constant):
            return lambda v, fp: v[fp + slot] == constant
        case "is", _, Const(constant):
            return lambda v, fp: f(v, fp) == constant
        case "is", _, Local(slot):
            return lambda v, fp: f(v, fp) == v[fp + slot]
        case _, _, Const(constant):
            return lambda v, fp: test(f(v, fp), constant)
    g = expression(code, right)
    return lambda v, fp: test(f(v, fp), g(v, fp))


def _all(parts: list[Value]) -> Value:
    if len(parts) == 2:
        first, second = parts
        return lambda v, fp: first(v, fp) and second(v, fp)

    def every(v: Vector, fp: int) -> bool:
        holds = True
        for part in parts:
            holds = part(v, fp)
            if not holds:
                break
        return holds

    return every


def _any(parts: list[Value]) -> Value:
    if len(parts) == 2:
        first, second = parts
        return lambda v, fp: first(v, fp) or second(v, fp)

    def some(v: Vector, fp: int) -> bool:
        holds = False
        for part in parts:
            holds = part(v, fp)
            if holds:
                break
        return holds

    return some


def _cond(test: Value, then: Value, otherwise: Value) -> Value:
    return lambda v, fp: then(v, fp) if test(v, fp) else otherwise(v, fp)


def _during(rule: int) -> Value:
    def during(v: Vector, fp: int) -> bool:
        while fp > 0:
            if v[fp - 1] == rule:
                return True
            fp = v[fp - 2]
        return False

    return during


def _can_do(code: Code, rule: int, arguments: tuple[Expr, ...]) -> Value:
    head = heads.done(code, rule, arguments)
    return lambda v, fp: head(v, fp) != BLOCKED
