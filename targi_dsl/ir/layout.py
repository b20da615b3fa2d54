"""The layout: which parts of a position are shown, and in what order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, Literal, TypeVar

from targi_dsl.ir.constants import NOTHING
from targi_dsl.text.structs import Frozen

T = TypeVar("T")


class Rows(Frozen, Generic[T]):
    """Rows of places, by their numbers or ids, of which nothing and "" leave a gap."""

    rows: tuple[tuple[T, ...], ...]

    @property
    def cells(self) -> list[tuple[T, int, int]]:
        """Every place with its row and its column."""
        rows = enumerate(self.rows)
        return [(one, y, x) for y, row in rows for x, one in enumerate(row) if one not in _GAPS]

    @property
    def places(self) -> list[T]:
        """Every place, row by row."""
        return [place for place, _, _ in self.cells]

    @property
    def size(self) -> tuple[int, int]:
        """The cells of the longest row, and the rows."""
        return max(map(len, self.rows)), len(self.rows)


_GAPS = (NOTHING, "")


class LayoutTable(Rows[int]):
    """Rows of places; nothing leaves a gap.

    is_staggered: each row lies half a cell further right than the one above it. is_lattice: every
    other row and column are the lines of a grid, on which its edges and corners lie. joins: places
    next to each other in a row or a column, or with nothing but gaps between, that are neighbours.
    blocks: after how many rows and columns there is a broader line; 0 for none.
    """

    is_staggered: bool = False
    joins: frozenset[tuple[int, int]] = frozenset()
    is_lattice: bool = False
    blocks: tuple[int, int] = (0, 0)


class LayoutItem(Frozen):
    """One entry of a line. of: the numbers of what
    is shown, for each player or once.
    """

    name: str
    what: Literal["resource", "places", "variable", "pieces"]
    of: tuple[int, ...]


class LayoutLine(Frozen):
    items: tuple[LayoutItem, ...]


class LayoutPlayer(Frozen):
    """The part of the layout that belongs to one player."""

    player: int
    lines: tuple[LayoutTable | LayoutLine, ...]


Layout = tuple[LayoutTable | LayoutLine | LayoutPlayer, ...]


def places_of(layout: Iterable[LayoutTable | LayoutLine | LayoutPlayer]) -> Iterator[int]:
    """Every place that a layout shows."""
    for part in layout:
        match part:
            case LayoutTable():
                yield from part.places
            case LayoutLine(items):
                yield from (place for one in items if one.what == "places" for place in one.of)
            case LayoutPlayer(_, lines):
                yield from places_of(lines)
