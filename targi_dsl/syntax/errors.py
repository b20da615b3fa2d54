"""Locates syntax errors, says what was expected, and tests repairs by parsing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from textwrap import dedent

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
"""The most words and symbols that a message lists."""
NEAR = 12
"""The number of words before the error that are examined, since a line can have thousands."""

is_word = re.compile(r"\w").fullmatch
_LINKS = frozenset(("of", "in", "on", "to", "from", "with"))


class Repair(Frozen):
    """A repaired line that parses, and the edits that lead to it."""

    line: str
    edits: tuple[Edit, ...]


class SyntaxFault(Frozen):
    """A syntax error at the lexeme `index`, in the sentence from `begin` up to `end`.

    `before`: the parser state at `begin`. `above`: the beginning of the previous sentence, with the
    parser state there.
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
        """Whether the sentence stands where a statement is expected."""
        return "gain" in self.expected(self.begin)

    @property
    def previous(self) -> Lexeme:
        """The last word before the error; at the start of the text, the word itself."""
        before = reversed(self.lexemes[: self.index])
        return next((one for one in before if one.kind not in LAYOUT), self.at)

    def parser(self, index: int) -> Parser:
        """A parser in the state before that lexeme."""
        parser = self.before.copy(deepcopy_values=False)  # trial parses build no values
        _follow(self.language, parser, self.lexemes[self.begin : index])
        return parser

    def expected(self, index: int) -> list[str]:
        """What is allowed there: words and symbols as spelt, and terminals."""
        return expected_by(self.language, self.parser(index))

    def expected_words(self, index: int) -> list[str]:
        """The words of the language that are allowed there."""
        return [one for one in self.expected(index) if one in self.language.keywords]

    def is_instruction(self, index: int) -> bool:
        """Whether a statement can begin with the word there."""
        instructions = self.language.before("action").choices()
        return self.language.terminals.get(self.lexemes[index].text) in instructions

    def expected_after(self, kind: str) -> list[str]:
        """What is allowed at the error after an additional layout token."""
        parser = self.parser(self.index)
        _follow(self.language, parser, (Lexeme(kind, "", 0, 0),))
        return expected_by(self.language, parser)

    def fits(self, words: Iterable[Lexeme]) -> bool:
        """Whether these lexemes parse at the beginning of the sentence."""
        return _follow(self.language, self.parser(self.begin), words)

    def is_name(self, index: int) -> bool:
        """Whether the word there was parsed as a name."""
        state = self.parser(index).parser_state
        return token(self.lexemes[index], self.language.terminals, state).type == NAME

    def sentence(self) -> range:
        """The indices of lexemes that may be wrong, nearest to the error first."""
        return range(min(self.index, self.end - 1), max(self.begin, self.index - NEAR) - 1, -1)

    def words(self, begin: int, end: int) -> str:
        """The text between two lexemes."""
        if begin >= end:
            return ""
        return self.text.text[self.lexemes[begin].start : self.lexemes[end - 1].end]

    def repair(self, begin: int, end: int, new: str) -> Repair | None:
        """The repair that replaces the lexemes from `begin` up to `end` by `new`, if the sentence
        then parses.
        """
        try:
            inner = tokenize(Source("", new), lined=False).all[:-1]
        except LexicalError:
            return None
        words = [*self.lexemes[self.begin : begin], *inner, *self.lexemes[end : self.end]]
        if new == ":" and end == self.end:
            label = -4 if len(words) > 3 and words[-3].text == "as" else -2
            words[label] = words[label]._replace(labels=True)
        if not words or not self.fits([*words, *self._layout_after()]):
            return None
        return self.replacement(*self._range(begin, end, new), new)

    def repairs(self, begin: int, end: int, news: Iterable[str]) -> list[Repair]:
        """Those of several replacements that parse."""
        tried = (self.repair(begin, end, new) for new in news)
        return [one for one in tried if one is not None]

    def joined(self, new: str = "") -> Repair | None:
        """The repair of a line that is indented too far: it is made part of the line above, after
        the words `new`; None if that does not parse, or if more such lines follow.
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
        if new:  # with these words, the line continues the one above
            return self.replacement(words[first].start, words[first].start, f"{new} ")
        return self.replacement(self.previous.end, words[first].start, " ")

    def replacement(self, start: int, stop: int, new: str) -> Repair:
        """The repair that replaces the text between two offsets."""
        whole = self.text.text
        new = _apart(whole[:start], new, whole[stop:])
        left, right = whole.rfind("\n", 0, start) + 1, whole.find("\n", stop)
        line = whole[left:start] + new + whole[stop : right if right >= 0 else len(whole)]
        # In a YAML string, some characters may need to be escaped.
        plain = not isinstance(self.text, Embedded) or not set(new) & set("'\"\\\n")
        edits = (Edit(self.text.span(start, stop), new),) if plain else ()
        return Repair(dedent(line).strip(), edits)

    def on_lines(self, begin: int, parts: Sequence[Sequence[Lexeme]]) -> Repair | None:
        """These parts of the sentence on lines of their own below what stands before `begin`,
        instead of all that follows it.
        """
        layout = {kind: Lexeme(kind, "", 0, 0) for kind in (NEWLINE, INDENT, DEDENT)}
        lines = [one for part in parts for one in (*part, layout[NEWLINE])]
        head = self.lexemes[self.begin : begin]
        if not self.fits([*head, layout[NEWLINE], layout[INDENT], *lines, layout[DEDENT]]):
            return None
        whole = self.text.text
        first = whole[whole.rfind("\n", 0, head[0].start) + 1 : head[0].start]
        indent = f"\n{' ' * (len(first) - len(first.lstrip()) + 2)}"
        said = (f"{indent}{whole[part[0].start : part[-1].end]}" for part in parts)
        return self.replacement(head[-1].end, self.lexemes[self.end - 1].end, "".join(said))

    def _layout_after(self) -> list[Lexeme]:
        """The lexemes that must be able to follow: layout, and the first word of the next
        sentence.
        """
        after: list[Lexeme] = []
        for one in self.lexemes[self.end :]:
            after.append(one)
            if one.kind not in LAYOUT:
                break
        return after

    def _range(self, begin: int, end: int, new: str) -> tuple[int, int]:
        """The offsets that a replacement covers, with blanks before it that would be left over."""
        if begin < end:
            start, stop = self.lexemes[begin].start, self.lexemes[end - 1].end
            if new in ("", ":"):
                start = self.lexemes[begin - 1].end if begin > self.begin else start
            return start, stop
        place = self.lexemes[begin - 1].end if begin > self.begin else self.lexemes[begin].start
        return place, place


def _apart(before: str, new: str, after: str) -> str:
    """A replacement with blanks where it would otherwise merge with the words around it."""
    new = f" {new}" if is_word(before[-1:]) and is_word(new[:1] or after[:1]) else new
    return f"{new} " if is_word(new[-1:]) and is_word(after[:1]) else new


def doubled(lexemes: Lexemes) -> int | None:
    """The index of a repeated word, such as `of of`, that is never repeated except as a name."""
    pairs = enumerate(pairwise(lexemes.all), 1)
    return next((at for at, (one, two) in pairs if one.text == two.text in (*_LINKS, "is")), None)


def locate(text: Text, start: str, lexemes: Lexemes, twice: int | None = None) -> SyntaxFault:
    """The error at the first lexeme that does not fit, or at the repeated word `twice`."""
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
    """What a parser accepts next: words and symbols as spelt, and terminals."""
    spelt = {terminal: word for word, terminal in known.terminals.items()}
    return sorted(spelt.get(one, one) for one in parser.accepts())


def _follow(known: Language, parser: Parser, words: Iterable[Lexeme]) -> bool:
    """Feeds lexemes to a parser; False if one does not fit."""
    try:
        for one in words:
            parser.feed_token(token(one, known.terminals, parser.parser_state))
    except UnexpectedToken:
        return False
    return True


# ---- problems ----


class NothingUnder(Problem):
    """The indented lines below a head are missing."""


class ReservedName(Problem):
    """A reserved word is used as a name, as its other uses show."""


class IndentedTooFar(Problem):
    """A line is indented below one that takes no block."""


def syntax_error(
    fault: SyntaxFault, where: Lexeme, title: str, text: str, hint: str = "", code: str = "E110"
) -> Problem:
    """A problem at one lexeme."""
    return Problem(code, title, fault.text.span(where.start, where.end), text, hint)


def repaired(
    fault: SyntaxFault,
    where: Lexeme,
    title: str,
    text: str,
    *repairs: Repair | None,
    code: str = "E110",
) -> Problem:
    """A problem at one lexeme, with the first of the repairs if there are any. The next one takes
    its place where it does not mend the text.
    """
    problem = plain = syntax_error(fault, where, title, text, "", code)
    text = f"{text} Write:".strip()
    for one in reversed([one for one in repairs if one is not None]):
        problem = replace(plain, text=text, hint=one.line, edits=one.edits, unrepaired=problem)
    return problem


def mended(
    fault: SyntaxFault, where: Lexeme, title: str, text: str, repair: Repair | None
) -> Problem | None:
    """A problem with a repair; None if there is no repair."""
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
"""Sets of words that are summarized, and their summary."""
_AT_A_STEP = (NUMBER, "(", "{")
"""What an exchange can begin with; not listed where any statement is expected."""
# The most common continuations come first; words not in this list come last.
_RANKS = (NAME, INDENT, *":", "is", "in", "of", "to", "be", NUMBER, TEXT, NEWLINE, *",)}")
_LAST = {"source": 1}


def expectation(fault: SyntaxFault, index: int) -> str:
    """A sentence that says what was expected there."""
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
    """The names as a sentence."""
    if not names:
        return "Nothing more can follow."
    if len(names) > MOST_EXPECTED:
        return f"Expected {', '.join(names[: MOST_EXPECTED - 1])} or another word that fits."
    *most, last = names
    return f"Expected {', '.join(most)} or {last}." if most else f"Expected {last}."
