"""Syntax errors: where a text stops parsing, what was expected there, and trial repairs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from lark import UnexpectedToken
from msgspec.structs import replace

from targi_dsl.syntax.grammar import Language, Parser, language, token
from targi_dsl.syntax.lexer import (
    CELL,
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
    LexicalError,
    tokenize,
)
from targi_dsl.text.diagnostics import Edit, Problem
from targi_dsl.text.source import Embedded, Source, Text
from targi_dsl.text.structs import Frozen

MOST_EXPECTED = 6
"""The number of expected words and symbols that are listed."""
NEAR = 12
"""The number of words before the unexpected one that are examined: a line can have thousands."""

is_word = re.compile(r"\w").fullmatch
_LINKS = frozenset(("of", "in", "on", "to", "from", "with"))


class Repair(Frozen):
    """A line that parses, and the edits that turn the given line into it."""

    line: str
    edits: tuple[Edit, ...]


class SyntaxFault(Frozen):
    """A text up to the word at `index`, which does not fit: its sentence is `begin` up to `end`.

    `before` is the state of the parser before `begin`; `above` is the same for the sentence before
    it, with its first word.
    """

    language: Language
    text: Text
    lexemes: tuple[Lexeme, ...]
    unclosed: int
    index: int
    begin: int
    end: int
    before: Parser
    above: tuple[int, Parser]

    @property
    def at(self) -> Lexeme:
        return self.lexemes[self.index]

    @property
    def is_at_end(self) -> bool:
        """Whether the line or the text ends too early."""
        return self.at.kind in LAYOUT

    @property
    def is_step(self) -> bool:
        """Whether the sentence stands where an instruction begins."""
        return "gain" in self.expected(self.begin)

    @property
    def previous(self) -> Lexeme:
        """The last word before; at the very start, the word itself."""
        before = reversed(self.lexemes[: self.index])
        return next((one for one in before if one.kind not in LAYOUT), self.at)

    def parser(self, index: int) -> Parser:
        """The state of the parser before that word."""
        parser = self.before.copy(deepcopy_values=False)  # trial parses build no values
        _follow(self.language, parser, self.lexemes[self.begin : index])
        return parser

    def expected(self, index: int) -> list[str]:
        """What could come there: words and symbols as they are spelt, and terminals."""
        return expected_by(self.language, self.parser(index))

    def expected_words(self, index: int) -> list[str]:
        """The words of the language that could come there."""
        return [one for one in self.expected(index) if one in self.language.keywords]

    def is_instruction(self, index: int) -> bool:
        """Whether the word there is one that an instruction begins with."""
        instructions = self.language.before("action").choices()
        return self.language.terminals.get(self.lexemes[index].text) in instructions

    def expected_after(self, kind: str) -> list[str]:
        """What could come at the error if a layout token were there."""
        parser = self.parser(self.index)
        _follow(self.language, parser, (Lexeme(kind, "", 0, 0),))
        return expected_by(self.language, parser)

    def fits(self, words: Iterable[Lexeme]) -> bool:
        """Whether these words could come where the sentence begins."""
        return _follow(self.language, self.parser(self.begin), words)

    def is_name(self, index: int) -> bool:
        """Whether the word there was read as a name."""
        state = self.parser(index).parser_state
        return token(self.lexemes[index], self.language.terminals, state).type == NAME

    def sentence(self) -> range:
        """The indices of the words that may be wrong, nearest first."""
        return range(min(self.index, self.end - 1), max(self.begin, self.index - NEAR) - 1, -1)

    def words(self, begin: int, end: int) -> str:
        """The text from one word up to another, exclusive."""
        if begin >= end:
            return ""
        return self.text.text[self.lexemes[begin].start : self.lexemes[end - 1].end]

    def repair(self, begin: int, end: int, new: str) -> Repair | None:
        """The words from `begin` up to `end` replaced by `new`, if the sentence then parses."""
        try:
            inner = tokenize(Source("", new), lined=False).all[:-1]
        except LexicalError:
            return None
        words = [*self.lexemes[self.begin : begin], *inner, *self.lexemes[end : self.end]]
        if new == ":" and end == self.end:
            words[0] = words[0]._replace(labels=True)
        if not words or not self.fits([*words, *self._layout_after()]):
            return None
        return self.replacement(*self._range(begin, end, new), new)

    def first_repair(self, begin: int, end: int, news: Iterable[str]) -> Repair | None:
        """The first of several repairs that parses."""
        tried = (self.repair(begin, end, new) for new in news)
        return next((one for one in tried if one is not None), None)

    def joined(self, new: str = "") -> Repair | None:
        """A line that is indented too far, as part of the line above, after words that are added;
        none if it does not fit there, or is not the only one.
        """
        (begin, before), words, first = self.above, self.lexemes, self.index + 1
        end = next(at for at in range(first, len(words)) if words[at].kind in LAYOUT)
        gap = self.text.text[self.previous.end : words[first].start]
        if gap.strip() or [one.kind for one in words[end : end + 2]] != [NEWLINE, DEDENT]:
            return None
        below = next(at for at in range(end + 2, len(words)) if words[at].kind != DEDENT)
        added = tokenize(Source("", new), lined=False).all[:-1]
        line = [*words[begin : self.index - 1], *added, *words[first : end + 1]]
        parser = before.copy(deepcopy_values=False)
        if not _follow(self.language, parser, [*line, *words[end + 2 : below + 1]]):
            return None
        if new:  # the line stays, as what begins with these words continues the one above
            return self.replacement(words[first].start, words[first].start, f"{new} ")
        return self.replacement(self.previous.end, words[first].start, " ")

    def replacement(self, start: int, stop: int, new: str) -> Repair:
        """The repair that replaces the text between two offsets, with the resulting line."""
        whole = self.text.text
        new = _apart(whole[:start], new, whole[stop:])
        left, right = whole.rfind("\n", 0, start) + 1, whole.find("\n", stop)
        line = whole[left:start] + new + whole[stop : right if right >= 0 else len(whole)]
        # In a YAML text, the spelling may be different.
        plain = not isinstance(self.text, Embedded) or not set(new) & set("'\"\\\n")
        edits = (Edit(self.text.span(start, stop), new),) if plain else ()
        return Repair(line.strip(), edits)

    def _layout_after(self) -> list[Lexeme]:
        """What must be able to follow the sentence, up to the first word of the next one."""
        after: list[Lexeme] = []
        for one in self.lexemes[self.end :]:
            after.append(one)
            if one.kind not in LAYOUT:
                break
        return after

    def _range(self, begin: int, end: int, new: str) -> tuple[int, int]:
        """The offsets that `new` replaces, including blanks before it that would be left over."""
        if begin < end:
            start, stop = self.lexemes[begin].start, self.lexemes[end - 1].end
            if new in ("", ":"):
                start = self.lexemes[begin - 1].end if begin > self.begin else start
            return start, stop
        place = self.lexemes[begin - 1].end if begin > self.begin else self.lexemes[begin].start
        return place, place


def _apart(before: str, new: str, after: str) -> str:
    """What replaces a passage, with a blank where two words would become one."""
    new = f" {new}" if is_word(before[-1:]) and is_word(new[:1] or after[:1]) else new
    return f"{new} " if is_word(new[-1:]) and is_word(after[:1]) else new


def doubled(lexemes: Lexemes) -> int | None:
    """Where a word stands again that is never said twice in a row, unless as a name."""
    pairs = enumerate(pairwise(lexemes.all), 1)
    return next((at for at, (one, two) in pairs if one.text == two.text in (*_LINKS, "is")), None)


def locate(text: Text, start: str, lexemes: Lexemes, twice: int | None = None) -> SyntaxFault:
    """The error at the first word that does not fit, or at a doubled word."""
    known = language()
    words = lexemes.all
    parser = known.before(start)
    above = begin, before = 0, parser
    for index, one in enumerate(words):
        if index == 0 or words[index - 1].kind in LAYOUT:
            above = begin, before
            begin, before = index, parser.copy(deepcopy_values=False)
        if index == twice or not _follow(known, parser, (one,)):
            end = next(at for at in range(index, len(words)) if words[at].kind in LAYOUT)
            unclosed = lexemes.unclosed
            return SyntaxFault(known, text, words, unclosed, index, begin, end, before, above)
    raise AssertionError("every word fits")


def expected_by(known: Language, parser: Parser) -> list[str]:
    """What a parser accepts next: words and symbols as they are spelt, and terminals."""
    spelt = {terminal: word for word, terminal in known.terminals.items()}
    return sorted(spelt.get(one, one) for one in parser.accepts())


def _follow(known: Language, parser: Parser, words: Iterable[Lexeme]) -> bool:
    """Feeds words to a parser; False if one of them does not fit."""
    try:
        for one in words:
            parser.feed_token(token(one, known.terminals, parser.parser_state))
    except UnexpectedToken:
        return False
    return True


# ---- problems ----


class NothingUnder(Problem):
    """A line that needs indented lines below it but has none."""


class ReservedName(Problem):
    """A word of the language that was to be a name, as its use shows."""


class IndentedTooFar(Problem):
    """A line that is indented below one that has no lines below it."""


def syntax_error(
    fault: SyntaxFault, where: Lexeme, title: str, text: str, hint: str = "", code: str = "E110"
) -> Problem:
    """A problem that underlines one word."""
    return Problem(code, title, fault.text.span(where.start, where.end), text, hint)


def repaired(
    fault: SyntaxFault,
    where: Lexeme,
    title: str,
    text: str,
    repair: Repair | None,
    code: str = "E110",
) -> Problem:
    """A problem that underlines one word, with the repaired line if there is one."""
    plain = syntax_error(fault, where, title, text, "", code)
    if repair is None:
        return plain
    told = f"{text} Write:".strip()
    return replace(plain, text=told, hint=repair.line, edits=repair.edits, unrepaired=plain)


def mended(
    fault: SyntaxFault, where: Lexeme, title: str, text: str, repair: Repair | None
) -> Problem | None:
    """A problem with the repaired line; none if there is no repair."""
    return None if repair is None else repaired(fault, where, title, text, repair)


_WORDS = {
    NAME: "a name",
    CELL: "a space such as `a1`",
    NUMBER: "a number",
    TEXT: 'a text in quotes ("...")',
    NEWLINE: "the end of the line",
    INDENT: "indented lines below",
}
_GROUPS = (
    ({"count", "first", "your"}, "a name"),
    ({"gain", "choose", "if"}, "an instruction such as `gain`, `choose` or `if`"),
    ({"rule", "zone", "variable"}, "a declaration such as `rule`, `zone` or `variable`"),
)
"""Words that are never listed one by one, and what is said instead."""
_AT_A_STEP = (NUMBER, "(", "{")
"""What an exchange can begin with: too rare to be told among all instructions."""
# The most common continuations come first; words not in this list come last.
_RANKS = (NAME, INDENT, *":", "is", "in", "of", "to", "be", NUMBER, TEXT, NEWLINE, *",)}")
_LAST = {"source": 1}


def expectation(fault: SyntaxFault, index: int) -> str:
    """What was expected there, as a sentence."""
    left = set(fault.expected(index)) - {DEDENT, END}
    groups = [name for words, name in _GROUPS if words <= left][-1:]
    if groups:
        left = {one for one in left if one in _WORDS or not one[0].isalpha()}
    if groups not in ([], ["a name"]):
        left -= {NAME, *_AT_A_STEP}
    if NAME in left and "a name" not in groups:
        groups.insert(0, "a name")
    ranks = {one: at for at, one in enumerate(_RANKS)}
    ordered = sorted(left - {NAME}, key=lambda one: (_LAST.get(one, 0), ranks.get(one, 99), one))
    names = [_WORDS.get(one, f"`{one}`") for one in ordered]
    return _list_in_words([*groups, *names] if groups == ["a name"] else [*names, *groups])


def _list_in_words(names: list[str]) -> str:
    """A sentence that lists what was expected."""
    if not names:
        return "Nothing more can follow."
    if len(names) > MOST_EXPECTED:
        return f"Expected {', '.join(names[: MOST_EXPECTED - 1])} or another word that fits."
    *most, last = names
    return f"Expected {', '.join(most)} or {last}." if most else f"Expected {last}."
