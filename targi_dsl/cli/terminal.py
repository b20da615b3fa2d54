"""The terminal of a person: how wide it is, what it can display, and how to write to it and read
from it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module

from targi_dsl.cli.output import clear_screen, put
from targi_dsl.display.ink import Line, line, words

LEAST_COLUMNS, USUAL_COLUMNS, USUAL_ROWS = 20, 80, 24


class Terminal:
    """Standard input and output. If it is quiet, nothing is written."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.is_screen = (
            sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"
        )
        self.colour = self.is_screen and not os.environ.get("NO_COLOR")
        # Python takes C for UTF-8; whoever says it wants ASCII.
        self.plain = os.environ.get("LC_ALL") in ("C", "POSIX") or not _can_show(
            "┌─│…", sys.stdout.encoding
        )
        if self.is_screen:
            _edit_lines()

    @property
    def columns(self) -> int:
        """The present width of the terminal."""
        return max(shutil.get_terminal_size((USUAL_COLUMNS, USUAL_ROWS)).columns, LEAST_COLUMNS)

    def show(self, lines: Iterable[Line]) -> None:
        """Writes lines."""
        if not self.quiet:
            for one in lines:
                put(one, colour=self.colour, plain=self.plain)

    def say(self, text: str = "", style: str = "") -> None:
        """Writes a text wrapped between words; a paragraph's indentation is repeated on each of
        its lines.
        """
        for paragraph in text.split("\n"):
            blanks = " " * min(len(paragraph) - len(paragraph.lstrip()), self.columns // 4)
            parts = words(paragraph, self.columns - len(blanks), style=style)
            self.show([line(blanks, *part) for part in parts] or [line()])

    def copyable(self, text: str) -> None:
        """Writes a text that may be copied: on one line, however long."""
        self.show([line(text)])

    def ask(self, prompt: str = "> ") -> str:
        """Reads a line. Raises EOFError at the end of input."""
        return input(prompt)

    def blank(self) -> None:
        """Makes everything shown so far invisible."""
        if self.is_screen:
            clear_screen()


def _can_show(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _edit_lines() -> None:
    """Turns on line editing and history where Python supports it."""
    with suppress(ImportError):
        import_module("readline")  # importing it is all there is to do
