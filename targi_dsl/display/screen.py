"""The whole table of a game, arranged by its layout, side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.display.ink import Ink, Line, columns, cut, fitted, line, width, wrapped
from targi_dsl.display.table import drawn
from targi_dsl.display.view import View, legend
from targi_dsl.display.words import widest
from targi_dsl.information.observation import HIDDEN
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable

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
    shared = [part for part in view.game.layout if not isinstance(part, LayoutPlayer)]
    own = [part for part in view.game.layout if isinstance(part, LayoutPlayer)]
    most = view.columns
    middle, players = (
        _needed(shared, SHARED),
        max((_needed(part.lines, OWN) for part in own), default=0),
    )
    if own and middle > players and middle + GAP + players <= most:
        right = min(most - GAP - middle, players + players // 2)
        blocks = [line for part in own for line in [*_player(view, part, right), ()]]
        return beside([_parts(view, shared, most - GAP - right), blocks])
    lines = _parts(view, shared, most)
    each = (most - GAP * (len(own) - 1)) // len(own) if own else 0
    if len(own) > 1 and players <= each:
        return [*lines, *beside([_player(view, part, each) for part in own])]
    return [*lines, *(found for part in own for found in _player(view, part, most))]


def _needed(
    parts: list[LayoutTable | LayoutLine] | tuple[LayoutTable | LayoutLine, ...], inner: int
) -> int:
    """The width that the tables of a block should have."""
    across = max(
        (len(row) for part in parts if isinstance(part, LayoutTable) for row in part.rows),
        default=0,
    )
    return max(across * (inner + 1) + 1, LEAST)


def beside(blocks: list[list[Line]]) -> list[Line]:
    """Blocks side by side, each as wide as its widest line."""
    rooms = [max((width(part) for part in block), default=0) for block in blocks]
    lines: list[Line] = []
    for at in range(max(len(block) for block in blocks)):
        found: list[Ink] = []
        for block, room in zip(blocks, rooms, strict=True):
            found += [*fitted(block[at] if at < len(block) else (), room), Ink(" " * GAP)]
        lines.append(tuple(found[:-1]))
    return lines


def _parts(view: View, parts: list[LayoutTable | LayoutLine], room: int) -> list[Line]:
    lines: list[Line] = []
    for part in parts:
        if isinstance(part, LayoutTable):
            lines += drawn(view, part, room)
        else:
            lines += wrapped(
                (item for one in part.items for item in item_lines(view, one, NOTHING)), room, "   "
            )
    if view.game.pieces:
        lines += wrapped(((ink,) for ink in legend(view)), room, "   ")
    return lines


def _player(view: View, part: LayoutPlayer, room: int) -> list[Line]:
    """What belongs to one player, under the player's name."""
    name = view.game.players[part.player]
    turn = f" {view.words.say('to move')}" if view.seen.turn == name else ""
    you = f" ({view.words.say('you')})" if view.seen.seat == name else ""
    title = f"── {view.words.seat(name)}{you}{turn} "
    colour = view.colour(part.player)
    lines = [line(Ink(widest((title + "─" * max(0, room - len(title)),), room), colour))]
    for one in part.lines:
        if isinstance(one, LayoutTable):
            lines += drawn(view, one, room)
        else:
            items = (found for item in one.items for found in item_lines(view, item, part.player))
            lines += wrapped(items, room, "  ")
    return lines


def item_lines(view: View, item: LayoutItem, player: int) -> Iterator[Line]:
    """One entry of a line."""
    game, seen = view.game, view.seen.position
    name = view.words.called(item.what.removesuffix("s"), item.name)
    match item.what:
        case "resource":
            have = sum(seen.amount(one, player) for one in item.of)
            yield line(Ink(f"{name} ", "faint"), Ink(str(have), "strong"))
        case "variable":
            variable = next(
                one for one in game.variables if one.base <= item.of[0] < one.base + one.count
            )
            value = seen.values(variable)[item.of[0] - variable.base]
            is_card = isinstance(variable.type, t.Card) and value != NOTHING
            shown = view.card(value) if is_card else view.words.of(variable.type, value)
            if item.of[0] in view.seen.hidden:
                shown = HIDDEN
            yield line(Ink(f"{name} ", "faint"), Ink(shown, "strong"))
        case "pieces":
            yield line(
                Ink(f"{name} ", "faint"), ", ".join(_where(view, piece) for piece in item.of)
            )
        case _:
            for place in item.of:
                yield from _zone(view, place)


def _where(view: View, piece: int) -> str:
    place = view.seen.position.place_of_piece(piece)
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
    said = [named(view, card, short=True) for card in cards]
    is_own = view.game.players[view.game.places[place].owner] == view.seen.seat
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


def named(view: View, card: int, *, short: bool = False) -> str:
    """A card with its cost and values, if it is known."""
    if not view.knows(card):
        return view.card(card)
    brief = view.words.brief(card)
    deal = cut(brief.deal[: short + 1][-1], TOLD)
    held = [view.words.amount(name, have) for have, name in view.held(t.Card, card)]
    name, mark = view.card(card), brief.marks[short]
    parts = (deal, mark if mark.casefold() != name.casefold() else "", *held)
    said = "; ".join(filter(None, parts))
    return f"{name} ({said})" if said else name
