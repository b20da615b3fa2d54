"""The grammar of the rules language, as a table for the parser beside `grammar.lark`."""

from __future__ import annotations

import hashlib
import json
import pkgutil
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from targi_dsl.syntax.automaton import Parser, Row, Rule, Table, Token, TreeParser
from targi_dsl.syntax.lexer import CELL, NAME, WORD, Lexeme
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.files import write_files
from targi_dsl.text.light import dataclass

COLON = "COLON"

TABLE = Path(__file__).with_name("grammar.table")
"""The table generated from the grammar: shipped in the wheel; in a checkout, generated when first
used.
"""

is_name = re.compile("[a-z][a-z0-9_]*").fullmatch
_is_cell = re.compile("[a-z]{1,2}[1-9][0-9]*").fullmatch


@dataclass(frozen=True, slots=True)
class Language:
    """The table of the parser, and the vocabulary of the grammar.

    `terminals` has the terminal of each symbol and word; `keywords` are its words, `reserved` those
    that cannot name a thing.
    """

    table: Table
    terminals: Mapping[str, str]
    keywords: frozenset[str]
    reserved: frozenset[str]

    def before(self, start: str) -> Parser:
        """The initial state of a parser that builds nothing, for a start symbol."""
        return Parser(self.table, start)

    def building(self, start: str) -> TreeParser:
        """The initial state of a parser that builds trees, for a start symbol."""
        return TreeParser(self.table, start)

    def token(self, lexeme: Lexeme, parser: Parser) -> Token:
        """A lexeme as a terminal: a word is a keyword where one fits, else the name of a grid
        space, else an ordinary name.
        """
        kind = self.terminals.get(lexeme.text, lexeme.kind)
        if lexeme.kind == WORD and is_name(lexeme.text) and not _fits(kind, lexeme, parser):
            kind = CELL if CELL in parser.row and _is_cell(lexeme.text) else NAME
        return Token(kind, lexeme.text, lexeme.start, lexeme.end)

    def kinds(self, parser: Parser) -> frozenset[str]:
        """The kinds of names that can come next, such as `rule`, `zone`, `new` or `any`."""
        after = _after(NAME, parser)
        origins = {rule.origin for rule in self.table.reductions(after)}
        return frozenset(one.removesuffix("_name") for one in origins if one.endswith("_name"))


@cache
def language() -> Language:
    """The language, loaded from the table if that belongs to this grammar."""
    text = _data("grammar.lark").decode("utf-8")
    return language_of(json.loads(_load(text) or _generated(text)))


def language_of(data: Mapping[str, Any]) -> Language:
    """The language of a generated table."""
    table = Table(data["rows"], [Rule(*one) for one in data["rules"]], data["first"], data["last"])
    terminals = data["terminals"]
    keywords = frozenset(filter(is_name, terminals))
    return Language(table, terminals, keywords, keywords & {*_reserved(table, terminals)})


def _fits(kind: str, lexeme: Lexeme, parser: Parser) -> bool:
    """Whether a keyword can stand there. Before a colon a word names what follows, unless the
    grammar has a colon after that keyword.
    """
    row = parser.row
    if kind not in row:
        return False
    return not lexeme.labels or NAME not in row or COLON in _after(kind, parser)


def _after(kind: str, parser: Parser) -> Row:
    """What can follow a terminal; nothing if the terminal does not fit."""
    after = parser.copy()
    return after.row if after.feed(Token(kind, "", 0, 0)) else {}


def _generated(text: str) -> bytes:
    """The table of a grammar, which is saved next to the grammar if that folder is writable."""
    generate = import_module("targi_dsl.syntax.generation").generate
    data = json.dumps(generate(text), separators=(",", ":")).encode()
    with suppress(Problems):
        write_files({TABLE: _key(text) + data}, replace=True)
    return data


def _load(text: str) -> bytes | None:
    key = _key(text)
    try:
        data = _data(TABLE.name)
    except OSError:
        return None
    return data[len(key) :] if data.startswith(key) else None


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _data(name: str) -> bytes:
    data = pkgutil.get_data(__package__, name)
    if data is None:
        raise FileNotFoundError(name)
    return data


def _reserved(table: Table, terminals: Mapping[str, str]) -> Iterator[str]:
    """The keywords that have a meaning where an expression can contain a name, or directly after
    it.

    Everywhere else a word of the language can be a name: `card`, `player`, `row` and `space` are.
    """
    places = [row for row in table.rows if NAME in row and _is_place(table, row)]
    meaning = {kind for row in places for kind in row}
    return (word for word, terminal in terminals.items() if terminal in meaning)


def _is_place(table: Table, row: Row) -> bool:
    return "atom" in row or any(rule.origin == "any_name" for rule in table.reductions(row))
