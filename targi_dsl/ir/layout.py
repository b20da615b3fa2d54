"""The layout: which parts of a position are shown, and in what order; things by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from targi_dsl.text.structs import Frozen


class _Part(Frozen, omit_defaults=True, forbid_unknown_fields=True, tag_field="is"):
    """Part of a layout, and of views; default values are omitted in JSON."""


class Table(_Part, tag="table"):
    """Rows of places, "" for a gap. is_staggered: each row is shifted right by half a cell from the
    one above. joins: neighbours joined by a line: adjacent in a row or a column, or with only gaps
    in between. is_lattice: every other row and column are the lines of a grid, with its edges and
    corners. blocks: after how many rows and columns there is a thicker line; 0 for none.
    """

    rows: tuple[tuple[str, ...], ...]
    is_staggered: bool = False
    joins: tuple[tuple[str, str], ...] = ()
    is_lattice: bool = False
    blocks: tuple[int, int] = (0, 0)

    @property
    def cells(self) -> list[tuple[str, int, int]]:
        """Every place with its row and its column."""
        rows = enumerate(self.rows)
        return [(one, y, x) for y, row in rows for x, one in enumerate(row) if one]

    @property
    def places(self) -> list[str]:
        """Every place, row by row."""
        return [place for place, _, _ in self.cells]

    @property
    def size(self) -> tuple[int, int]:
        """The cells of the longest row, and the rows."""
        return max(map(len, self.rows)), len(self.rows)

    @property
    def span(self) -> float:
        """The width of the table in cells."""
        across, down = self.size
        return across + (down - 1) / 2 * self.is_staggered


class Item(Frozen, forbid_unknown_fields=True):
    """An entry of a line. name: the id of a resource, region or kind of pieces, or of a variable or
    pool. of: the ids of what is shown; for a variable its key in `View.values`.
    """

    name: str
    what: Literal["resource", "places", "variable", "pieces"]
    of: tuple[str, ...]


class Items(_Part, tag="line"):
    """A line."""

    items: tuple[Item, ...]


class PlayerPart(_Part, tag="player"):
    """What belongs to one player."""

    player: str
    parts: tuple[Table | Items, ...]


Layout = tuple[Table | Items | PlayerPart, ...]


def places_of(layout: Iterable[Table | Items | PlayerPart]) -> Iterator[str]:
    """Every place that a layout shows."""
    for part in layout:
        match part:
            case Table():
                yield from part.places
            case Items(items):
                yield from (place for one in items if one.what == "places" for place in one.of)
            case PlayerPart(_, parts):
                yield from places_of(parts)
