"""A terminal: its size and capabilities, reading and writing."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from select import select

from targi_dsl.cli.output import clear_screen, put, put_prompt, put_row
from targi_dsl.display.ink import Line, line, words
from targi_dsl.text.width import columns

if sys.platform != "win32":
    import termios
    import tty

LEAST_COLUMNS, USUAL_COLUMNS, USUAL_ROWS = 20, 80, 24
LEAST_ROWS = 10  # no page is drawn with fewer rows
MOST_COLUMNS = MOST_ROWS = 1000  # a terminal that says it has more is not believed


class Terminal:
    """Standard input and output. Nothing is written if it is quiet."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.is_screen = (
            sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") not in _DUMB
        )
        self.colour = self.is_screen and not os.environ.get("NO_COLOR")
        self._drawn: tuple[os.terminal_size, list[Line]] | None = None
        """The page on the screen, and its size."""
        self._captured: list[Line] | None = None
        self._remarks = list[Line]()
        self._since = 0
        # Python uses UTF-8 in the locale C, but a user who sets it wants ASCII.
        self.plain = os.environ.get("LC_ALL") in ("C", "POSIX") or not _can_show(
            "┌─│…", sys.stdout.encoding
        )
        if self.is_screen:
            _edit_lines()

    @property
    def columns(self) -> int:
        """The current width of the terminal."""
        return max(_size().columns, LEAST_COLUMNS)

    @property
    def rows(self) -> int | None:
        """The rows for a page, above the prompt and the row after an answer; 0 without a screen."""
        return _size().lines - 2 if sys.stdout.isatty() else None

    @property
    def draws(self) -> bool:
        """Whether pages are drawn in place."""
        columns_, rows = _size()
        return self.colour and not self.quiet and columns_ >= LEAST_COLUMNS and rows >= LEAST_ROWS

    def has_room(self, lines: int) -> bool:
        """Whether further lines and the prompt leave everything since the mark visible."""
        return self.rows is None or self._since + lines <= self.rows

    def mark(self) -> None:
        """Counts lines from here on."""
        self._since = 0

    def show(self, lines: Iterable[Line]) -> None:
        """Writes lines."""
        if self._captured is not None:
            self._captured += lines
        elif not self.quiet:
            self._drawn = None
            for text_line in lines:
                self._since += 1
                put(text_line, colour=self.colour, plain=self.plain)

    def draw(self, page: list[Line]) -> None:
        """Draws a page from the first row on and updates only changed rows. A page longer than the
        screen scrolls.
        """
        page, rest = page[: self.rows], page[self.rows :]
        before: list[Line] = []
        if self._drawn is not None and self._drawn[0] == _size():
            before = self._drawn[1]
        else:
            clear_screen(with_past=False)
        for number, text_line in enumerate(page):
            if number >= len(before) or before[number] != text_line:
                put_row(number, text_line, plain=self.plain)
        put_row(len(page), (), below=True, plain=self.plain)
        self._drawn = _size(), page
        if rest:
            self.show(rest)

    @contextmanager
    def capture(self) -> Iterator[list[Line]]:
        """Collects output instead of writing it."""
        page = self._captured = list[Line]()
        try:
            yield page
        except BaseException:
            self._captured = None
            self.show(page)
            raise
        self._captured = None

    def say(self, text: str = "", style: str = "") -> None:
        """Writes a text wrapped between words; continuation lines keep the indentation."""
        for paragraph in text.split("\n"):
            blanks = " " * min(len(paragraph) - len(paragraph.lstrip()), self.columns // 4)
            parts = words(paragraph, self.columns - len(blanks), style=style)
            self.show([line(blanks, *part) for part in parts] or [line()])

    def remark(self, text: str) -> None:
        """Writes a text, or keeps it for the next page if pages are drawn."""
        if self._captured is not None or not self.draws:
            self.say(text)
        else:
            self._remarks += words(text, self.columns)

    def remarks(self) -> list[Line]:
        """Takes the texts kept for the next page."""
        lines, self._remarks = self._remarks, []
        return lines

    def copyable(self, text: str) -> None:
        """Writes a text on one line, however long, so that it can be copied."""
        self.show([line(text)])

    def ask(self, prompt: str = "> ") -> str:
        """Reads a line. Raises EOFError at the end of input."""
        typed = input(prompt) if _size().columns >= LEAST_COLUMNS else _plain_line(prompt)
        self._since += 1
        if len(prompt) + columns(typed) >= self.columns:
            self._drawn = None  # the answer took more than one row
        return typed

    def blank(self) -> None:
        """Makes everything shown so far invisible."""
        if self.is_screen:
            self._drawn = None
            clear_screen(with_past=True)


_DUMB = (None, "", "dumb", "unknown")
"""Values of `TERM` for terminals without cursor addressing."""


def _size() -> os.terminal_size:
    columns_, rows = shutil.get_terminal_size((USUAL_COLUMNS, USUAL_ROWS))
    return os.terminal_size((min(columns_, MOST_COLUMNS), min(rows, MOST_ROWS)))


def _plain_line(prompt: str) -> str:
    """Reads a line without readline, which divides by zero on very narrow terminals."""
    put_prompt(prompt)
    if not (typed := sys.stdin.readline()):
        raise EOFError
    return typed.rstrip("\n")


def _can_show(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _edit_lines() -> None:
    """Enables line editing and history where available."""
    with suppress(ImportError):
        import_module("readline")  # importing it is sufficient


def wait_for_key(seconds: float) -> None:
    """Waits for a time or until a key is pressed; discards what is typed."""
    if sys.platform == "win32":
        time.sleep(seconds)
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        select([keyboard], [], [], seconds)
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)
