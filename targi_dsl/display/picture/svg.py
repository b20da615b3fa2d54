"""Boxes of SVG: parts of a drawing that know their size and can be put together."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from targi_dsl.text.diagnostics import harmless
from targi_dsl.text.structs import Frozen


class Box(Frozen):
    """A part of a drawing, with its upper left corner at the origin."""

    width: float
    height: float
    body: str = ""


NONE = Box(0, 0)


def number(value: float) -> str:
    """A coordinate in as few characters as it takes."""
    return f"{value:.1f}".removesuffix(".0")


def element(tag: str, inner: str = "", **attributes: float | str) -> str:
    """An element; `_` in the name of an attribute becomes `-`, and is dropped at its end."""
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
    """A drawing made smaller by a factor."""
    body = element("g", box.body, transform=f"scale({by:.3f})")
    return Box(box.width * by, box.height * by, body)


def layer(*boxes: Box) -> Box:
    """Boxes on top of each other, the last in front."""
    width, height = max(box.width for box in boxes), max(box.height for box in boxes)
    return Box(width, height, "".join(box.body for box in boxes))


def frame(width: float, height: float, rx: float, inset: float = 0.5, **look: float | str) -> str:
    """A rounded rectangle, so far inside its room that the whole line is seen."""
    at, across, down = inset or "", width - 2 * inset, height - 2 * inset
    return element("rect", "", x=at, y=at, width=across, height=down, rx=rx or "", **look)


def circle(x: float, y: float, radius: float, **look: float | str) -> str:
    """A circle around a point."""
    return element("circle", "", cx=x, cy=y, r=radius, **look)


def column(boxes: Iterable[Box], gap: float = 0, *, centred: bool = False) -> Box:
    """Boxes one below the other, at the left or each in the middle of the width."""
    return _lined_up(boxes, gap, centred, upright=True)


def row(boxes: Iterable[Box], gap: float = 0, *, centred: bool = False) -> Box:
    """Boxes side by side, at the top or each in the middle of the height."""
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
    rows: list[list[Box]] = [[]]
    used = 0.0
    for box in boxes:
        if rows[-1] and used + box.width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(box)
        used += box.width + gap
    return column((row(boxes, gap, centred=centred) for boxes in rows), gap)


def pad(box: Box, side: float, top: float | None = None) -> Box:
    """The box with a margin."""
    above = side if top is None else top
    inner = move(box, side, above)
    return Box(box.width + 2 * side, box.height + 2 * above, inner)


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
    letters = unicodedata.normalize("NFD", words)
    return size * sum(_ADVANCES[bold].get(one, _rest(one)) for one in letters) / 1000


def _rest(letter: str) -> int:
    return 0 if unicodedata.combining(letter) else 1000


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
    return Box(
        text_width(words, size, bold=bold), size * 1.3, _text(words, size, bold, y=size, **look)
    )


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
    gap, rows, used = size * 0.28, list[list[str | Box]](), room
    for atom in atoms:
        width = text_width(atom, size) if isinstance(atom, str) else atom.width
        if not rows or used + gap + width > room:
            rows.append([])
            used = -gap
        rows[-1].append(atom)
        used += gap + width
    return [_line(line, size, gap, style) for line in rows]


def _line(atoms: Sequence[str | Box], size: float, gap: float, style: str) -> Box:
    """Words and marks side by side; words that follow one another are one text."""
    boxes = [
        box
        for marks, group in groupby(atoms, lambda atom: isinstance(atom, Box))
        for box in (
            [atom for atom in group if isinstance(atom, Box)]
            if marks
            else [text(" ".join(str(atom) for atom in group), size, style)]
        )
    ]
    return row(boxes, gap, centred=True)
