"""Tables of places: boards of pieces in their own shape, and cells with cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import zip_longest
from math import ceil, cos, pi, sin, sqrt

from targi_dsl.display.board import Axes, axes_of
from targi_dsl.display.picture.cards import HIGH, WIDE, card, card_size, cascade, empty, pile
from targi_dsl.display.picture.marks import paint, piece, piece_colour, tint, token
from targi_dsl.display.picture.svg import (
    NONE,
    Box,
    centred_text,
    circle,
    column,
    element,
    fitted,
    frame,
    layer,
    move,
    number,
    row,
    shrink,
    text,
    text_width,
)
from targi_dsl.display.scene import Scene
from targi_dsl.view.shape import Amount, Look, Table

SLIM = 30.0
"""How high the places of a row are on which nothing of a player lies."""
SPARE = (76.0, 56.0)
"""The size of places on which there is no card anywhere."""
STEP, PIT = 44.0, 84.0
"""From the middle of one space to that of the next on a board of pieces, and of pits."""
MARGIN = 26.0
_MOST_WIDE = 1100.0
_AROUND = 8.0
"""The room around a card in a hexagon."""
_MOST_SEEDS = 14
_GOLDEN = pi * (3 - sqrt(5))


def table(scene: Scene, part: Table) -> Box:
    """The places of a table with what lies on them."""
    if part.is_lattice:
        return _lattice(scene, part)
    places = [scene.game.places[place] for place in part.places]
    axes, look = axes_of(scene, part), _look(scene, part.places[0])
    if part.is_staggered:
        return _hexagons(scene, part, axes)
    if scene.game.cards or any(place.is_zone for place in places):
        return _cells(scene, part)
    if look.shape == "pit":
        return _board(scene, part, PIT, _pit, None)
    if axes is None and part.joins and any("" in cells for cells in part.rows):
        return _spots(scene, part)
    draw = partial(_space, labelled=axes is None)
    return _board(scene, part, min(STEP, _MOST_WIDE / part.size[0]), draw, axes)


# ---- boards of pieces ----


def _ground(scene: Scene, part: Table, wide: float, high: float) -> tuple[str, str]:
    """The board itself, and the ink for the text on it."""
    colour = _look(scene, part.places[0]).colour
    if not colour:
        return frame(wide, high, 14, 0, class_="panel line"), "soft"
    ink = paint(colour)
    return frame(wide, high, 14, 0, fill=ink.fill, stroke=ink.edge), ink.ink


def _look(scene: Scene, place: str) -> Look:
    """The look of a place's region."""
    return scene.regions[scene.game.places[place].region].look


def _board(
    scene: Scene, part: Table, step: float, draw: Callable[..., Box], axes: Axes | None
) -> Box:
    """Spaces in rows and columns, each drawn in a square; with axes, the letters of the columns
    above, and the numbers of the rows at the left.
    """
    wide, high = (count * step + 2 * MARGIN for count in part.size)
    body, ink = _ground(scene, part, wide, high)
    for at, name in enumerate(axes.across if axes else ()):
        body += centred_text(name, 10, MARGIN + (at + 0.5) * step, MARGIN / 2, ink)
    for at, name in enumerate(axes.down if axes else ()):
        body += centred_text(name, 10, MARGIN / 2, MARGIN + (at + 0.5) * step, ink)
    for place, y, x in part.cells:
        space = draw(scene, place, step, ink, x + y)
        body += move(space, MARGIN + x * step, MARGIN + y * step)
    return Box(wide, high, body)


def _space(scene: Scene, place: str, step: float, ink: str, parity: int, *, labelled: bool) -> Box:
    """A space of a board: a hole or a square, with its contents."""
    info, look, half = scene.game.places[place], _look(scene, place), step / 2
    if look.shape in ("disc", "ring"):
        body = circle(half, half, half * 0.82, class_="page", opacity=0.9)
    elif look.colour:
        shade = {"fill": "#000000", "fill_opacity": "0.06" if parity % 2 else "0"}
        body = frame(step, step, 0, 0, **shade, stroke=ink, stroke_opacity="0.35")
    else:
        body = frame(step, step, 0, 0, class_="page line" if parity % 2 else "card line")
    things = _things(scene, place, step)
    if labelled and not things.body:
        body += centred_text(info.label, 10, half, half, ink)
    return layer(Box(step, step, body), things)


def _things(scene: Scene, place: str, step: float) -> Box:
    """The pieces on a space, what it holds and the values of its variables, in its middle."""
    on = scene.on(place)
    boxes = _pieces(scene, place, step * (0.72 if len(on.pieces) <= 1 else 0.44), _FOUR)
    boxes += [_amount(scene, held, step * 0.46) for held in on.amounts]
    rows = [_pack(boxes), *_values(scene, place, step - 2)]
    inner = column(rows, centred=True) if on.values else rows[0]
    most = max(inner.width, inner.height)
    if most > step:
        inner = shrink(inner, (step - 2) / most)
    return Box(step, step, move(inner, (step - inner.width) / 2, (step - inner.height) / 2))


_FOUR = 4
"""So many equal pieces are drawn one by one on a space of a board."""


def _pieces(scene: Scene, place: str, size: float, most: int) -> list[Box]:
    """The pieces on a place: up to so many of one kind each by itself, more with their number."""
    pieces = [scene.game.pieces[one] for one in scene.on(place).pieces]
    counts = Counter((one.kind, one.owner) for one in pieces)
    boxes: list[Box] = []
    for alike, count in counts.items():
        mark = piece(scene.game, *alike, size)
        number = text(str(count), size * 0.6, bold=True)
        boxes += [mark] * count if count <= most else [row([number, mark], 2, centred=True)]
    return boxes


def _values(scene: Scene, place: str, room: float) -> Iterator[Box]:
    """The values of the variables of a space, with their names where there is room."""
    for value in scene.on(place).values:
        said = f"{value.name} {value.text}".strip()
        is_wide = text_width(said, _SAID, bold=True) > room
        yield fitted(value.text if is_wide and value.text else said, _SAID, room, bold=True)


_SAID = 9.0


def _pack(boxes: list[Box]) -> Box:
    """Things in a square of rows."""
    if len(boxes) <= 1:
        return boxes[0] if boxes else NONE
    wide, across = max(box.width for box in boxes), ceil(sqrt(len(boxes)))
    body = "".join(
        move(box, at % across * wide, at // across * wide) for at, box in enumerate(boxes)
    )
    return Box(across * wide, wide * ceil(len(boxes) / across), body)


def _amount(scene: Scene, held: Amount, size: float) -> Box:
    number = text(str(held.number), size * 0.6, bold=True)
    return row([number, token(scene.resources[held.item], size)], 2, centred=True)


def _hexagons(scene: Scene, part: Table, axes: Axes | None) -> Box:
    """Hexagons with a corner on top, each row half a space further right; in each there is room for
    a card, where there are any.
    """
    size = card_size(scene) if _has_cards(scene, part) else (0.0, 0.0)
    step = max(STEP, size[0] + _AROUND, (size[1] + _AROUND) * sqrt(3) if size[1] else 0)
    reach, colour = step / sqrt(3), _look(scene, part.places[0]).colour or "grey"
    high = reach * (1.5 * (part.size[1] - 1) + 2) + 2 * MARGIN
    wide = step * part.span + 2 * MARGIN
    body = frame(wide, high, 14, 0, class_="panel line")
    for line, cells in enumerate(part.rows):
        y = MARGIN + reach * (1.5 * line + 1)
        for at, place in enumerate(cells):
            x = MARGIN + step * (at + (line + 1) / 2)
            has_card = scene.cards(place)
            inner = _cell(scene, place, *size) if has_card else _things(scene, place, step)
            body += _hexagon(x, y, reach, colour)
            body += move(inner, x - inner.width / 2, y - inner.height / 2)
        if axes:
            x = MARGIN + step * line / 2 - 10
            body += centred_text(axes.down[line], 10, x, y, "soft")
    for at, letter in enumerate(axes.across if axes else ()):
        body += centred_text(letter, 10, MARGIN + step * (at + 0.5), MARGIN / 2 + 3, "soft")
    return Box(wide, high, body)


def _hexagon(x: float, y: float, reach: float, colour: str) -> str:
    corners = (pi / 3 * at - pi / 2 for at in range(6))
    points = " ".join(
        f"{number(x + reach * cos(corner))},{number(y + reach * sin(corner))}" for corner in corners
    )
    return element("polygon", points=points, class_=f"{tint(colour)} rule", stroke_width=1)


def _spots(scene: Scene, part: Table) -> Box:
    """Spots in a grid with the lines that join neighbours."""
    at = {
        place: (MARGIN + STEP * (x + 0.5), MARGIN + STEP * (y + 0.5)) for place, y, x in part.cells
    }
    wide = max(x for x, _ in at.values()) + STEP / 2 + MARGIN
    high = max(y for _, y in at.values()) + STEP / 2 + MARGIN
    body, ink = _ground(scene, part, wide, high)
    for one, other in part.joins:
        (x, y), (to_x, to_y) = at[one], at[other]
        path = f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}"
        body += element("path", d=path, stroke=ink, stroke_width=2.5, opacity=0.7)
    for place, (x, y) in at.items():
        body += circle(x, y, 5, fill=ink)
        things = _things(scene, place, STEP)
        label = scene.game.places[place].label
        body += move(things, x - STEP / 2, y - STEP / 2)
        if not scene.on(place).pieces:
            body += centred_text(label, 9, x + 11, y - 10, ink)
    return Box(wide, high, body)


def _lattice(scene: Scene, part: Table) -> Box:
    """A grid with its lines: broad where a piece lies on an edge, which has the piece's colour."""
    across, down = (count // 2 for count in part.size)
    wide, high = across * STEP + 2 * MARGIN, down * STEP + 2 * MARGIN
    body, ink = _ground(scene, part, wide, high)
    above = ""
    for place, y, x in part.cells:
        left, top = MARGIN + x * STEP / 2, MARGIN + y * STEP / 2
        things = _things(scene, place, STEP if y % 2 and x % 2 else STEP / 2)
        if y % 2 == x % 2:
            above += move(things, left - things.width / 2, top - things.height / 2)
        else:
            to_x, to_y = (left, top + STEP / 2) if y % 2 else (left + STEP / 2, top)
            path = (
                f"M{number(2 * left - to_x)} {number(2 * top - to_y)}L{number(to_x)} {number(to_y)}"
            )
            body += element("path", d=path, **_stroke(scene, place))
        if y % 2 and x % 2 and not things.body:
            above += centred_text(scene.game.places[place].label, 10, left, top, ink)
    return Box(wide, high, body + above)


def _stroke(scene: Scene, place: str) -> dict[str, str]:
    """How the line of an edge is drawn."""
    for one in (scene.game.pieces[its] for its in scene.on(place).pieces):
        colour = piece_colour(scene.game, one.kind, one.owner)
        return {"stroke": paint(colour).fill, "stroke_width": "5", "stroke_linecap": "round"}
    return {"stroke": "#888888", "stroke_width": "1", "stroke_dasharray": "2 4"}


# ---- pits ----


def _pit(scene: Scene, place: str, size: float, ink: str, _: int) -> Box:
    """A hollow with what lies in it, scattered evenly, and how much that is."""
    middle, radius, total = size / 2, size * 0.4, 0
    body = circle(middle, middle - 5, radius, fill="#000000", fill_opacity="0.16")
    for held in scene.on(place).amounts:
        seeds, total = min(held.number, _MOST_SEEDS), total + held.number
        colour = paint(scene.resources[held.item].look.colour)
        for seed in range(seeds):
            away, angle = radius * 0.72 * sqrt((seed + 0.5) / max(seeds, 4)), _GOLDEN * seed
            x, y = middle + away * cos(angle), middle - 5 + away * sin(angle)
            body += circle(x, y, 5.2, fill=colour.fill, stroke=colour.edge)
    body += centred_text(str(total), 12, middle, size - 7, ink)
    body += centred_text(scene.game.places[place].label, 8, size - 9, 10, ink)
    return Box(size, size, body)


# ---- cells with cards ----


def _cells(scene: Scene, part: Table) -> Box:
    size = card_size(scene) if _has_cards(scene, part) else SPARE
    drawn = [[*_row(scene, cells, size)] for cells in part.rows]
    wide = [max(box.width for box in boxes) for boxes in zip_longest(*drawn, fillvalue=NONE)]
    wide = [width or max(wide) for width in wide]
    gap, y, body = 8.0, 0.0, ""
    for cells in drawn:
        x, high = 0.0, max(box.height for box in cells)
        for at, box in enumerate(cells):
            body += move(box, x, y)
            x += wide[at] + gap
        y += high + gap
    return Box(sum(wide) + gap * (len(wide) - 1), y - gap, body)


def _has_cards(scene: Scene, part: Table) -> bool:
    """Whether a card lies there now, or the places are a player's."""
    return any(scene.game.places[place].owner or scene.on(place).cards for place in part.places)


def _row(scene: Scene, cells: tuple[str, ...], size: tuple[float, float]) -> Iterator[Box]:
    """The cells of a row; one of a player's on which nothing lies is slim."""
    places, info = [place for place in cells if place], scene.game.places
    slim = all(info[place].owner and scene.is_empty(place) for place in places)
    for place in cells:
        yield NONE if not place else _cell(scene, place, size[0], SLIM if slim else size[1])


def _cell(scene: Scene, place: str, wide: float, high: float) -> Box:
    """A place with its cards, the pieces and the resources there; empty, it is so high."""
    cards, info = scene.cards(place), scene.game.places[place]
    visitors = _visitors(scene, place, wide - 10)
    if not cards:
        colour = _look(scene, place).colour
        ground = tint(colour) if colour else ""
        drawn = empty(wide, high, info.label, ground)
    elif len(cards) > 1 and info.owner and all(one.id for one in cards):
        drawn = cascade([card(scene, one) for one in reversed(cards)])
    else:
        is_labelled = not info.owner and wide == WIDE
        foot = max(10.0, visitors.height) if is_labelled else visitors.height
        drawn = pile(cards, card(scene, cards[0], foot))
        if is_labelled:
            label = move(text(info.label, 8.5, "soft"), 7 + visitors.width, HIGH - 15)
            drawn = layer(drawn, Box(0, 0, label))
        drawn = Box(max(drawn.width, wide), drawn.height, drawn.body)
    at_foot = move(visitors, 5, drawn.height - visitors.height - 4)
    return layer(drawn, Box(drawn.width, drawn.height, at_foot))


def _visitors(scene: Scene, place: str, room: float) -> Box:
    """The pieces on a place, how much lies there, and the values of its variables above."""
    amounts = [_amount(scene, held, 20) for held in scene.amounts(place)]
    return column(
        [*_values(scene, place, room), row([*_pieces(scene, place, 26, _THREE), *amounts], 2)]
    )


_THREE = 3
"""So many equal pieces are drawn one by one beside a card."""
