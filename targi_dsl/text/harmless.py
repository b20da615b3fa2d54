"""Neutralizes control characters for terminals."""

from __future__ import annotations


def harmless(text: str) -> str:
    """The text with control characters replaced: whitespace by a space, anything else unprintable
    by `?`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)
