"""The whole table of a position in one drawing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from targi_dsl.api import PUBLIC, result
from targi_dsl.api.state import State
from targi_dsl.display.choosing import question
from targi_dsl.display.picture.palette import style
from targi_dsl.display.picture.panels import GAP, legend, note, panel, parts, player, zone
from targi_dsl.display.picture.svg import (
    Box,
    column,
    element,
    flow,
    number,
    padded,
    row,
    text,
)
from targi_dsl.display.view import View
from targi_dsl.display.words import Words
from targi_dsl.engine.chance import Asked
from targi_dsl.information.observation import Observation
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable
from targi_dsl.text.languages import ENGLISH, Language

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
    drawn = padded(body, MARGIN)
    ground = element("rect", width="100%", height="100%", class_="page")
    title = f"<title>{escape(view.words.title)}</title>"
    inner = ground + drawn.body
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(drawn.width)} '
        f'{number(drawn.height)}" role="img">{title}<style>{style(inner)}</style>{inner}</svg>\n'
    )


def _head(view: View, room: float) -> Box:
    seen, words = view.seen, view.words
    whose = words.say("as everybody sees it")
    if seen.seat != PUBLIC:
        whose = words.say("as {seat} sees it", seat=words.seat(seen.seat))
    match seen.turn:
        case None:
            heading = words.say("the game is over")
        case turn:
            heading = f"{words.seat(turn)}: {question(view)}"
    line = row([text(words.title, 24, bold=True), text(whose, 12, "soft")], 12, centred=True)
    return column([line, note(view, heading, room)], 2)


def _table(view: View) -> Box:
    """The table in the middle, with the players beside or below it, whichever shape is better."""
    own = [entry for entry in view.game.layout if isinstance(entry, LayoutPlayer)]
    arranged = _arranged(view, own) if own else iter([_middle(view, 0)])
    return min(arranged, key=lambda box: abs(box.width / box.height - SHAPE))


def _middle(view: View, room: float) -> Box:
    """The table in the middle, as wide as the room or as it needs to be."""
    shared = [entry for entry in view.game.layout if not isinstance(entry, LayoutPlayer)]
    tables = (
        parts(view, [entry], NOTHING, 1) for entry in shared if isinstance(entry, LayoutTable)
    )
    least = max((LEAST, room - 32, *(box.width for box in tables)))
    zones = flow((zone(view, place, least) for place in _left_out(view, NOTHING)), least, GAP)
    middle = column([parts(view, shared, NOTHING, least), zones], GAP)
    is_board = len(shared) == 1 and not view.game.cards
    return middle if is_board or not middle.height else panel(middle, room - 32)


def _arranged(view: View, own: list[LayoutPlayer]) -> Iterator[Box]:
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
    seen = view.seen
    if seen.turn is not None or seen.unknown or seen.hidden or not view.game.scores:
        return (None,) * len(view.game.players)
    return result(State(view.game, seen.vector, Asked(), None)).scores


def _left_out(view: View, player: int) -> Iterator[int]:
    """The zones of a player, or of no player, that contain cards and are not in the layout."""
    named = set(_places(view.game.layout))
    return (
        place
        for place, info in enumerate(view.game.places)
        if info.is_zone and not info.is_box and info.owner == player
        if place not in named and not view.is_bare(place)
    )


def _places(layout: tuple[LayoutTable | LayoutLine | LayoutPlayer, ...]) -> Iterator[int]:
    for part in layout:
        match part:
            case LayoutTable(rows):
                yield from (place for cells in rows for place in cells)
            case LayoutLine(items):
                yield from (place for item in items for place in _of(item))
            case LayoutPlayer(_, lines):
                yield from _places(lines)


def _of(item: LayoutItem) -> tuple[int, ...]:
    return item.of if item.what == "places" else ()
