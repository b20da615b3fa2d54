"""Texts made harmless for a terminal."""

from __future__ import annotations


def harmless(text: str) -> str:
    """The text with one visible column for each character that a terminal might obey.

    Blanks of any kind become a blank, other characters that cannot be printed a `?`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)
