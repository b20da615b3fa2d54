"""Conditions that hold for the members of one set: asked once for all elements, not for each.

"A space where nothing stands" is such a condition: where things stand does not depend on the space that is looked at.
Only expressions that look nothing but slots up are taken, so that asking them early can neither cost much nor fail.
"""

from __future__ import annotations

from collections.abc import Container

from targi_dsl.engine import expressions, lying
from targi_dsl.engine.code import ELEMENT, Code, Value, Vector
from targi_dsl.engine.folding import folded
from targi_dsl.model import (
    Active,
    All,
    CardsOn,
    Compare,
    Const,
    Exists,
    Expr,
    Local,
    Lying,
    MakeSet,
    Member,
    Not,
    Pick,
    SetOp,
    Table,
    TopCard,
    Var,
)

_EVERY = range(1 << ELEMENT)
Sieve = tuple[bool, Value]  # the condition holds for the elements in a container (True), or for those not in it (False)


def sieved(elements: tuple[int, ...], sieves: list[Sieve], v: Vector, fp: int) -> tuple[int, ...] | list[int]:
    """The elements for which all these conditions hold, in order."""
    kept: tuple[int, ...] | list[int] = elements
    for inside, of in sieves:
        some: Container[int] = of(v, fp)
        if inside:
            kept = [element for element in kept if element in some]
        else:
            kept = [element for element in kept if element not in some]
        if not kept:
            break
    return kept


def split(code: Code, slot: int, condition: Expr) -> tuple[list[Sieve], Expr]:
    """A condition on the slot as sieves, and what is left of it."""
    node = folded(condition)
    parts = node.parts if isinstance(node, All) else (node,)
    found = [(part, sieve(code, slot, part)) for part in parts]
    rest = tuple(part for part, one in found if one is None)
    return [one for _, one in found if one is not None], folded(All(rest))


def sieve(code: Code, slot: int, condition: Expr) -> Sieve | None:
    """A condition on the slot as a sieve, if it is of that kind."""
    node = folded(condition)
    if _plain(node, slot):
        holds = expressions.expression(code, node)
        return True, lambda v, fp: _EVERY if holds(v, fp) else ()
    match node:
        case Not(of):
            opposite = sieve(code, slot, of)
            return None if opposite is None else (not opposite[0], opposite[1])
        case Member(Local(at), within) if at == slot and _plain(within, slot):
            return True, expressions.expression(code, within)
        case Compare("is" | "is_not" as op, Local(at), other) if at == slot and _plain(other, slot):
            return op == "is", _only(expressions.expression(code, other))
        case Compare("is" | "is_not" as op, other, Local(at)) if at == slot and _plain(other, slot):
            return op == "is", _only(expressions.expression(code, other))
        case Exists(_, Lying(base, things, MakeSet((Local(at),))), Const(1)) if at == slot and _plain(things, slot):
            return True, lying.row(code, base, things)
        case Exists(_, Lying(base, things, Pick(sets, Local(at))), Const(1)) if at == slot and _plain(things, slot):
            return True, _reached(lying.row(code, base, things), sets)
        case _:
            return None


def _only(of: Value) -> Value:
    return lambda v, fp: (of(v, fp),)


def _reached(row: Value, sets: tuple[tuple[int, ...], ...]) -> Value:
    """The elements whose set has a place of the row in it; the last set is that of nothing."""
    back: dict[int, list[int]] = {}
    for element, places in enumerate(sets[:-1]):
        for place in places:
            back.setdefault(place, []).append(element)

    def reached(v: Vector, fp: int) -> list[int]:
        return [element for place in row(v, fp) if place in back for element in back[place]]

    return reached


def _plain(node: Expr, slot: int) -> bool:
    """Whether an expression only looks up slots, and not this one."""
    match node:
        case Const():
            return True
        case Local(at):
            return at != slot
        case Var(_, index, _) | Table(_, index) | Pick(_, index):
            return _plain(index, slot)
        case MakeSet(items):
            return all(_plain(item, slot) for item in items)
        case SetOp(_, left, right) | Compare(_, left, right) | Member(left, right) | Lying(_, left, right):
            return _plain(left, slot) and _plain(right, slot)
        case Exists(_, Lying() as inner, Const(1)) | Exists(_, CardsOn(inner), Const(1)) | Not(inner) | TopCard(inner):
            return _plain(inner, slot)
        case Active():
            return True
        case _:
            return False
