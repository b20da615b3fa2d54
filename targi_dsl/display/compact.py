"""The table in few lines: cells without rules between them, and each player's things in one
paragraph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from itertools import groupby

from msgspec.structs import replace

from targi_dsl.display.ink import Ink, Line, columns, fitted, line, width, wrapped
from targi_dsl.display.screen import GAP, beside, board, item_lines
from targi_dsl.display.view import (
    View,
    address,
    held_on,
    is_empty,
    legend,
    marks_on,
    stacked,
    values_on,
)
from targi_dsl.display.words import widest
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable

LEAST, MOST = 5, 24
"""The width of a cell: narrower ones become a list, and wider ones are useless."""

ASIDE = 36
"""The width for each player where players are side by side."""

Part = LayoutTable | LayoutLine


class Form(IntEnum):
    """How much of the table is drawn: everything, with cells of two lines or of one; or, of what
    belongs to the players, only the number of cards.
    """

    FULL = 0
    TWO_LINES = 1
    ONE_LINE = 2
    COUNTS = 3


def compact(view: View, form: Form) -> list[Line]:
    """The table as the observers see it."""
    shared = [part for part in view.game.layout if not isinstance(part, LayoutPlayer)]
    own = [part for part in view.game.layout if isinstance(part, LayoutPlayer)]
    lines = [found for part in _paired(shared) for found in _shared(view, part, form)]
    if view.game.pieces and not view.game.cards:
        lines += wrapped(((ink,) for ink in legend(view)), view.columns)
    each = (view.columns - GAP * (len(own) - 1)) // max(len(own), 1)
    if len(own) > 1 and each >= ASIDE:
        return [*lines, *beside([_player(view, part, each, form) for part in own])]
    return [*lines, *(found for part in own for found in _player(view, part, view.columns, form))]


def _paired(parts: list[Part]) -> Iterator[list[Part]]:
    """The parts one by one, with consecutive lines grouped."""
    for is_line, found in groupby(parts, lambda part: isinstance(part, LayoutLine)):
        group = [*found]
        yield from [group] if is_line else ([part] for part in group)


def _shared(view: View, parts: list[Part], form: Form) -> list[Line]:
    if isinstance(parts[0], LayoutTable):
        return _cells(view, parts[0], view.columns, form)
    items = (item for part in parts if isinstance(part, LayoutLine) for item in part.items)
    lines = (one for item in items for one in _item(view, item, NOTHING, form))
    return wrapped(lines, view.columns)


# ---- tables ----


def _cells(view: View, table: LayoutTable, room: int, form: Form) -> list[Line]:
    """The rows of a table, without empty rows of a player's table."""
    if found := board(view, table, room):
        return found
    inner = min((room + 1) // table.size[0] - 1, MOST)
    rows = [row for row in table.rows if _is_shown(view, row)]
    if inner < LEAST:
        places = [place for row in rows for place in row if place != NOTHING]
        return wrapped((_top(view, place, room) for place in places), room)
    told = _told(view, table) if form <= Form.TWO_LINES else frozenset()
    return [part for row in rows for part in _row(view, row, inner, told)]


def _told(view: View, table: LayoutTable) -> frozenset[str]:
    """The regions with a card that counts as something, so that its name alone is not enough."""
    tops = ((place, next(view.cards(place), NOTHING)) for place in table.places)
    return frozenset(
        view.game.places[place].region
        for place, card in tops
        if card != NOTHING and view.knows(card) and view.words.brief(card).marks[-1]
    )


def _is_shown(view: View, row: tuple[int, ...]) -> bool:
    return any(
        view.game.places[place].owner == NOTHING or not is_empty(view, place)
        for place in row
        if place != NOTHING
    )


def _row(view: View, row: tuple[int, ...], inner: int, told: frozenset[str]) -> Iterator[Line]:
    places = [view.game.places[place] for place in row if place != NOTHING]
    has_more = any(place.owner == NOTHING and place.region in told for place in places)
    draws = (_top, _below) if has_more else (_top,)
    for draw in draws:
        inks: list[Ink] = []
        for place in row:
            cell = draw(view, place, inner) if place != NOTHING else ()
            inks += [*[Ink("│", "faint")] * bool(inks), *fitted(cell, inner)]
        yield tuple(inks)


def _top(view: View, place: int, room: int) -> Line:
    """The label of a place, the card on it, and the pieces there."""
    info, pieces = view.game.places[place], marks_on(view, place)
    amounts = [view.words.amount(name, have) for have, name in held_on(view, place)]
    values = values_on(view, place)
    longest = " ".join([*amounts, *(f"{name} {value}".strip() for name, value in values)])
    shortest = " ".join([*amounts, *(value or name[:3] for name, value in values)])
    left = room - width(pieces) - len(view.words.addresses[place]) - 2
    held = longest if columns(longest) <= left else shortest
    if held:
        pieces = (Ink(held, "strong"), *[Ink(" ")] * bool(pieces), *pieces)
    if width(pieces) >= room:
        pieces = fitted(pieces, room)
    left = max(room - width(pieces) - bool(pieces), 0)
    cards = list(view.cards(place))
    head: Line = ()
    if not cards or info.owner == NOTHING:
        called = address(view, place)
        head = line(replace(called, text=widest((called.text, view.words.addresses[place]), left)))
    if cards:
        head = (*head, *_card(view, cards, left - width(head), bool(head)))
    gap = Ink(" " * max(room - width(head) - width(pieces), 0))
    return (*head, gap, *pieces) if pieces else head


def _card(view: View, cards: list[int], room: int, has_address: bool) -> Line:
    """The longest name of the top card that fits; for one's own cards, with what the card counts
    as.
    """
    more = f" +{len(cards) - 1}" if len(cards) > 1 else ""
    card = cards[0]
    if not view.knows(card):
        return line(Ink(widest((view.card(card),), room - len(more)) + more, "faint"))
    if every := stacked(view, cards, room):
        return line(Ink(every, "strong"))
    names = [view.card(card), view.words.short(card)]
    if not has_address and view.face_up(card):
        counts = view.words.brief(card).marks[-1]
        names = [*(f"{name} {counts}".rstrip() for name in names), *names]
    down = "" if view.face_up(card) else f"({view.words.say('down')}) "
    said = widest((f"{down}{name}" for name in names), max(room - len(more), 0))
    return line(Ink(said + more, "strong"))


def _below(view: View, place: int, room: int) -> Line:
    """What the card on a place costs, does or can, and what it counts as."""
    card = next(view.cards(place), NOTHING)
    if card == NOTHING or not view.knows(card):
        return ()
    brief = view.words.brief(card)
    said = brief.power if view.game.places[place].active else brief.deal
    if not said:
        return line(Ink(widest(brief.marks, room), "green"))
    counts = _unsaid(view.words.short(card), brief.marks[-1])
    left = room - columns(counts) - 1
    if not counts or columns(said[-1]) > left:
        return line(widest(said, room))
    return (*fitted(line(widest(said, left)), left + 1), Ink(counts, "green"))


def _unsaid(name: str, counts: str) -> str:
    """What a card counts as, without the word with which its name begins."""
    first, _, rest = counts.partition(" ")
    return rest if rest and name.casefold().startswith(first.casefold()) else counts


# ---- players ----


def _player(view: View, part: LayoutPlayer, room: int, form: Form) -> list[Line]:
    """What belongs to one player: the name and the lines in one paragraph, and the tables."""
    name, colour = view.game.players[part.player], view.colour(part.player)
    seat = view.words.say("you") if view.seen.seat == name else ""
    turn = view.words.say("to move") if view.seen.turn == name else ""
    notes = ", ".join(one for one in (seat, turn) if one)
    name = view.words.seat(name)
    title = line(Ink(f"{name} ({notes}):" if notes else f"{name}:", colour))
    items = [item for one in part.lines if isinstance(one, LayoutLine) for item in one.items]
    said = [found for item in items for found in _item(view, item, part.player, form)]
    lines: list[Line] = []
    for one in part.lines:
        if isinstance(one, LayoutTable):
            taken = sum(not is_empty(view, place) for place in one.places)
            if form < Form.COUNTS and taken:
                lines += _cells(view, one, room, form)
            else:
                region = view.words.region(one.places[0])
                said.append(line(Ink(f"{region} ", "faint"), Ink(str(taken), "strong")))
    return [*wrapped([title, *said], room, "  ", " "), *lines]


def _item(view: View, item: LayoutItem, player: int, form: Form) -> Iterator[Line]:
    if item.what != "places" or view.game.places[item.of[0]].owner == NOTHING:
        yield from item_lines(view, item, player)
        return
    for place in item.of:
        yield from _owned(view, place, form)


def _owned(view: View, place: int, form: Form) -> Iterator[Line]:
    """The cards of a player's zone by name, equal ones together; unknown ones by number."""
    cards = list(view.cards(place))
    name = view.words.own_place(place)
    head = Ink(f"{name} ", "faint")
    if not cards or form == Form.COUNTS:
        yield line(head, Ink(str(len(cards)), "strong"))
        return
    backs = {f"?{view.words.back(card)}" for card in cards if not view.knows(card)}
    names = Counter(
        view.words.short(card) if view.knows(card) else view.card(card) for card in cards
    )
    said = [_alike(view, name, number, is_hidden=name in backs) for name, number in names.items()]
    for number, text in enumerate(said, 1):
        comma = "," * (number < len(said))
        yield line(*[head] * (number == 1), Ink(f"{text}{comma}", "strong"))


def _alike(view: View, name: str, number: int, *, is_hidden: bool) -> str:
    """A number of cards with one name."""
    if is_hidden:
        return view.words.say("{number} hidden", number=number)
    return view.words.say("{number} of {card}", number=number, card=name) if number > 1 else name
