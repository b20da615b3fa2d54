"""The whole table of a game, arranged by its layout, side by side where there is room: boxes,
boards without cards, and lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from targi_dsl.display.board import board
from targi_dsl.display.ink import (
    Ink,
    Line,
    fit,
    in_lines,
    line,
    widest,
    width,
    words,
    wrap_parts,
)
from targi_dsl.display.marks import address, legend, marks_on
from targi_dsl.display.scene import Scene, split_by_player
from targi_dsl.text.languages import words_of
from targi_dsl.text.suggestions import did_you_mean
from targi_dsl.text.width import columns
from targi_dsl.view.shape import Card, Equipment, Item, Items, Named, PlayerPart, Table

SHARED, OWN = 14, 8
"""The minimum inner width of a cell of the table in the middle, and of a player's table."""

TOLD = 48
"""The maximum width for all cards of an open zone together."""

MOST_BACKS = 3
"""The maximum number of unknown cards that are shown one by one."""

GAP, LEAST = 2, 32
"""The gap between two blocks, and the minimum width of a block."""


def screen(scene: Scene) -> list[Line]:
    """The table as the viewers see it."""
    shared, own = split_by_player(scene.game)
    most, middle = scene.columns, _width_needed(shared, SHARED)
    players = max((_width_needed(part.parts, OWN) for part in own), default=0)
    if own and middle > players and middle + GAP + players <= most:
        right = min(most - GAP - middle, players + players // 2)
        blocks = [line for part in own for line in [*_player(scene, part, right), ()]]
        return beside([_shared(scene, shared, most - GAP - right), blocks])
    lines = _shared(scene, shared, most)
    each = (most - GAP * (len(own) - 1)) // len(own) if own else 0
    if len(own) > 1 and players <= each:
        return [*lines, *beside([_player(scene, part, each) for part in own])]
    return [*lines, *(found for part in own for found in _player(scene, part, most))]


def _width_needed(parts: Iterable[Table | Items], inner: int) -> int:
    """The width that the tables of a block should have."""
    across = max((part.span for part in parts if isinstance(part, Table)), default=0)
    return max(int(across * (inner + 1)) + 1, LEAST)


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


def _shared(scene: Scene, parts: list[Table | Items], room: int) -> list[Line]:
    lines = _parts(scene, parts, room, "", "   ")
    if scene.game.pieces:
        lines += wrap_parts(((ink,) for ink in legend(scene)), room, "   ")
    return lines


def _player(scene: Scene, part: PlayerPart, room: int) -> list[Line]:
    """What belongs to one player, under the player's name."""
    title = f"── {scene.titled(part.player)} "
    ruled = widest((title + "─" * max(0, room - len(title)),), room)
    head = line(Ink(ruled, scene.colours[part.player]))
    return [head, *_parts(scene, part.parts, room, part.player, "  ")]


def _parts(
    scene: Scene, parts: Iterable[Table | Items], room: int, player: str, gap: str
) -> list[Line]:
    lines: list[Line] = []
    for part in parts:
        if isinstance(part, Table):
            lines += table_lines(scene, part, room)
        else:
            items = (found for item in part.items for found in item_lines(scene, item, player))
            lines += wrap_parts(items, room, gap)
    return lines


def item_lines(scene: Scene, item: Item, player: str) -> Iterator[Line]:
    """One entry of a line."""
    match item.what:
        case "resource":
            head = Ink(f"{scene.resources[item.name].name} ", "faint")
            yield line(head, Ink(str(scene.amount(player, item.of)), "strong"))
        case "variable":
            value = scene.view.values[item.of[0]]
            yield line(Ink(f"{item.name} ", "faint"), Ink(value.text, "strong"))
        case "pieces":
            head = Ink(f"{scene.piece_kinds[item.name].name} ", "faint")
            yield line(head, ", ".join(_where(scene, piece) for piece in item.of))
        case _:
            for place in item.of:
                yield from _zone(scene, place)


def _where(scene: Scene, piece: str) -> str:
    places = (place for place, on in scene.view.places.items() if piece in on.pieces)
    place = next(places, "")
    return scene.game.places[place].name if place else scene.say("off the board")


def _zone(scene: Scene, place: str) -> Iterator[Line]:
    """A zone: all cards if a player owns it, otherwise the number of cards and those that are
    visible.
    """
    info, cards = scene.game.places[place], scene.cards(place)
    head = Ink(f"{info.own_name if info.owner else info.name} ", "faint")
    if not info.owner:
        said = _open_cards(scene, cards)
        yield line(head, Ink(str(len(cards)), "strong"), f" ({said})" if said else "")
        return
    if not cards:
        yield line(head, scene.say("none"))
    for number, said in enumerate(_held_cards(scene, info.owner, cards)):
        yield line(*[head] * (number == 0), Ink(said, "strong"))


def _held_cards(scene: Scene, owner: str, cards: list[Card]) -> list[str]:
    """The cards of a player's zone. If there are many of which nothing is known, they are counted;
    but not the viewer's own, which may have to be named by position.
    """
    said = [scene.with_cost(card) for card in cards]
    is_told = owner == scene.you or any(card.id for card in cards) or len({*said}) > 1
    return said if len(cards) <= MOST_BACKS or is_told else [f"{len(cards)} {said[0]}"]


def _open_cards(scene: Scene, cards: list[Card]) -> str:
    """The cards that lie open in a zone, and how many do not; if there are many, the top one."""
    shown = [card for card in cards if card.id and not card.down]
    if not shown:
        return ""
    names = [scene.name(card) for card in shown]
    if hidden := len(cards) - len(shown):
        names.append(scene.say("{number} hidden", number=hidden))
    every = ", ".join(names)
    return every if columns(every) <= TOLD or shown[0] != cards[0] else names[0]


# ---- tables: in boxes, or as a list if there is no room for boxes ----

NARROWEST, WIDEST = 7, 24
"""The inner width of a cell: narrower tables have no boxes, and wider cells are useless."""

SAID = 2
"""Lines of a cell for the cost or effect of its card."""


def table_lines(scene: Scene, table: Table, room: int) -> list[Line]:
    """The table in at most `room` columns."""
    if found := board(scene, table, room):
        return found
    places = table.places
    taken = [place for place in places if not scene.is_empty(place)]
    if not taken and scene.game.places[places[0]].owner:
        said = scene.say("{place}: empty", place=scene.region(places[0]))
        return wrap_parts([line(Ink(said, "faint"))], room)
    inner = min(int((room - 1) / table.span) - 1, WIDEST)
    cells = (part for place in places for part in _cell(scene, place, WIDEST + 1))
    natural = max(map(width, cells), default=1)
    if inner < min(NARROWEST, natural):
        return [part for place in taken for part in _list_cards(scene, place, room)]
    return _boxes(scene, table, min(inner, max(natural, NARROWEST - 2)))


def _list_cards(scene: Scene, place: str, room: int) -> list[Line]:
    parts = [part for part in _cell(scene, place, 10 * room) if part]
    region = Ink(f"{scene.region(place)} ", "faint")
    return wrap_parts([(region, *parts[0]), *parts[1:]], room, "  ", "  ")


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
        for at in range(max(1, *(len(cell) for cell in cells))):
            parts = [fit(cell[at] if at < len(cell) else (), inner) for cell in cells]
            inks = (ink for part in parts for ink in (*part, bar))
            lines.append((*[Ink(" " * start)] * bool(start), bar, *inks))
        above = below
    return [*lines, _border(above, ())]


_CROSSINGS = {(True, True): "├┼┤", (True, False): "└┴┘", (False, True): "┌┬┐"}
"""Where lines meet at the left, between and at the right, by whether one goes up or down there."""


def _border(above: Sequence[int], below: Sequence[int]) -> Line:
    """A line between two rows of boxes, given the columns in which their sides stand."""
    columns_ = sorted({*above, *below})
    first, last = columns_[0], columns_[-1]
    drawn = [*" " * first, *"─" * (last + 1 - first)]
    for x in columns_:
        at = 0 if x == first else 2 if x == last else 1
        drawn[x] = _CROSSINGS[x in above, x in below][at]
    return line(Ink("".join(drawn), "faint"))


def _cell(scene: Scene, place: str, room: int) -> list[Line]:
    """The contents of a place: its number and top card, resources, the card's text and values, and
    the pieces.
    """
    cards = scene.cards(place)
    lines = [_head(scene, place, cards, room), *_amount_lines(scene, place, room)]
    marks: tuple[str, ...] = ("",)
    if cards and cards[0].id:
        face = scene.face(cards[0])
        marks, said = face.marks, face.power if scene.game.places[place].active else face.effect
        lines += [line(text) for text in in_lines(said, room, SAID) if text]
    marked = line(Ink(widest(marks, room), "green"))
    pieces = marks_on(scene, place)
    pieces = fit(pieces, room) if width(pieces) > room else pieces
    both = width(marked) + width(pieces) + bool(width(marked) and width(pieces))
    if both > room:
        marked = line(Ink(widest(marks, max(room - width(pieces) - 1, 1)), "green"))
    is_full = bool(pieces) and not width(marked) and len(lines) > SAID
    if is_full and width(lines[-1]) + 1 + width(pieces) <= room:
        marked = lines.pop()  # there is room beside this for the pieces
    gap = Ink(" " * max(0, room - width(marked) - width(pieces)) if room <= WIDEST else "  ")
    lines.append((*marked, gap, *pieces) if pieces else marked)
    return [part for part in lines if width(part)]


def _amount_lines(scene: Scene, place: str, room: int) -> Iterator[Line]:
    """The amounts on a place, or on its top card, and the values of a space."""
    for one in scene.amounts(place):
        number, _, name = one.text.partition(" ")
        yield line(Ink(widest((one.text, f"{number} {name[:3]}", number), room), "strong"))
    for value in scene.on(place).values:
        long, short = (f"{name} {value.text}".strip() for name in (value.name, value.name[:3]))
        yield line(Ink(widest((long, short, value.text or short), room), "strong"))


def _head(scene: Scene, place: str, cards: list[Card], room: int) -> Line:
    called = address(scene, place)
    if not cards:
        return line(called)
    card, more = cards[0], f" +{len(cards) - 1}" if len(cards) > 1 else ""
    left = room - len(called.text) - len(more)
    if not card.id:
        return line(called, Ink(widest((scene.name(card),), left) + more, "faint"))
    if every := scene.stack(cards, left + len(more)):
        return line(called, Ink(every, "strong"))
    face = scene.face(card)
    down = f" ({scene.say('down')})" if card.down else ""
    names = [f"{face.name}{down}", f"{face.short}{down}", face.short]
    name = widest(names, left)
    if name not in names and scene.game.places[place].owner:
        # for one's own cards the name is enough
        return line(Ink(widest(names, left + len(called.text)) + more, "strong"))
    return line(called, Ink(name + more, "strong"))


# ---- a part of the table in full ----


def is_part(game: Equipment, name: str) -> bool:
    """Whether a zone or a region has this name."""
    return name.casefold() in _regions(game)


def part_of_table(scene: Scene, name: str) -> list[Line]:
    """The contents of a place as the viewers know them, or all players' amounts of a resource."""
    game, wanted = scene.game, name.casefold()
    amounts = _by_name(game.resources)
    if wanted in (regions := _regions(game)):
        said = [
            text
            for place, info in scene.game.places.items()
            if info.region == regions[wanted] and (info.is_zone or not scene.is_empty(place))
            for text in contents(scene, place)
        ]
    elif wanted in amounts:
        of = game.groups.get(amounts[wanted], (amounts[wanted],))
        labelled = scene.language.labelled
        said = [labelled(one.name, str(scene.amount(one.id, of))) for one in game.players]
    else:
        text = scene.say("Nothing on the table is called `{name}`.", name=name)
        near = did_you_mean(name, [*regions, *amounts])
        said = [
            f"{text} {scene.say('Did you mean `{meant}`?', meant=near) if near else ''}".rstrip()
        ]
    return [part for text in said for part in words(text, scene.columns, "    ")]


def _regions(game: Equipment) -> dict[str, str]:
    """The regions by the words people have for them, and by their names."""
    return _by_name(game.regions)


def _by_name(things: Iterable[Named]) -> dict[str, str]:
    things = tuple(things)
    called = {one.name.casefold(): one.id for one in things}
    return called | {words_of(one.id): one.id for one in things}


def contents(scene: Scene, place: str) -> Iterator[str]:
    """What lies on a place, in words: cards by their number, and below it those that are known."""
    info, on, cards = scene.game.places[place], scene.on(place), scene.cards(place)
    said = [scene.count("{number} card", "{number} cards", len(cards))]
    said *= bool(cards) or info.is_zone
    if hidden := sum(not card.id for card in cards):
        said.append(scene.say("{number} hidden", number=hidden))
    said += [scene.game.pieces[one].name for one in on.pieces]
    said += [one.text for one in on.amounts]
    said += [f"{one.name} {one.text}".strip() for one in on.values]
    yield scene.language.labelled(info.name, ", ".join(said))
    yield from (_card(scene, card) for card in cards if card.id)


def _card(scene: Scene, card: Card) -> str:
    """A card with everything printed on it, in one paragraph."""
    face, down = scene.face(card), f" ({scene.say('face down')})" if card.down else ""
    said = [one[0] for one in (face.effect, face.power, face.marks) if one and one[0]]
    return f"  {scene.language.labelled(f'{face.name}{down}', '; '.join(said))}"
