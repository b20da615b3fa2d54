"""Ways over places, chosen by a number. Each has a constant distance, so that a whole mask takes a
step at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.codegen.c.emit.steps import Values, fill, longest, steps, values
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.walk import parts

MOST = 16  # ways


@dataclass(frozen=True, slots=True)
class Ways:
    """Ways by number. begins: the places from which each continues; the last way leads nowhere, and
    stands for any other number. by: the C text of the number.
    """

    begins: Sequence[Sequence[int]]
    distances: Sequence[int]
    by: str

    @property
    def last(self) -> int:
        """The number of ways."""
        return len(self.distances) - 1

    @property
    def is_any(self) -> str:
        """The condition that the number is that of a way."""
        return f"((unsigned){self.by} < {self.last})"

    def step(self, unit: Unit, text: str, shape: Shape) -> str:
        """The mask that a step leads to. Shifts rotate words, which is harmless: no place from
        which the way continues wraps around.
        """
        by, at = unit.numbers(self.distances), self._at
        step = f"{shape.name}_and({text}, {unit.sets(self.begins, shape)}{at})"
        return f"{shape.name}_by({step}, {by}{at})"

    def fill(self, unit: Unit, run: str, among: str, shape: Shape) -> str:
        """Grows a mask by all steps within `among`; empty if they reach beyond a word."""
        both = [*zip(self.begins, self.distances, strict=True)]
        most, far = max(longest(*one) for one in both), max(map(abs, self.distances))
        if shape.words != 1 or most * far >= shape.room:
            return ""
        by, at = unit.numbers(self.distances), self._at
        ends = unit.sets([[x + distance for x in begins] for begins, distance in both], shape)

        def further(text: str, steps: int) -> str:
            return f"{shape.name}_by({text}, {steps} * {by}{at})"

        return fill(run, among, f"{ends}{at}", most, shape.name, further)

    @property
    def _at(self) -> str:
        return f"[{self.is_any} ? {self.by} : {self.last}]"


def ways(tables: Sequence[Values], by: str) -> Ways | None:
    """The ways of these tables; None if the distance of one varies."""
    found = [steps(one) for one in tables]
    if any(len(one) > 1 or 0 in one for one in found):
        return None
    pairs = [(begins, far) for one in found for far, begins in [*one.items(), (0, list[int]())][:1]]
    begins, distances = zip(*pairs, (list[int](), 0), strict=True)
    return Ways(begins, distances, by)


def ways_of(unit: Unit, node: e.Expr, slot: int, scope: Scope, room: int) -> Ways | None:
    """The ways that lead from a number in a slot to a set, chosen by another slot."""
    free = {one.slot for one in parts(node, e.Local)} - {slot, *scope.constants}
    if len(free) != 1:
        return None
    (by,) = free
    low, high = unit.bounds.number(e.Local(by), scope.types)
    if low or high >= MOST:
        return None
    numbers = range(NOTHING, high + 1)
    tables = [values(node, slot, {**scope.constants, by: at}, room) for at in numbers]
    found = [one for one in tables if one is not None]
    if len(found) < len(tables) or any(found[0]):
        return None
    return ways(found[1:], scope.slot(by))


def image_of(node: e.Expr, scope: Scope) -> tuple[Ways, e.Expr] | None:
    """The image of a set along a way chosen case by case, and the set; other cases lead nowhere,
    without visiting the set.
    """
    cases: dict[int, Values] = {}
    slots, sets = set[int](), list[e.Expr]()
    while isinstance(node, e.Cond):
        match node:
            case e.Cond(e.Compare("is", e.Local(slot), e.Const(int(at))), e.Image(table, of), node):
                cases.setdefault(at, table)
                slots.add(slot)
                sets.append(of)
            case _:
                return None
    is_whole = [*sorted(cases)] == [*range(len(cases))] and node == e.Const(())
    if not is_whole or len(slots) != 1 or any(one != sets[0] for one in sets):
        return None
    found = ways([cases[at] for at in range(len(cases))], scope.slot(*slots))
    return (found, sets[0]) if found else None
