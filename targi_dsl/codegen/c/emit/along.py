"""Generates, for all elements of a mask at once, which of them have a path to something, by
following paths backwards from there. The meter still counts as if each were visited.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.codegen.c.emit.steps import fill, image, integer, longest, steps, values
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir.walk import parts
from targi_dsl.optimize.rewrite import is_safe


class Texts(Protocol):
    """Generates sets."""

    def text(self, node: e.Expr, scope: Scope, shape: Shape) -> str:
        """The text of a set in a given representation."""

    def lying_places(self, base: int, things: e.Expr, places: e.Expr, scope: Scope) -> str:
        """Where the pieces of a maintained set lie, if `places` has only places; else empty."""

    def called(self, slot: int, call: e.Call, scope: Scope) -> tuple[int, e.Expr, Scope] | None:
        """The slot, body and frame of a definition that a slot is passed to."""


MOST = 16  # ways, each with code of its own

Found = tuple[str, str]
"""The statements that count, and the elements."""


class Along:
    """Generates the conditions on the elements of one mask, under the name `x`, and a way."""

    def __init__(self, unit: Unit, sets: Texts, shape: Shape, x: str) -> None:
        self.unit, self.sets, self.shape, self.x = unit, sets, shape, x
        self.size, self.count = f"{shape.name}_size({x})", ""

    def exists(self, slot: int, within: str, node: e.Exists, scope: Scope, to: str) -> str:
        """Finds the elements of a set for which a condition holds on some way; empty if they must
        be visited one by one.
        """
        match node:
            case e.Exists(inner, e.Pick(sets, e.Local(at)), condition) if at == slot:
                every = sorted({one for found in sets for one in found})
            case _:
                return ""
        if not 0 < len(every) <= MOST or every[0] < 0 or not self._is_whole:
            return ""
        self.count = f"{to}_n"
        text = f"{self.shape.name} {to} = {self.shape.constant(())}; int {self.count} = 0;"
        for way in every:
            found = self._holds(slot, condition, scope.bound(inner, str(way)))
            if found is None:
                return ""
            text += self._along(sets, way, within, to, found)
        return f"{text} count(g, {self.count});"

    def _along(
        self, sets: Sequence[tuple[int, ...]], way: int, within: str, to: str, found: Found
    ) -> str:
        """Adds the elements for which the condition holds on one way."""
        x, name, shape = self.x, self.shape.name, self.shape
        last = len(sets) - 1
        having = shape.constant([at for at in range(shape.room) if way in sets[min(at, last)]])
        return (
            f" {{ {name} {x} = {name}_and({within}, {having}); "
            f"{self.count} += {self.size}; {x} = {name}_less({x}, {to}); "
            f"{found[0]} {to} = {name}_or({to}, {name}_and({x}, {found[1]})); }}"
        )

    @property
    def _is_whole(self) -> bool:
        """Whether the mask has room for all places, and the nesting limit cannot be reached."""
        return self.shape == self.unit.occupancy.of_places and not self.unit.references.is_deep

    def _holds(self, slot: int, condition: e.Expr, scope: Scope) -> Found | None:
        match condition:
            case e.Call() if called := self.sets.called(slot, condition, scope):
                return self._entered(self._holds(*called))
            case e.Exists(_, e.Lying(base, things, places), e.Const(1)) if _is_steady(slot, things):
                there = self.sets.lying_places(base, things, places, scope)
                return self._leads(slot, places, there, scope) if there else None
            case _:
                return None

    def _entered(self, found: Found | None) -> Found | None:
        return (f"{self.count} += {self.size}; {found[0]}", found[1]) if found else None

    def _leads(self, slot: int, places: e.Expr, to: str, scope: Scope) -> Found | None:
        """The elements from which a set expression leads to some places."""
        match places:
            case e.MakeSet((e.Local(at),)) if at == slot:
                return "", to
            case e.Call() if called := self.sets.called(slot, places, scope):
                return self._entered(self._leads(called[0], called[1], to, called[2]))
            case e.Image(sets, of) if by := steps(sets, is_reversed=True):
                return self._leads(slot, of, image(by, to, self.shape), scope)
            case e.Cond(test, then, otherwise) if (
                holds := integer(test, scope.constants)
            ) is not None:
                return self._leads(slot, then if holds else otherwise, to, scope)
            case e.Reached(_, e.MakeSet((e.Local(at),)), _, within) if at == slot and _is_steady(
                slot, within
            ):
                return self._reached(places, to, scope)
            case _:
                return None

    def _reached(self, node: e.Reached, to: str, scope: Scope) -> Found | None:
        """The elements from which repeated steps of one distance lead to some places."""
        shape = self.shape
        found = values(node.step, node.slot, scope.constants, shape.room)
        by = steps(found) if found else {}
        if len(by) != 1 or 0 in by:
            return None
        ((distance, begins),) = by.items()
        name, among, back = shape.name, self.unit.fresh("v"), self.unit.fresh("b")
        start, most = shape.constant(begins), longest(begins, distance)
        before = f"{name}_and({shape.shifted(back, -distance)}, {start})"

        def back_by(text: str, steps: int) -> str:
            return shape.shifted(text, -steps * distance)

        return (
            f"{name} {among} = {self.sets.text(node.within, scope, shape)}, "
            f"{back} = {name}_and({to}, {among}); {self.count} += {self.size}; "
            f"{fill(back, among, start, most, shape, back_by)}"
        ), f"{name}_or({back}, {before})"


def _is_steady(slot: int, node: e.Expr) -> bool:
    """Whether an expression does not depend on a slot, and counts nothing on the meter."""
    reads = any(one.slot == slot for one in parts(node, e.Local))
    return not reads and is_safe(node) and not [*parts(node, (e.Map, e.Filter))]
