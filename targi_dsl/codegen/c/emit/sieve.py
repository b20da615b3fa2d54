"""Generates the elements that satisfy a condition as one mask, instead of a test of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.codegen.c.emit.steps import Values, image, steps
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.walk import parts

Mask = tuple[bool, str]
"""A mask with a flag; if that is false, its complement is meant."""


class Texts(Protocol):
    """Generates sets."""

    def text(self, node: e.Expr, scope: Scope, shape: Shape) -> str:
        """The text of a set in a given representation."""

    def maintained(self, base: int, things: e.Expr, scope: Scope) -> str:
        """The number of a set of pieces whose places are maintained; empty if they are not."""

    def converted(self, text: str, one: Shape, other: Shape) -> str:
        """A set in another representation."""


class Sieve:
    """Generates the conditions on one slot, all of whose elements fit into a mask."""

    def __init__(self, unit: Unit, sets: Texts, slot: int, shape: Shape, scope: Scope) -> None:
        self.unit, self.sets, self.scope = unit, sets, scope
        self.slot, self.shape, self.here = slot, shape, e.MakeSet((e.Local(slot),))

    def mask(self, condition: e.Expr) -> Mask | None:
        """The elements that satisfy a condition; None if they must be visited one by one."""
        match condition:
            case e.Not(of):
                found = self.mask(of)
                return (not found[0], found[1]) if found else None
            case e.All(several):
                return self._join("and", several)
            case e.AnyOf(several):
                return self._join("or", several)
            case e.Compare("more_than", e.Size(things), e.Const(0)) | e.Exists(
                _, things, e.Const(1)
            ):
                return self._inhabited(things)
            case e.Compare("is", e.TopCard(e.Local(slot)), e.Const(-1)) if slot == self.slot:
                return False, self._of_places(self.unit.occupancy.places_with_cards())
            case e.Compare(op, e.Table(values, e.Local(slot)), e.Const(int(number))) if (
                slot == self.slot
            ):
                return True, self._entries(op, values, number)
            case e.Table(values, e.TopCard(e.Local(slot))) if slot == self.slot:
                return self._under([bool(one) for one in values])
            case e.Compare(op, e.Table(values, e.TopCard(e.Local(slot))), e.Const(int(number))) if (
                slot == self.slot
            ):
                return self._under([COMPARISONS[op].holds(one, number) for one in values])
            case e.Compare("is", e.Local(slot), other) if slot == self.slot:
                return self._only(other)
            case e.Member(other, within) if within == self.here:
                return self._only(other)
            case _:
                return None

    def _join(self, operation: str, several: Sequence[e.Expr]) -> Mask | None:
        found = [one for one in map(self.mask, several) if one]
        if not several or len(found) < len(several):
            return None
        first, *others = map(self._positive, found)
        for one in others:
            first = f"{self.shape.name}_{operation}({first}, {one})"
        return True, first

    def _positive(self, mask: Mask) -> str:
        every = self.shape.constant(range(self.shape.room))
        return mask[1] if mask[0] else f"{self.shape.name}_less({every}, {mask[1]})"

    def _entries(self, op: e.Comparison, values: Sequence[int], number: int) -> str:
        """The elements whose table entry compares so with a number."""
        last, holds = len(values) - 1, COMPARISONS[op].holds
        room = range(self.shape.room)
        return self.shape.constant([x for x in room if holds(values[min(x, last)], number)])

    def _only(self, other: e.Expr) -> Mask | None:
        """The element equal to another number."""
        match other:
            case e.Var(_, index, _) if index != e.Local(YOU) and not isinstance(index, e.Const):
                return None
            case e.Const() | e.Var() | e.Local() if not self._reads(other):
                return True, self.sets.text(e.MakeSet((other,)), self.scope, self.shape)
            case _:
                return None

    # ---- what lies somewhere ----

    def _inhabited(self, things: e.Expr) -> Mask | None:
        """The elements at or near which something lies."""
        occupancy = self.unit.occupancy
        match things:
            case e.CardsOn(places) if occupancy.of_places.words:
                return self._near(places, occupancy.places_with_cards())
            case e.Lying(base, pieces, places) if not self._reads(pieces):
                kept = self.sets.maintained(base, pieces, self.scope)
                return self._near(places, occupancy.places(kept)) if kept else None
            case _:
                return None

    def _under(self, holds: Sequence[bool]) -> Mask | None:
        """The places whose top card satisfies `holds`; its last entry is for no card."""
        last, cards = len(holds) - 1, range(len(self.unit.program.cards))
        kept = self.unit.occupancy.under(
            frozenset(card for card in cards if holds[min(card, last)] != holds[-1])
        )
        return (not holds[-1], self._of_places(kept)) if kept else None

    def _reads(self, node: e.Expr) -> bool:
        return any(one.slot == self.slot for one in parts(node, e.Local))

    def _near(self, places: e.Expr, lying: str) -> Mask | None:
        match places:
            case _ if places == self.here:
                return True, self._of_places(lying)
            case e.Pick(sets, e.Local(slot)) if slot == self.slot:
                return self._reaching(sets, lying)
            case _:
                return None

    def _reaching(self, sets: Values, lying: str) -> Mask | None:
        """The elements whose set contains a place where something lies, if the sets are the same
        few distances away from their elements.
        """
        by = steps(sets[: self.shape.room], is_reversed=True)
        is_wide = self.shape.words == self.unit.occupancy.of_places.words
        return (True, image(by, lying, self.shape)) if by and is_wide else None

    def _of_places(self, text: str) -> str:
        return self.sets.converted(text, self.unit.occupancy.of_places, self.shape)
