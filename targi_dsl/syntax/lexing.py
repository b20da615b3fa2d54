"""A text as words, numbers and signs, with its lines and levels marked; and its comments."""

from __future__ import annotations

import re
from typing import NamedTuple

from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Source, Text

DEEPEST = 64
"""How deep parentheses, and how deep lines under lines, may go."""
LARGEST = 2**31 - 1

OPENING, CLOSING = "({", ")}"
END, NEWLINE, INDENT, DEDENT = "$END", "_NL", "_INDENT", "_DEDENT"
NAME, NUMBER, TEXT = "NAME", "NUMBER", "TEXT"
WORD, UNCLOSED, STRANGE = "a word", "an open text", "a strange character"
LAYOUT = frozenset((NEWLINE, INDENT, DEDENT, END))

_PIECES = re.compile(
    r"""(?P<blank>[ \r]+) | (?P<word>[^\W\d]\w*) | (?P<newline>\n) | (?P<comment>\#[^\n]*) | (?P<number>[0-9]+)
      | (?P<text>"[^"\n]*") | (?P<unclosed>"[^\n]*) | (?P<tab>\t)
      | (?P<sign>->|=>|:=|\.\.|==|!=|<>|>=|<=|&&|\|\||[-:,+*/(){}|=<>&!;.\[\]]) | (?P<strange>.)""",
    re.VERBOSE,
)
_KINDS = {"word": WORD, "number": NUMBER, "text": TEXT, "unclosed": UNCLOSED, "strange": STRANGE}


class Lexeme(NamedTuple):
    """One word, number or sign; `kind` of a sign is its own spelling. Layout has no width."""

    kind: str
    text: str
    start: int
    end: int


class Lexemes(NamedTuple):
    """A text cut up, and which of its signs opens a parenthesis that is never closed (-1: none)."""

    all: tuple[Lexeme, ...]
    unclosed: int


class Misread(Exception):
    """A text that cannot even be cut into words; holds the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.title)
        self.problem = problem


def cut(text: Text, start: int, end: int, lined: bool) -> Lexemes:
    """The words of a part of a text; unless `lined`, line breaks are blanks. Raises Misread (E104
    to E107).
    """
    reader = _Reader(text, start, lined)
    for found in _PIECES.finditer(text.text, start, end):
        reader.take(found)
    return reader.finish()


def comments(source: Source) -> tuple[tuple[int, str], ...]:
    """The comments of a file: the line each stands on, and its words without the `#`."""
    return tuple(
        (source.position(found.start())[0], found.group()[1:].strip())
        for found in re.finditer(r'"[^"\n]*"?|#[^\n]*', source.text)
        if found.group().startswith("#")
    )


class _Reader:
    def __init__(self, text: Text, start: int, lined: bool) -> None:
        self.text = text
        self.lined = lined
        self.found: list[Lexeme] = []
        self.open: list[int] = []
        self.levels = [0]
        self.line_start = start if lined else None  # set while nothing stands on the line yet

    def take(self, found: re.Match[str]) -> None:
        group = found.lastgroup or ""
        if group in ("blank", "comment"):
            return
        start, end = found.span()
        if group == "newline":
            if self.lined and not self.open:
                self.line_start = end
            return
        if group == "tab":
            raise self.misread(
                "E104",
                "a tab stands here",
                found,
                "A tab is as wide as each editor likes;",
                "put spaces in its place, two for each level",
            )
        if self.line_start is not None:
            self.begin_line(start - self.line_start, found)
        word = found.group()
        if group == "number" and (len(word) > 10 or int(word) > LARGEST):
            title, why = "this number is too large", f"Numbers end at {LARGEST:,};"
            raise self.misread("E107", title, found, why, f"write {LARGEST} or less")
        if word in OPENING:
            self.open.append(len(self.found))
            if len(self.open) > DEEPEST:
                raise self.too_deep("parentheses", found)
        elif word in CLOSING and self.open:
            self.open.pop()
        self.found.append(Lexeme(_KINDS.get(group, word), word, start, end))

    def begin_line(self, indent: int, found: re.Match[str]) -> None:
        """The end of the line above, and the level of the line that begins with `found`."""
        self.line_start = None
        if self.found:
            self.layout(NEWLINE)
        if indent > self.levels[-1]:
            self.levels.append(indent)
            if len(self.levels) > DEEPEST + 1:
                raise self.too_deep("lines", found)
            self.layout(INDENT)
        above = self.levels[:]
        while indent < self.levels[-1]:
            self.levels.pop()
            self.layout(DEDENT)
        if indent != self.levels[-1]:
            near = [level for level in above if level in (self.levels[-1], above[len(self.levels)])]
            raise self.misread(
                "E105",
                "this line stands between two levels",
                found,
                f"It begins after {_spaces(indent)}; the lines above it after {near[0]} or {near[1]};",
                f"begin it after {near[0]} or after {_spaces(near[1])}",
            )

    def finish(self) -> Lexemes:
        if self.lined:
            self.layout(NEWLINE)
            for _ in self.levels[1:]:
                self.layout(DEDENT)
        self.layout(END)
        return Lexemes(tuple(self.found), self.open[-1] if self.open else -1)

    def layout(self, kind: str) -> None:
        place = self.found[-1].end if self.found else 0
        self.found.append(Lexeme(kind, "", place, place))

    def too_deep(self, what: str, found: re.Match[str]) -> Misread:
        title, why = (
            f"{what} go too deep here",
            f"At most {DEEPEST} {what} may stand inside one another;",
        )
        return self.misread(
            "E106", title, found, why, "give the inner part a name with `define` or a `rule`"
        )

    def misread(self, code: str, title: str, found: re.Match[str], why: str, hint: str) -> Misread:
        return Misread(Problem(code, title, self.text.span(*found.span()), why, hint))


def _spaces(count: int) -> str:
    return f"{count} space" if count == 1 else f"{count} spaces"
