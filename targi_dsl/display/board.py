"""A board without cards, drawn without boxes: a grid with lettered columns and numbered rows, on
which numbers of one resource can lie, or spots joined by lines.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, zip_longest

from targi_dsl.display.ink import Ink, Line, columns, fitted, line, trimmed, width
from targi_dsl.display.view import View, address, held_on, marks_on, variables_of_spaces
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutTable
from targi_dsl.text.light import dataclass

EMPTY = "·"
_ADDRESS = re.compile(r"([a-z]+)(\d+)")
_MOST_GAPS = 3  # columns between two cells


def board(view: View, table: LayoutTable, room: int) -> list[Line]:
    """The board in at most `room` columns; nothing if it does not fit, or holds anything else."""
    axes = axes_of(view, table)
    if view.game.cards or len(view.resources_on_spaces) > (1 if axes else 0):
        return []
    if variables_of_spaces(view.game):
        return []
    found = _grid(view, table, axes, room) if axes else _spots(view, table, room)
    return found if all(width(part) <= room for part in found) else []


@dataclass(frozen=True, slots=True)
class Axes:
    """The labels of the columns and rows of a grid."""

    across: list[str]
    down: list[str]


def axes_of(view: View, table: LayoutTable) -> Axes | None:
    """The letters of the columns and the numbers of the rows, if every address is made of them."""
    labels = [[view.game.places[one].label for one in row if one != NOTHING] for row in table.rows]
    found = [[_ADDRESS.fullmatch(label) for label in row] for row in labels]
    across = [one[1] for one in found[0] if one]
    down = [row[0][2] for row in found if row and row[0]]
    wanted = [[f"{letter}{number}" for letter in across] for number in down]
    return Axes(across, down) if wanted == labels else None


def _grid(view: View, table: LayoutTable, axes: Axes, room: int) -> list[Line]:
    cells = [[_mark(view, place) for place in row] for row in table.rows]
    inner = max(width(cell) for row in cells for cell in row)
    inner = max(inner, *(columns(letter) for letter in axes.across))
    side = max(columns(number) for number in axes.down) + 1
    step = _step(inner, len(axes.across), len(axes.down), room - side, table.is_staggered)
    lean = step // 2 if table.is_staggered else 0
    letters = tuple(Ink(f"{letter:<{step}}", "faint") for letter in axes.across)
    lines = [(Ink(" " * side), *letters)]
    for number, (label, row) in enumerate(zip(axes.down, cells, strict=True)):
        head = Ink(f"{label:>{side - 1}} {' ' * (lean * number)}", "faint")
        lines.append((head, *(ink for cell in row for ink in fitted(cell, step))))
    if lean:
        lines.append((Ink(" " * (side + lean * len(cells))), *letters))
    for resource in view.resources_on_spaces:
        said = view.words.say("number: {resource}", resource=view.words.word(resource))
        lines.append(line(Ink(said, "faint")))
    return lines


def _step(inner: int, across: int, down: int, room: int, is_staggered: bool) -> int:
    """The width of a cell: as wide as fits, within limits; even where half of it is needed."""
    least = inner + 1 + (inner + 1) % 2 * is_staggered
    steps = range(inner + _MOST_GAPS, least, -1)
    even = (one for one in steps if not (is_staggered and one % 2))
    needed = ((one, across * one + (down * one // 2 if is_staggered else 0)) for one in even)
    return next((one for one, all_ in needed if all_ <= room), least)


def _spots(view: View, table: LayoutTable, room: int) -> list[Line]:
    rows = [[_spot(view, place) for place in row] for row in table.rows]
    inner = max(width(spot) for row in rows for spot in row)
    across = max(len(row) for row in table.rows)
    gap = max(1, min(_MOST_GAPS, (room - inner * across) // max(across - 1, 1)))
    level, upright = _crossed(table), _crossed(_turned(table))
    lines: list[Line] = []
    for number, row in enumerate(rows):
        found: list[Ink] = []
        for at, spot in enumerate(row):
            text = spot or (line(Ink("│", "faint")) if (at, number) in upright else ())
            filler = "─" if (number, at) in level else " "
            blank = filler if not text or spot else " "
            found += [*text, Ink(blank * (inner - width(text)) + filler * gap, "faint")]
        lines.append(trimmed(tuple(found)))
    return lines


def _crossed(table: LayoutTable) -> set[tuple[int, int]]:
    """The cells, by row and column, that a line joins to the next cell of the row."""
    found = set()
    for number, row in enumerate(table.rows):
        taken = [at for at, place in enumerate(row) if place != NOTHING]
        for left, right in pairwise(taken):
            if (row[left], row[right]) in table.joins:
                found |= {(number, at) for at in range(left, right)}
    return found


def _turned(table: LayoutTable) -> LayoutTable:
    columns_ = tuple(zip_longest(*table.rows, fillvalue=NOTHING))
    return LayoutTable(columns_, joins=table.joins)


def _mark(view: View, place: int) -> Line:
    if place == NOTHING:
        return ()
    is_open = place in view.open
    held = [Ink(str(have), "cyan" if is_open else "strong") for have, _ in held_on(view, place)]
    return (*held, *marks_on(view, place)) or line(Ink(EMPTY, "cyan" if is_open else "faint"))


def _spot(view: View, place: int) -> Line:
    """The label of a spot, and what is on it."""
    if place == NOTHING:
        return ()
    called = address(view, place)
    return (replace(called, text=called.text.strip()), *marks_on(view, place))
