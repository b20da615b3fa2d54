"""Marks: pieces, and the symbols of resources and values."""

from __future__ import annotations

from math import cos, pi, sin

from targi_dsl.display.looks import colour_of, look_of
from targi_dsl.display.picture.palette import Paint, paint
from targi_dsl.display.picture.svg import Box, centred_text, element, number
from targi_dsl.display.view import View
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.look import Outlined, Shape

_USUAL = ("blue", "orange", "green", "violet", "red", "teal", "pink", "lime", "brown", "grey")
"""The colours of players that have none of their own."""


_PAWN = "M-.82 1A.82 1.15 0 0 1 .82 1ZM-.42 -.55A.42 .42 0 1 1 .42 -.55A.42 .42 0 1 1 -.42 -.55Z"


def player_colour(view: View, player: int) -> str:
    """The colour of a player: the declared one, or one that no other player has."""
    own = [colour_of(view.game, name) for name in view.game.players]
    others = iter([other for other in _USUAL if other not in own] * len(own))
    return [colour or next(others) for colour in own][player]


def piece(view: View, kind: str, owner: int, size: float) -> Box:
    """A piece, with the mark of its kind where it has one."""
    look = look_of(view.game, kind)
    colour = look.colour
    if owner != NOTHING:
        colour = colour or player_colour(view, owner)
        own = look_of(view.game, view.game.players[owner])
        mark = look.symbol or own.symbol
    else:
        mark = look.symbol or ("" if look.shape else view.words.called("piece", kind)[:1].upper())
    return shape(look.shape or "disc", paint(colour), size, mark)


def token(view: View, name: str, size: float) -> Box:
    """The mark of a resource or a value: its symbol or letter in its shape."""
    look = look_of(view.game, name)
    mark = look.symbol or look.letter or view.words.word(name)[:1].upper()
    return shape(look.shape or "disc", paint(look.colour), size, mark)


def has_token(view: View, name: str) -> bool:
    """Whether a thing has its own mark."""
    look = look_of(view.game, name)
    return bool(look.symbol or look.letter or look.shape)


def shape(name: Shape, ink: Paint, size: float, mark: str = "") -> Box:
    """A shape in a colour, with a mark in it."""
    half = size / 2
    drawn = _outline(name, ink, half)
    large, middle = (0.34, 1.52) if name == "pawn" else (0.58, 1.0)
    label = centred_text(mark, size * large / len(mark or " ") ** 0.5, half, half * middle, ink.ink)
    return Box(size, size, drawn + (label if mark else ""))


def _outline(name: Shape, ink: Paint, half: float) -> str:
    edge, radius = max(half / 12, 0.8), half - max(half / 12, 0.8)
    if name == "disc" or name == "pit":
        return element(
            "circle", cx=half, cy=half, r=radius, fill=ink.fill, stroke=ink.edge, stroke_width=edge
        )
    if name == "ring":
        wide = half * 0.34
        return element(
            "circle",
            cx=half,
            cy=half,
            r=radius - wide / 2,
            fill="none",
            stroke=ink.fill,
            stroke_width=wide,
        )
    return element(
        "path",
        d=_path(name, half, radius),
        fill=ink.fill,
        stroke=ink.edge,
        stroke_width=edge,
        stroke_linejoin="round",
    )


def _path(name: Outlined, half: float, radius: float) -> str:
    match name:
        case "square":
            return _polygon(half, radius, 4, 0.25)
        case "diamond":
            return _polygon(half, radius, 4, 0)
        case "triangle":
            return _polygon(half, radius, 3, 0)
        case "hexagon":
            return _polygon(half, radius, 6, 0)
        case "star":
            return _polygon(half, radius, 10, 0, inner=0.5)
        case "cross":
            return _cross(half, radius)
        case "drop":
            return _scaled(
                "M0 -1C.5 -.4 .75 0 .75 .3A.75 .72 0 0 1 -.75 .3C-.75 0 -.5 -.4 0 -1Z", half, radius
            )
        case "pawn":
            return _scaled(_PAWN, half, radius)


def _polygon(half: float, radius: float, corners: int, turned: float, inner: float = 1) -> str:
    """A regular polygon with a corner on top, or turned by this fraction of a corner."""
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
    for command in _commands(path):
        letter, values = command[0], [float(value) for value in command[1:].split()]
        if letter == "A":
            rx, ry, turn, large, sweep, x, y = values
            radii = f"{number(rx * radius)} {number(ry * radius)}"
            end = f"{number(half + x * radius)} {number(half + y * radius)}"
            parts.append(f"A{radii} {int(turn)} {int(large)} {int(sweep)} {end}")
        else:
            parts.append(letter + " ".join(number(half + value * radius) for value in values))
    return "".join(parts)


def _commands(path: str) -> list[str]:
    points: list[str] = []
    for letter in path:
        if letter.isalpha():
            points.append(letter)
        else:
            points[-1] += letter
    return points
