"""Decodes files into sources."""

from __future__ import annotations

import re
from collections.abc import Iterator

from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Source

LARGEST_FILE = 2_000_000
"""The largest file in bytes: far more than anybody writes by hand, and still read quickly."""

LONGEST_LINE = 10_000
"""The longest line in code points."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def check_size(name: str, size: int, most: int = LARGEST_FILE) -> None:
    """Raises Problems if a file of this size is too large."""
    if size > most:
        text = f"The file has {size:,} bytes; at most {most:,} are read."
        hint = "Split it into several files."
        raise Problems([Problem("E001", "file too large", None, text, hint, file=name)])


def decode(name: str, data: bytes, most: int = LARGEST_FILE) -> Source:
    """The source of a file: UTF-8 without a byte order mark, line ends as line feeds. Raises
    Problems if it is too large, binary, not UTF-8, or has a line that is too long.
    """
    check_size(name, len(data), most)
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if data.startswith(_UTF_16_MARKS):
        raise Problems([_not_utf8(name, data, 0, "The file is written in UTF-16, not in UTF-8.")])
    if (zero := data.find(b"\0")) >= 0:
        raise Problems([_binary(name, data, zero)])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        why = f"The byte {data[error.start]:#04x} here is not UTF-8."
        raise Problems([_not_utf8(name, data, error.start, why)]) from None
    source = Source(name, _with_line_feeds(text))
    if long_lines := [*_long_lines(source)]:
        raise Problems(long_lines)
    return source


def _not_utf8(name: str, data: bytes, at: int, text: str) -> Problem:
    source, offset = _place(name, data, at)
    span = source.span(offset, offset + 1)
    return Problem("E002", "not UTF-8 text", span, text, hint="Save the file as UTF-8.")


def _binary(name: str, data: bytes, at: int) -> Problem:
    source, offset = _place(name, data, at)
    span, hint = source.span(offset, offset + 1), "Check that this is the file you meant."
    text = "There is a zero byte here; text files have none."
    return Problem("E003", "not a text file", span, text, hint)


def _place(name: str, data: bytes, at: int) -> tuple[Source, int]:
    """A printable version of undecodable bytes, and the offset of byte `at` in it."""
    before = _with_line_feeds(data[:at].decode("utf-8", "replace"))
    return Source(name, _with_line_feeds(data.decode("utf-8", "replace"))), len(before)


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _long_lines(source: Source) -> Iterator[Problem]:
    for line in re.finditer(f"(?m)^.{{{LONGEST_LINE}}}(?P<rest>.+)$", source.text):
        count, span = f"{len(line.group()):,}", source.span(*line.span("rest"))
        text = f"This line has {count} characters; at most {LONGEST_LINE:,} are read."
        yield Problem("E004", "line too long", span, text, "Break it into several lines.")
