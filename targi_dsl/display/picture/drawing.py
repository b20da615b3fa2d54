"""The whole table of a position in one drawing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from targi_dsl.api import PUBLIC, result
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
from targi_dsl.display.words import Words, spoken
from targi_dsl.engine.chance import Asked
from targi_dsl.engine.state import State
from targi_dsl.information.observation import Observation
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutItem, LayoutLine, LayoutPlayer, LayoutTable

MARGIN = 28.0
LEAST = 420.0
"""The least width of the table in the middle."""
SHAPE = 1.45
"""How much wider than high a picture should be."""


def picture(observation: Observation, language: str = "en") -> str:
    """A position as SVG, drawn from the layout, the cards and the look of its game.

    It shows what the observer knows and nothing else: equal observations give equal pictures.
    """
    view = View(observation, Words(observation.game, language))
    table = _table(view)
    body = column([_head(view, table.width), table, legend(view, table.width)], 20)
    drawn = padded(body, MARGIN)
    ground = element("rect", width="100%", height="100%", class_="page")
    title = f"<title>{escape(observation.game.title)}</title>"
    inner = ground + drawn.body
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(drawn.width)} '
        f'{number(drawn.height)}" role="img">{title}<style>{style(inner)}</style>{inner}</svg>\n'
    )


def _head(view: View, room: float) -> Box:
    seen = view.seen
    whose = "as everybody sees it" if seen.seat == PUBLIC else f"as {seen.seat} sees it"
    match seen.turn:
        case None:
            said = "The game is over."
        case turn:
            said = f"{turn}: {spoken(seen.question or '')}"
    line = row([text(view.game.title, 24, bold=True), text(whose, 12, "soft")], 12, centred=True)
    return column([line, note(view, said, room)], 2)


def _table(view: View) -> Box:
    """The table in the middle, and the players beside it or below, as the better shape is."""
    shared = [one for one in view.game.layout if not isinstance(one, LayoutPlayer)]
    own = [one for one in view.game.layout if isinstance(one, LayoutPlayer)]
    tables = [one for one in shared if isinstance(one, LayoutTable)]
    room = max([parts(view, tables, NOTHING, LEAST).width, LEAST])
    middle = column([parts(view, shared, NOTHING, room), _elsewhere(view, room)], GAP)
    if middle.height and (len(shared) > 1 or view.game.cards):
        middle = panel(middle)
    if not own:
        return middle
    return min(_arranged(view, middle, own), key=lambda box: abs(box.width / box.height - SHAPE))


def _arranged(view: View, middle: Box, own: list[LayoutPlayer]) -> Iterator[Box]:
    scores = _scores(view)
    tables = [
        parts(
            view, [line for line in one.lines if isinstance(line, LayoutTable)], one.player, 1
        ).width
        for one in own
    ]
    least = max(*tables, 300.0)
    panels = [player(view, one, least, scores[one.player]) for one in own]
    yield row([middle, column(panels, GAP)], GAP)
    for across in {1, 2, len(own)}:
        each = max(least, (middle.width - GAP * (across - 1)) / across - 32)
        panels = [player(view, one, each, scores[one.player]) for one in own]
        rows = [row(panels[at : at + across], GAP) for at in range(0, len(panels), across)]
        yield column([middle, *rows], GAP)


def _scores(view: View) -> tuple[int | None, ...]:
    """What everybody has in all, once the game is over and nothing is hidden."""
    seen = view.seen
    if seen.turn is not None or seen.unknown or seen.hidden or not view.game.scores:
        return (None,) * len(view.game.players)
    return result(State(view.game, seen.vector, Asked(), None)).scores


def _elsewhere(view: View, room: float) -> Box:
    """The zones that the layout does not name, with the cards that lie there now."""
    named = set(_places(view.game.layout))
    others = (
        place
        for place, info in enumerate(view.game.places)
        if info.is_zone and not info.is_box and place not in named and any(view.cards(place))
    )
    return flow((zone(view, place, room) for place in others), room, GAP)


def _places(layout: tuple[LayoutTable | LayoutLine | LayoutPlayer, ...]) -> Iterator[int]:
    for part in layout:
        match part:
            case LayoutTable(rows):
                yield from (place for cells in rows for place in cells)
            case LayoutLine(items):
                yield from (place for one in items for place in _of(one))
            case LayoutPlayer(_, lines):
                yield from _places(lines)


def _of(item: LayoutItem) -> tuple[int, ...]:
    return item.of if item.what == "places" else ()
