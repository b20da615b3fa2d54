"""The display width of texts in terminal columns."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import accumulate


def columns(text: str) -> int:
    """The width of a text: wide characters take two columns, combining accents none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


@cache
def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def truncate(text: str, room: int) -> str:
    """The text cut to a width, with an ellipsis if something is omitted."""
    if columns(text) <= room:
        return text
    reached = accumulate(map(_columns, text))
    return f"{text[: sum(one < room for one in reached)]}…" if room > 0 else ""
