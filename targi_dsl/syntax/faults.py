"""What a word that fits nowhere is called to its writer, and the line as it may have been meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lark import UnexpectedToken

from targi_dsl.syntax.grammar import Language, Parser, language, token
from targi_dsl.syntax.lexing import (
    DEDENT,
    END,
    INDENT,
    LAYOUT,
    NAME,
    NEWLINE,
    NUMBER,
    TEXT,
    Lexeme,
    Lexemes,
    Misread,
    cut,
)
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Source, Text

MOST = 6
"""How many things that could stand here are told."""
NEAR = 12
"""How many words before the one that fits nowhere are looked at: a line can have thousands."""

_WORDS = {
    NAME: "a name",
    NUMBER: "a number",
    TEXT: 'a text in quotes ("...")',
    NEWLINE: "the end of the line",
    INDENT: "lines under it, further in",
}
_GROUPS = (
    ({"gain", "choose", "if"}, "an instruction such as `gain`, `choose` or `if`"),
    ({"rule", "zone", "variable"}, "a declaration such as `rule`, `zone` or `variable`"),
    ({"count", "first", "your"}, "a name"),
)
# What a line most often goes on with comes first; words not named here come last.
_RANKS = (
    NAME,
    INDENT,
    ":",
    "is",
    "in",
    "of",
    "to",
    "be",
    NUMBER,
    TEXT,
    NEWLINE,
    ",",
    ")",
    "}",
    "where",
    "then",
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A text up to the word at `index`, which fits nowhere: its sentence is `begin` up to `end`.

    `before` is the parser as it stands before `begin`.
    """

    language: Language
    text: Text
    lexemes: tuple[Lexeme, ...]
    unclosed: int
    index: int
    begin: int
    end: int
    before: Parser

    @property
    def at(self) -> Lexeme:
        return self.lexemes[self.index]

    @property
    def ended(self) -> bool:
        """Whether it is the end of a line or text that comes too early."""
        return self.at.kind in LAYOUT

    @property
    def previous(self) -> Lexeme:
        """The last word before; at the very start, the word itself."""
        return next(
            (one for one in reversed(self.lexemes[: self.index]) if one.kind not in LAYOUT), self.at
        )

    def parser(self, index: int) -> Parser:
        """The parser as it stands before that word."""
        parser = self.before.copy(deepcopy_values=False)  # trial readings look at no values
        _follow(self.language, parser, self.lexemes[self.begin : index])
        return parser

    def expected(self, index: int) -> list[str]:
        """What could stand there: words and signs as they are spelt, and terminals."""
        accepted = self.parser(index).accepts()
        spelt = {terminal: word for word, terminal in self.language.terminals.items()}
        return sorted(spelt.get(one, one) for one in accepted)

    def is_right(self, words: Iterable[Lexeme]) -> bool:
        """Whether these words could stand where the sentence begins."""
        return _follow(self.language, self.parser(self.begin), words)

    def is_name(self, index: int) -> bool:
        """Whether the word there is taken for a name."""
        return (
            token(self.lexemes[index], self.language.terminals, self.parser(index).choices()).type
            == NAME
        )

    def sentence(self) -> range:
        """The places of the words that can be at fault, nearest first."""
        return range(min(self.index, self.end - 1), max(self.begin, self.index - NEAR) - 1, -1)

    def words(self, begin: int, end: int) -> str:
        """What is written from one word up to another, that one not included."""
        return (
            self.text.text[self.lexemes[begin].start : self.lexemes[end - 1].end]
            if begin < end
            else ""
        )

    def mended(self, begin: int, end: int, new: str) -> str | None:
        """The line with the words from `begin` up to `end` replaced by `new`, if its sentence is
        then right.
        """
        try:
            inner = cut(Source("", new), 0, len(new), lined=False).all[:-1]
        except Misread:
            return None
        words = [*self.lexemes[self.begin : begin], *inner, *self.lexemes[end : self.end]]
        if not words or not self.is_right([*words, *self._layout_after()]):
            return None
        start, stop = self._range(begin, end, new)
        whole = self.text.text
        left, right = whole.rfind("\n", 0, start) + 1, whole.find("\n", stop)
        line = whole[left:start] + new + whole[stop : right if right >= 0 else len(whole)]
        return line.strip()

    def _layout_after(self) -> list[Lexeme]:
        """What must be able to come after the sentence: up to the first word of the next."""
        after: list[Lexeme] = []
        for one in self.lexemes[self.end :]:
            after.append(one)
            if one.kind not in LAYOUT:
                break
        return after

    def _range(self, begin: int, end: int, new: str) -> tuple[int, int]:
        """The offsets that `new` takes the place of; blanks that would be left over before it go
        too.
        """
        if begin < end:
            start, stop = self.lexemes[begin].start, self.lexemes[end - 1].end
            if new in ("", ":"):
                start = self.lexemes[begin - 1].end if begin > self.begin else start
            return start, stop
        place = self.lexemes[begin - 1].end if begin > self.begin else self.lexemes[begin].start
        return place, place


def locate(text: Text, start: str, lexemes: Lexemes) -> Fault:
    """The fault that the first word that fits nowhere is."""
    known = language()
    words = lexemes.all
    parser = known.before(start)
    begin, before = 0, parser
    for index, one in enumerate(words):
        if index == 0 or words[index - 1].kind in LAYOUT:
            begin, before = index, parser.copy(deepcopy_values=False)
        if not _follow(known, parser, (one,)):
            end = next(at for at in range(index, len(words)) if words[at].kind in LAYOUT)
            return Fault(known, text, words, lexemes.unclosed, index, begin, end, before)
    raise AssertionError("every word fits")


def _follow(known: Language, parser: Parser, words: Iterable[Lexeme]) -> bool:
    """Reads words; False if one of them does not fit."""
    try:
        for one in words:
            parser.feed_token(token(one, known.terminals, parser.choices()))
    except UnexpectedToken:
        return False
    return True


def explain(fault: Fault) -> Problem:
    """The fault in words: as a slip that is known, else as what stands there and what could."""
    from targi_dsl.syntax.slips import SLIPS  # which is made of faults

    for slip in SLIPS:
        if (problem := slip(fault)) is not None:
            return problem
    can = listed(fault, fault.index)
    if fault.ended:
        return problem_at(
            fault, fault.previous, f"the line ends too early, after `{fault.previous.text}`", can
        )
    return problem_at(fault, fault.at, f"`{fault.at.text}` cannot stand here", can)


def problem_at(
    fault: Fault, where: Lexeme, title: str, text: str, hint: str = "", code: str = "E110"
) -> Problem:
    """A problem that underlines one word."""
    return Problem(code, title, fault.text.span(where.start, where.end), text, hint)


def told(
    fault: Fault, where: Lexeme, title: str, text: str, line: str | None, code: str = "E110"
) -> Problem:
    """A problem that underlines one word, with the line mended if it can be."""
    if line is None:
        return problem_at(fault, where, title, text, "", code)
    return problem_at(fault, where, title, f"{text} Write:".strip(), line, code)


def listed(fault: Fault, index: int) -> str:
    """What could stand there, as a sentence."""
    found = fault.expected(index)
    told: list[str] = []
    left = set(found) - {DEDENT, END}
    for words, name in _GROUPS:
        if words <= left:
            told.append(name)
            if name == "a name":
                left = {
                    one for one in left if one in (NUMBER, TEXT, NEWLINE) or not one[0].isalpha()
                }
            else:
                left -= {one for one in left if one[0].isalpha() or one == NAME}
    if "a name" not in told and NAME in left:
        told.append("a name")
    left.discard(NAME)
    ranks = {one: at for at, one in enumerate(_RANKS)}
    told += [
        _WORDS.get(one, f"`{one}`")
        for one in sorted(left, key=lambda one: (ranks.get(one, 99), one))
    ]
    if not told:
        return "Nothing more can stand here."
    if len(told) > MOST:
        return (
            "Here can stand "
            + ", ".join(told[: MOST - 1])
            + " or another word that goes on from there."
        )
    return (
        "Here can stand "
        + (told[0] if len(told) == 1 else ", ".join(told[:-1]) + " or " + told[-1])
        + "."
    )


def accepted_words(fault: Fault, index: int) -> list[str]:
    """The words of the language that could stand there."""
    return sorted(one for one in fault.expected(index) if one in fault.language.keywords)
