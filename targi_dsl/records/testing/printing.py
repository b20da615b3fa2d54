"""Prints files of rule tests in canonical form, with their comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from targi_dsl.records.testing.reading import (
    BEFORE,
    HEAD,
    KINDS,
    Line,
    TestFile,
    blocks_of,
    cells,
    cites_of,
    lines_of,
    read_tests,
)
from targi_dsl.text.source import Source

_STEP, _BESIDE = "  ", "   "
_TEST, _TABLE, _TESTS_OF = "test ", "with ", "tests of "


class _Part(NamedTuple):
    """A printed line: its depth, its words, the comment after them, and whether a blank line
    precedes it. Without words it is a comment.
    """

    depth: int
    words: str
    comment: str
    is_apart: bool


def print_tests(source: Source) -> str:
    """The canonical form of a file of rule tests, with its comments. Raises Problems if it cannot
    be read.
    """
    before = _content(read_tests(source))
    text = "".join(map(_printed, _joined([*_parts(source)]))).lstrip("\n")
    if _content(read_tests(Source(source.name, text))) != before:
        raise AssertionError(f"{source.name} would say something else")
    return text


def tidy(text: str) -> str:
    """A text with single blanks between words and after commas, semicolons and colons."""
    for mark in ",;:":
        text = f"{mark} ".join(part.strip() for part in text.split(mark))
    return " ".join(text.split())


def _content(file: TestFile) -> list[object]:
    """What the tests of a file say, regardless of layout."""
    return [
        file.game,
        *(
            (
                tidy(test.full_name),
                test.cites,
                phase.kind,
                [tidy(one.text) for one in phase.lines],
            )
            for test in file.tests
            for phase in test.phases
        ),
    ]


def _printed(part: _Part) -> str:
    above = "\n" if part.is_apart else ""
    behind = _BESIDE if part.words and part.comment else ""
    return f"{above}{_STEP * part.depth}{part.words}{behind}{part.comment}\n"


def _parts(source: Source) -> Iterator[_Part]:
    """The printed lines. A blank line precedes each test with its comments, none follows a head;
    others are kept.
    """
    with_words = {line.span.start: (depth, words) for line, depth, words in _words(source)}
    above = list[tuple[Line, bool]]()
    levels = [(0, 0)]  # indents and depths of the last line with words and of its ancestors
    is_apart = False
    for line in lines_of(source, silent=True):
        if not line.text:
            if line.comment:
                above.append((line, is_apart))
            is_apart = not line.comment
            continue
        depth, words = with_words[line.span.start]
        parts = [*_comments(above, depth, levels), _Part(depth, words, line.comment, is_apart)]
        begins = not depth and words.startswith((_TEST, BEFORE))
        first = next(number for number, part in enumerate(parts) if part.depth == depth)
        if begins or levels[-1][1] < depth or words.startswith(_TESTS_OF):
            parts[first] = parts[first]._replace(is_apart=begins)
        yield from parts
        levels = [*(one for one in levels if one[1] < depth), (line.indent, depth)]
        above, is_apart = [], False
    yield from _comments(above, 0, levels)


def _comments(
    comments: Sequence[tuple[Line, bool]], depth: int, levels: Sequence[tuple[int, int]]
) -> Iterator[_Part]:
    """Comments above a line of this depth, or below an earlier one if they are indented further."""
    is_below = True
    for line, is_apart in comments:
        inner = max((one for indent, one in levels if indent <= line.indent), default=0)
        is_below = is_below and inner > depth
        yield _Part(inner if is_below else depth, "", line.comment, is_apart)


def _words(source: Source) -> Iterator[tuple[Line, int, str]]:
    """The lines with words, with their depths."""
    for head, *lines in blocks_of([*lines_of(source)]):
        if (found := HEAD.fullmatch(head.text)) is None:
            yield head, 0, tidy(head.text)
            yield from ((line, 1, tidy(line.text)) for line in lines)
            continue
        cites = ", ".join(cites_of(found))
        yield head, 0, f'test "{found["name"]}"' + (f' source "{cites}"' if cites else "")
        for step, *those in blocks_of(lines):
            is_table = step.text.startswith(_TABLE)
            yield step, 1, _heads(step) if is_table else tidy(step.text)
            texts = _rows(those) if is_table else (tidy(line.text) for line in those)
            yield from ((line, 2, text) for line, text in zip(those, texts, strict=True))


def _heads(line: Line) -> str:
    """The names of the columns of a table."""
    return _TABLE + " | ".join(map(tidy, cells(line.text.removeprefix(_TABLE))))


def _rows(lines: Sequence[Line]) -> Iterator[str]:
    """The rows of a table, one value below another."""
    rows = [[*map(tidy, cells(line.text))] for line in lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (value.ljust(width) for value, width in zip(row, widths, strict=True))
        yield " | ".join(padded).rstrip()


def _joined(parts: Sequence[_Part]) -> Iterator[_Part]:
    """The parts, with single-line steps joined to their heads."""
    numbers = iter(range(len(parts)))
    for number in numbers:
        part, *below = parts[number : number + 3]
        is_step = part.depth == 1 and part.words in KINDS and bool(below) and below[0].depth == 2
        is_alone = is_step and (len(below) < 2 or below[1].depth < 2)
        if is_alone and below[0].words and not (part.comment and below[0].comment):
            next(numbers)
            words, comment = f"{part.words} {below[0].words}", part.comment or below[0].comment
            yield part._replace(words=words, comment=comment)
        else:
            yield part
