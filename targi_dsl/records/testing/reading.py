"""Parses files of rule tests (docs/rule-tests.md): a head, what is given before each test, and the
tests. A line is an embedded text, since it may contain values from the row of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Embedded, Source, Span
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

VERSION = 2
Kind = Literal["given", "when", "then", "again", "with"]
KINDS: tuple[Kind, ...] = get_args(Kind)

BEFORE = "before each"
HEAD = re.compile(r'test +"(?P<name>[^"\n]+)"(?: +source +"(?P<cites>[^"\n]*)")?')
_TESTS_OF = re.compile(r"tests +of +")
_RULES = re.compile(r"(?:game +(\w+)|module) ")
FIELD = re.compile(r"\{([\w ]+)\}")
_COMMENT = re.compile(r'(?:"[^"\n]*"|[^"#\n])*')


class Phase(Frozen):
    """A step of a test: lines of a position, of choices, or of expectations. `again` returns to the
    given position.
    """

    kind: Kind
    span: Span
    lines: tuple[Embedded, ...]


class RuleTest(Frozen):
    """A test, with the values of one row filled in; `cells`: their spans by column. span: of its
    head.
    """

    name: str
    cites: tuple[str, ...]
    cells: Mapping[str, Span]
    span: Span
    phases: tuple[Phase, ...]

    @property
    def full_name(self) -> str:
        """The name with the values of its row: filled in where it mentions columns, appended
        otherwise.
        """
        row = {column: cell.text for column, cell in self.cells.items()}
        name = FIELD.sub(lambda field: row.get(field[1], field[0]), self.name)
        rest = [text for column, text in row.items() if column not in FIELD.findall(self.name)]
        return f"{name} [{', '.join(rest)}]" if rest else name


class TestFile(Frozen):
    """The tests of a file, one for each row of a table; the game that they are of, "" if it is
    missing, with its span.
    """

    __test__ = False  # for pytest

    source: Source
    game: str
    span: Span
    tests: tuple[RuleTest, ...]


class Line(NamedTuple):
    """A line: its indentation, its words with their span, and the comment after them."""

    indent: int
    span: Span
    comment: str = ""

    @property
    def text(self) -> str:
        return self.span.text


def read_tests(source: Source) -> TestFile:
    """The tests of a file. Raises Problems (E660) for all lines that are not understood."""
    file, problems = parse_tests(source)
    if problems:
        raise Problems(problems)
    return file


def parse_tests(source: Source) -> tuple[TestFile, tuple[Problem, ...]]:
    """The tests of a file that are understood, none if its head is not; and the problems (E660)."""
    reader = _Reader(source)
    return reader.file(), tuple(reader.problems)


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source, self.problems = source, list[Problem]()
        self.game: Span | None = None
        self.before: tuple[Phase, ...] = ()

    def file(self) -> TestFile:
        tests = list[RuleTest]()
        first, *blocks = blocks_of([*lines_of(self.source)]) or [[]]
        if len(first) != 1 or first[0].text.split() != ["language", str(VERSION)]:
            place = first[-1].span if first else self.source.span(0, 0)
            other = len(first) == 1 and first[0].text.startswith("language ")
            title = "another version of the language" if other else "the beginning is missing"
            why = "A file of tests begins with the version of the language and the game:"
            self._refuse(place, title, why, f"language {VERSION}\ntests of GAME")
        is_sound = not self.problems
        if blocks and (rules := _RULES.match(blocks[0][0].text)):
            why = "These are rules. Their tests have a file of their own, which begins:"
            hint = f"language {VERSION}\ntests of {rules[1] or 'GAME'}"
            self._refuse(blocks[0][0].span, "this is no file of tests", why, hint)
            blocks = []
        for head, *lines in blocks:
            known = len(self.problems)
            if (of := _TESTS_OF.match(head.text)) and not lines and self.game is None:
                self.game = self._part(head.span, of.end())
            elif head.text.split() == BEFORE.split():
                self.before = (Phase("given", head.span, self._texts(lines, {})),)
                is_sound &= len(self.problems) == known
            elif found := HEAD.fullmatch(head.text):
                tests += self._tests(head, found, lines)
            else:
                why = "Here stands `tests of GAME`, `before each`, or the head of a test:"
                hint = suggestion(head.text, (BEFORE,), 'test "WHAT IS TRUE" source "FACT"')
                self._refuse(head.span, "this is no part of a file of tests", why, hint)
        if self.game is None and not self.problems:
            why = "The second line names the game whose rules are tested:"
            self._refuse(self.source.span(0, 0), "tests of no game", why, "tests of GAME")
        game = self.game or self.source.span(0, 0)
        return TestFile(self.source, game.text, game, tuple(tests) if is_sound else ())

    def _tests(self, head: Line, found: re.Match[str], lines: Sequence[Line]) -> list[RuleTest]:
        """A test, once for each of its rows; none if anything in it is not understood."""
        blocks, tests, known = blocks_of(lines), list[RuleTest](), len(self.problems)
        tables = [block for block in blocks if block[0].text.startswith("with ")]
        for row in self._rows(tables):
            phases = (self._phase(block, row) for block in blocks if block not in tables)
            all_ = (*self.before, *(one for one in phases if one is not None))
            tests.append(RuleTest(found["name"], cites_of(found), row, head.span, all_))
        self._check_order(head, [block[0] for block in blocks if block not in tables])
        return tests if len(self.problems) == known else []

    def _check_order(self, head: Line, steps: Sequence[Line]) -> None:
        """Reports a test without expectations, and givens that come too late."""
        words = [step.text.partition(" ")[0] for step in steps]
        acts = next((at for at, word in enumerate(words) if word != "given"), len(words))
        if acts == len(words) and not self.problems:
            why = "A test has to say what is chosen, or what is then true:"
            self._refuse(head.span, "this test states nothing", why, "then asked: PLAYER")
        for step, word in zip(steps[acts:], words[acts:], strict=True):
            if word == "given":
                why = "What is given stands first. Another position is another test."
                self._refuse(step.span, "this is given too late", why, "")

    def _rows(self, tables: Sequence[Sequence[Line]]) -> list[dict[str, Span]]:
        if not tables:
            return [{}]
        if len(tables) > 1:
            why = "A test has one table of rows."
            self._refuse(
                tables[1][0].span, "a second table", why, "Put its columns into the first."
            )
        head, *lines = tables[0]
        names = cells(head.text.removeprefix("with "))
        rows = list[dict[str, Span]]()
        for line in lines:
            values = [*self._cells(line.span)]
            if len(values) == len(names):
                rows.append(dict(zip(names, values, strict=True)))
            else:
                why = f"The table has {len(names)} columns: {', '.join(names)}."
                self._refuse(line.span, f"this row has {len(values)} values", why, "")
        return rows

    def _cells(self, row: Span) -> Iterator[Span]:
        at = 0
        for text in row.text.split("|"):
            start = at + len(text) - len(text.lstrip())
            yield self._part(row, start, start + len(text.strip()))
            at += len(text) + 1

    def _phase(self, block: Sequence[Line], row: Mapping[str, Span]) -> Phase | None:
        head, *lines = block
        word = head.text.partition(" ")[0]
        kind = next((kind for kind in KINDS if kind == word), None)
        rest = head.text.removeprefix(word).strip()
        if kind is None or (kind == "again" and (rest or lines)):
            why = "A line of a test begins with `given`, `when`, `then`, `again` or `with`."
            self._refuse(head.span, f"`{word}` begins no step", why, suggestion(word, KINDS))
            return None
        if rest and lines:
            why = "What stands behind the word goes on its line or on lines below it, not both."
            self._refuse(head.span, "a step in two places", why, "")
            return None
        if rest:
            place = self._part(head.span, len(head.text) - len(rest))
            lines = [Line(head.indent, place)]
        return Phase(kind, head.span, self._texts(lines, row))

    def _texts(self, lines: Sequence[Line], row: Mapping[str, Span]) -> tuple[Embedded, ...]:
        return tuple(self._filled(line.span, row) for line in lines)

    def _filled(self, span: Span, row: Mapping[str, Span]) -> Embedded:
        """A line with the values of a row; each of their characters gets the position of the
        field.
        """
        text, offsets, at = "", list[int](), 0
        for field in FIELD.finditer(span.text):
            cell = row.get(field[1])
            if cell is None:
                why = f"The columns are: {', '.join(row)}." if row else "This test has no table."
                place = self._part(span, field.start(), field.end())
                self._refuse(place, f"no column `{field[1]}`", why, suggestion(field[1], row))
                continue
            value = cell.text
            text += span.text[at : field.start()] + value
            offsets += range(span.start + at, span.start + field.start())
            offsets += [span.start + field.start()] * len(value)
            at = field.end()
        text += span.text[at:]
        offsets += range(span.start + at, span.end + 1)
        return Embedded(self.source, text, offsets)

    def _part(self, span: Span, start: int, end: int | None = None) -> Span:
        last = span.end if end is None else span.start + end
        return self.source.span(span.start + start, last)

    def _refuse(self, span: Span, title: str, text: str, hint: str) -> None:
        self.problems.append(Problem("E660", title, span, text, hint))


def cites_of(head: re.Match[str]) -> tuple[str, ...]:
    """The sources that the head of a test cites."""
    return tuple(re.split(" *, *", head["cites"].strip())) if head["cites"] else ()


def cells(text: str) -> list[str]:
    """The names or values in a line of a table."""
    return [cell.strip() for cell in text.split("|")]


def lines_of(source: Source, *, silent: bool = False) -> Iterator[Line]:
    """The lines with words; with `silent` all lines."""
    at = 0
    for text in source.text.split("\n"):
        content = _COMMENT.match(text)
        assert content is not None
        words = content[0].strip()
        if words or silent:
            indent = len(text) - len(text.lstrip())
            place = source.span(at + indent, at + indent + len(words))
            yield Line(indent, place, text[content.end() :].rstrip())
        at += len(text) + 1


def blocks_of(lines: Sequence[Line]) -> list[list[Line]]:
    """Each line that is indented at most as the first, with the lines below it."""
    blocks = list[list[Line]]()
    for line in lines:
        if not blocks or line.indent <= lines[0].indent:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return blocks


def joined(texts: Sequence[Embedded], source: Source) -> Embedded:
    """Several lines as one text."""
    text, offsets = "", list[int]()
    for one in texts:
        text += one.text + "\n"
        offsets += one.offsets
    end = offsets[-1] if offsets else 0
    return Embedded(source, text, [*offsets, end])
