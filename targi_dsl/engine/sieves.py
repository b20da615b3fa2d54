"""Conditions that hold for the members of one set: asked once for all elements, not for each.

"A space where nothing stands" is such a condition: where things stand does not depend on the space
that is looked at. Only expressions that look nothing but slots up are taken, so that asking them
early can neither cost much nor fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from targi_dsl.engine import expressions, lying
from targi_dsl.engine.code import Code, Value, Vector
from targi_dsl.engine.folding import folded
from targi_dsl.ir.model import (
    NOTHING,
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

_KINDS = ("test", "inside", "outside", "bare")
Elements = tuple[int, ...] | list[int]


@dataclass(frozen=True, slots=True)
class Sieve:
    """A condition on an element. kind: "test" (`of` tells whether it holds for all of them),
    "inside" (for those in the container that `of` gives), "outside" (for the others), or "bare"
    (for those at which the slots from the one that `of` gives hold nothing). fixed: the container
    that it always gives.
    """

    kind: str
    of: Value
    fixed: tuple[int, ...] | None = None


def sifted(code: Code, within: Expr, sieves: Iterable[Sieve]) -> Callable[[Vector, int], Elements]:
    """The elements of a set for which all these conditions hold, in order."""
    among, found = folded(code, within), list(sieves)
    whole = frozenset[int]()  # nothing: the set is to be worked out
    if isinstance(among, Const) and isinstance(among.value, tuple):
        whole = frozenset(among.value)
        for one in found:
            if one.fixed is not None:
                whole = whole & {*one.fixed} if one.kind == "inside" else whole - {*one.fixed}
        found = [one for one in found if one.fixed is None]
        among = Const(tuple(sorted(whole)))
    elements = expressions.expression(code, among)
    if not found:
        return elements
    tests, inside, outside, bare = (
        [one.of for one in found if one.kind == kind] for kind in _KINDS
    )

    def sift(v: Vector, fp: int) -> Elements:
        kept = whole or frozenset(elements(v, fp))
        for holds in tests:
            if not holds(v, fp):
                return ()
        for of in inside:
            kept = kept.intersection(of(v, fp))
        if outside:
            kept = kept.difference(*[of(v, fp) for of in outside])
        for base in bare:
            first = base(v, fp)
            kept = frozenset([element for element in kept if v[first + element] < 0])
        return sorted(kept)

    return sift


def split(code: Code, slot: int, condition: Expr) -> tuple[list[Sieve], Expr]:
    """A condition on the slot as sieves, and what is left of it."""
    node = folded(code, condition)
    parts = node.parts if isinstance(node, All) else (node,)
    found = [(part, sieve(code, slot, part)) for part in parts]
    rest = tuple(part for part, one in found if one is None)
    return [one for _, one in found if one is not None], folded(code, All(rest))


def sieve(code: Code, slot: int, condition: Expr) -> Sieve | None:
    """A condition on the slot as a sieve, if it is of that kind."""
    node = folded(code, condition)
    if _plain(node, slot):
        return Sieve("test", expressions.expression(code, node))
    match node:
        case Not(of):
            if of == Exists(NOTHING, CardsOn(MakeSet((Local(slot),))), Const(1)):
                return Sieve("bare", expressions.expression(code, Const(code.slots.place_top)))
            opposite = sieve(code, slot, of)
            return opposite and replace(
                opposite, kind="outside" if opposite.kind == "inside" else "inside"
            )
        case Member(Local(at), Const(tuple(fixed))) if at == slot:
            return Sieve("inside", lambda v, fp: fixed, fixed)
        case Member(Local(at), within) if at == slot and _plain(within, slot):
            return Sieve("inside", expressions.expression(code, within))
        case Compare("is" | "is_not" as op, Local(at), other) if at == slot and _plain(other, slot):
            return Sieve(
                "inside" if op == "is" else "outside", _only(expressions.expression(code, other))
            )
        case Compare("is" | "is_not" as op, other, Local(at)) if at == slot and _plain(other, slot):
            return Sieve(
                "inside" if op == "is" else "outside", _only(expressions.expression(code, other))
            )
        case Exists(_, Lying(base, things, MakeSet((Local(at),))), Const(1)) if (
            at == slot and _plain(things, slot)
        ):
            return Sieve("inside", lying.row(code, base, things))
        case Exists(_, Lying(base, things, Pick(sets, Local(at))), Const(1)) if (
            at == slot and _plain(things, slot)
        ):
            return Sieve("inside", _reached(lying.row(code, base, things), sets))
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
        case (
            SetOp(_, left, right)
            | Compare(_, left, right)
            | Member(left, right)
            | Lying(_, left, right)
        ):
            return _plain(left, slot) and _plain(right, slot)
        case (
            Exists(_, Lying() as inner, Const(1))
            | Exists(_, CardsOn(inner), Const(1))
            | Not(inner)
            | TopCard(inner)
        ):
            return _plain(inner, slot)
        case Active():
            return True
        case _:
            return False
