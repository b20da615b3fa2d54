"""A text with a name, and a span in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


class Text(Protocol):
    """What a parser reads: a text that can say where a part of it stands."""

    @property
    def text(self) -> str: ...

    def span(self, start: int, end: int) -> Span: ...


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A whole text under the name people know it by; two sources are equal only if they are one.

    Offsets count code points from 0, lines and columns from 1. Only a line feed ends a line.
    """

    name: str
    text: str = field(repr=False)
    _starts: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = (0, *(found.end() for found in re.finditer("\n", self.text)))
        object.__setattr__(self, "_starts", starts)

    def span(self, start: int, end: int) -> Span:
        """The part from offset `start` up to, not including, offset `end`."""
        return Span(self, start, end)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset; an offset outside the text counts as its nearest end."""
        inside = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, inside)
        return line, inside - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its line feed; IndexError if there is no such line."""
        if number < 1:
            raise IndexError(number)
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end]


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a source: from offset `start` up to, not including, offset `end`."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line the span begins on."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the place right after the last character."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column of the place right after the last character."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """What is written there."""
        return self.source.text[self.start : self.end]

    def cover(self, other: Span) -> Span:
        """The smallest span that holds both; ValueError if they lie in two sources."""
        if other.source is not self.source:
            raise ValueError(f"spans of two sources: {self.source.name}, {other.source.name}")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """A text found inside a source in another spelling, such as a quoted one.

    `offsets` has the source offset of each character of `text`, and last the offset where the text
    ends: one entry more than `text` has characters, so that an empty text has a place too.
    """

    source: Source
    text: str
    offsets: Sequence[int] = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.offsets) != len(self.text) + 1:
            raise ValueError(
                f"{len(self.offsets)} offsets for {len(self.text)} characters and an end"
            )

    def span(self, start: int, end: int) -> Span:
        """Where the characters from `start` up to, not including, `end` stand in the source."""
        first = self.offsets[start]
        if end <= start:
            return Span(self.source, first, first)
        last, after = self.offsets[end - 1], self.offsets[end]
        # The next character begins where this one ends (an escape is longer than one), except when
        # a line break lies between: then the indentation of the next line is not part of it.
        if after <= last or "\n" in self.source.text[last:after]:
            after = last + 1
        return Span(self.source, first, after)
