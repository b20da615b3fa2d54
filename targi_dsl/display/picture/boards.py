"""Draws tables of places: boards of pieces in their own shape, and cells with cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import zip_longest
from math import ceil, cos, pi, sin, sqrt

from targi_dsl.display.board import Axes, axes_of
from targi_dsl.display.picture import svg
from targi_dsl.display.picture.cards import HIGH, SLIM, WIDE, card, card_size, cascade, empty, pile
from targi_dsl.display.picture.svg import Box
from targi_dsl.display.scene import Scene
from targi_dsl.ir.layout import Table
from targi_dsl.ir.look import Look
from targi_dsl.view.shape import Amount

SPARE = (76.0, 56.0)
"""The size of cells of a table without cards."""
STEP, PIT = 44.0, 84.0
"""The distance between the centres of spaces on a board of pieces, and of pits."""
MARGIN = 26.0
_MOST_WIDE = 1100.0
_AROUND = 8.0
"""The margin around a card in a hexagon."""
_MOST_SEEDS = 14
_GOLDEN = pi * (3 - sqrt(5))


def table(scene: Scene, part: Table) -> Box:
    """A table of places with their contents."""
    axes, places = axes_of(scene, part), part.places
    if part.is_lattice:
        return _board(scene, part, STEP / 2, _part_of_lattice)
    if part.is_staggered:
        return _board(scene, part, _width_of_hexagons(scene, part), _hexagon, axes)
    if scene.game.cards or any(scene.game.places[place].is_zone for place in places):
        return _cells(scene, part)
    if _look(scene, places[0]).shape == "pit":
        return _board(scene, part, PIT, _pit)
    if axes is None and part.joins and any("" in cells for cells in part.rows):
        return _board(scene, part, STEP, _spot, is_lined=True)
    draw = partial(_space, labelled=axes is None)
    return _board(scene, part, min(STEP, _MOST_WIDE / part.size[0]), draw, axes)


# ---- boards of pieces ----


def _board(
    scene: Scene,
    part: Table,
    step: float,
    draw: Callable[..., Box],
    axes: Axes | None = None,
    *,
    is_lined: bool = False,
) -> Box:
    """A board: places in rows and columns, drawn by `draw` around their centres over the lines
    between them, if these are shown; with axes, column letters above and row numbers at the left.
    step: the distance of centres in a row.
    """
    lean = step / 2 if part.is_staggered else 0.0
    side = 0.0 if part.is_lattice else step / 2
    edge, down = (step / sqrt(3), lean * sqrt(3)) if part.is_staggered else (side, step)
    left, top, cells = MARGIN + side, MARGIN + edge, part.cells
    middles = {place: (left + step * x + lean * y, top + down * y) for place, y, x in cells}
    wide, high = map(max, zip(*middles.values(), strict=True))
    wide, high = wide + left, high + top
    body, ink = _ground(scene, part, wide, high)
    for at, letter in enumerate(axes.across if axes else ()):
        body += svg.centred_text(letter, 10, left + step * at, MARGIN / 2, ink)
    for at, label in enumerate(axes.down if axes else ()):
        body += svg.centred_text(label, 10, MARGIN / 2 + lean * at, top + down * at, ink)
    for ends in part.joins if is_lined else ():
        body += _stroke(*(middles[end] for end in ends), stroke=ink, stroke_width=2.5, opacity=0.7)
    if part.is_lattice:  # corners are drawn over the ends of edges
        cells.sort(key=lambda cell: not _is_edge(*cell[1:]))
    for place, y, x in cells:
        box, (at_x, at_y) = draw(scene, place, step, ink, y, x), middles[place]
        body += svg.move(box, at_x - box.width / 2, at_y - box.height / 2)
    return Box(wide, high, body + _between_blocks(part, step))


def _between_blocks(part: Table, step: float) -> str:
    """The thicker lines between the blocks of a board."""
    (across, down), (rows, columns) = part.size, part.blocks
    right, bottom = MARGIN + across * step, MARGIN + down * step
    upright = (MARGIN + step * at * columns for at in range(1, across // (columns or across)))
    level = (MARGIN + step * at * rows for at in range(1, down // (rows or down)))
    lines = [((x, MARGIN), (x, bottom)) for x in upright]
    lines += [((MARGIN, y), (right, y)) for y in level]
    return "".join(_stroke(*ends, stroke="#888888", stroke_width=3) for ends in lines)


def _ground(scene: Scene, part: Table, wide: float, high: float) -> tuple[str, str]:
    """The background of a board, and the colour of text on it; hexagons are coloured by
    themselves.
    """
    colour = _look(scene, part.places[0]).colour
    if not colour or part.is_staggered:
        return svg.frame(wide, high, 14, 0, class_="panel line"), "soft"
    ink = svg.paint(colour)
    return svg.frame(wide, high, 14, 0, fill=ink.fill, stroke=ink.edge), ink.ink


def _look(scene: Scene, place: str) -> Look:
    """The look of a place's region."""
    return scene.regions[scene.game.places[place].region].look


def _stroke(start: tuple[float, float], end: tuple[float, float], **look: float | str) -> str:
    points = [" ".join(map(svg.number, point)) for point in (start, end)]
    return svg.element("path", "", d=f"M{points[0]}L{points[1]}", **look)


def _space(
    scene: Scene, place: str, step: float, ink: str, y: int, x: int, *, labelled: bool
) -> Box:
    """A space of a board, as a hole or a square, with its contents."""
    look, half, is_odd = _look(scene, place), step / 2, (x + y) % 2 == 1
    if look.shape in ("disc", "ring"):
        body = svg.circle(half, half, half * 0.82, class_="page", opacity=0.9)
    elif look.colour:
        shade = {"fill": "#000000", "fill_opacity": "0.06" if is_odd else "0"}
        body = svg.frame(step, step, 0, 0, **shade, stroke=ink, stroke_opacity="0.35")
    else:
        body = svg.frame(step, step, 0, 0, class_="page line" if is_odd else "card line")
    return svg.layer(Box(step, step, body), _things(scene, place, step, ink if labelled else ""))


def _things(scene: Scene, place: str, step: float, label: str = "") -> Box:
    """The contents of a space in its centre: pieces, amounts and values; or its label in colour
    `label`, if it is empty.
    """
    on = scene.on(place)
    if label and place not in scene.view.places:
        name = scene.game.places[place].label
        return Box(step, step, svg.centred_text(name, 10, step / 2, step / 2, label))
    boxes = _pieces(scene, place, step * (0.72 if len(on.pieces) <= 1 else 0.44), _FOUR)
    boxes += [_amount(scene, held, step * 0.46) for held in on.amounts]
    rows = [_pack(boxes), *_values(scene, place, step - 2)]
    inner = svg.column(rows, centred=True) if on.values else rows[0]
    most = max(inner.width, inner.height)
    if most > step:
        inner = svg.shrink(inner, (step - 2) / most)
    return Box(step, step, svg.move(inner, (step - inner.width) / 2, (step - inner.height) / 2))


_FOUR = 4
"""Up to this many equal pieces are drawn individually on a space of a board."""


def _pieces(scene: Scene, place: str, size: float, most: int) -> list[Box]:
    """The pieces on a place; more than `most` equal ones as one with their number."""
    boxes: list[Box] = []
    for alike, count in scene.pieces(place).items():
        mark = svg.piece(scene.game, *alike, size)
        number = svg.text(str(count), size * 0.6, bold=True)
        boxes += [mark] * count if count <= most else [svg.row([number, mark], 2, centred=True)]
    return boxes


def _values(scene: Scene, place: str, room: float) -> Iterator[Box]:
    """The values of a space's variables, with names if there is room."""
    for value in scene.on(place).values:
        long = f"{value.name} {value.text}".strip()
        is_wide = svg.text_width(long, _SAID, bold=True) > room
        yield svg.fitted(value.text if is_wide and value.text else long, _SAID, room, bold=True)


_SAID = 9.0


def _pack(boxes: list[Box]) -> Box:
    """Boxes in a square."""
    if len(boxes) <= 1:
        return boxes[0] if boxes else svg.NONE
    wide, across = max(box.width for box in boxes), ceil(sqrt(len(boxes)))
    body = "".join(
        svg.move(box, at % across * wide, at // across * wide) for at, box in enumerate(boxes)
    )
    return Box(across * wide, wide * ceil(len(boxes) / across), body)


def _amount(scene: Scene, held: Amount, size: float) -> Box:
    number = svg.text(str(held.number), size * 0.6, bold=True)
    return svg.row([number, svg.token(scene.resources[held.item], size)], 2, centred=True)


def _width_of_hexagons(scene: Scene, part: Table) -> float:
    """The width of pointy-topped hexagons, in which a card fits where there are any."""
    if not _has_cards(scene, part):
        return STEP
    wide, high = (size + _AROUND for size in card_size(scene))
    return max(STEP, wide, high * sqrt(3))


def _hexagon(scene: Scene, place: str, step: float, *_: object) -> Box:
    has_card, colour = scene.cards(place), _look(scene, place).colour or "grey"
    inner = _cell(scene, place, *card_size(scene)) if has_card else _things(scene, place, step)
    reach, middle = step / sqrt(3), step / 2
    angles = (pi / 3 * at - pi / 2 for at in range(6))
    corners = ((middle + reach * cos(one), reach + reach * sin(one)) for one in angles)
    points = " ".join(f"{svg.number(x)},{svg.number(y)}" for x, y in corners)
    body = svg.element("polygon", points=points, class_=f"{svg.tint(colour)} rule", stroke_width=1)
    placed = svg.move(inner, middle - inner.width / 2, reach - inner.height / 2)
    return Box(step, 2 * reach, body + placed)


def _spot(scene: Scene, place: str, step: float, ink: str, *_: object) -> Box:
    """A spot, over the lines to its neighbours."""
    body = svg.circle(step / 2, step / 2, 5, fill=ink) + _things(scene, place, step).body
    if not scene.on(place).pieces:
        label = scene.game.places[place].label
        body += svg.centred_text(label, 9, step / 2 + 11, step / 2 - 10, ink)
    return Box(step, step, body)


def _is_edge(y: int, x: int) -> bool:
    """Whether a point of a lattice is on an edge."""
    return y % 2 != x % 2


def _part_of_lattice(scene: Scene, place: str, step: float, ink: str, y: int, x: int) -> Box:
    """A cell or corner with its contents; or an edge, thick and coloured if there is a piece on
    it.
    """
    if not _is_edge(y, x):
        return _things(scene, place, 2 * step, ink) if y % 2 else _things(scene, place, step)
    look = {"stroke": "#888888", "stroke_width": "1", "stroke_dasharray": "2 4"}
    for alike in scene.pieces(place):
        colour = svg.paint(svg.piece_colour(scene.game, *alike)).fill
        look = {"stroke": colour, "stroke_width": "5", "stroke_linecap": "round"}
    wide, high = (0.0, 2 * step) if y % 2 else (2 * step, 0.0)
    amounts = (_amount(scene, held, 12) for held in scene.on(place).amounts)
    said = svg.column([svg.row([*amounts], 2), *_values(scene, place, step)], centred=True)
    body = svg.move(said, (wide - said.width) / 2, (high - said.height) / 2)
    return Box(wide, high, _stroke((0, 0), (wide, high), **look) + body)


# ---- pits ----


def _pit(scene: Scene, place: str, size: float, ink: str, *_: object) -> Box:
    """A pit with its contents scattered evenly, and their total; pieces and values over them."""
    middle, radius, total = size / 2, size * 0.4, 0
    body = svg.circle(middle, middle - 5, radius, fill="#000000", fill_opacity="0.16")
    for held in scene.on(place).amounts:
        seeds, total = min(held.number, _MOST_SEEDS), total + held.number
        colour = svg.paint(scene.resources[held.item].look.colour)
        for seed in range(seeds):
            distance, angle = radius * 0.72 * sqrt((seed + 0.5) / max(seeds, 4)), _GOLDEN * seed
            x, y = middle + distance * cos(angle), middle - 5 + distance * sin(angle)
            body += svg.circle(x, y, 5.2, fill=colour.fill, stroke=colour.edge)
    things = svg.row([*_pieces(scene, place, 16, _FOUR)], 2)
    said = svg.column([things, *_values(scene, place, size)], centred=True)
    body += svg.move(said, middle - said.width / 2, middle - 5 - said.height / 2)
    body += svg.centred_text(str(total), 12, middle, size - 7, ink)
    body += svg.centred_text(scene.game.places[place].label, 8, size - 9, 10, ink)
    return Box(size, size, body)


# ---- cells with cards ----


def _cells(scene: Scene, part: Table) -> Box:
    size = card_size(scene) if _has_cards(scene, part) else SPARE
    drawn = [[*_row(scene, cells, size)] for cells in part.rows]
    wide = [max(box.width for box in boxes) for boxes in zip_longest(*drawn, fillvalue=svg.NONE)]
    wide = [width or max(wide) for width in wide]
    gap, y, body = 8.0, 0.0, ""
    for cells in drawn:
        x, high = 0.0, max(box.height for box in cells)
        for at, box in enumerate(cells):
            body += svg.move(box, x, y)
            x += wide[at] + gap
        y += high + gap
    return Box(sum(wide) + gap * (len(wide) - 1), y - gap, body)


def _has_cards(scene: Scene, part: Table) -> bool:
    """Whether there is a card in the table now, or its places are a player's."""
    return any(scene.game.places[place].owner or scene.on(place).cards for place in part.places)


def _row(scene: Scene, cells: tuple[str, ...], size: tuple[float, float]) -> Iterator[Box]:
    """The cells of a row; in a player's empty row they are low."""
    places, info = [place for place in cells if place], scene.game.places
    slim = all(info[place].owner and scene.is_empty(place) for place in places)
    for place in cells:
        yield svg.NONE if not place else _cell(scene, place, size[0], SLIM if slim else size[1])


def _cell(scene: Scene, place: str, wide: float, high: float) -> Box:
    """A place with its cards, pieces and amounts, or an empty cell of this size."""
    cards, info = scene.cards(place), scene.game.places[place]
    visitors = _visitors(scene, place, wide - 10)
    high = max(high, visitors.height + 8)
    if not cards:
        colour = _look(scene, place).colour
        ground = svg.tint(colour) if colour else ""
        drawn = empty(wide, high, info.label, ground, visitors.height)
    elif len(cards) > 1 and info.owner and all(one.id for one in cards):
        drawn = cascade([card(scene, one) for one in reversed(cards)])
    else:
        is_labelled = not info.owner and wide == WIDE
        foot = max(10.0, visitors.height) if is_labelled else visitors.height
        drawn = pile(cards, card(scene, cards[0], foot))
        if is_labelled:
            label = svg.move(svg.text(info.label, 8.5, "soft"), 7 + visitors.width, HIGH - 15)
            drawn = svg.layer(drawn, Box(0, 0, label))
        drawn = Box(max(drawn.width, wide), max(drawn.height, visitors.height + 8), drawn.body)
    at_foot = svg.move(visitors, 5, drawn.height - visitors.height - 4)
    return svg.layer(drawn, Box(drawn.width, drawn.height, at_foot))


def _visitors(scene: Scene, place: str, room: float) -> Box:
    """Pieces and amounts on a place, below the values of its variables."""
    amounts = (_amount(scene, held, 20) for held in scene.amounts(place))
    things = svg.row([*_pieces(scene, place, 26, _THREE), *amounts], 2)
    return svg.column([*_values(scene, place, room), things])


_THREE = 3
"""Up to this many equal pieces are drawn individually beside a card."""
