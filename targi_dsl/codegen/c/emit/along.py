"""Generates the elements of a mask from which some way leads to something, all at once: the ways
are gone backwards from there. What would be looked at element by element is counted.
"""

from __future__ import annotations

from typing import Protocol

from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.codegen.c.emit.steps import image, steps
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.codegen.c.emit.ways import Ways, image_of, ways_of
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.walk import parts
from targi_dsl.optimize.rewrite import is_safe


class Texts(Protocol):
    """Generates sets."""

    def text(self, node: e.Expr, scope: Scope, shape: Shape) -> str:
        """The text of a set in a given representation."""

    def lying_places(self, base: int, things: e.Expr, places: e.Expr, scope: Scope) -> str:
        """Where the pieces of a maintained set lie, if some places are places; or else empty."""

    def called(self, slot: int, call: e.Call, scope: Scope) -> tuple[int, e.Expr, Scope] | None:
        """The slot, the value and the frame of a definition that is asked about a slot."""


Found = tuple[str, str]
"""The statements that count, and the elements."""


class Along:
    """Generates the conditions on the elements of one mask, under the name `x`, and a way."""

    def __init__(self, unit: Unit, sets: Texts, shape: Shape, x: str) -> None:
        self.unit, self.sets, self.shape, self.x = unit, sets, shape, x
        self.size, self.way = f"{shape.name}_size({x})", ("", NOTHING)

    def exists(self, slot: int, within: str, node: e.Exists, scope: Scope, to: str) -> str:
        """Finds those of a set with a way for which a condition holds; empty if they must be looked
        at one by one.
        """
        match node:
            case e.Exists(inner, e.Pick(sets, e.Local(at)), condition) if at == slot:
                every = sorted({one for found in sets for one in found})
            case _:
                return ""
        if not every or every[0] < 0 or self.unit.references.is_deep or not self._is_whole:
            return ""
        w, x, name, shape = self.unit.fresh("w"), self.x, self.shape.name, self.shape
        self.way = w, every[-1]
        found = self._holds(slot, condition, scope.bound(inner, w))
        if found is None:
            return ""
        room = range(shape.room)
        having = [
            [at for at in room if one in sets[min(at, len(sets) - 1)]]
            for one in range(every[-1] + 1)
        ]
        return (
            f"{name} {to} = {shape.constant(())}; "
            f"for (int {w} = {every[0]}; {w} <= {every[-1]}; {w}++) {{ "
            f"{name} {x} = {name}_and({within}, {self.unit.sets(having, shape)}[{w}]); "
            f"count(g, {self.size}); {x} = {name}_less({x}, {to}); if (!{name}_any({x})) continue; "
            f"{found[0]} {to} = {name}_or({to}, {name}_and({x}, {found[1]})); }}"
        )

    @property
    def _is_whole(self) -> bool:
        """Whether the mask has room for all places."""
        return self.shape == self.unit.occupancy.of_places

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
        return (f"enter_often(g, c, {self.size}); {found[0]}", found[1]) if found else None

    def _leads(self, slot: int, places: e.Expr, to: str, scope: Scope) -> Found | None:
        """From which elements some places lead to others."""
        match places:
            case e.MakeSet((e.Local(at),)) if at == slot:
                return "", to
            case e.Call() if called := self.sets.called(slot, places, scope):
                return self._entered(self._leads(called[0], called[1], to, called[2]))
            case e.Image(sets, of) if by := steps(sets, is_reversed=True):
                return self._leads(slot, of, image(by, to, self.shape), scope)
            case e.Cond() if (chain := image_of(places, scope)) and self._is_way(chain[0]):
                ways, of = chain
                before = ways.taken(self.unit, to, self.shape, is_back=True)
                return self._leads(slot, of, before, scope)
            case e.Reached(_, e.MakeSet((e.Local(at),)), _, within) if at == slot and _is_steady(
                slot, within
            ):
                return self._reached(places, to, scope)
            case _:
                return None

    def _is_way(self, ways: Ways) -> bool:
        """Whether the way that is gone is always one of these."""
        name, highest = self.way
        return ways.by == name and highest < ways.last

    def _reached(self, node: e.Reached, to: str, scope: Scope) -> Found | None:
        """Every element takes its own way, and no two of them meet at once."""
        ways = ways_of(self.unit, node.step, node.slot, scope, self.shape.room)
        if ways is None:
            return None
        level, among, back, before = (self.unit.fresh(one) for one in "lvbn")
        name, shape = self.shape.name, self.shape
        on, off = (
            ways.taken(self.unit, level, shape),
            ways.taken(self.unit, back, shape, is_back=True),
        )
        return (
            f"{name} {level} = {self.x}, {among} = {self.sets.text(node.within, scope, shape)}, "
            f"{back} = {name}_and({to}, {among}), {before}; "
            f"do {{ count(g, {name}_size({level})); {level} = {name}_and({on}, {among}); }} "
            f"while ({name}_any({level})); "
            f"do {{ {before} = {back}; {back} = {name}_or({back}, {name}_and({off}, {among})); }} "
            f"while (!{name}_equal({back}, {before}));"
        ), f"{name}_or({back}, {off})"


def _is_steady(slot: int, node: e.Expr) -> bool:
    """Whether an expression is the same for every number in a slot, and counts nothing."""
    reads = any(one.slot == slot for one in parts(node, e.Local))
    return not reads and is_safe(node) and not [*parts(node, (e.Map, e.Filter))]
