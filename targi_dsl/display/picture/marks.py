"""Marks: pieces, the symbols of resources and values, and the palette of their colours."""

from __future__ import annotations

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


_PATHS: dict[Outlined, str] = {
    "square": "M-.71-.71H.71V.71H-.71Z",
    "diamond": "M0-1L1 0 0 1-1 0Z",
    "triangle": "M0-1L.87.5H-.87Z",
    "hexagon": "M0-1L.87-.5V.5L0 1-.87.5V-.5Z",
    "star": "M0-1L.29-.4.95-.31.48.15.59.81 0 .5-.59.81-.48.15-.95-.31-.29-.4Z",
    "cross": "M-.36-1H.36V-.36H1V.36H.36V1H-.36V.36H-1V-.36H-.36Z",
    "drop": "M0-1C.5-.4.75 0 .75.3A.75.72 0 0 1-.75.3C-.75 0-.5-.4 0-1Z",
    "pawn": "M-.82 1A.82 1.15 0 0 1 .82 1ZM-.42-.55A.42.42 0 1 1 .42-.55A.42.42 0 1 1-.42-.55Z",
}
"""Shapes as paths in the circle around the origin."""


def piece_colour(game: Equipment, kind: str, owner: str) -> str:
    """The colour of a piece: its own, or that of its player."""
    looks = (one.look for one in (*game.piece_kinds, *game.players) if one.id in (kind, owner))
    return next((look.colour for look in looks if look.colour), "")


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
    placed = f"translate({number(half)} {number(half)}) scale({radius:.3g})"
    look["stroke_width"] = f"{edge / radius:.2g}"
    return element("path", d=_PATHS[name], transform=placed, **look, stroke_linejoin="round")
