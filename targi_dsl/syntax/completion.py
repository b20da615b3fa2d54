"""Completion: the words and kinds of names that the grammar allows at an offset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Literal

from lark import Token, UnexpectedToken

from targi_dsl.syntax.errors import expected_by
from targi_dsl.syntax.grammar import Language, Parser, language, token
from targi_dsl.syntax.lexer import LAYOUT, NUMBER, TEXT, WORD, Lexeme, LexicalError, tokenize
from targi_dsl.syntax.parser import sections
from targi_dsl.text.source import Source
from targi_dsl.text.structs import Frozen

Start = Literal["file", "ability", "action", "cost", "deck", "value"]


class Expected(Frozen):
    """What the grammar allows at an offset: words, kinds of names, and whether a number or a quoted
    text.

    Kinds are those of the grammar: `rule`, `zone`, `resource`, `property` (whatever has a value for
    something: a definition, field, relation or variable), `any` (whatever an expression can name),
    `new` (a name that is declared here). `prefix`: the part of the word that is already there.
    """

    words: tuple[str, ...]
    kinds: frozenset[str]
    number: bool
    text: bool
    prefix: str


NOTHING = Expected((), frozenset(), False, False, "")


def expected_at(text: str, offset: int, start: Start = "file") -> Expected:
    """What the grammar allows at an offset of a rule file, a string on a card, or a value in braces
    in a quoted text. A word that ends there counts as incomplete. Nothing is expected in comments,
    in quoted texts outside of braces, and after a syntax error.
    """
    if (value := _VALUE.search(text, text.rfind("\n", 0, offset) + 1, offset)) is not None:
        return expected_at(value[1], len(value[1]), "value")
    prefix = _PREFIX.findall(text[:offset])[0]
    before = text[: offset - len(prefix)] + _CURSOR
    if start == "file":
        begin = max((begin for begin, _ in sections(before)), default=0)
        return _expected(before[begin:], "declaration", prefix, lined=True)
    return _expected(before, start, prefix, lined=False)


_PREFIX = re.compile(r"(?<!\w)\w*\Z")
_CURSOR = "x"
_VALUE = re.compile(r'^(?:[^"\n]*"[^"\n]*")*[^"\n]*"[^"\n]*\{([^{}"\n]*)\Z', re.MULTILINE)
"""A line up to a position inside braces in a quoted text."""


def _expected(before: str, start: str, prefix: str, lined: bool) -> Expected:
    known = language()
    try:
        lexemes = tokenize(Source("", before), lined).all
    except LexicalError:
        return NOTHING
    at = next((at for at, one in enumerate(lexemes) if one.end == len(before)), None)
    if at is None or lexemes[at].kind != WORD:
        return NOTHING
    parser = known.before(start)
    try:
        for lexeme in lexemes[: max(0, at - 1)]:
            parser.feed_token(token(lexeme, known.terminals, parser.parser_state))
    except UnexpectedToken:
        return NOTHING
    recent = lexemes[max(0, at - 2) : at]
    ends = [*_after(known, parser, recent)] if at else [parser]
    if not ends:
        return NOTHING
    expected = dict.fromkeys(word for one in ends for word in expected_by(known, one))
    words = tuple(one for one in expected if one in known.terminals)
    kinds = frozenset(kind for one in ends for kind in known.kinds(one))
    return Expected(words, kinds, NUMBER in expected, TEXT in expected, prefix)


def _after(known: Language, parser: Parser, recent: Sequence[Lexeme]) -> Iterator[Parser]:
    """The possible parser states after the last word, as a keyword and as a label: a word that
    begins a line can also be the label of what follows.
    """
    last = recent[-1]
    labels = (last.labels, True) if recent[0].kind in LAYOUT else (last.labels,)
    both = (last._replace(labels=one) for one in labels)
    tokens = [token(one, known.terminals, parser.parser_state) for one in both]
    for kind in dict.fromkeys(one.type for one in tokens):
        after = parser.copy(deepcopy_values=False)
        with suppress(UnexpectedToken):
            after.feed_token(Token(kind, last.text))
            yield after
