"""Styled lines of text, measured in columns, and terminal colours."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import click
from msgspec.structs import replace

from targi_dsl.text.diagnostics import harmless
from targi_dsl.text.structs import Frozen
from targi_dsl.text.width import columns, truncate
from targi_dsl.view.shape import Named

_WORD = re.compile(r"\S+\s*|\s+")

_PAIRS = str.maketrans("łŁøØ…·─→\xd7│┌┬┐├┼┤└┴┘", "lLoO.-->x|" + 9 * "+")
LETTERS = _PAIRS | str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe"})
"""Replacements for letters that do not decompose into a letter and an accent, and for box-drawing
characters.
"""


class Ink(Frozen):
    """Text in one style: "" (plain), strong, faint, or the name of a colour."""

    text: str
    style: str = ""


Line = tuple[Ink, ...]


def line(*parts: str | Ink) -> Line:
    """A line made of these parts."""
    return tuple(Ink(part) if isinstance(part, str) else part for part in parts)


def width(of: Line) -> int:
    return sum(columns(ink.text) for ink in of)


def fit(of: Line, room: int) -> Line:
    """The line at exactly this width, truncated or padded."""
    found: list[Ink] = []
    for ink in of:
        text = truncate(ink.text, room)
        found.append(replace(ink, text=text))
        room -= columns(text)
        if text != ink.text:
            break
    return (*found, Ink(" " * room)) if room > 0 else tuple(found)


def joined(cells: Iterable[Line], gap: Ink) -> Line:
    """Cells side by side in one line, with a gap between them."""
    return tuple(ink for at, cell in enumerate(cells) for ink in (*[gap] * (at > 0), *cell))


def wrap_parts(parts: Iterable[Line], room: int, gap: str = "  ", indent: str = "") -> list[Line]:
    """The parts with gaps between them (one blank after a comma), wrapped to the width. After a
    part of several lines, the next one begins a line.
    """
    lines, is_broken, used = list[Line](), False, 0
    for part in parts:
        before = " " if lines and plain_text(lines[-1]).endswith(",") else gap
        more = len(before) + width(part)
        if lines and not is_broken and used + more <= room:
            lines[-1] = (*lines[-1], Ink(before), *part)
            used += more
        else:
            start = (Ink(indent),) if lines and indent else ()
            broken = _broken((*start, *part), room, indent)
            lines, is_broken, used = lines + broken, len(broken) > 1, width(broken[-1])
    return lines


def _broken(of: Line, room: int, indent: str) -> list[Line]:
    """A line wrapped between words; a word that is too long is truncated."""
    if width(of) <= room:
        return [of]
    start: Line = (Ink(indent),) if indent else ()
    lines = [line()]
    for word in (replace(ink, text=text) for ink in of for text in _WORD.findall(ink.text)):
        if width(lines[-1]) + columns(word.text.rstrip()) > room and width(lines[-1]) > len(indent):
            lines.append(start)
        lines[-1] = (*lines[-1], word)
    return [one if width(one) <= room else fit(one, room) for one in map(trim, lines)]


def trim(of: Line) -> Line:
    """The line without trailing blanks."""
    *before, last = of
    return (*before, replace(last, text=last.text.rstrip()))


def words(text: str, room: int, indent: str = "", style: str = "") -> list[Line]:
    """A text wrapped between words, and within words that are too long."""
    most = max(room - len(indent), 1)
    parts = (word[at : at + most] for word in text.split() for at in range(0, len(word), most))
    lines = wrap_parts((line(part) for part in parts), room, " ", indent)
    return [line(Ink("".join(ink.text for ink in one), style)) for one in lines]


def widest(texts: Iterable[str], room: int) -> str:
    """The first text that fits, or the last one truncated."""
    last = ""
    for last in texts:
        if columns(last) <= room:
            return last
    return truncate(last, room)


def in_lines(texts: Iterable[str], room: int, most: int) -> list[str]:
    """The first text that fits on one line, or on `most` lines, or the last one truncated."""
    texts = tuple(texts)
    if not texts or (short := widest(texts, room)) in texts:
        return [short] if texts else []
    broken = [[plain_text(part) for part in words(text, room)] for text in texts]
    if fitting := next((lines for lines in broken if len(lines) <= most), None):
        return fitting
    *lines, last = broken[-1][:most]
    return [*lines, truncate(f"{last}…", room)]


def unbroken(text: str, room: int) -> list[Line]:
    """The text as it is if it fits on a line; otherwise wrapped."""
    return [line(text)] if columns(text) <= room else words(text, room)


def plain_text(of: Line) -> str:
    """The text of a line."""
    return "".join(ink.text for ink in of)


def render_line(of: Line, *, colour: bool, plain: bool) -> str:
    """The line for a terminal; control characters are removed. plain: ASCII only."""
    text = "".join(
        _styled(_visible(ink.text, plain), ink.style) if colour else _visible(ink.text, plain)
        for ink in of
    )
    return text if colour else text.rstrip()


def _visible(text: str, plain: bool) -> str:
    shown = harmless(text)
    if not plain or shown.isascii():
        return shown
    apart = unicodedata.normalize("NFKD", shown.translate(LETTERS))
    letters = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return letters.encode("ascii", "replace").decode()


_LOOKS: dict[str, dict[str, Any]] = {"strong": {"bold": True}, "faint": {"dim": True}}


def _styled(text: str, style: str) -> str:
    return click.style(text, **_LOOKS.get(style, {"fg": style})) if style and text else text


_COLOURS = ("magenta", "yellow", "green", "cyan", "red")
_NEAREST = {
    "red": "bright_red",
    "orange": "yellow",
    "amber": "bright_yellow",
    "yellow": "bright_yellow",
    "lime": "bright_green",
    "green": "bright_green",
    "teal": "cyan",
    "blue": "bright_blue",
    "violet": "magenta",
    "pink": "bright_magenta",
    "brown": "red",
    "sand": "yellow",
}
"""The terminal colours for the colours of a look. Grey, black and white are omitted, since some
screens cannot show them.
"""


def seat_colours(players: Iterable[Named]) -> dict[str, str]:
    """A terminal colour for each player: the declared one if it is visible on every terminal."""
    own = {one.id: _NEAREST.get(one.look.colour, "") for one in players}
    others = iter([one for one in _COLOURS * len(own) if one not in own.values()])
    return {seat: colour or next(others) for seat, colour in own.items()}


def nearest_style(colour: str) -> str:
    """The terminal style for a colour; strong if there is none."""
    return _NEAREST.get(colour, "strong")
