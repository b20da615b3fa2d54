"""The layout of a declaration as written: its logical lines with comments and sources."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lexer import LAYOUT, TEXT, Lexeme, LexicalError, tokenize
from targi_dsl.text.source import Embedded, Section, Source, Span

KEPT = 10_000
"""The size of the cache."""


class Line(NamedTuple):
    """A logical line, which may continue over several: its extent and indentation.

    `above` and `below`: comments on lines of their own, and "" for blank lines; those below belong
    to nothing further down. `source`: the text of its source clause.
    """

    start: int
    end: int
    indent: int
    above: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    source: str = ""
    below: tuple[str, ...] = ()


class Lines(NamedTuple):
    """The logical lines of a declaration."""

    all: tuple[Line, ...]

    def at(self, span: Span) -> Line | None:
        """The line that a span begins in; None before the first."""
        number = bisect_right(self.all, span.first, key=_start)
        return self.all[number - 1] if number else None

    def begun_by(self, span: Span) -> Line | None:
        """The line that begins with a span; None if the span is within a line."""
        line = self.at(span)
        return line if line is not None and line.start == span.first else None

    def before(self, line: Line) -> Line:
        """The line above another."""
        return self.all[bisect_right(self.all, line.start, key=_start) - 2]


NONE = Lines(())
"""No lines: of something that has not been read from a file."""


def _start(line: Line) -> int:
    return line.start


def lines_of(span: Span) -> Lines:
    """The lines of the declaration that contains a span; none if that is not in a rule file, or
    cannot be tokenized.
    """
    return _lines(span.home.text) if isinstance(span.home, Section) else NONE


def line_at(span: Span) -> Line | None:
    """The line of a rule file in which a span begins."""
    return lines_of(span).at(span)


@lru_cache(KEPT)
def _lines(text: str) -> Lines:
    try:
        lexemes = tokenize(Source("", text), lined=True)
    except LexicalError:
        return NONE
    parts = groupby(lexemes.all, key=lambda one: one.kind in LAYOUT)
    lines = [_line(text, tuple(words)) for layout, words in parts if not layout]
    comments: list[list[Lexeme]] = [[] for _ in (*lines, None)]
    for comment in lexemes.comments:
        number = bisect_right(lines, comment.start, key=_start)
        if _stands_alone(text, comment.start):
            # a comment inside a continued line goes above it
            within = number > 0 and comment.start < lines[number - 1].end
            comments[number - within].append(comment)
        else:
            line = lines[number - 1]
            lines[number - 1] = line._replace(beside=(*line.beside, comment.text.rstrip()))
    for number, found in enumerate(comments):
        _place(text, lines, number, found)
    return Lines(tuple(lines))


def _line(text: str, words: Sequence[Lexeme]) -> Line:
    start, end = words[0].start, words[-1].end
    cited = len(words) > 1 and words[-2].text == "source" and words[-1].kind == TEXT
    return Line(start, end, _column(text, start), source=words[-1].text if cited else "")


def _place(text: str, lines: list[Line], number: int, comments: Sequence[Lexeme]) -> None:
    """Attaches comments on their own lines: above the line of this number, or below an earlier one
    if they are indented further, or if it does not exist.
    """
    next_line = lines[number] if number < len(lines) else None
    level = -1 if next_line is None else next_line.indent
    above = list[str]()
    for comment in comments:
        blank = [""] * _follows_blank(text, comment.start)
        owner = _last_at(lines[:number], _column(text, comment.start))
        if owner is not None and not above and lines[owner].indent > level:
            below = (*lines[owner].below, *blank, comment.text.rstrip())
            lines[owner] = lines[owner]._replace(below=below)
        else:
            above += [*blank, comment.text.rstrip()]
    if next_line is None:
        if text.rstrip(" \r\t").endswith("\n\n"):
            lines[0] = lines[0]._replace(below=(*lines[0].below, ""))
        return
    above += [""] * _follows_blank(text, next_line.start)
    is_first = number == 0 or lines[number - 1].indent < next_line.indent
    if is_first and above[:1] == [""]:
        del above[0]
    lines[number] = lines[number]._replace(above=tuple(above))


def _last_at(lines: Sequence[Line], indent: int) -> int | None:
    """The number of the last line with at most this indentation."""
    numbers = range(len(lines) - 1, -1, -1)
    return next((number for number in numbers if lines[number].indent <= indent), None)


def _column(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset) - 1


def _stands_alone(text: str, offset: int) -> bool:
    return not text[offset - _column(text, offset) : offset].strip()


def _follows_blank(text: str, offset: int) -> bool:
    """Whether the line above is blank."""
    above = text[: offset - _column(text, offset)].split("\n")[-2:]
    return len(above) == 2 and not above[0].strip()


# ---- blanks of wordings: values in braces ----


BLANK = re.compile(r"\{([^{}]*)\}")


def blanks(quoted: n.Quoted) -> Iterator[Embedded]:
    """The blanks of a quoted text, each as an embedded text with its position."""
    for found in BLANK.finditer(quoted.text):
        first = quoted.span.first + found.start(1)
        places = range(first, first + len(found[1]) + 1)
        yield Embedded(quoted.span.home, found[1], places)
