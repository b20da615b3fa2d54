"""Boxes of SVG: drawings of known size, and how they are composed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import TypeGuard, TypeVar

from targi_dsl.ir.look import Outlined, Shape
from targi_dsl.text.diagnostics import harmless
from targi_dsl.text.structs import Frozen
from targi_dsl.view.shape import Equipment, Named

_T = TypeVar("_T")


class Box(Frozen):
    """A drawing with its upper left corner at the origin."""

    width: float
    height: float
    body: str = ""


NONE = Box(0, 0)


def number(value: float) -> str:
    """A coordinate, as short as possible."""
    return f"{value:.1f}".removesuffix(".0")


def element(tag: str, inner: str = "", **attributes: float | str) -> str:
    """An SVG element; in names of attributes `_` becomes `-`, and is stripped at the ends."""
    names = (name.strip("_").replace("_", "-") for name in attributes)
    values = (value if isinstance(value, str) else number(value) for value in attributes.values())
    written = "".join(
        f' {name}="{value}"' for name, value in zip(names, values, strict=True) if value
    )
    return f"<{tag}{written}>{inner}</{tag}>" if inner else f"<{tag}{written}/>"


def move(box: Box, x: float, y: float) -> str:
    """The box moved to another place."""
    if not box.body or (x, y) == (0, 0):
        return box.body
    return element("g", box.body, transform=f"translate({number(x)} {number(y)})")


def shrink(box: Box, by: float) -> Box:
    """A box scaled down."""
    body = element("g", box.body, transform=f"scale({by:.3f})")
    return Box(box.width * by, box.height * by, body)


def layer(*boxes: Box) -> Box:
    """Boxes on top of each other; the last is in front."""
    width, height = max(box.width for box in boxes), max(box.height for box in boxes)
    return Box(width, height, "".join(box.body for box in boxes))


def frame(width: float, height: float, rx: float, inset: float = 0.5, **look: float | str) -> str:
    """A rounded rectangle, inset so that its outline is inside."""
    at, across, down = inset or "", width - 2 * inset, height - 2 * inset
    return element("rect", "", x=at, y=at, width=across, height=down, rx=rx or "", **look)


def circle(x: float, y: float, radius: float, **look: float | str) -> str:
    """A circle around a point."""
    return element("circle", "", cx=x, cy=y, r=radius, **look)


def column(boxes: Iterable[Box], gap: float = 0, *, centred: bool = False) -> Box:
    """Boxes one below the other, left-aligned or centred."""
    return _lined_up(boxes, gap, centred, upright=True)


def row(boxes: Iterable[Box], gap: float = 0, *, centred: bool = False) -> Box:
    """Boxes side by side, top-aligned or centred."""
    return _lined_up(boxes, gap, centred, upright=False)


def _lined_up(boxes: Iterable[Box], gap: float, centred: bool, upright: bool) -> Box:
    sizes = ((box, box.height, box.width) for box in boxes)
    turned = sizes if upright else ((box, along, across) for box, across, along in sizes)
    sized = [(box, along, across) for box, along, across in turned if along]
    widest = max((across for _, _, across in sized), default=0.0)
    body, at = "", 0.0
    for box, along, across in sized:
        aside = (widest - across) / 2 if centred else 0.0
        body += move(box, *((aside, at) if upright else (at, aside)))
        at += along + gap
    length = sum(along for _, along, _ in sized) + gap * max(len(sized) - 1, 0)
    return Box(widest, length, body) if upright else Box(length, widest, body)


def flow(boxes: Iterable[Box], room: float, gap: float, *, centred: bool = False) -> Box:
    """Boxes side by side, in as many rows as that takes."""
    rows = _wrapped(((box, box.width) for box in boxes), room, gap)
    return column((row(boxes, gap, centred=centred) for boxes in rows), gap)


def _wrapped(sized: Iterable[tuple[_T, float]], room: float, gap: float) -> list[list[_T]]:
    """Things with their widths in as many rows as they take."""
    rows, used = list[list[_T]](), 0.0
    for thing, width in sized:
        if not rows or used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(thing)
        used += width + gap
    return rows


def pad(box: Box, side: float, top: float) -> Box:
    """The box with a margin at its sides, and above and below."""
    return Box(box.width + 2 * side, box.height + 2 * top, move(box, side, top))


def on_ground(box: Box, side: float, top: float, rx: float, **look: float | str) -> Box:
    """The box with a margin on a ground with round corners."""
    inner = pad(box, side, top)
    ground = frame(inner.width, inner.height, rx, 0.5, **look)
    return layer(Box(inner.width, inner.height, ground), inner)


# ---- text ----

LEAST = 4.5
"""The smallest size of a text; pictures can be enlarged."""

_WIDTHS = {
    222: "'ijlł\u2018\u2019\u201a",
    278: " !,./:;I[\\]|ft\u0131·",
    334: "()-`r{}\u201c\u201d\u201e¡",
    389: '"*°•',
    500: "^Jcksvxyz↑↓",
    556: "#$0123456789?L_abdeghnopquđðŁ§«»\u2013€",
    584: "+<=>~\xd7\u2212÷±",
    611: "FTZßø¿",
    667: "&ABEKPSVXY",
    722: "CDHNRUwÐĐ",
    778: "GOQØ©",
    833: "Mm",
    889: "%æ",
}
_BOLD_WIDTHS = {
    278: " ',./I\\ijl·\u0131ł\u2018\u2019\u201a",
    333: "!()-:;[]`ft|¡",
    389: '"*r{}°•',
    500: "z\u201c\u201d\u201e↑↓",
    556: "#$0123456789J_aceksvxy§«»\u2013€",
    584: "+<=>^~\xd7\u2212÷±",
    611: "?FLTZbdghnopquđðøßŁ¿",
    667: "EPSVXY",
    722: "&ABCDHKNRUÐĐ",
    778: "GOQwØ©",
    889: "%Mmæ",
}
"""How many thousandths of its size a letter is wide in Liberation Sans, which Arial and Helvetica
have too. Whatever is not listed is at most as wide as it is high.
"""

_ADVANCES = tuple(
    {letter: width for width, letters in widths.items() for letter in letters}
    for widths in (_WIDTHS, _BOLD_WIDTHS)
)


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """The width of a text, without a font that has to be there."""
    apart = unicodedata.normalize("NFD", words)
    letters = (one for one in apart if not unicodedata.combining(one))
    return size * sum(_ADVANCES[bold].get(one, 1000) for one in letters) / 1000


def shorten(words: str, size: float, room: float, *, bold: bool = False) -> str:
    """The text, cut to the room there is."""
    if text_width(words, size, bold=bold) <= room:
        return words
    while words and text_width(f"{words}…", size, bold=bold) > room:
        words = words[:-1]
    return f"{words.rstrip()}…"


def fitting_size(words: str, size: float, room: float, *, bold: bool = False) -> float:
    """The largest size up to this one in which a line has room, or the smallest there is."""
    return max(min(size, room / max(text_width(words, 1, bold=bold), 0.1)), LEAST)


def fitted(
    words: str, size: float, room: float, style: str = "ink", *, bold: bool = False, fill: str = ""
) -> Box:
    """A line of text, smaller if it has less room; only what would be too small to read is cut."""
    size = fitting_size(words, size, room, bold=bold)
    cut = shorten(words, size, room + 0.01, bold=bold)  # of what just fits nothing is cut
    return text(cut, size, style, bold=bold, fill=fill)


def text(words: str, size: float, style: str = "ink", *, bold: bool = False, fill: str = "") -> Box:
    """A line of text; the height is that of a line."""
    look: dict[str, str] = {"fill": fill} if fill else {"class_": style}
    drawn = _text(words, size, bold, y=size, **look)
    return Box(text_width(words, size, bold=bold), size * 1.3, drawn)


def centred_text(words: str, size: float, x: float, y: float, fill: str) -> str:
    """A short text centred at a point."""
    look = {"fill": fill} if fill.startswith("#") else {"class_": fill}
    return _text(words, size, True, x=x, y=y + size * 0.36, text_anchor="middle", **look)


def _text(words: str, size: float, bold: bool, **look: float | str) -> str:
    """A text that is as wide as it was measured, whatever the font."""
    shown = harmless(words)
    wide = text_width(shown, size, bold=bold)
    return element(
        "text",
        escape(shown, quote=False),
        **look,
        font_size=size,
        font_weight="600" if bold else "",
        textLength=wide if len(shown) > 1 else "",
        lengthAdjust="spacingAndGlyphs" if len(shown) > 1 else "",
    )


def lines(atoms: Sequence[str | Box], room: float, size: float, style: str = "ink") -> list[Box]:
    """Words and marks in lines of a text."""
    gap = size * 0.28
    widths = (text_width(one, size) if isinstance(one, str) else one.width for one in atoms)
    rows = _wrapped(zip(atoms, widths, strict=True), room, gap)
    return [_line(line, size, gap, style) for line in rows]


def _line(atoms: Sequence[str | Box], size: float, gap: float, style: str) -> Box:
    """Words and marks side by side; words that follow one another are one text."""
    boxes = list[Box]()
    for _, group in groupby(atoms, type):
        run = [*group]
        marks = [atom for atom in run if isinstance(atom, Box)]
        boxes += marks or [text(" ".join(map(str, run)), size, style)]
    return row(boxes, gap, centred=True)


# ---- colours and marks ----

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
    red, green, blue = bytes.fromhex(fill[1:])
    lightness = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
    edge = {"black": "#7d828b", "white": "#b3ac9c"}.get(colour) or blended(fill, "#000000", 0.28)
    return Paint(fill, edge, _DARK if lightness > _BRIGHT else _LIGHT)


def blended(first: str, other: str, share: float) -> str:
    """A colour mixed with a share of another."""
    both = zip(bytes.fromhex(first[1:]), bytes.fromhex(other[1:]), strict=True)
    return f"#{bytes(round(a + (b - a) * share) for a, b in both).hex()}"


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
    """A piece, with the mark of its kind where it has one or another kind looks like it."""
    of = next(one for one in game.piece_kinds if one.id == kind)
    is_first = of == next(one for one in game.piece_kinds if one.look == of.look)
    mark = of.look.symbol or next((one.look.symbol for one in game.players if one.id == owner), "")
    if not of.look.symbol and not (is_first and (owner or of.look.shape)):
        mark = of.name[:1].upper()
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
