"""The Lark parser of the language, loaded from a table generated from `grammar.lark`."""

from __future__ import annotations

import hashlib
import io
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark.common import LexerConf
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser_state import ParserState

from targi_dsl.syntax.lexer import CELL, NAME, WORD, Lexeme
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.files import write_files
from targi_dsl.text.structs import Frozen

Parser = Any
"""Lark's InteractiveParser, whose methods are untyped."""

Row = Mapping[str, tuple[Any, Any]]
"""A row of the parser table: for each terminal, the action (shift or reduce) and its state or
rule.
"""

STARTS = ("declaration", "ability", "action", "cost", "deck", "value")

COLON = "COLON"

TABLE = Path(__file__).with_name("grammar.table")
"""The generated parser table: shipped in the wheel; in a checkout, generated on first use."""

is_name = re.compile("[a-z][a-z0-9_]*").fullmatch
is_cell = re.compile("[a-z]{1,3}[1-9][0-9]*").fullmatch


class Words(Lexer):
    """The lexer given to Lark: turns lexemes into terminals by the parser state (contextual
    keywords).
    """

    __future_interface__ = 2  # makes Lark pass the parser state to `lex`

    def __init__(self, conf: LexerConf) -> None:
        self.terminals = _spellings(conf.terminals)

    def lex(self, lexer_state: Any, parser_state: ParserState[int]) -> Iterator[lark.Token]:
        for lexeme in lexer_state.text[:-1]:  # Lark appends the end token itself
            yield token(lexeme, self.terminals, parser_state)


class Language(Frozen):
    """The parser, and the vocabulary of the grammar. `terminals`: terminals by the words and
    symbols that they stand for. `keywords`: these words. `reserved`: keywords that cannot be names.
    """

    parser: lark.Lark
    terminals: Mapping[str, str]
    keywords: frozenset[str]
    reserved: frozenset[str]

    def before(self, start: str) -> Parser:
        """A parser in the initial state for a start symbol."""
        return self.parser.parse_interactive(start=start)

    def kinds(self, parser: Parser) -> frozenset[str]:
        """The kinds of names that can come next, such as `rule`, `zone`, `new` or `any`."""
        after = parser.copy(deepcopy_values=False)
        try:
            after.feed_token(lark.Token(NAME, ""))
        except lark.UnexpectedToken:
            return frozenset()
        origins = {rule.origin.name for rule in _reductions(after.choices())}
        return frozenset(one.removesuffix("_name") for one in origins if one.endswith("_name"))


@cache
def language() -> Language:
    """The language; its parser is loaded from the table, or generated if the table is out of
    date.
    """
    text = grammar_text()
    parser = _load(text) or _build(text)
    terminals = _spellings(parser.terminals)
    keywords = frozenset(filter(is_name, terminals))
    return Language(parser, terminals, keywords, frozenset(_reserved(parser, terminals) & keywords))


def grammar_text() -> str:
    """The source of the grammar."""
    return _data("grammar.lark").decode("utf-8")


def make_parser(text: str) -> lark.Lark:
    """Generates the LALR parser of a grammar; refuses conflicts."""
    return lark.Lark(
        text,
        parser="lalr",
        lexer=Words,
        start=list(STARTS),
        strict=True,
        maybe_placeholders=True,
        propagate_positions=True,
    )


def table(text: str, parser: lark.Lark) -> bytes:
    """A serialized parser, after a fingerprint of its grammar and of Lark's version."""
    data = io.BytesIO()
    parser.save(data)
    return _key(text) + data.getvalue()


def token(
    lexeme: Lexeme, terminals: Mapping[str, str], parser_state: ParserState[int]
) -> lark.Token:
    """The terminal of a lexeme in a parser state: a keyword where one fits, or a label of a grid
    space, or a name.
    """
    kind = terminals.get(lexeme.text, lexeme.kind)
    if lexeme.kind == WORD and is_name(lexeme.text) and not _fits(kind, lexeme, parser_state):
        row = parser_state.parse_conf.states[parser_state.position]
        kind = CELL if CELL in row and is_cell(lexeme.text) else NAME
    return lark.Token(kind, lexeme.text, lexeme.start, end_pos=lexeme.end)


def _fits(kind: str, lexeme: Lexeme, parser_state: ParserState[int]) -> bool:
    """Whether a keyword fits here. Before a colon, a word is a label, unless the grammar has a
    colon after that keyword.
    """
    row = parser_state.parse_conf.states[parser_state.position]
    if kind not in row:
        return False
    return not lexeme.labels or NAME not in row or COLON in _row_after(kind, parser_state)


def _row_after(kind: str, parser_state: ParserState[int]) -> Row:
    """The table row after a terminal, without building values; empty if the terminal does not
    fit.
    """
    states, stack = parser_state.parse_conf.states, list(parser_state.state_stack)
    while kind in states[stack[-1]]:
        action, found = states[stack[-1]][kind]
        if action is Shift:
            row: Row = states[found]
            return row
        del stack[len(stack) - len(found.expansion) :]
        stack.append(states[stack[-1]][found.origin.name][1])
    return {}


def _build(text: str) -> lark.Lark:
    """Generates the parser, and saves its table beside the grammar if that folder is writable."""
    parser = make_parser(text)
    with suppress(Problems):
        write_files({TABLE: table(text, parser)}, replace=True)
    return parser


def _load(text: str) -> lark.Lark | None:
    key = _key(text)
    try:
        data = _data(TABLE.name)
    except OSError:
        return None
    return lark.Lark.load(io.BytesIO(data[len(key) :])) if data.startswith(key) else None


def _key(text: str) -> bytes:
    return hashlib.sha256(f"{lark.__version__}\n{text}".encode()).digest()


def _data(name: str) -> bytes:
    data = pkgutil.get_data(__package__, name)
    if data is None:
        raise FileNotFoundError(name)
    return data


def _spellings(terminals: Iterable[TerminalDef]) -> dict[str, str]:
    """The terminals by the words and symbols that they stand for."""
    return {one.pattern.value: one.name for one in terminals if one.pattern.type == "str"}


def _reductions(row: Row) -> Iterator[Rule]:
    """The rules that can be reduced in a state."""
    return (found for _, found in row.values() if isinstance(found, Rule))


def _reserved(parser: lark.Lark, terminals: Mapping[str, str]) -> set[str]:
    """The keywords that are allowed where an expression can have a name, or directly after one. All
    other keywords can be names, as `card`, `player`, `row` and `space` are.
    """
    state = parser.parse_interactive(start=STARTS[0]).parser_state
    places = [row for row in state.parse_conf.states.values() if NAME in row and _is_place(row)]
    return {word for word, terminal in terminals.items() if any(terminal in row for row in places)}


def _is_place(row: Row) -> bool:
    return "atom" in row or any(rule.origin.name == "any_name" for rule in _reductions(row))
