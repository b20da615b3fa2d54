"""Marks: pieces, the symbols of resources and values, and the palette of their colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import cos, pi, sin
from typing import TypeGuard

from targi_dsl.display.picture.svg import Box, centred_text, circle, element, number
from targi_dsl.ir.look import Outlined, Shape
from targi_dsl.text.structs import Frozen
from targi_dsl.view.shape import Equipment, Named

_INKS = {
    "red": "#c4473d",
    "orange": "#d67a2f",
    "amber": "#dfa52b",
    "yellow": "#e8cf52",
    "lime": "#93b440",
    "green": "#3f8a5f",
    "teal": "#2e8c8f",
    "blue": "#3b70b2",
    "violet": "#7b5aac",
    "pink": "#cb6b9a",
    "brown": "#8b5e42",
    "sand": "#d9c08f",
    "grey": "#878d96",
    "black": "#2c2e33",
    "white": "#f8f6f1",
}
_DARK, _LIGHT = "#26231f", "#ffffff"
_PAGE, _NIGHT = "#f5f2eb", "#1a1c20"
_BRIGHT = 0.5
"""From this lightness on the ink on a colour is dark."""


class Paint(Frozen):
    """A colour with its edge, and the ink that can be read on it."""

    fill: str
    edge: str
    ink: str


def paint(colour: str) -> Paint:
    """The paint for a colour of the language; grey if it is unknown."""
    fill = _INKS.get(colour, _INKS["grey"])
    red, green, blue = _parts(fill)
    lightness = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
    edge = {"black": "#7d828b", "white": "#b3ac9c"}.get(colour) or blended(fill, "#000000", 0.28)
    return Paint(fill, edge, _DARK if lightness > _BRIGHT else _LIGHT)


def is_pale(ink: Paint) -> bool:
    """Whether a colour is too close to the background of a card."""
    return ink.fill == _INKS["white"]


def blended(first: str, other: str, share: float) -> str:
    """A colour mixed with a share of another."""
    both = zip(_parts(first), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in both)


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def tint(colour: str) -> str:
    """The class of a soft ground in a colour."""
    return f"tint-{colour or 'grey'}"


_CLASSES = {
    "page": ("fill", _PAGE, _NIGHT),
    "panel": ("fill", "#fffdf9", "#24272d"),
    "card": ("fill", "#fffefb", "#2d3138"),
    "ink": ("fill", "#26231f", "#efece5"),
    "soft": ("fill", "#756f64", "#a9a69e"),
    "line": ("stroke", "#ddd6c7", "#3d4149"),
    "rule": ("stroke", "#8d8471", "#777c86"),
}


def style(body: str) -> str:
    """The rules for the classes that a drawing uses, for light pages and for dark ones."""
    pairs = dict(_CLASSES)
    for colour, fill in _INKS.items():
        light, dark = blended(fill, _LIGHT, 0.78), blended(fill, _NIGHT, 0.72)
        pairs[tint(colour)] = ("fill", light, dark)
    used = {name: rule for name, rule in pairs.items() if f'"{name}' in body or f" {name}" in body}
    day = "".join(f".{name}{{{what}:{light}}}" for name, (what, light, _) in used.items())
    night = "".join(f".{name}{{{what}:{dark}}}" for name, (what, _, dark) in used.items())
    fonts = "text{font-family:'Helvetica Neue',Helvetica,Arial,sans-serif}"
    return f"{fonts}{day}@media (prefers-color-scheme:dark){{{night}}}"


_COMMAND = re.compile("([A-Z])([^A-Z]*)")  # of a path
_USUAL = ("blue", "orange", "green", "violet", "red", "teal", "pink", "lime", "brown", "grey")
"""The colours of players that have none of their own."""


_PATHS = {
    "drop": "M0 -1C.5 -.4 .75 0 .75 .3A.75 .72 0 0 1 -.75 .3C-.75 0 -.5 -.4 0 -1Z",
    "pawn": "M-.82 1A.82 1.15 0 0 1 .82 1Z"
    "M-.42 -.55A.42 .42 0 1 1 .42 -.55A.42 .42 0 1 1 -.42 -.55Z",
}
"""Shapes as paths of the unit circle."""

_CORNERS = {
    "square": (4, 0.25, 1),
    "diamond": (4, 0, 1),
    "triangle": (3, 0, 1),
    "hexagon": (6, 0, 1),
    "star": (10, 0, 0.5),
}
"""Polygons: their corners, by which fraction of one they are turned, and how far out every second
corner is.
"""


def seat_colours(players: Iterable[Named]) -> dict[str, str]:
    """The colour of each player: the declared one, or one that no other player has."""
    own = {one.id: one.look.colour for one in players}
    others = iter([other for other in _USUAL if other not in own.values()] * len(own))
    return {seat: colour or next(others) for seat, colour in own.items()}


def piece_colour(game: Equipment, kind: str, owner: str) -> str:
    """The colour of a piece: its own, or that of its player."""
    own = next(one.look.colour for one in game.piece_kinds if one.id == kind)
    return own or (seat_colours(game.players)[owner] if owner else "")


def piece(game: Equipment, kind: str, owner: str, size: float) -> Box:
    """A piece, with the mark of its kind where it has one."""
    (of,) = (one for one in game.piece_kinds if one.id == kind)
    mark = of.look.symbol
    if owner:
        mark = mark or next(one.look.symbol for one in game.players if one.id == owner)
    elif not of.look.shape:
        mark = mark or of.name[:1].upper()
    return shape(of.look.shape or "disc", paint(piece_colour(game, kind, owner)), size, mark)


def token(of: Named, size: float) -> Box:
    """The mark of a resource or a value: its symbol or letter in its shape."""
    mark = of.look.symbol or of.look.letter or of.name[:1].upper()
    return shape(of.look.shape or "disc", paint(of.look.colour), size, mark)


def has_token(of: Named | None) -> TypeGuard[Named]:
    """Whether a thing has its own mark."""
    return of is not None and bool(of.look.symbol or of.look.letter or of.look.shape)


def shape(name: Shape, ink: Paint, size: float, mark: str = "") -> Box:
    """A shape in a colour, with a mark in it."""
    half = size / 2
    drawn = _outline(name, ink, half)
    large, middle = (0.34, 1.52) if name == "pawn" else (0.58, 1.0)
    label = centred_text(mark, size * large / len(mark or " ") ** 0.5, half, half * middle, ink.ink)
    return Box(size, size, drawn + (label if mark else ""))


def _outline(name: Shape, ink: Paint, half: float) -> str:
    edge, wide = max(half / 12, 0.8), half * 0.34
    radius, look = half - edge, {"fill": ink.fill, "stroke": ink.edge, "stroke_width": number(edge)}
    if name == "disc" or name == "pit":
        return circle(half, half, radius, **look)
    if name == "ring":
        return circle(
            half, half, radius - wide / 2, fill="none", stroke=ink.fill, stroke_width=wide
        )
    path = _path(name, half, radius)
    return element("path", "", d=path, **look, stroke_linejoin="round")


def _path(name: Outlined, half: float, radius: float) -> str:
    match name:
        case "cross":
            return _cross(half, radius)
        case "drop" | "pawn":
            return _scaled(_PATHS[name], half, radius)
        case _:
            return _polygon(half, radius, *_CORNERS[name])


def _polygon(half: float, radius: float, corners: int, turned: float, inner: float) -> str:
    """A polygon with a corner on top, or turned by this fraction of a corner."""
    points = []
    for at in range(corners):
        angle = 2 * pi * (at + turned * 2) / corners - pi / 2
        reach = radius * (inner if at % 2 else 1)
        points.append(f"{number(half + reach * cos(angle))} {number(half + reach * sin(angle))}")
    return f"M{'L'.join(points)}Z"


def _cross(half: float, radius: float) -> str:
    reach = number(radius * 0.64)
    wide, start = number(radius * 0.72), f"{number(half - radius * 0.36)} {number(half - radius)}"
    turns = (
        f"h{wide}v{reach}h{reach}v{wide}h-{reach}v{reach}h-{wide}v-{reach}h-{reach}v-{wide}h{reach}"
    )
    return f"M{start}{turns}Z"


def _scaled(path: str, half: float, radius: float) -> str:
    """A path of the unit circle at its size; the numbers are all coordinates but in arcs."""
    parts = []
    for letter, numbers in _COMMAND.findall(path):
        values = [float(value) for value in numbers.split()]
        if letter == "A":
            rx, ry, turn, large, sweep, x, y = values
            radii = f"{number(rx * radius)} {number(ry * radius)}"
            end = f"{number(half + x * radius)} {number(half + y * radius)}"
            parts.append(f"A{radii} {int(turn)} {int(large)} {int(sweep)} {end}")
        else:
            parts.append(letter + " ".join(number(half + value * radius) for value in values))
    return "".join(parts)
