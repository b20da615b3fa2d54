"""Splits a text into lexemes: words, numbers, symbols and layout tokens; collects comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Text

DEEPEST = 64
"""The deepest nesting of parentheses and of blocks."""
LARGEST = 2**31 - 1
LONGEST_NAME = 60
"""The most letters of a name."""

OPENING, CLOSING = "({", ")}"
END, NEWLINE, INDENT, DEDENT = "$END", "_NL", "_INDENT", "_DEDENT"
NAME, CELL, NUMBER, TEXT = "NAME", "CELL", "NUMBER", "TEXT"
WORD, UNCLOSED, STRANGE = "a word", "an unclosed text", "an unknown character"
COMMENT = "a comment"
LAYOUT = frozenset((NEWLINE, INDENT, DEDENT, END))
CONTINUING = frozenset(
    ("+", "and", "as", "because", "except", "or", "plus", "shows", "source", "where", "within")
)
"""Words that cannot begin a sentence: a line that begins with one continues the line above."""
_OF_VALUES, _IN_VALUES = ("define", "score", "never", "tie"), ("if", "-", "*", "/")
"""Declarations of a value, which have no block, and further words that continue them."""
_OF_LISTS = ("players", "relation", "resource", "set", "values")
"""Declarations of a list, which have no block either."""

_PIECES = re.compile(
    r"""(?P<blank>[ \r]+) | (?P<word>[^\W\d]\w*) | (?P<newline>\n) | (?P<comment>\#[^\n]*)
      | (?P<number>[0-9]+) | (?P<text>"[^"\n]*") | (?P<unclosed>"[^\n]*) | (?P<tab>\t)
      | (?P<symbol>->|=>|:=|\.\.|==|!=|<>|>=|<=|&&|\|\||[-:,+*/(){}|=<>&!;.\[\]])
      | (?P<strange>.)""",
    re.VERBOSE,
)
_KINDS = {"word": WORD, "number": NUMBER, "text": TEXT, "unclosed": UNCLOSED, "strange": STRANGE}


class Lexeme(NamedTuple):
    """A word, number or symbol; the kind of a symbol is its spelling. Layout tokens have no text.
    labels: whether a colon follows, directly or after a wording.
    """

    kind: str
    text: str
    start: int
    end: int
    labels: bool = False


class Lexemes(NamedTuple):
    """The lexemes of a text, its comments, and the index of an unclosed parenthesis, or -1."""

    all: tuple[Lexeme, ...]
    comments: tuple[Lexeme, ...]
    unclosed: int


class LexicalError(Exception):
    """Raised for an error that is found before or after parsing: an unreadable text, a repeated
    clause.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.title)
        self.problem = problem


def tokenize(text: Text, lined: bool) -> Lexemes:
    """The lexemes of a text. Unless `lined`, line breaks are blanks and there are no layout tokens
    except the end. Raises LexicalError (E104 to E107, E114).
    """
    reader = _Reader(text, lined)
    for found in _PIECES.finditer(text.text):
        reader.take(found)
    return reader.finish()


class _Reader:
    def __init__(self, text: Text, lined: bool) -> None:
        self.text = text
        self.lined = lined
        self.found: list[Lexeme] = []
        self.comments: list[Lexeme] = []
        self.open: list[int] = []
        self.levels = [0]
        self.line_start = 0 if lined else None  # set until the first lexeme of a line

    def take(self, found: re.Match[str]) -> None:
        group = found.lastgroup or ""
        if group == "blank":
            return
        start, end = found.span()
        if group == "comment":
            self.comments.append(Lexeme(COMMENT, found.group(), start, end))
            return
        if group == "newline":
            if self.lined and not self.open:
                self.line_start = end
            return
        if group == "tab":
            why = "The width of a tab depends on the editor. Use spaces, two for each level. Write:"
            line = self.text.text[start:].partition("\n")[0]
            line = self.text.text[:start].rpartition("\n")[2] + line
            raise self.error("E104", "there is a tab here", found, why, line.replace("\t", "  "))
        if self.line_start is not None:
            self.begin_line(start - self.line_start, found)
        word = found.group()
        if group == "number" and (len(word) > 10 or int(word) > LARGEST):
            title, why = "this number is too large", f"The largest number is {LARGEST:,}:"
            raise self.error("E107", title, found, why, f"write {LARGEST} or less")
        if group == "word" and len(word) > LONGEST_NAME:
            why = f"A name has at most {LONGEST_NAME} letters; this one has {len(word):,}."
            raise self.error("E114", "this name is too long", found, why, "Choose a shorter one.")
        if word in OPENING:
            self.open.append(len(self.found))
            if len(self.open) > DEEPEST:
                raise self.too_deep("parentheses", found)
        elif word in CLOSING and self.open:
            self.open.pop()
        if word == ":" and self.found:
            worded = len(self.found) > 2 and self.found[-2].text == "as"
            label = -3 if worded else -1
            self.found[label] = self.found[label]._replace(labels=True)
        self.found.append(Lexeme(_KINDS.get(group, word), word, start, end))

    def begin_line(self, indent: int, found: re.Match[str]) -> None:
        """Emits the layout tokens before a line that begins with `found`; none if it continues the
        one above.
        """
        self.line_start = None
        if self.found and indent > self.levels[-1] and self.continues(found.group()):
            return
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
            raise self.error(
                "E105",
                "this line is indented between two levels",
                found,
                f"It is indented by {_spaces(indent)}; the lines above it by "
                f"{near[0]} or {near[1]}:",
                f"indent it by {near[0]} or by {_spaces(near[1])}",
            )

    def continues(self, word: str) -> bool:
        """Whether a further indented line that begins with this word continues the one above. Any
        line does after a comma, and `otherwise` after `A if C` or `pay A`.
        """
        if word in CONTINUING:
            return True
        above = [one.text for one in takewhile(_is_written, reversed(self.found))][::-1]
        if word == "otherwise":
            return _opened(above) > above.count("otherwise")
        if above[-1] == ",":
            return True
        first = next(iter(above[above[:1] in (["replace"], ["extend"]) :]), "")
        is_value = len(self.levels) == 1 and first in _OF_VALUES
        is_list = len(self.levels) == 1 and first in _OF_LISTS
        return (is_value and word in _IN_VALUES) or ((is_value or is_list) and above[-1] == ":")

    def finish(self) -> Lexemes:
        if self.lined:
            self.layout(NEWLINE)
            for _ in self.levels[1:]:
                self.layout(DEDENT)
        self.layout(END)
        return Lexemes(tuple(self.found), tuple(self.comments), self.open[-1] if self.open else -1)

    def layout(self, kind: str) -> None:
        place = self.found[-1].end if self.found else 0
        self.found.append(Lexeme(kind, "", place, place))

    def too_deep(self, what: str, found: re.Match[str]) -> LexicalError:
        title = f"{what} are nested too deeply here"
        why = f"At most {DEEPEST} {what} may be nested:"
        hint = "give the inner part a name with `define` or a `rule`"
        return self.error("E106", title, found, why, hint)

    def error(
        self, code: str, title: str, found: re.Match[str], why: str, hint: str
    ) -> LexicalError:
        return LexicalError(Problem(code, title, self.text.span(*found.span()), why, hint))


def _opened(words: Sequence[str]) -> int:
    """The number of `A if C` and `pay A` in a line, after which `otherwise` may follow."""
    inside = sum(two == "if" and one not in (":", "then") for one, two in pairwise(words))
    pays = sum(two in ("pay", "pays") and one != "can" for one, two in pairwise(["", *words]))
    return inside + pays


def _is_written(lexeme: Lexeme) -> bool:
    return lexeme.kind not in LAYOUT


def _spaces(count: int) -> str:
    return f"{count} space" if count == 1 else f"{count} spaces"
