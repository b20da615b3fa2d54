"""Tables of places: boards of pieces in their own shape, and cells with cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import cos, pi, sin, sqrt

from targi_dsl.display.ink import colour_of, look_of
from targi_dsl.display.picture.cards import HIGH, WIDE, card, card_size, cascade, empty, pile
from targi_dsl.display.picture.marks import paint, piece, tint, token
from targi_dsl.display.picture.svg import (
    NONE,
    Box,
    centred_text,
    element,
    layered,
    number,
    placed,
    row,
    text,
)
from targi_dsl.display.screen import Axes, axes_of
from targi_dsl.display.view import View, held_on, is_empty
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import LayoutTable

SLIM = 30.0
"""How high the places of a row are on which nothing of a player lies."""
SPARE = (76.0, 56.0)
"""The size of places on which there is no card anywhere."""
STEP = 44.0
"""From the middle of one space to that of the next on a board of pieces."""
MARGIN = 26.0
_MOST_WIDE = 1100.0
_MOST_SEEDS = 14
_GOLDEN = pi * (3 - sqrt(5))


def table(view: View, part: LayoutTable) -> Box:
    """The places of a table with what lies on them."""
    places = [place for cells in part.rows for place in cells if place != NOTHING]
    if part.is_staggered:
        return _hexagons(view, part)
    if any(view.game.places[place].is_zone or _can_hold_cards(view) for place in places):
        return _cells(view, part)
    if look_of(view.game, view.game.places[places[0]].region).shape == "pit":
        return _pits(view, part)
    if _is_lined(view, part):
        return _spots(view, part)
    return _grid(view, part)


def _can_hold_cards(view: View) -> bool:
    return bool(view.game.cards)


def _is_lined(view: View, part: LayoutTable) -> bool:
    """Whether the spaces are spots with lines between them."""
    return (
        axes_of(view, part) is None
        and any(NOTHING in cells for cells in part.rows)
        and bool(part.joins)
    )


# ---- boards of pieces ----


def _ground(view: View, part: LayoutTable, wide: float, high: float) -> tuple[str, str]:
    """The board itself, and the ink for the text on it."""
    first = next(place for cells in part.rows for place in cells if place != NOTHING)
    colour = colour_of(view.game, view.game.places[first].region)
    if not colour:
        return element("rect", width=wide, height=high, rx=14, class_="panel line"), "soft"
    ink = paint(colour)
    drawn = element("rect", width=wide, height=high, rx=14, fill=ink.fill, stroke=ink.edge)
    return drawn, ink.ink


def _grid(view: View, part: LayoutTable) -> Box:
    axes = axes_of(view, part)
    across, down = max(len(cells) for cells in part.rows), len(part.rows)
    step = min(STEP, _MOST_WIDE / across)
    wide, high = across * step + 2 * MARGIN, down * step + 2 * MARGIN
    body, ink = _ground(view, part, wide, high)
    body += _letters(axes, step, ink) if axes else ""
    for line, cells in enumerate(part.rows):
        for at, place in enumerate(cells):
            if place != NOTHING:
                space = _space(view, place, step, ink, line + at, labelled=axes is None)
                body += placed(space, MARGIN + at * step, MARGIN + line * step)
    return Box(wide, high, body)


def _letters(axes: Axes, step: float, ink: str) -> str:
    """The letters of the columns above, and the numbers of the rows at the left."""
    tops = (
        centred_text(name, 10, MARGIN + (at + 0.5) * step, MARGIN / 2, ink)
        for at, name in enumerate(axes.across)
    )
    sides = (
        centred_text(name, 10, MARGIN / 2, MARGIN + (at + 0.5) * step, ink)
        for at, name in enumerate(axes.down)
    )
    return "".join((*tops, *sides))


def _space(view: View, place: int, step: float, ink: str, parity: int, *, labelled: bool) -> Box:
    """A space of a board: a hole or a square, with its contents."""
    info = view.game.places[place]
    look = look_of(view.game, info.region)
    half = step / 2
    if look.shape in ("disc", "ring"):
        body = element("circle", cx=half, cy=half, r=half * 0.82, class_="page", opacity=0.9)
    elif look.colour:
        shade = 0.06 if parity % 2 else 0
        body = element(
            "rect",
            width=step,
            height=step,
            fill="#000000",
            fill_opacity=f"{shade:g}",
            stroke=ink,
            stroke_opacity="0.35",
        )
    else:
        ground = "page line" if parity % 2 else "card line"
        body = element("rect", width=step, height=step, class_=ground)
    things = _things(view, place, step)
    if labelled and not things.body:
        body += centred_text(info.label, 10, half, half, "soft" if ink == "soft" else ink)
    return layered(Box(step, step, body), things)


def _things(view: View, place: int, step: float) -> Box:
    """The pieces on a space and what it holds, in its middle."""
    pieces = view.pieces(place)
    boxes = [
        piece(
            view,
            view.game.pieces[number].kind,
            view.game.pieces[number].owner,
            _size(step, len(pieces)),
        )
        for number in pieces
    ]
    for have, name in view.held(t.Place, place):
        boxes.append(_amount(view, have, name, step * 0.46))
    inner = _packed(boxes)
    return Box(step, step, placed(inner, (step - inner.width) / 2, (step - inner.height) / 2))


def _size(step: float, count: int) -> float:
    return step * (0.72 if count <= 1 else 0.44)


def _packed(boxes: list[Box]) -> Box:
    """Up to four things in a square."""
    if len(boxes) <= 1:
        return boxes[0] if boxes else NONE
    wide = max(box.width for box in boxes)
    body = "".join(placed(box, at % 2 * wide, at // 2 * wide) for at, box in enumerate(boxes[:4]))
    return Box(2 * wide, wide * (1 + (len(boxes) > 2)), body)


def _amount(view: View, have: int, name: str, size: float) -> Box:
    return row([text(str(have), size * 0.6, bold=True), token(view, name, size)], 2, centred=True)


def _hexagons(view: View, part: LayoutTable) -> Box:
    """Hexagons with a corner on top, each row half a space further right."""
    axes, reach = axes_of(view, part), STEP / sqrt(3)
    across, down = max(len(cells) for cells in part.rows), len(part.rows)
    high = reach * (1.5 * (down - 1) + 2) + 2 * MARGIN
    wide = STEP * (across + (down - 1) / 2) + 2 * MARGIN
    first = next(place for place in part.rows[0] if place != NOTHING)
    colour = colour_of(view.game, view.game.places[first].region) or "grey"
    body = element("rect", width=wide, height=high, rx=14, class_="panel line")
    for line, cells in enumerate(part.rows):
        y = MARGIN + reach * (1.5 * line + 1)
        for at, place in enumerate(cells):
            x = MARGIN + STEP * (at + (line + 1) / 2)
            body += _hexagon(x, y, reach, colour) + placed(
                _things(view, place, STEP), x - STEP / 2, y - STEP / 2
            )
        if axes:
            x = MARGIN + STEP * line / 2 - 10
            body += centred_text(axes.down[line], 10, x, y, "soft")
    for at, letter in enumerate(axes.across if axes else ()):
        body += centred_text(letter, 10, MARGIN + STEP * (at + 0.5), MARGIN / 2 + 3, "soft")
    return Box(wide, high, body)


def _hexagon(x: float, y: float, reach: float, colour: str) -> str:
    corners = (pi / 3 * at - pi / 2 for at in range(6))
    points = " ".join(
        f"{number(x + reach * cos(corner))},{number(y + reach * sin(corner))}" for corner in corners
    )
    return element("polygon", points=points, class_=f"{tint(colour)} rule", stroke_width=1)


def _spots(view: View, part: LayoutTable) -> Box:
    """Spots in a grid with the lines that join neighbours."""
    at = {
        place: (MARGIN + STEP * (x + 0.5), MARGIN + STEP * (y + 0.5))
        for y, cells in enumerate(part.rows)
        for x, place in enumerate(cells)
        if place != NOTHING
    }
    wide = max(x for x, _ in at.values()) + STEP / 2 + MARGIN
    high = max(y for _, y in at.values()) + STEP / 2 + MARGIN
    body, ink = _ground(view, part, wide, high)
    for one, other in part.joins:
        (x, y), (to_x, to_y) = at[one], at[other]
        path = f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}"
        body += element("path", d=path, stroke=ink, stroke_width=2.5, opacity=0.7)
    for place, (x, y) in at.items():
        body += element("circle", cx=x, cy=y, r=5, fill=ink)
        things = _things(view, place, STEP)
        label = view.game.places[place].label
        body += placed(things, x - STEP / 2, y - STEP / 2)
        if not view.pieces(place):
            body += centred_text(label, 9, x + 11, y - 10, ink)
    return Box(wide, high, body)


# ---- pits ----


def _pits(view: View, part: LayoutTable) -> Box:
    size = 84.0
    across = max(len(cells) for cells in part.rows)
    wide, high = across * size + 2 * MARGIN, len(part.rows) * size + 2 * MARGIN
    body, ink = _ground(view, part, wide, high)
    for line, cells in enumerate(part.rows):
        for at, place in enumerate(cells):
            if place != NOTHING:
                body += placed(
                    _pit(view, place, size, ink), MARGIN + at * size, MARGIN + line * size
                )
    return Box(wide, high, body)


def _pit(view: View, place: int, size: float, ink: str) -> Box:
    """A hollow with what lies in it, scattered evenly, and how much that is."""
    middle, radius = size / 2, size * 0.4
    body = element(
        "circle", cx=middle, cy=middle - 5, r=radius, fill="#000000", fill_opacity="0.16"
    )
    total = 0
    for have, name in view.held(t.Place, place):
        seeds = min(have, _MOST_SEEDS)
        total += have
        colour = paint(look_of(view.game, name).colour)
        for seed in range(seeds):
            away, angle = radius * 0.72 * sqrt((seed + 0.5) / max(seeds, 4)), _GOLDEN * seed
            body += element(
                "circle",
                cx=middle + away * cos(angle),
                cy=middle - 5 + away * sin(angle),
                r=5.2,
                fill=colour.fill,
                stroke=colour.edge,
            )
    body += centred_text(str(total), 12, middle, size - 7, ink)
    body += centred_text(view.game.places[place].label, 8, size - 9, 10, ink)
    return Box(size, size, body)


# ---- cells with cards ----


def _cells(view: View, part: LayoutTable) -> Box:
    bare = [_is_bare(view, cells) for cells in part.rows]
    size = card_size(view) if _has_cards(view, part) else SPARE
    drawn = [
        [_cell(view, place, size, is_slim=slim) if place != NOTHING else NONE for place in cells]
        for cells, slim in zip(part.rows, bare, strict=True)
    ]
    across = max(len(cells) for cells in drawn)
    blank = all(not box.width for cells in drawn for box in cells)
    wide = [
        max((cells[at].width for cells in drawn if at < len(cells)), default=0)
        for at in range(across)
    ]
    wide = [column_width or (0 if blank else max(wide)) for column_width in wide]
    gap, y, body = 8.0, 0.0, ""
    for cells in drawn:
        x, high = 0.0, max(box.height for box in cells)
        for at, box in enumerate(cells):
            body += placed(box, x, y)
            x += wide[at] + gap
        y += high + gap
    return Box(sum(wide) + gap * (across - 1), y - gap, body)


def _has_cards(view: View, part: LayoutTable) -> bool:
    """Whether a card lies there now, or the places are a player's."""
    places = [place for cells in part.rows for place in cells if place != NOTHING]
    return any(
        view.game.places[place].owner != NOTHING or not view.is_bare(place) for place in places
    )


def _is_bare(view: View, cells: tuple[int, ...]) -> bool:
    """Whether nothing lies in a row of what belongs to a player."""
    places = [place for place in cells if place != NOTHING]
    return all(
        view.game.places[place].owner != NOTHING and is_empty(view, place) for place in places
    )


def _cell(view: View, place: int, size: tuple[float, float], *, is_slim: bool) -> Box:
    """A place with its cards, the pieces and the resources there."""
    cards, info = list(view.cards(place)), view.game.places[place]
    visitors = _visitors(view, place)
    if not cards:
        colour = look_of(view.game, info.region).colour
        ground = tint(colour) if colour else ""
        drawn = empty(size[0], SLIM if is_slim else size[1], info.label, ground)
    elif len(cards) > 1 and info.owner != NOTHING and all(view.knows(number) for number in cards):
        drawn = cascade([card(view, number) for number in reversed(cards)])
    else:
        is_labelled = info.owner == NOTHING and size[0] == WIDE
        foot = max(10.0, visitors.height) if is_labelled else visitors.height
        drawn = pile(view, cards, card(view, cards[0], foot))
        if is_labelled:
            label = placed(text(info.label, 8.5, "soft"), 7 + visitors.width, HIGH - 15)
            drawn = layered(drawn, Box(0, 0, label))
        drawn = Box(max(drawn.width, size[0]), drawn.height, drawn.body)
    at_foot = placed(visitors, 5, drawn.height - visitors.height - 4)
    return layered(drawn, Box(drawn.width, drawn.height, at_foot))


def _visitors(view: View, place: int) -> Box:
    """The pieces on a place, and how much lies there."""
    counts = Counter(
        (view.game.pieces[number].kind, view.game.pieces[number].owner)
        for number in view.pieces(place)
    )
    boxes = list(_pieces(view, counts, 26))
    boxes += [_amount(view, have, name, 20) for have, name in held_on(view, place)]
    return row(boxes, 2)


def _pieces(view: View, counts: Counter[tuple[str, int]], size: float) -> Iterator[Box]:
    for (kind, owner), count in counts.items():
        yield from [piece(view, kind, owner, size)] * min(count, 3)
