"""A position as a picture: one SVG drawing of what an observer knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from targi_dsl.api import PUBLIC, result
from targi_dsl.api.state import State
from targi_dsl.display.picture.boards import SLIM, table
from targi_dsl.display.picture.cards import (
    SMALL_WIDE,
    WIDE,
    card,
    cascade,
    empty,
    pile,
    rich,
    spread,
)
from targi_dsl.display.picture.marks import (
    has_token,
    paint,
    piece,
    player_colour,
    shape,
    style,
    token,
)
from targi_dsl.display.picture.svg import (
    Box,
    column,
    element,
    flow,
    frame,
    layer,
    lines,
    move,
    number,
    pad,
    row,
    shorten,
    text,
)
from targi_dsl.display.view import View
from targi_dsl.engine.chance import Asked
from targi_dsl.information.observation import Observation
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import (
    LayoutItem,
    LayoutLine,
    LayoutPlayer,
    LayoutTable,
    places_of,
    split_by_player,
)
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.view.looks import look_of
from targi_dsl.view.questions import question_of
from targi_dsl.view.words import Words

GAP = 14.0
MARGIN = 28.0
LEAST = 480.0
"""The least width of the table in the middle."""
SHAPE = 1.45
"""How much wider than high a picture should be."""


def picture(observation: Observation, language: Language = ENGLISH) -> str:
    """A position as SVG, drawn from the layout, the cards and the look of its game.

    It shows what the observer knows and nothing else: equal observations give equal pictures.
    """
    view = View(observation, Words(observation.game, language))
    table = _table(view)
    body = column([_head(view, table.width), table, legend(view, table.width)], 20)
    drawn = pad(body, MARGIN)
    ground = element("rect", width="100%", height="100%", class_="page")
    title = f"<title>{escape(view.words.title)}</title>"
    inner = ground + drawn.body
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(drawn.width)} '
        f'{number(drawn.height)}" role="img">{title}<style>{style(inner)}</style>{inner}</svg>\n'
    )


def _head(view: View, room: float) -> Box:
    seen, words = view.observation, view.words
    whose = words.say("as everybody sees it")
    if seen.seat != PUBLIC:
        whose = words.say("as {seat} sees it", seat=words.seat(seen.seat))
    match seen.turn:
        case None:
            heading = words.say("the game is over")
        case turn:
            heading = f"{words.seat(turn)}: {question_of(view)}"
    line = row([text(words.title, 24, bold=True), text(whose, 12, "soft")], 12, centred=True)
    return column([line, note(view, heading, room)], 2)


def _table(view: View) -> Box:
    """The table in the middle, with the players beside or below it, whichever shape is better."""
    _, own = split_by_player(view.game.layout)
    arranged = _arrange(view, own) if own else iter([_middle(view, 0)])
    return min(arranged, key=lambda box: abs(box.width / box.height - SHAPE))


def _middle(view: View, room: float) -> Box:
    """The table in the middle, as wide as the room or as it needs to be."""
    shared, _ = split_by_player(view.game.layout)
    tables = (
        parts(view, [entry], NOTHING, 1) for entry in shared if isinstance(entry, LayoutTable)
    )
    least = max((LEAST, room - 32, *(box.width for box in tables)))
    zones = flow((zone(view, place, least) for place in _left_out(view, NOTHING)), least, GAP)
    middle = column([parts(view, shared, NOTHING, least), zones], GAP)
    is_board = len(shared) == 1 and not view.game.cards
    return middle if is_board or not middle.height else panel(middle, room - 32)


def _arrange(view: View, own: list[LayoutPlayer]) -> Iterator[Box]:
    """The players beside the table in the middle, or below it in rows of one, two or all."""
    scores = _scores(view)
    least = max((*(_widest_table(view, entry) for entry in own), 300.0))

    def panels(each: float) -> list[Box]:
        return [
            player(view, entry, _left_out(view, entry.player), each, scores[entry.player])
            for entry in own
        ]

    yield row([_middle(view, 0), column(panels(least), GAP)], GAP)
    for across in sorted({1, 2, len(own)}):
        middle = _middle(view, across * (least + 32) + GAP * (across - 1))
        drawn = panels(max(least, (middle.width - GAP * (across - 1)) / across - 32))
        rows = (row(drawn[at : at + across], GAP) for at in range(0, len(drawn), across))
        yield column([middle, *rows], GAP, centred=True)


def _widest_table(view: View, part: LayoutPlayer) -> float:
    tables = (line for line in part.lines if isinstance(line, LayoutTable))
    return parts(view, tables, part.player, 1).width


def _scores(view: View) -> tuple[int | None, ...]:
    """All players' totals, once the game is over and nothing is hidden."""
    seen = view.observation
    if seen.turn is not None or seen.unknown or seen.hidden or not view.game.scores:
        return (None,) * len(view.game.players)
    return result(State(view.game, seen.vector, Asked(), None)).scores


def _left_out(view: View, player: int) -> Iterator[int]:
    """The zones of a player, or of no player, that contain cards and are not in the layout."""
    named = set(places_of(view.game.layout))
    return (
        place
        for place, info in enumerate(view.game.places)
        if info.is_zone and not info.is_box and info.owner == player
        if place not in named and not view.is_bare(place)
    )


# ---- panels ----


def parts(view: View, found: Iterable[LayoutTable | LayoutLine], player: int, room: float) -> Box:
    """Tables and lines, side by side where there is room."""
    return flow((_part(view, one, player, room) for one in found), room, GAP)


def _part(view: View, part: LayoutTable | LayoutLine, player: int, room: float) -> Box:
    if isinstance(part, LayoutTable):
        return table(view, part)
    items = [box for one in part.items for box in item(view, one, player, room)]
    chips = [one for one in items if one.height <= _CHIP]
    others = [one for one in items if one.height > _CHIP]
    return column([flow(chips, room, 8), flow(others, room, GAP)], GAP)


_CHIP = 30.0


def item(view: View, of: LayoutItem, player: int, room: float) -> Iterator[Box]:
    """One entry of a line."""
    game, seen = view.game, view.observation.position
    name = view.words.called(of.what.removesuffix("s"), of.name)
    match of.what:
        case "resource":
            have = sum(seen.amount(one, player) for one in of.of)
            yield _chip(name, [text(str(have), 14, bold=True)], _mark(view, of.name))
        case "variable":
            yield _chip(name, _value(view, of), [])
        case "pieces":
            off = [one for one in of.of if seen.place_of_piece(one) == NOTHING]
            marks = [piece(view, game.pieces[one].kind, game.pieces[one].owner, 18) for one in off]
            if marks:
                yield _chip(name, [row(marks[:6], 1), text(str(len(off)), 14, bold=True)], [])
        case _:
            for place in of.of:
                yield zone(view, place, room)


def _mark(view: View, name: str) -> list[Box]:
    return [token(view, name, 18)] if has_token(view, name) else []


def _value(view: View, of: LayoutItem) -> list[Box]:
    """The value of a variable, a card by its name."""
    slot, (type_, value) = of.of[0], view.variable(of.of[0])
    if isinstance(type_, t.Player) and value != NOTHING and slot not in view.observation.hidden:
        dot = shape("disc", paint(player_colour(view, value)), 12)
        return [row([dot, text(view.words.player(value), 13, bold=True)], 4, centred=True)]
    said = view.value(slot)
    return [*_mark(view, said), text(said, 14, bold=True)]


def _chip(name: str, value: list[Box], mark: list[Box]) -> Box:
    """A name and a number in a rounded frame."""
    inner = pad(row([*mark, text(name, 11, "soft"), *value], 6, centred=True), 9, 5)
    ground = frame(inner.width, _CHIP - 2, _CHIP / 2 - 1.5, class_="page line")
    return layer(Box(inner.width, _CHIP - 2, ground), inner)


def zone(view: View, place: int, room: float) -> Box:
    """A zone: all its cards if it is somebody's or they are few and open, else a pile."""
    is_owned, cards = view.game.places[place].owner != NOTHING, list(view.cards(place))
    name = view.words.own_place(place) if is_owned else view.words.place(place)
    title = _title(name, len(cards))
    if not cards:
        return column([title, empty(SMALL_WIDE, SLIM)], 3)
    boxes = [card(view, one) for one in cards]
    if is_owned or (len(cards) <= FEW and all(map(view.knows, cards))):
        is_spread = is_owned or boxes[0].width < WIDE
        laid = spread(boxes, room) if is_spread else cascade(reversed(boxes))
        return column([title, laid], 3)
    return column([title, pile(view, cards, boxes[0])], 3)


FEW = 6
"""So many open cards of nobody are all shown."""


def _title(name: str, count: int) -> Box:
    said = text(shorten(name, 10.5, 130), 10.5, "soft")
    return row([said, text(str(count), 10.5, bold=True)] if count else [said], 5)


# ---- players ----


def player(
    view: View, part: LayoutPlayer, others: Iterable[int], room: float, score: int | None
) -> Box:
    """What belongs to one player, with zones that the layout leaves out, under the name."""
    name = view.game.players[part.player]
    dot = shape("disc", paint(player_colour(view, part.player)), 16)
    said = [dot, text(view.words.seat(name), 16, bold=True)]
    if view.observation.seat == name:
        said.append(text(view.words.say("you"), 12, "soft"))
    if view.observation.turn == name:
        said.append(_flag(view.words.say("to move"), player_colour(view, part.player)))
    if score is not None:
        said.append(text(f"{view.words.say('in all')}: {score}", 14, bold=True))
    head = row(said, 8, centred=True)
    left_out = flow((zone(view, place, room) for place in others), room, GAP)
    inner = [head, parts(view, part.lines, part.player, room), left_out]
    return panel(column(inner, 12), room)


def _flag(said: str, colour: str) -> Box:
    ink = paint(colour)
    inner = pad(text(said, 10.5, bold=True, fill=ink.ink), 8, 2.5)
    wide, high = inner.width, inner.height
    ground = frame(wide, high, high / 2, 0, fill=ink.fill, stroke=ink.edge)
    return layer(Box(wide, high, ground), inner)


def panel(inner: Box, room: float = 0) -> Box:
    """A part of the table on a ground of its own."""
    wide, high = max(inner.width, room) + 32, inner.height + 32
    ground = frame(wide, high, 14, class_="panel line")
    return layer(Box(wide, high, ground), Box(wide, high, move(inner, 16, 16)))


# ---- legend ----


def legend(view: View, room: float) -> Box:
    """What the marks mean."""
    return flow(_entries(view), room, 16, centred=True)


def _entries(view: View) -> Iterator[Box]:
    game = view.game
    kinds = dict.fromkeys((one.kind, one.owner) for one in game.pieces)
    for kind, owner in kinds:
        yield _entry(piece(view, kind, owner, 16), view.words.piece(kind, owner))
    values = (value for _, members in game.values for value in members)
    for name in dict.fromkeys((*game.resources, *values)):
        if has_token(view, name):
            yield _entry(token(view, name, 16), view.words.word(name))
    for kind_number in dict.fromkeys(one.kind for one in game.cards):
        if kind_number != NOTHING and (colour := look_of(game, game.kinds[kind_number]).colour):
            yield _entry(shape("square", paint(colour), 15), view.words.kind(kind_number))


def _entry(mark: Box, said: str) -> Box:
    return row([mark, text(said, 11, "soft")], 5, centred=True)


def note(view: View, said: str, room: float) -> Box:
    """A sentence in as many lines as it takes."""
    return column(lines(list(rich(view, said, 13)), room, 13, "soft"))
