"""The whole table of a game, arranged by its layout, side by side where there is room: boxes,
boards without cards, and lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, zip_longest

from msgspec.structs import replace

from targi_dsl.api.naming import Naming, words_of
from targi_dsl.display.ink import (
    Ink,
    Line,
    fit,
    in_lines,
    line,
    trim,
    widest,
    width,
    words,
    wrap_parts,
)
from targi_dsl.display.view import (
    View,
    address,
    held_on,
    is_empty,
    legend,
    marks_on,
    stack_names,
    values_on,
    variables_of_spaces,
)
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable, split_by_player
from targi_dsl.text.columns import columns, truncate
from targi_dsl.text.structs import Frozen

SHARED, OWN = 14, 8
"""The minimum inner width of a cell of the table in the middle, and of a player's table."""

TOLD = 48
"""The maximum width for the effect of a card in a list of cards, and for all cards of an open zone
together.
"""

MOST_BACKS = 3
"""The maximum number of unknown cards that are shown one by one."""

GAP, LEAST = 2, 32
"""The gap between two blocks, and the minimum width of a block."""


def screen(view: View) -> list[Line]:
    """The table as the observers see it."""
    shared, own = split_by_player(view.game.layout)
    most, middle = view.columns, _width_needed(shared, SHARED)
    players = max((_width_needed(part.lines, OWN) for part in own), default=0)
    if own and middle > players and middle + GAP + players <= most:
        right = min(most - GAP - middle, players + players // 2)
        blocks = [line for part in own for line in [*_player(view, part, right), ()]]
        return beside([_parts(view, shared, most - GAP - right), blocks])
    lines = _parts(view, shared, most)
    each = (most - GAP * (len(own) - 1)) // len(own) if own else 0
    if len(own) > 1 and players <= each:
        return [*lines, *beside([_player(view, part, each) for part in own])]
    return [*lines, *(found for part in own for found in _player(view, part, most))]


def _width_needed(parts: Iterable[LayoutTable | LayoutLine], inner: int) -> int:
    """The width that the tables of a block should have."""
    across = max((part.size[0] for part in parts if isinstance(part, LayoutTable)), default=0)
    return max(across * (inner + 1) + 1, LEAST)


def beside(blocks: list[list[Line]]) -> list[Line]:
    """Blocks side by side, each as wide as its widest line."""
    rooms = [max((width(part) for part in block), default=0) for block in blocks]
    lines: list[Line] = []
    for at in range(max(len(block) for block in blocks)):
        found: list[Ink] = []
        for block, room in zip(blocks, rooms, strict=True):
            found += [*fit(block[at] if at < len(block) else (), room), Ink(" " * GAP)]
        lines.append(tuple(found[:-1]))
    return lines


def _parts(view: View, parts: list[LayoutTable | LayoutLine], room: int) -> list[Line]:
    lines: list[Line] = []
    for part in parts:
        if isinstance(part, LayoutTable):
            lines += table_lines(view, part, room)
        else:
            items = (item for one in part.items for item in item_lines(view, one, NOTHING))
            lines += wrap_parts(items, room, "   ")
    if view.game.pieces:
        lines += wrap_parts(((ink,) for ink in legend(view)), room, "   ")
    return lines


def _player(view: View, part: LayoutPlayer, room: int) -> list[Line]:
    """What belongs to one player, under the player's name."""
    name = view.game.players[part.player]
    turn = f" {view.words.say('to move')}" if view.observation.turn == name else ""
    you = f" ({view.words.say('you')})" if view.observation.seat == name else ""
    title = f"── {view.words.seat(name)}{you}{turn} "
    colour = view.colour(part.player)
    lines = [line(Ink(widest((title + "─" * max(0, room - len(title)),), room), colour))]
    for one in part.lines:
        if isinstance(one, LayoutTable):
            lines += table_lines(view, one, room)
        else:
            items = (found for item in one.items for found in item_lines(view, item, part.player))
            lines += wrap_parts(items, room, "  ")
    return lines


def item_lines(view: View, item: LayoutItem, player: int) -> Iterator[Line]:
    """One entry of a line."""
    head = Ink(f"{view.words.called(item.what.removesuffix('s'), item.name)} ", "faint")
    match item.what:
        case "resource":
            have = sum(view.observation.position.amount(one, player) for one in item.of)
            yield line(head, Ink(str(have), "strong"))
        case "variable":
            yield line(head, Ink(view.value(item.of[0]), "strong"))
        case "pieces":
            yield line(head, ", ".join(_where(view, piece) for piece in item.of))
        case _:
            for place in item.of:
                yield from _zone(view, place)


def _where(view: View, piece: int) -> str:
    place = view.observation.position.place_of_piece(piece)
    return view.words.say("off the board") if place == NOTHING else view.words.place(place)


def _zone(view: View, place: int) -> Iterator[Line]:
    """A zone: all cards if a player owns it, otherwise the number of cards and those that are
    visible.
    """
    is_shared = view.game.places[place].owner == NOTHING
    name = view.words.place(place) if is_shared else view.words.own_place(place)
    cards = list(view.cards(place))
    head = Ink(f"{name} ", "faint")
    if is_shared:
        said = _open_cards(view, cards)
        yield line(head, Ink(str(len(cards)), "strong"), f" ({said})" if said else "")
        return
    if not cards:
        yield line(head, view.words.say("none"))
    for number, said in enumerate(_held_cards(view, place, cards)):
        yield line(*[head] * (number == 0), Ink(said, "strong"))


def _held_cards(view: View, place: int, cards: list[int]) -> list[str]:
    """The cards of a player's zone. If there are many of which nothing is known, they are counted;
    but not the observer's own, which may have to be named by position.
    """
    said = [view.card_words(card, short=True) for card in cards]
    is_own = view.game.players[view.game.places[place].owner] == view.observation.seat
    if len(cards) <= MOST_BACKS or is_own or any(map(view.knows, cards)) or len({*said}) > 1:
        return said
    return [f"{len(cards)} {said[0]}"]


def _open_cards(view: View, cards: list[int]) -> str:
    """The cards that lie open in a zone, and how many do not; if there are many, the top one."""
    shown = [card for card in cards if view.face_up(card) and view.knows(card)]
    if not shown:
        return ""
    names = [view.card(card) for card in shown]
    if hidden := len(cards) - len(shown):
        names.append(view.words.say("{number} hidden", number=hidden))
    every = ", ".join(names)
    return every if columns(every) <= TOLD or shown[0] != cards[0] else names[0]


def card_words(view: View, card: int, *, short: bool = False) -> str:
    """A card with its cost and values, if it is known."""
    if not view.knows(card):
        return view.card(card)
    brief = view.words.brief(card)
    effect = truncate(brief.effect[: short + 1][-1], TOLD)
    held = [view.words.amount(name, have) for have, name in view.amounts_on(t.Card, card)]
    name, mark = view.card(card), brief.marks[short]
    parts = (effect, mark if mark.casefold() != name.casefold() else "", *held)
    said = "; ".join(filter(None, parts))
    return f"{name} ({said})" if said else name


# ---- tables: in boxes, or as a list if there is no room for boxes ----

NARROWEST, WIDEST = 7, 24
"""The inner width of a cell: narrower tables have no boxes, and wider cells are useless."""

SAID = 2
"""Lines of a cell for the cost or effect of its card."""


def table_lines(view: View, table: LayoutTable, room: int) -> list[Line]:
    """The table in at most `room` columns."""
    if found := board(view, table, room):
        return found
    places, (across, _) = table.places, table.size
    taken = [place for place in places if not is_empty(view, place)]
    if not taken and view.game.places[places[0]].owner != NOTHING:
        said = view.words.say("{place}: empty", place=view.words.region(places[0]))
        return wrap_parts([line(Ink(said, "faint"))], room)
    inner = min((room - 1) // across - 1, WIDEST)
    cells = (part for place in places for part in _cell(view, place, WIDEST + 1))
    natural = max(map(width, cells), default=1)
    if inner < min(NARROWEST, natural):
        return [part for place in taken for part in _list_cards(view, place, room)]
    return _boxes(view, table, min(inner, max(natural, NARROWEST - 2)), across)


def _list_cards(view: View, place: int, room: int) -> list[Line]:
    parts = [part for part in _cell(view, place, 10 * room) if part]
    region = Ink(view.words.region(place) + " ", "faint")
    return wrap_parts([(region, *parts[0]), *parts[1:]], room, "  ", "  ")


def _boxes(view: View, table: LayoutTable, inner: int, across: int) -> list[Line]:
    top, between, foot = (
        line(Ink(left + middle.join(["─" * inner] * across) + right, "faint"))
        for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    lines, bar = list[Line](), Ink("│", "faint")
    for row in table.rows:
        lines.append(between if lines else top)
        cells = [_cell(view, place, inner) if place != NOTHING else [] for place in row]
        cells += [[]] * (across - len(row))
        for at in range(max(1, *(len(cell) for cell in cells))):
            parts = [fit(cell[at] if at < len(cell) else (), inner) for cell in cells]
            lines.append((bar, *(ink for part in parts for ink in (*part, bar))))
    return [*lines, foot]


def _cell(view: View, place: int, room: int) -> list[Line]:
    """The contents of a place: its number and top card, resources, the card's text and values, and
    the pieces.
    """
    cards = list(view.cards(place))
    lines = [_head(view, place, cards, room), *_amount_lines(view, place, room)]
    marked: Line = ()
    if cards and view.knows(cards[0]):
        brief = view.words.brief(cards[0])
        said = brief.power if view.game.places[place].active else brief.effect
        lines += [line(text) for text in in_lines(said, room, SAID) if text]
        marked = line(Ink(widest(brief.marks, room), "green"))
    pieces = marks_on(view, place)
    pieces = fit(pieces, room) if width(pieces) > room else pieces
    both = width(marked) + width(pieces) + bool(width(marked) and width(pieces))
    if both > room:
        short = widest(view.words.brief(cards[0]).marks, max(room - width(pieces) - 1, 1))
        marked = line(Ink(short, "green"))
        both = width(marked) + width(pieces) + 1
    is_full = bool(pieces) and not width(marked) and len(lines) > SAID
    if is_full and width(lines[-1]) + 1 + width(pieces) <= room:
        marked = lines.pop()  # there is room beside this for the pieces
    if marked or pieces:
        gap = (
            Ink(" " * max(0, room - width(marked) - width(pieces))) if room <= WIDEST else Ink("  ")
        )
        lines.append((*marked, gap, *pieces) if pieces else marked)
    return [part for part in lines if width(part)]


def _amount_lines(view: View, place: int, room: int) -> Iterator[Line]:
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
    if every := stack_names(view, cards, left + len(more)):
        return line(called, Ink(every, "strong"))
    names = [view.card(card), view.words.short(card)]
    down = "" if view.face_up(card) else f" ({view.words.say('down')})"
    names = [f"{name}{down}" for name in names] + names[1:]
    name = widest(names, left)
    if name not in names and view.game.places[place].owner != NOTHING:
        # for one's own cards the name is enough
        return line(Ink(widest(names, left + len(called.text)) + more, "strong"))
    return line(called, Ink(name + more, "strong"))


# ---- boards without cards: a grid on which numbers of one resource can lie, or spots ----

EMPTY = "·"
_ADDRESS = re.compile(r"([a-z]+)(\d+)")
_MOST_GAPS = 3  # columns between two cells


def board(view: View, table: LayoutTable, room: int) -> list[Line]:
    """The board in at most `room` columns; nothing if it does not fit, or holds anything else."""
    axes = None if table.is_lattice else axes_of(view, table)
    if view.game.cards or len(view.resources_on_spaces) > (1 if axes else 0):
        return []
    if variables_of_spaces(view.game):
        return []
    if table.is_lattice:
        found = _lattice(view, table)
    else:
        found = _grid(view, table, axes, room) if axes else _spots(view, table, room)
    return found if all(width(part) <= room for part in found) else []


class Axes(Frozen):
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
        lines.append((head, *(ink for cell in row for ink in fit(cell, step))))
    if lean:
        lines.append((Ink(" " * (side + lean * len(cells))), *letters))
    for resource in view.resources_on_spaces:
        said = view.words.say("number: {resource}", resource=view.words.word(resource))
        lines.append(line(Ink(said, "faint")))
    return lines


def _lattice(view: View, table: LayoutTable) -> list[Line]:
    """A grid with its lines: those on which a piece lies, and those that can be chosen."""
    across = [view.game.places[place].label.rstrip("0123456789") for place in table.rows[1][1::2]]
    lines = [line(Ink("   " + "".join(f"  {letter:<2}" for letter in across), "faint"))]
    for y, row in enumerate(table.rows):
        head = f"{y // 2 + 1:>2} " if y % 2 else "   "
        found = [Ink(head, "faint")]
        for x, place in enumerate(row):
            if y % 2 and x % 2:
                mark = _mark(view, place)
                found += fit(mark if width(mark) > 2 else (Ink(" "), *mark), 3)
            else:
                found += _on_line(view, place, y, x)
        lines.append(trim(tuple(found)))
    return lines


def _on_line(view: View, place: int, y: int, x: int) -> Line:
    """An edge or a corner of a grid: its line in the ink of the piece there."""
    marks = marks_on(view, place) if place != NOTHING else ()
    if not y % 2 and not x % 2:
        if width(marks) > 1:
            marks = line(replace(marks[0], text="■"))
        return marks or line(Ink(EMPTY, "faint"))
    bold, thin = ("│", "╎") if y % 2 else ("───", "╌╌╌")
    if marks:
        return line(replace(marks[0], text=bold))
    is_open = place in view.open
    return line(Ink(thin if is_open else " " * len(thin), "cyan"))


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
    level, upright = _crossed(table), _crossed(_transpose(table))
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


def _crossed(table: LayoutTable) -> set[tuple[int, int]]:
    """The cells, by row and column, that a line joins to the next cell of the row."""
    found = set()
    for number, row in enumerate(table.rows):
        taken = [at for at, place in enumerate(row) if place != NOTHING]
        for left, right in pairwise(taken):
            if (row[left], row[right]) in table.joins:
                found |= {(number, at) for at in range(left, right)}
    return found


def _transpose(table: LayoutTable) -> LayoutTable:
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


# ---- a part of the table in full ----


def is_part(names: Naming, name: str) -> bool:
    """Whether a zone or a region has this name."""
    return name.casefold() in _regions(names)


def part_of_table(view: View, name: str) -> list[Line]:
    """The contents of a place as the observers know them, or all players' amounts of a resource."""
    game, names, wanted = view.game, view.words, name.casefold()
    resources = [(one, (number,)) for number, one in enumerate(game.resources)]
    amounts = {
        said.casefold(): numbers
        for one, numbers in (*resources, *game.groups)
        for said in (words_of(one), names.called("resource", one))
    }
    if wanted in (regions := _regions(names)):
        said = list(_cards_in(view, regions[wanted]))
    elif wanted in amounts:
        said = [
            f"{names.player(number)}: "
            f"{sum(view.observation.position.amount(one, number) for one in amounts[wanted])}"
            for number in range(len(game.players))
        ]
    else:
        text = names.say("Nothing on the table is called `{name}`.", name=name)
        said = [f"{text} {names.nearest(name, [*regions, *amounts])}".rstrip()]
    return [part for text in said for part in words(text, view.columns, "    ")]


def _regions(names: Naming) -> dict[str, str]:
    """The regions by the words people have for them, and by their names."""
    shown = [number for number, place in enumerate(names.game.places) if not place.is_box]
    region = {number: names.game.places[number].region for number in shown}
    called = {names.region(number).casefold(): region[number] for number in shown}
    return called | {words_of(one): one for one in region.values()}


def _cards_in(view: View, region: str) -> Iterator[str]:
    names = view.words
    for number, place in enumerate(view.game.places):
        if place.region != region or place.is_box:
            continue
        cards, pieces = list(view.cards(number)), view.pieces(number)
        if not cards and not pieces and not place.is_zone:
            continue
        hidden = sum(not view.knows(card) for card in cards)
        counted = names.count("{number} card", "{number} cards", len(cards))
        if hidden:
            counted += f", {names.say('{number} hidden', number=hidden)}"
        yield f"{names.place(number)}: {counted}"
        owners = [view.game.pieces[piece] for piece in pieces]
        yield from (f"  {names.piece(one.kind, one.owner)}" for one in owners)
        yield from (_card(view, card) for card in cards if view.knows(card))


def _card(view: View, card: int) -> str:
    """A card with everything printed on it, in one paragraph."""
    brief = view.words.brief(card)
    down = "" if view.face_up(card) else f" ({view.words.say('face down')})"
    said = [one[0] for one in (brief.effect, brief.power, brief.marks) if one and one[0]]
    return f"  {view.words.card(card)}{down}: " + "; ".join(said)
