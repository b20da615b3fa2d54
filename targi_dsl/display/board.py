"""Boards without cards at a terminal: grids, lattices and spots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise, zip_longest

from msgspec.structs import replace

from targi_dsl.display.ink import Ink, Line, fit, joined, line, trim, width
from targi_dsl.display.scene import Scene
from targi_dsl.ir.layout import Table
from targi_dsl.text.structs import Frozen
from targi_dsl.text.width import columns

EMPTY = "·"
_ADDRESS = re.compile(r"([a-z]+)(\d+)")
_MOST_GAPS = 3  # columns between two cells


def board(scene: Scene, table: Table, room: int) -> list[Line]:
    """The board in at most `room` columns; empty if it does not fit or has other contents than
    pieces and amounts.
    """
    axes, on_spaces = axes_of(scene, table), scene.game.on_spaces
    has_values = any(one not in scene.resources for one in on_spaces)
    if scene.game.cards or has_values or len(on_spaces) > (1 if axes else 0):
        return []
    if table.is_lattice:
        found = _lattice(scene, table)
    else:
        found = _grid(scene, table, axes, room) if axes else _spots(scene, table, room)
    return found if all(width(part) <= room for part in found) else []


class Axes(Frozen):
    """The labels of columns and rows of a grid."""

    across: list[str]
    down: list[str]


def axes_of(scene: Scene, table: Table) -> Axes | None:
    """The axes of a table, if all its labels consist of a column and a row."""
    if table.is_lattice:
        return None
    labels = [[scene.game.places[one].label for one in row if one] for row in table.rows]
    found = [[_ADDRESS.fullmatch(label) for label in row] for row in labels]
    across = [one[1] for one in found[0] if one]
    down = [row[0][2] for row in found if row and row[0]]
    wanted = [[f"{letter}{number}" for letter in across] for number in down]
    return Axes(across, down) if wanted == labels else None


def _grid(scene: Scene, table: Table, axes: Axes, room: int) -> list[Line]:
    cells = [[_mark(scene, place) for place in row] for row in table.rows]
    inner = max(width(cell) for row in cells for cell in row)
    inner = max(inner, *(columns(letter) for letter in axes.across))
    side = max(columns(number) for number in axes.down) + 1
    down, across = table.blocks
    room -= side + (len(axes.across) // across - 1) * 2 if across else side
    step = _step(inner, len(axes.across), len(axes.down), room, table.is_staggered)
    lean = step // 2 if table.is_staggered else 0
    letters = _barred([line(Ink(f"{letter:<{step}}", "faint")) for letter in axes.across], across)
    lines = [(Ink(" " * side), *letters)]
    for number, (label, row) in enumerate(zip(axes.down, cells, strict=True)):
        if down and number and number % down == 0:
            level = _barred([line(Ink("─" * step, "faint"))] * len(row), across, "┼─")
            lines.append((Ink(" " * side), *level))
        head = Ink(f"{label:>{side - 1}} {' ' * (lean * number)}", "faint")
        lines.append((head, *_barred([fit(cell, step) for cell in row], across, "│ ")))
    if lean:
        lines.append((Ink(" " * (side + lean * len(cells))), *letters))
    for resource in scene.game.on_spaces:
        legend = scene.say("number: {resource}", resource=scene.resources[resource].name)
        lines.append(line(Ink(legend, "faint")))
    return lines


def _barred(cells: list[Line], every: int, bar: str = "  ") -> Line:
    """Cells with bars between blocks of `every` cells; 0 for none."""
    size = every or len(cells)
    blocks = (tuple(chain(*cells[at : at + size])) for at in range(0, len(cells), size))
    return joined(blocks, Ink(bar, "faint"))


def _lattice(scene: Scene, table: Table) -> list[Line]:
    """A grid with its edges and corners: those with a piece, and those that can be chosen."""
    across = [scene.game.places[place].label.rstrip("0123456789") for place in table.rows[1][1::2]]
    lines = [line(Ink("   " + "".join(f"  {letter:<2}" for letter in across), "faint"))]
    drawn = (*scene.view.places, *scene.open)
    for y, row in enumerate(table.rows):
        if y in (0, len(table.rows) - 1) and {*row}.isdisjoint(drawn):
            continue  # nothing but the dots of the rim
        head = f"{y // 2 + 1:>2} " if y % 2 else "   "
        found = [Ink(head, "faint")]
        for x, place in enumerate(row):
            if y % 2 and x % 2:
                mark = _mark(scene, place)
                found += fit(mark if width(mark) > 2 else (Ink(" "), *mark), 3)
            else:
                found += _on_line(scene, place, y, x)
        lines.append(trim(tuple(found)))
    return lines


def _on_line(scene: Scene, place: str, y: int, x: int) -> Line:
    """An edge or corner in the style of the piece on it."""
    marks = scene.marks_on(place) if place else ()
    if not y % 2 and not x % 2:
        if width(marks) > 1:
            marks = line(replace(marks[0], text="■"))
        return marks or line(Ink(EMPTY, "faint"))
    bold, thin = ("│", "╎") if y % 2 else ("───", "╌╌╌")
    if marks:
        return line(replace(marks[0], text=bold))
    is_open = place in scene.open
    return line(Ink(thin if is_open else " " * len(thin), "cyan"))


def _step(inner: int, across: int, down: int, room: int, is_staggered: bool) -> int:
    """The width of a cell: the largest that fits within limits; even where rows are shifted by
    half.
    """
    least = inner + 1 + (inner + 1) % 2 * is_staggered
    steps = range(inner + _MOST_GAPS, least, -1)
    even = (one for one in steps if not (is_staggered and one % 2))
    needed = ((one, across * one + (down * one // 2 if is_staggered else 0)) for one in even)
    return next((one for one, all_ in needed if all_ <= room), least)


def _spots(scene: Scene, table: Table, room: int) -> list[Line]:
    rows = [[_spot(scene, place) for place in row] for row in table.rows]
    inner = max(width(spot) for row in rows for spot in row)
    across = max(len(row) for row in table.rows)
    gap = max(1, min(_MOST_GAPS, (room - inner * across) // max(across - 1, 1)))
    level = _crossed(table.rows, table)
    upright = _crossed(zip_longest(*table.rows, fillvalue=""), table)
    lines: list[Line] = []
    for number, row in enumerate(rows):
        found: list[Ink] = []
        for at, spot in enumerate(row):
            text = spot or (line(Ink("│", "faint")) if (at, number) in upright else ())
            filler = "─" if (number, at) in level else " "
            blank = filler if not text or spot else " "
            found += [*text, Ink(blank * (inner - width(text)) + filler * gap, "faint")]
        lines.append(trim(tuple(found)))
    return lines


def _crossed(rows: Iterable[Sequence[str]], table: Table) -> set[tuple[int, int]]:
    """The cells (row, column) from which a line leads to the next cell of the row."""
    found = set()
    for number, row in enumerate(rows):
        taken = [at for at, place in enumerate(row) if place]
        for left, right in pairwise(taken):
            if (row[left], row[right]) in table.joins:
                found |= {(number, at) for at in range(left, right)}
    return found


def _mark(scene: Scene, place: str) -> Line:
    if not place:
        return ()
    is_open = place in scene.open
    style = "cyan" if is_open else "strong"
    held = [Ink(str(one.number), style) for one in scene.amounts(place)]
    return (*held, *scene.marks_on(place)) or line(Ink(EMPTY, "cyan" if is_open else "faint"))


def _spot(scene: Scene, place: str) -> Line:
    """The label of a spot, with its contents."""
    if not place:
        return ()
    called, marks = scene.address(place), scene.marks_on(place)
    text = called.text.strip()
    return (replace(called, text=f"{text} " if len(text) > 3 and marks else text), *marks)
