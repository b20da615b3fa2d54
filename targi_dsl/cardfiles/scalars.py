"""Maps the characters of a YAML scalar to source offsets, for all five styles of scalars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from targi_dsl.text.source import Embedded, Section, Source

_BLANKS = re.compile(r"[ \t]+")
_WHITE = re.compile(r"[ \t\n]*")
_FEEDS = re.compile(r"\n*")
_ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}


def embed(source: Source | Section, start: int, end: int, style: str, value: str) -> Embedded:
    """The value that the YAML parser read from source[start:end], with offsets. `style`: empty for
    plain, or one of `'`, `"`, `|`, `>`. If decoding cannot be retraced, every character gets the
    span of the whole.
    """
    text = source.text
    offsets: Sequence[int] | None
    match style:
        case "|" | ">":
            offsets = _block(text, start, style, value)
        case "'" | '"':
            offsets = _flow(text, start + 1, end - 1, style)
        case _:
            offsets = _flow(text, start, end, "")
    if offsets is None or len(offsets) != len(value) + 1:
        offsets = (start,) * len(value) + (end,)
    return Embedded(source, value, offsets)


def _flow(text: str, start: int, end: int, quote: str) -> Sequence[int]:
    """The offsets of a plain or quoted value with the content text[start:end]."""
    written = text[start:end]
    if not any(mark in written for mark in ("\n", "''", "\\")):
        return range(start, end + 1)  # the common case, without a list
    offsets: list[int] = []
    at = start
    while at < end:
        blanks = _BLANKS.match(text, at, end)
        after = blanks.end() if blanks else at
        if text.startswith("\n", after, end):
            # The blanks around a fold vanish with it.
            offsets += _fold_lines(text, at, at := _white_end(text, after, end))
        elif blanks:
            offsets += range(at, after)
            at = after
        elif quote == '"' and text.startswith("\\\n", at):
            # An escaped line end leaves nothing; only further empty lines count.
            white = _white_end(text, at + 1, end)
            offsets += _newlines(text, at + 1, white)[1:]
            at = white
        else:
            offsets.append(at)
            at += _length(text, at, quote)
    return (*offsets, end)


def _length(text: str, at: int, quote: str) -> int:
    """The number of source characters that encode the next character."""
    if quote == "'" and text.startswith("''", at):
        return 2
    if quote == '"' and text[at] == "\\":
        return _ESCAPE_LENGTHS.get(text[at + 1 : at + 2], 2)
    return 1


def _white_end(text: str, at: int, end: int) -> int:
    found = _WHITE.match(text, at, end)
    return found.end() if found else at


def _newlines(text: str, start: int, end: int) -> list[int]:
    return [at for at in range(start, end) if text[at] == "\n"]


def _fold_lines(text: str, start: int, end: int) -> list[int]:
    """Line folding: a single line end becomes a space; of several, the first is dropped."""
    newlines = _newlines(text, start, end)
    return newlines[1:] or newlines


def _block(text: str, start: int, style: str, value: str) -> Sequence[int] | None:
    """The offsets of a `|` or `>` value; None if the value does not match the source."""
    header = text.find("\n", start)
    if header < 0:
        return (start + 1,) if not value else None
    lines = _lines(text, header + 1)
    offsets = list(_literal(lines, value) if style == "|" else _folding(text, lines, value))
    if len(offsets) != len(value):
        return None
    return (*offsets, offsets[-1] + 1 if offsets else header)


def _lines(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The start and end of each line from `start` on, without its line feed."""
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _literal(lines: Iterator[tuple[int, int]], value: str) -> Iterator[int]:
    """Each line of the value is a source line without its indentation."""
    wanted = value.split("\n")
    for number, line in enumerate(wanted):
        _, end = next(lines, (0, -1))
        if end < 0:
            return
        yield from range(end - len(line), end)
        if number < len(wanted) - 1:
            yield end


def _folding(text: str, lines: Iterator[tuple[int, int]], value: str) -> Iterator[int]:
    """Walks value and lines in parallel; between lines the value has a space or line feeds."""
    at = 0
    indent = -1
    content_end = len(value.rstrip("\n"))
    passed: list[int] = []  # line ends since the last content
    for start, end in lines:
        if indent < 0 and text[start:end].strip(" "):
            # Content may itself begin with blanks; the value tells how many.
            indent = _leading(text[start:end]) - _leading(value.lstrip("\n"))
        content = text[start + indent : end] if indent >= 0 else ""
        if content:
            gap = _gap(value, at)
            yield from passed[len(passed) - gap :]
            at += gap
            if not value.startswith(content, at):
                return
            yield from range(end - len(content), end)
            at += len(content)
            passed = []
        passed.append(end)
        if at >= content_end:
            break
    kept = len(value) - at
    yield from passed[:kept]
    # The further line feeds that `>+` keeps.
    yield from (end for _, (_, end) in zip(range(kept - len(passed)), lines, strict=False))


def _leading(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _gap(value: str, at: int) -> int:
    """The number of characters of the value between two source lines."""
    feeds = _FEEDS.match(value, at)
    if feeds and feeds.group():
        return len(feeds.group())
    return 1 if at and value.startswith(" ", at) else 0
