"""The display width of texts in terminal columns."""

from __future__ import annotations

import unicodedata


def columns(text: str) -> int:
    """The width of a text: wide characters take two columns, combining accents none."""
    if text.isascii():
        return len(text)
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def truncate(text: str, room: int) -> str:
    """The text cut to a width, with an ellipsis if something is omitted."""
    if columns(text) <= room:
        return text
    while text and columns(text) > room - 1:
        text = text[:-1]
    return f"{text}…" if room > 0 else ""
