"""Sources and spans."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, Protocol, assert_never

from targi_dsl.text.structs import Frozen

Unit = Literal["code point", "utf-8", "utf-16"]
"""What a column counts. Python and YAML count code points, most editors UTF-16 code units."""


class Text(Protocol):
    """The protocol of texts that parsers read: they know the positions of their parts."""

    @property
    def text(self) -> str: ...

    def span(self, start: int, end: int) -> Span: ...


class Source(Frozen, eq=False, dict=True):
    """A whole text with a display name; compared by identity.

    Offsets are 0-based and count code points; lines and columns are 1-based. Only a line feed ends
    a line.
    """

    name: str
    text: str

    @cached_property
    def _starts(self) -> Sequence[int]:
        starts = array("I", [0])  # four bytes a line
        starts.extend(map(re.Match.end, re.finditer("\n", self.text)))
        return starts

    @property
    def source(self) -> Source:
        """The source itself: spans of a source count from its beginning."""
        return self

    @property
    def start(self) -> int:
        """The offset that spans count from: 0."""
        return 0

    def span(self, start: int, end: int) -> Span:
        """The span from offset `start` to offset `end`, exclusive."""
        return Span(self, start, end)

    def line_at(self, offset: int) -> int:
        """The line of an offset; offsets outside the text are clamped."""
        return bisect_right(self._starts, min(max(offset, 0), len(self.text)))

    def position(self, offset: int, unit: Unit = "code point") -> tuple[int, int]:
        """The line and column of an offset; offsets outside the text are clamped."""
        inside = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, inside)
        return line, _width(self.text[self._starts[line - 1] : inside], unit) + 1

    def offset(self, line: int, column: int, unit: Unit = "code point") -> int:
        """The offset of a line and column; positions outside the text are clamped."""
        if line < 1:
            return 0
        if line > len(self._starts):
            return len(self.text)
        return self._starts[line - 1] + _length(self.line(line), max(column, 1) - 1, unit)

    def line_span(self, number: int) -> Span:
        """A whole line, or what is nearest to it."""
        number = min(number, self.text.count("\n") + 1)
        start = self.offset(number, 1)
        return self.span(start, start + len(self.line(number)))

    def line(self, number: int) -> str:
        """The text of a line without its line feed; IndexError if there is no such line."""
        if number < 1:
            raise IndexError(number)
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end]


def _width(text: str, unit: Unit) -> int:
    """The number of columns that part of a line occupies."""
    match unit:
        case "code point":
            return len(text)
        case "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        case "utf-16":
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case _:
            assert_never(unit)


def _length(line: str, width: int, unit: Unit) -> int:
    """The number of code points of a line that fit into a number of columns."""
    if unit == "code point" or line.isascii():
        return min(width, len(line))
    taken = 0
    for at, character in enumerate(line):
        taken += _width(character, unit)
        if taken > width:
            return at
    return len(line)


class Section:
    """A part of a source that can move; its spans are relative to it.

    A declaration that is not edited keeps its section, and so its tree, its spans and everything
    derived from them; `move` updates its position in the source.
    """

    __slots__ = ("source", "start", "text")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.text = source.text[start:end]

    @property
    def name(self) -> str:
        """The display name of its source."""
        return self.source.name

    def move(self, source: Source, start: int) -> None:
        """Sets the new position of the unchanged text."""
        self.source, self.start = source, start

    def span(self, start: int, end: int) -> Span:
        """The span from offset `start` of the section to offset `end`, exclusive."""
        return Span(self, start, end)


class Span(Frozen):
    """A part of a text: offsets `first` to `last`, exclusive, in its home."""

    home: Source | Section
    first: int
    last: int

    @property
    def source(self) -> Source:
        """The source it belongs to."""
        return self.home.source

    @property
    def start(self) -> int:
        """The offset of its first character in the source."""
        return self.home.start + self.first

    @property
    def end(self) -> int:
        """The offset in the source just after its last character."""
        return self.home.start + self.last

    @property
    def line(self) -> int:
        """The line where it begins."""
        return self.source.line_at(self.start)

    @property
    def column(self) -> int:
        """The column of the first character."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the position just after the last character."""
        return self.source.line_at(self.end)

    @property
    def end_column(self) -> int:
        """The column of the position just after the last character."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The text it covers."""
        return self.home.text[self.first : self.last]

    def contains(self, other: Span) -> bool:
        """Whether the other is a part of it."""
        return self.source is other.source and self.start <= other.start and other.end <= self.end

    def cover(self, other: Span) -> Span:
        """The smallest span that contains both; ValueError if they belong to different sources."""
        if other.source is not self.source:
            raise ValueError(f"spans of two sources: {self.source.name}, {other.source.name}")
        if other.home is self.home:
            return Span(self.home, min(self.first, other.first), max(self.last, other.last))
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


class Embedded(Frozen, eq=False):
    """A text that a source contains in encoded form, such as a quoted string. `offsets`: for each
    character of `text` its offset in `home`, then the offset of the end.
    """

    home: Source | Section
    text: str
    offsets: Sequence[int]

    def __post_init__(self) -> None:
        if len(self.offsets) != len(self.text) + 1:
            raise ValueError(
                f"{len(self.offsets)} offsets for {len(self.text)} characters and an end"
            )

    def span(self, start: int, end: int) -> Span:
        """The span in the source of the characters from `start` to `end`, exclusive."""
        first = self.offsets[start]
        if end <= start:
            return Span(self.home, first, first)
        last, after = self.offsets[end - 1], self.offsets[end]
        # The next character begins where this one ends (an escape is longer than one), except when
        # a line break lies between: then the indentation of the next line is not part of it.
        if after <= last or "\n" in self.home.text[last:after]:
            after = last + 1
        return Span(self.home, first, after)
