"""Paths along a way: from an element, by steps of constant distances, to where something lies. The
paths of four ways are followed at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from targi_dsl.codegen.c.emit.shapes import Shape, words
from targi_dsl.codegen.c.emit.steps import Values, fill, integer, longest, steps, values
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir.walk import parts
from targi_dsl.optimize.rewrite import is_safe
from targi_dsl.text.structs import Frozen


class Texts(Protocol):
    """Generates sets."""

    def text(self, node: e.Expr, scope: Scope, shape: Shape) -> str:
        """The text of a set in a given representation."""

    def lying_places(self, base: int, things: e.Expr, places: e.Expr, scope: Scope) -> str:
        """Where the pieces of a maintained set lie, if `places` has only places; else empty."""

    def called(self, slot: int, call: e.Call, scope: Scope) -> tuple[int, e.Expr, Scope] | None:
        """The slot, body and frame of a definition that a slot is passed to."""


class Run(Frozen):
    """Steps of one distance. begins: the places from which one can be taken; among: the text of the
    places that repeated steps lead to, empty for a single step.
    """

    begins: tuple[int, ...]
    distance: int
    among: str

    @property
    def ends(self) -> tuple[int, ...]:
        """The places to which a step can be taken."""
        return tuple(place + self.distance for place in self.begins)


class Path(Frozen):
    """Runs to some places. to: their text; counted: what the meter counts for each element."""

    runs: tuple[Run, ...]
    to: str
    counted: int = 0

    def counting(self) -> Path:
        """The same path, for which the meter counts one more."""
        return replace(self, counted=self.counted + 1)


class Paths:
    """Finds the paths that conditions ask for, among all places of one program."""

    def __init__(self, unit: Unit, sets: Texts) -> None:
        self.unit, self.sets, self.shape = unit, sets, unit.occupancy.of_places

    def of(self, slot: int, condition: e.Expr, scope: Scope) -> Path | None:
        """The path that a condition asks for, from the place in a slot; None if it asks for more,
        or if definitions may be nested too deeply.
        """
        match condition:
            case _ if self.unit.references.is_deep or not self.shape.words:
                return None
            case e.Call() if called := self.sets.called(slot, condition, scope):
                found = self.of(*called)
                return found.counting() if found else None
            case e.Exists(_, e.Lying(base, things, places), e.Const(1)) if _is_steady(slot, things):
                there = self.sets.lying_places(base, things, places, scope)
                return self._leading(slot, places, Path((), there), scope) if there else None
            case _:
                return None

    def _leading(self, slot: int, places: e.Expr, path: Path, scope: Scope) -> Path | None:
        """A path, after the steps by which a set expression leads to where it begins."""
        match places:
            case e.MakeSet((e.Local(at),)) if at == slot:
                return path
            case e.Call() if called := self.sets.called(slot, places, scope):
                return self._leading(called[0], called[1], path.counting(), called[2])
            case e.Image(sets, of):
                longer = _after(sets, "", path)
                return self._leading(slot, of, longer, scope) if longer else None
            case e.Cond(test, then, otherwise) if (
                holds := integer(test, scope.constants)
            ) is not None:
                return self._leading(slot, then if holds else otherwise, path, scope)
            case e.Reached(at, e.MakeSet((e.Local(start),)), step, within) if (
                start == slot and _is_steady(slot, within)
            ):
                found = values(step, at, scope.constants, self.shape.room)
                return _after(found, self.sets.text(within, scope, self.shape), path)
            case _:
                return None


def _after(sets: Values | None, among: str, path: Path) -> Path | None:
    """A path after steps by a table; None if their distances vary."""
    by = steps(sets) if sets else {}
    if len(by) != 1 or 0 in by:
        return None
    ((distance, begins),) = by.items()
    counted = path.counted + bool(among)
    return Path((Run(tuple(begins), distance, among), *path.runs), path.to, counted)


def _is_steady(slot: int, node: e.Expr) -> bool:
    """Whether an expression does not depend on a slot, and counts nothing on the meter."""
    reads = any(one.slot == slot for one in parts(node, e.Local))
    return not reads and is_safe(node) and not [*parts(node, (e.Map, e.Filter))]


class Course:
    """Generates the steps of paths that differ in their distances only: of a single one as a mask,
    of several as a vector of masks.
    """

    def __init__(self, unit: Unit, paths: Sequence[Path]) -> None:
        self.unit, self.shape = unit, unit.occupancy.of_places
        self.to, self.runs = paths[0].to, [*zip(*(one.runs for one in paths), strict=True)]
        self.is_single = len(paths) == 1
        self.name = self.shape.name if self.is_single else "lanes"

    def back(self, to: Sequence[str]) -> str:
        """The statements that declare, for each path, the elements that lead to its end."""
        text, before = self._every(self.to), ""
        for runs in reversed(self.runs):
            begins = self._sets(one.begins for one in runs)
            if runs[0].among:
                started = f"{self.name}_and({text}, {self._every(runs[0].among)})"
                grown, before = self._grown(runs, started, begins, -1, before)
                text = f"{self.name}_or({grown}, {self._step(grown, runs, -1, begins)})"
            else:
                text = self._step(text, runs, -1, begins)
        return f"{before} {self._declared(text, to)}"

    def on(self, start: str, to: Sequence[str]) -> str:
        """The statements that declare, for each path, where it leads from some places."""
        text, before = self._every(start), ""
        for runs in self.runs:
            ends = self._sets(one.ends for one in runs)
            if runs[0].among:
                grown, before = self._grown(runs, text, ends, 1, before)
                text = f"{self.name}_and({grown}, {self._every(runs[0].among)})"
            else:
                text = self._step(text, runs, 1, ends)
        return f"{before} {self._declared(f'{self.name}_and({text}, {self._every(self.to)})', to)}"

    def _declared(self, text: str, names: Sequence[str]) -> str:
        """Declares the mask of each path."""
        if self.is_single:
            return f"{self.name} {names[0]} = {text};"
        led = self.unit.fresh("l")
        masks = ", ".join(f"{name} = {led}[{at}]" for at, name in enumerate(names))
        return f"{self.name} {led} = {text}; {self.shape.name} {masks};"

    def _grown(
        self, runs: Sequence[Run], text: str, places: str, sign: int, before: str
    ) -> tuple[str, str]:
        """The name of a mask grown by repeated steps, and the statements that declare it."""
        name, grown = self.name, self.unit.fresh("b")
        most = max(longest(one.begins, one.distance) for one in runs)

        def further(text: str, steps: int) -> str:
            return self._shifted(text, runs, sign * steps)

        return grown, (
            f"{before} {name} {grown} = {text}; "
            f"{fill(grown, self._every(runs[0].among), places, most, name, further)}"
        )

    def _step(self, text: str, runs: Sequence[Run], times: int, places: str) -> str:
        return f"{self.name}_and({self._shifted(text, runs, times)}, {places})"

    def _shifted(self, text: str, runs: Sequence[Run], times: int) -> str:
        by = [times * one.distance for one in runs]
        if self.is_single:
            return self.shape.shifted(text, by[0])
        way = "up" if by[0] > 0 else "down"
        return f"lanes_{way}({text}, ((lanes){{{', '.join(str(abs(one)) for one in by)}}}))"

    def _sets(self, sets: Iterable[tuple[int, ...]]) -> str:
        """A constant set for each path."""
        every = [*sets]
        if self.is_single:
            return self.shape.constant(every[0])
        return f"((lanes){{{', '.join(words(one, 1)[0] for one in every)}}})"

    def _every(self, text: str) -> str:
        """The same set for each path."""
        return text if self.is_single else f"lanes_of({text})"


def courses(unit: Unit, paths: Mapping[int, Path], most: int) -> list[tuple[list[int], Course]]:
    """The courses of the paths of some ways, at most so many at once, and the ways of each."""
    alike: dict[object, list[int]] = {}
    for way, path in paths.items():
        form = path.to, tuple((one.among, one.distance > 0) for one in path.runs)
        alike.setdefault(form, []).append(way)
    some = [ways[at : at + most] for ways in alike.values() for at in range(0, len(ways), most)]
    return [(ways, Course(unit, [paths[one] for one in ways])) for ways in some]
