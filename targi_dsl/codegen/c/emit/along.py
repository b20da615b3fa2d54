"""Generates, for all elements of a mask at once, which of them have a path to something along some
way; and for one element, along which ways it has one. The meter still counts as if each were
visited.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from targi_dsl.codegen.c.emit.paths import Path, Paths, Texts, courses
from targi_dsl.codegen.c.emit.shapes import LANES, Shape, either
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e

MOST = 16  # ways, each with code of its own


class Along:
    """Generates the conditions on a way."""

    def __init__(self, unit: Unit, sets: Texts) -> None:
        self.unit, self.sets, self.paths = unit, sets, Paths(unit, sets)

    def exists(
        self, slot: int, within: str, node: e.Exists, scope: Scope, shape: Shape, to: str
    ) -> str:
        """Finds the elements of a mask for which a condition holds on some way; empty if they must
        be visited one by one.
        """
        match node:
            case e.Exists(inner, e.Pick(sets, e.Local(at)), condition) if at == slot:
                every = sorted({one for found in sets for one in found})
            case _:
                return ""
        whole = shape == self.unit.occupancy.of_places
        paths = self._paths(slot, inner, condition, every, scope) if whole else {}
        if not paths:
            return ""
        x, n, name, room = f"{within}_x", f"{to}_n", shape.name, range(shape.room)
        of = [set(sets[min(at, len(sets) - 1)]) for at in room]
        text = f"{name} {to} = {shape.constant(())}; int {n} = 0;"
        for many in sorted({*map(len, of)} - {0}):
            asked = shape.constant([at for at in room if len(of[at]) == many])
            text += f" {n} += {many} * {name}_size({name}_and({within}, {asked}));"
        found = {way: self.unit.fresh("w") for way in paths}
        text += self._followed(paths, found)
        for way, path in paths.items():
            having = shape.constant([at for at in room if way in of[at]])
            text += (
                f" {{ {name} {x} = {name}_and({within}, {having}); "
                f"{n} += {path.counted} * {name}_size({name}_less({x}, {to})); "
                f"{to} = {name}_or({to}, {name}_and({x}, {found[way]})); }}"
            )
        return f"{text} count(g, {n});"

    def leading(
        self, inner: int, condition: e.Expr, most: int, scope: Scope
    ) -> tuple[str, int] | None:
        """The ways up to `most` on which a condition holds, as bits; and what the meter counts for
        each that is asked. None if they must be asked one by one.
        """
        if not isinstance(condition, e.Call) or not self._fit_into_a_word:
            return None
        for one in condition.arguments:
            if not isinstance(one, e.Local) or one.slot == inner:
                continue
            paths = self._paths(one.slot, inner, condition, range(most + 1), scope)
            counted = {path.counted for path in paths.values()}
            if len(counted) == 1:
                return self._leading(paths, e.MakeSet((one,)), scope), counted.pop()
        return None

    def _followed(self, paths: Mapping[int, Path], found: Mapping[int, str]) -> str:
        """The statements that declare, for each way, the elements that have a path."""
        one_by_one, four = (
            " ".join(
                course.back([found[way] for way in ways])
                for ways, course in courses(self.unit, paths, most)
            )
            for most in (1, LANES)
        )
        return either(four, one_by_one) if self._fit_into_a_word else one_by_one

    @property
    def _fit_into_a_word(self) -> bool:
        """Whether all places fit into a word, so that a vector has room for four masks."""
        return self.unit.occupancy.of_places.words == 1

    def _leading(self, paths: Mapping[int, Path], start: e.Expr, scope: Scope) -> str:
        name, s, r = self.unit.occupancy.of_places.name, self.unit.fresh("s"), self.unit.fresh("r")
        text = f"{name} {s} = {self.sets.text(start, scope, self.unit.occupancy.of_places)};"
        found = {way: self.unit.fresh("w") for way in paths}
        for ways, course in courses(self.unit, paths, LANES):
            text += course.on(s, [found[way] for way in ways])
        text += f" uint64_t {r} = 0;"
        for way, led in found.items():
            text += f" {r} |= (uint64_t){name}_any({led}) << {way};"
        return self.unit.call_of_new(
            "uint64_t", either(f"{text} return {r};", "return 0; /* never called */"), scope
        )

    def _paths(
        self, slot: int, inner: int, condition: e.Expr, ways: Iterable[int], scope: Scope
    ) -> dict[int, Path]:
        """For each way, the path from a place that a condition asks for; empty if it asks for
        anything else on one of them.
        """
        every = [*ways]
        if not 0 < len(every) <= MOST or every[0] < 0:
            return {}
        found = {way: self.paths.of(slot, condition, scope.bound(inner, str(way))) for way in every}
        paths = {way: path for way, path in found.items() if path}
        return paths if len(paths) == len(every) else {}
