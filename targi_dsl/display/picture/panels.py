"""Panels: lines of what belongs to everybody or to a player, and the legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.display.looks import look_of
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
from targi_dsl.display.picture.marks import has_token, piece, player_colour, shape, token
from targi_dsl.display.picture.palette import paint
from targi_dsl.display.picture.svg import (
    Box,
    column,
    element,
    flow,
    frame,
    layered,
    lines,
    padded,
    placed,
    row,
    shortened,
    text,
)
from targi_dsl.display.view import View
from targi_dsl.information.observation import HIDDEN
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable

GAP = 14.0


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
    game, seen = view.game, view.seen.position
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
    game, slot = view.game, of.of[0]
    one = next(one for one in game.variables if one.base <= slot < one.base + one.count)
    value = view.seen.position.values(one)[slot - one.base]
    if slot in view.seen.hidden:
        return [text(HIDDEN, 14, bold=True)]
    if isinstance(one.type, t.Player) and value != NOTHING:
        dot = shape("disc", paint(player_colour(view, value)), 12)
        return [row([dot, text(view.words.player(value), 13, bold=True)], 4, centred=True)]
    is_card = isinstance(one.type, t.Card) and value != NOTHING
    said = view.card(value) if is_card else view.words.of(one.type, value)
    return [*_mark(view, said), text(said, 14, bold=True)]


def _chip(name: str, value: list[Box], mark: list[Box]) -> Box:
    """A name and a number in a rounded frame."""
    inner = padded(row([*mark, text(name, 11, "soft"), *value], 6, centred=True), 9, 5)
    ground = frame(inner.width, _CHIP - 2, _CHIP / 2 - 1.5, class_="page line")
    return layered(Box(inner.width, _CHIP - 2, ground), inner)


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
    said = text(shortened(name, 10.5, 130), 10.5, "soft")
    return row([said, text(str(count), 10.5, bold=True)] if count else [said], 5)


# ---- players ----


def player(
    view: View, part: LayoutPlayer, others: Iterable[int], room: float, score: int | None
) -> Box:
    """What belongs to one player, with zones that the layout leaves out, under the name."""
    name = view.game.players[part.player]
    dot = shape("disc", paint(player_colour(view, part.player)), 16)
    said = [dot, text(view.words.seat(name), 16, bold=True)]
    if view.seen.seat == name:
        said.append(text(view.words.say("you"), 12, "soft"))
    if view.seen.turn == name:
        said.append(_flag(view.words.say("to move"), player_colour(view, part.player)))
    if score is not None:
        said.append(text(f"{view.words.say('in all')}: {score}", 14, bold=True))
    head = row(said, 8, centred=True)
    left_out = flow((zone(view, place, room) for place in others), room, GAP)
    inner = [head, parts(view, part.lines, part.player, room), left_out]
    return panel(column(inner, 12), room)


def _flag(said: str, colour: str) -> Box:
    ink = paint(colour)
    inner = padded(text(said, 10.5, bold=True, fill=ink.ink), 8, 2.5)
    return layered(
        Box(
            inner.width,
            inner.height,
            element(
                "rect",
                width=inner.width,
                height=inner.height,
                rx=inner.height / 2,
                fill=ink.fill,
                stroke=ink.edge,
            ),
        ),
        inner,
    )


def panel(inner: Box, room: float = 0) -> Box:
    """A part of the table on a ground of its own."""
    wide, high = max(inner.width, room) + 32, inner.height + 32
    ground = frame(wide, high, 14, class_="panel line")
    return layered(Box(wide, high, ground), Box(wide, high, placed(inner, 16, 16)))


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
    for number in dict.fromkeys(one.kind for one in game.cards):
        if number != NOTHING and (colour := look_of(game, game.kinds[number]).colour):
            yield _entry(shape("square", paint(colour), 15), view.words.kind(number))


def _entry(mark: Box, said: str) -> Box:
    return row([mark, text(said, 11, "soft")], 5, centred=True)


def note(view: View, said: str, room: float) -> Box:
    """A sentence in as many lines as it takes."""
    return column(lines(list(rich(view, said, 13)), room, 13, "soft"))
