"""A table of places drawn as boxes, or as a list if there is no room for boxes."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.display.board import board
from targi_dsl.display.ink import Ink, Line, fitted, line, width, wrapped
from targi_dsl.display.view import View, address, held_on, is_empty, marks_on, stacked, values_on
from targi_dsl.display.words import in_lines, widest
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutTable

LEAST, MOST = 7, 24
"""The inner width of a cell: narrower tables have no boxes, and wider cells are useless."""

SAID = 2
"""Lines of a cell for the cost or effect of its card."""


def drawn(view: View, table: LayoutTable, room: int) -> list[Line]:
    """The table in at most `room` columns."""
    if found := board(view, table, room):
        return found
    across = max(len(row) for row in table.rows)
    places = [place for row in table.rows for place in row if place != NOTHING]
    if view.game.places[places[0]].owner != NOTHING and all(
        is_empty(view, place) for place in places
    ):
        return wrapped(
            [
                line(
                    Ink(
                        view.words.say("{place}: empty", place=view.words.region(places[0])),
                        "faint",
                    )
                )
            ],
            room,
        )
    inner = min((room - 1) // across - 1, MOST)
    natural = max(
        (width(part) for place in places for part in _cell(view, place, MOST + 1)), default=1
    )
    if inner < min(LEAST, natural):
        return [
            part
            for place in places
            if not is_empty(view, place)
            for part in _listed(view, place, room)
        ]
    return _boxes(view, table, min(inner, max(natural, LEAST - 2)), across)


def _listed(view: View, place: int, room: int) -> list[Line]:
    parts = [part for part in _cell(view, place, 10 * room) if part]
    region = Ink(view.words.region(place) + " ", "faint")
    return wrapped([(region, *parts[0]), *parts[1:]], room, "  ", "  ")


def _boxes(view: View, table: LayoutTable, inner: int, across: int) -> list[Line]:
    rule = "─" * inner
    lines = [line(Ink("┌" + "┬".join([rule] * across) + "┐", "faint"))]
    bar = Ink("│", "faint")
    for number, row in enumerate(table.rows):
        if number:
            lines.append(line(Ink("├" + "┼".join([rule] * across) + "┤", "faint")))
        cells = [_cell(view, place, inner) if place != NOTHING else [] for place in row]
        cells += [[]] * (across - len(row))
        for at in range(max(1, *(len(cell) for cell in cells))):
            parts = [fitted(cell[at] if at < len(cell) else (), inner) for cell in cells]
            lines.append((bar, *(ink for part in parts for ink in (*part, bar))))
    lines.append(line(Ink("└" + "┴".join([rule] * across) + "┘", "faint")))
    return lines


def _cell(view: View, place: int, room: int) -> list[Line]:
    """The contents of a place: its number and top card, resources, the card's text and values, and
    the pieces.
    """
    cards = list(view.cards(place))
    lines = [_head(view, place, cards, room), *_held(view, place, room)]
    marked: Line = ()
    if cards and view.knows(cards[0]):
        brief = view.words.brief(cards[0])
        said = brief.power if view.game.places[place].active else brief.deal
        lines += [line(text) for text in in_lines(said, room, SAID) if text]
        marked = line(Ink(widest(brief.marks, room), "green"))
    pieces = _pieces(view, place, room)
    both = width(marked) + width(pieces) + bool(width(marked) and width(pieces))
    if both > room:
        short = widest(view.words.brief(cards[0]).marks, max(room - width(pieces) - 1, 1))
        marked = line(Ink(short, "green"))
        both = width(marked) + width(pieces) + 1
    if (
        pieces
        and not width(marked)
        and len(lines) > SAID
        and width(lines[-1]) + 1 + width(pieces) <= room
    ):
        marked = lines.pop()  # there is room beside this for the pieces
    if marked or pieces:
        gap = Ink(" " * max(0, room - width(marked) - width(pieces))) if room <= MOST else Ink("  ")
        lines.append((*marked, gap, *pieces) if pieces else marked)
    return [part for part in lines if width(part)]


def _held(view: View, place: int, room: int) -> Iterator[Line]:
    """The amounts on a place, or on its top card, and the values of a space."""
    for have, name in held_on(view, place):
        long = view.words.amount(name, have)
        short = f"{have} {view.words.item(name, have)[:3]}"
        said = widest((long, short, str(have)), room)
        yield line(Ink(said, "strong"))
    for name, value in values_on(view, place):
        long, short = f"{name} {value}".strip(), f"{name[:3]} {value}".strip()
        yield line(Ink(widest((long, short, value or short), room), "strong"))


def _head(view: View, place: int, cards: list[int], room: int) -> Line:
    called = address(view, place)
    if not cards:
        return line(called)
    card, more = cards[0], f" +{len(cards) - 1}" if len(cards) > 1 else ""
    left = room - len(called.text) - len(more)
    if not view.knows(card):
        return line(called, Ink(widest((view.card(card),), left) + more, "faint"))
    if every := stacked(view, cards, left + len(more)):
        return line(called, Ink(every, "strong"))
    names = [view.card(card), view.words.short(card)]
    down = "" if view.face_up(card) else f" ({view.words.say('down')})"
    names = [f"{name}{down}" for name in names] + names[1:]
    name = widest(names, left)
    if (
        name not in names and view.game.places[place].owner != NOTHING
    ):  # for one's own cards the name is enough
        return line(Ink(widest(names, left + len(called.text)) + more, "strong"))
    return line(called, Ink(name + more, "strong"))


def _pieces(view: View, place: int, room: int) -> Line:
    """The marks of the pieces on a place."""
    inks = marks_on(view, place)
    return fitted(inks, room) if width(inks) > room else inks
