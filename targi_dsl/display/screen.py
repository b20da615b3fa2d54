"""The table of a game in text, arranged by its layout, in full or in as few rows as there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import partial
from itertools import groupby, zip_longest

from msgspec.structs import replace

from targi_dsl.display.board import board
from targi_dsl.display.ink import Ink, Line, fit, in_lines, joined, line, widest, width, wrap_parts
from targi_dsl.display.scene import Scene, are_open, counted, entry, split_by_player
from targi_dsl.ir.layout import Item, Items, PlayerPart, Table
from targi_dsl.text.width import columns
from targi_dsl.view.shape import Card, PlaceInfo

SHARED, OWN = 14, 8
"""The least inner widths of boxes, on common and players' tables."""

ASIDE = 36
"""The width for each player where players are side by side without boxes."""

TOLD, LISTED = 48, 400
"""The maximum width for all cards of an open zone together, and where they are listed."""

MOST_PRICED = 3
"""Up to this many of the viewer's cards have costs in forms without costs."""

GAP, LEAST = 2, 32
"""The gap between two blocks, and the minimum width of a block."""


class Form(IntEnum):
    """How much is drawn, in decreasing order: everything, in boxes; cells of two lines; cards in
    lines by name alone; without piles that the question is not about; players' tables as numbers of
    cards unless asked for; cells of one line.
    """

    FULL = 0
    FACES = 1
    TWO_LINES = 2
    NO_PILES = 3
    ASKED = 4
    ONE_LINE = 5


def screen(scene: Scene, form: Form = Form.FULL) -> list[Line]:
    """The table as the viewers see it. Players are side by side if there is room, and in full
    beside the common table.
    """
    shared, own = split_by_player(scene.game)
    is_full, room = form is Form.FULL, scene.columns
    least = max((_width_needed(part.parts, OWN) for part in own), default=0) if is_full else ASIDE
    middle = _width_needed(shared, SHARED)
    if is_full and own and middle > least and middle + GAP + least <= room:
        right = min(room - GAP - middle, least + least // 2)
        blocks = [line for part in own for line in [*_player(scene, part, right, form), ()]]
        return _beside([_shared(scene, shared, room - GAP - right, form), blocks])
    lines = _shared(scene, shared, room, form)
    each = (room - GAP * (len(own) - 1)) // max(len(own), 1)
    if len(own) > 1 and least <= each:
        return [*lines, *_beside([_player(scene, part, each, form) for part in own])]
    return [*lines, *(found for part in own for found in _player(scene, part, room, form))]


def _width_needed(parts: Iterable[Table | Items], inner: int) -> int:
    """The width that the tables of a block should have."""
    across = max((part.span for part in parts if isinstance(part, Table)), default=0)
    return max(int(across * (inner + 1)) + 1, LEAST)


def _beside(blocks: list[list[Line]]) -> list[Line]:
    """Blocks side by side, each as wide as its widest line."""
    rooms = [max((width(part) for part in block), default=0) for block in blocks]
    rows = zip_longest(*blocks, fillvalue=())
    return [joined(map(fit, row, rooms), Ink(" " * GAP)) for row in rows]


def _shared(scene: Scene, parts: list[Table | Items], room: int, form: Form) -> list[Line]:
    """What is common; consecutive lines of the layout are joined into a paragraph."""
    lines: list[Line] = []
    for _, alike in groupby(parts, lambda part: isinstance(part, Items)):
        inline: list[Line] = []
        for part in alike:
            if isinstance(part, Table):
                lines += _table_lines(scene, part, room, form)
            else:
                inline += (one for item in part.items for one in _item(scene, item, "", form))
        lines += wrap_parts(inline, room)
    if form is Form.FULL or (not scene.game.cards and form < Form.ONE_LINE):
        lines += wrap_parts(scene.legend(), room)
    return lines


def _player(scene: Scene, part: PlayerPart, room: int, form: Form) -> list[Line]:
    """What belongs to one player: name and lines in one paragraph, with numbers of cards on tables
    that are not drawn; then the tables.
    """
    inline, lines = list[Line](), list[Line]()
    for one in part.parts:
        if isinstance(one, Items):
            inline += (line for item in one.items for line in _item(scene, item, part.player, form))
            continue
        taken = sum(not scene.is_empty(place) for place in one.places)
        is_asked = form < Form.ASKED or not scene.open.isdisjoint(one.places)
        is_sheet = form is Form.FULL and len(scene.game.on_spaces) > 0
        drawn = _table_lines(scene, one, room, form) if is_sheet or (taken and is_asked) else []
        lines += drawn
        if not drawn:
            inline.append(entry(scene.region(one.places[0]), taken))
    title, colour = scene.titled(part.player), scene.colours[part.player]
    if form is Form.FULL:
        head = line(Ink(widest((f"── {title} ".ljust(room, "─"),), room), colour))
        return [head, *wrap_parts(inline, room), *lines]
    return [*wrap_parts([line(Ink(f"{title}:", colour)), *inline], room, "  ", " "), *lines]


# ---- lines ----


def _item(scene: Scene, item: Item, player: str, form: Form) -> Iterator[Line]:
    if item.what != "places":
        yield from item_lines(scene, item, player)
    elif scene.game.places[item.of[0]].owner:
        for place in item.of:
            yield from _owned(scene, place, form)
    elif form < Form.NO_PILES or any(scene.lying.get(one, one) in item.of for one in scene.asked):
        yield from (part for place in item.of for part in _pile(scene, place, form))


def item_lines(scene: Scene, item: Item, player: str) -> Iterator[Line]:
    """An entry of a line that is not places."""
    match item.what:
        case "resource":
            yield entry(scene.resources[item.name].name, scene.amount(player, item.of))
        case "variable":
            value = scene.view.values[item.of[0]]
            yield entry(value.name, value.text)
        case "pieces":
            head = Ink(f"{scene.piece_kinds[item.name].name} ", "faint")
            yield line(head, ", ".join(counted(_where(scene, piece) for piece in item.of)))


def _where(scene: Scene, piece: str) -> str:
    places = (place for place, on in scene.view.places.items() if piece in on.pieces)
    place = next(places, "")
    return scene.game.places[place].name if place else scene.say("off the board")


def _pile(scene: Scene, place: str, form: Form) -> Iterator[Line]:
    """A common zone: its number of cards and those that are visible."""
    cards, info = scene.cards(place), scene.game.places[place]
    head = entry(info.name, len(cards))
    texts = _open_cards(scene, cards, info, form)
    yield from _list((*head, Ink(" (")), texts, ")") if texts else (head,)


def _owned(scene: Scene, place: str, form: Form) -> Iterator[Line]:
    """The cards of a player's zone; equal ones are counted, unless their order matters."""
    cards, info = scene.cards(place), scene.game.places[place]
    head, is_own = Ink(f"{info.own_name} ", "faint"), info.owner == scene.you
    is_told = form is Form.FULL or any(card.id or card.said for card in cards)
    if not (cards and is_told and (is_own or form < Form.ONE_LINE)):
        yield line(head, Ink(str(len(cards)), "strong"))
        return
    is_priced = is_own and len(cards) <= MOST_PRICED
    called = scene.with_cost if form <= Form.FACES else partial(_called, scene, is_priced)
    is_apart = info.is_ordered or not all(card.id for card in cards)
    yield from _list((head,), _joined(map(called, cards), is_apart))


def _joined(names: Iterable[str], is_apart: bool) -> list[str]:
    """Names with counts of equal ones: of neighbours only if `is_apart`."""
    return [*counted(names if is_apart else Counter(names).elements())]


def _list(head: Line, texts: list[str], end: str = "") -> Iterator[Line]:
    """A list of texts, as parts that can be wrapped."""
    for number, text in enumerate(texts, 1):
        comma = "," if number < len(texts) else end
        yield line(*head * (number == 1), Ink(f"{text}{comma}", "strong"))


def _called(scene: Scene, is_priced: bool, card: Card) -> str:
    """The short name of a card, or its back."""
    if not card.id:
        return scene.name(card)
    face = scene.face(card)
    return face.in_short if is_priced else face.short


def _open_cards(scene: Scene, cards: list[Card], info: PlaceInfo, form: Form) -> list[str]:
    """The open cards of a zone and the number of hidden ones; with costs if there is room, or by
    name; of many, only the top one.
    """
    shown = [card for card in cards if card.id and not card.down]
    if not shown:
        return []
    is_full = form <= Form.FACES
    most = LISTED if is_full and not info.refills else TOLD
    called = (scene.with_cost, scene.name) if is_full else (scene.name,)
    every = [_joined(map(one, shown), info.is_ordered) for one in called]
    top = every[-1] if shown[0] != cards[0] else every[-1][:1]
    names = next((one for one in every if columns(", ".join(one)) <= most), top)
    hidden = len(cards) - len(shown)
    return [*names, *[scene.say("{number} hidden", number=hidden)] * (hidden > 0)]


# ---- tables: in boxes, in rows of cells, or as a list ----

NARROWEST, NARROW, WIDEST = 7, 5, 24
"""Inner widths: the least of boxes with cards, the least of cells, the most of both. Narrower boxes
become cells, narrower cells a list.
"""

SAID = 2
"""Lines of a box for the cost or effect of its card."""


def _table_lines(scene: Scene, table: Table, room: int, form: Form) -> list[Line]:
    """A table in at most `room` columns."""
    if found := board(scene, table, room):
        return found
    if form is Form.FULL:
        inner = min(int((room - 1) / table.span) - 1, WIDEST)
        cells = (part for place in table.places for part in _cell(scene, place, WIDEST + 1))
        natural = max(map(width, cells), default=1)
        least = NARROWEST if any(map(scene.cards, table.places)) else NARROW
        if inner >= min(least, natural) and not _hides_cards(scene, table, inner):
            inner = min(inner, max(natural, NARROW))
            return [*_boxes(scene, table, inner), *_stacks(scene, table, inner, room)]
    return _cells(scene, table, room, form)


def _cells(scene: Scene, table: Table, room: int, form: Form) -> list[Line]:
    """The rows of a table, one or two lines each; empty rows of players are omitted."""
    inner = min(int((room + 1) / table.span) - 1, WIDEST)
    rows = [(y, row) for y, row in enumerate(table.rows) if _is_shown(scene, row)]
    if inner < NARROW or (form < Form.ONE_LINE and _hides_cards(scene, table, inner)):
        places = [place for place in table.places if not scene.is_empty(place)]
        regions = (Ink(f"{scene.region(place)} ", "faint") for place in places)
        tops = zip(places, regions, strict=True)
        parts = ((head, *_top(scene, at, room - columns(head.text), gap=2)) for at, head in tops)
        return wrap_parts(parts, room)
    told = _counting_regions(scene, table) if form < Form.ONE_LINE else frozenset()
    lean = (inner + 1) // 2 if table.is_staggered else 0
    drawn = ((y, part) for y, row in rows for part in _row(scene, row, inner, told))
    stacks = _stacks(scene, table, inner, room) if form < Form.ONE_LINE else []
    return [*((Ink(" " * lean * y), *part) if lean else part for y, part in drawn), *stacks]


def _hides_cards(scene: Scene, table: Table, inner: int) -> bool:
    """Whether cells of this width would hide different cards on common spaces, so that a list is
    better. Hexagons keep their cells.
    """
    return not table.is_staggered and any(
        scene.is_mixed(cards) and not scene.game.places[place].owner
        for place, cards in _hidden(scene, table, inner)
    )


def _hidden(scene: Scene, table: Table, inner: int) -> Iterator[tuple[str, list[Card]]]:
    """The spaces whose open cards do not fit into cells."""
    for place in table.places:
        info, cards = scene.game.places[place], scene.cards(place)
        room = inner - (0 if info.owner else len(info.address) + 1)
        if are_open(cards) and columns(_listed(scene, cards)) > room:
            yield place, cards


def _listed(scene: Scene, cards: list[Card]) -> str:
    return ", ".join(counted(scene.face(card).short for card in cards))


def _stacks(scene: Scene, table: Table, inner: int, room: int) -> list[Line]:
    """The cards of stacks that do not fit into cells."""
    places, labelled = scene.game.places, scene.language.labelled
    found = _hidden(scene, table, inner)
    texts = (labelled(places[one].address, _listed(scene, cards)) for one, cards in found)
    return wrap_parts(map(line, texts), room)


def _counting_regions(scene: Scene, table: Table) -> frozenset[str]:
    """The regions with a card that has marks, so that its name is not enough."""
    return frozenset(
        scene.game.places[place].region
        for place in table.places
        for card in scene.on(place).cards[:1]
        if card.id and scene.face(card).marks[-1]
    )


def _is_shown(scene: Scene, row: tuple[str, ...]) -> bool:
    return any(
        not scene.game.places[place].owner or not scene.is_empty(place) for place in row if place
    )


def _row(scene: Scene, row: tuple[str, ...], inner: int, regions: frozenset[str]) -> Iterator[Line]:
    places = [scene.game.places[place] for place in row if place]
    has_more = any(not place.owner and place.region in regions for place in places)
    draws = (_top, _below) if has_more else (_top,)
    for draw in draws:
        cells = (fit(draw(scene, place, inner) if place else (), inner) for place in row)
        yield joined(cells, Ink("│", "faint"))


def _top(scene: Scene, place: str, room: int, gap: int = 0) -> Line:
    """The first line of a cell: label, top card, and, right-aligned or after a gap, what else is
    there.
    """
    info, pieces = scene.game.places[place], scene.marks_on(place)
    amounts, values = [one.text for one in scene.amounts(place)], scene.on(place).values
    named = [f"{one.name} {one.text}".strip() for one in values]
    brief = [one.text for one in values if one.text] or [one.name[:3] for one in values]
    versions = [" ".join([*amounts, *names]) for names in (named, brief)]
    left = room - width(pieces)
    beside = left - len(info.address) - 2
    held = next((one for one in versions if columns(one) <= beside), "") or widest(versions, left)
    is_told = bool(held or scene.game.on_spaces)  # of a sheet, what is empty is told, too
    is_labelled = place in scene.open or (is_told and columns(held) <= beside)
    if held:
        pieces = (Ink(held, "strong"), *[Ink(" ")] * bool(pieces), *pieces)
    if width(pieces) >= room:
        pieces = fit(pieces, room)
    left = max(room - width(pieces) - bool(pieces), 0)
    cards = scene.cards(place)
    head: Line = ()
    if not info.owner or (not cards and is_labelled):
        called = scene.address(place)
        head = line(replace(called, text=widest((called.text, info.address), left)))
    if cards:
        head = (*head, *_card(scene, cards, left - width(head), is_counted=not head))
    between = Ink(" " * (gap or max(room - width(head) - width(pieces), 0)))
    return (*head, between, *pieces) if pieces else head


def _card(scene: Scene, cards: list[Card], room: int, *, is_counted: bool = False) -> Line:
    """The longest version of the top card's name that fits, with its marks if wanted and the number
    of further cards; or the names of all cards, if they are open and fit.
    """
    number, card = len(cards), cards[0]
    are_alike = len({scene.name(one) for one in cards}) == 1
    more = "" if number == 1 else f" \xd7{number}" if are_alike else f" +{number - 1}"
    left = max(room - len(more), 0)
    if not card.id:
        return line(Ink(widest((scene.name(card),), left) + more, "faint"))
    if every := scene.stack(cards, room):
        return line(Ink(every, "strong"))
    face = scene.face(card)
    names = [face.name, face.short]
    if card.down:
        down = f"({scene.say('down')})"
        names = [*(f"{name} {down}" for name in names), f"{down} {face.short}"]
    elif is_counted:
        names = [*(f"{name} {face.unsaid(name, -1)}".rstrip() for name in names), *names]
    return line(Ink(widest(names, left) + more, "strong"))


def _below(scene: Scene, place: str, room: int) -> Line:
    """The second line of a cell: cost, effect or ability of the card, and its marks."""
    tops = scene.on(place).cards[:1]
    if not tops or not tops[0].id:
        return ()
    face = scene.face(tops[0])
    texts = face.power if scene.game.places[place].active else face.effect
    if not texts:
        return line(Ink(widest(face.marks, room), "green"))
    counts = face.unsaid(face.short, -1)
    left = room - columns(counts) - 1
    if not counts or columns(texts[-1]) > left:
        return line(widest(texts, room))
    return (*fit(line(widest(texts, left)), left + 1), Ink(counts, "green"))


# ---- boxes ----


def _boxes(scene: Scene, table: Table, inner: int) -> list[Line]:
    lines, bar, (across, _) = list[Line](), Ink("│", "faint"), table.size
    lean = (inner + 1) // 2 if table.is_staggered else 0
    above: Sequence[int] = ()
    for number, row in enumerate(table.rows):
        start = lean * number
        below = range(start, start + across * (inner + 1) + 1, inner + 1)
        lines.append(_border(above, below))
        cells = [_cell(scene, place, inner) if place else [] for place in row]
        cells += [[]] * (across - len(row))
        for parts in [*zip_longest(*cells, fillvalue=())] or [((),) * across]:
            inks = (ink for part in parts for ink in (*fit(part, inner), bar))
            lines.append((*[Ink(" " * start)] * bool(start), bar, *inks))
        above = below
    return [*lines, _border(above, ())]


_CROSSINGS = {(True, True): "├┼┤", (True, False): "└┴┘", (False, True): "┌┬┐"}
"""Line-drawing characters at the left, between and at the right, by whether a line goes up or
down.
"""


def _border(above: Sequence[int], below: Sequence[int]) -> Line:
    """The line between two rows of boxes, given the columns of their sides."""
    columns_ = sorted({*above, *below})
    first, last = columns_[0], columns_[-1]
    drawn = [*" " * first, *"─" * (last + 1 - first)]
    for x in columns_:
        at = 0 if x == first else 2 if x == last else 1
        drawn[x] = _CROSSINGS[x in above, x in below][at]
    return line(Ink("".join(drawn), "faint"))


def _cell(scene: Scene, place: str, room: int) -> list[Line]:
    """The lines of a box: label and top card, amounts, cost or ability, marks and pieces."""
    cards = scene.cards(place)
    lines = [_head(scene, place, cards, room), *_amount_lines(scene, place, room)]
    marks: tuple[str, ...] = ("",)
    if cards and cards[0].id:
        face = scene.face(cards[0])
        texts = face.power if scene.game.places[place].active else face.effect
        marks = marks if scene.is_mixed(cards) and scene.stack(cards, room) else face.marks
        lines += [line(text) for text in in_lines(texts, room, SAID) if text]
    pieces = scene.marks_on(place)
    pieces = fit(pieces, room) if width(pieces) > room else pieces
    left = max(room - width(pieces) - bool(pieces), 0)
    marked = line(Ink(widest(marks, left), "green"))
    is_full = bool(pieces) and not width(marked) and len(lines) > SAID
    if is_full and width(lines[-1]) + 1 + width(pieces) <= room:
        marked = lines.pop()  # there is room beside this for the pieces
    gap = Ink(" " * max(0, room - width(marked) - width(pieces)) if room <= WIDEST else "  ")
    lines.append((*marked, gap, *pieces) if pieces else marked)
    return [part for part in lines if width(part)]


def _amount_lines(scene: Scene, place: str, room: int) -> Iterator[Line]:
    """The amounts on a place or its top card, and the values of a space."""
    for one in scene.amounts(place):
        number, _, name = one.text.partition(" ")
        yield line(Ink(widest((one.text, f"{number} {name[:3]}", number), room), "strong"))
    for value in scene.on(place).values:
        long, short = (f"{name} {value.text}".strip() for name in (value.name, value.name[:3]))
        yield line(Ink(widest((long, short, value.text or short), room), "strong"))


def _head(scene: Scene, place: str, cards: list[Card], room: int) -> Line:
    called = scene.address(place)
    if not cards:
        return line(called)
    (name,) = _card(scene, cards, room - len(called.text))
    if scene.game.places[place].owner and ("…" in name.text or scene.stack(cards, room)):
        return _card(scene, cards, room)  # for one's own cards the name is enough
    return line(called, name)
