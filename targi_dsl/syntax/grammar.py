"""The Lark parser of the rules language: made from `grammar.lark`, kept in the user's own cache."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark.lexer import Lexer, TerminalDef

from targi_dsl.syntax.lexing import NAME, WORD, Lexeme

Parser = Any
"""Lark's InteractiveParser, whose methods have no types."""

STARTS = ("declaration", "ability", "action", "cost", "deck")

is_name = re.compile("[a-z][a-z0-9_]*").fullmatch


class Words(Lexer):
    """What Lark reads: lexemes, each as the terminal that it is at its place."""

    __future_interface__ = 2  # `lex` is then given the state of the parser

    def __init__(self, conf: Any) -> None:
        self.terminals = spellings(conf.terminals)

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[lark.Token]:
        rows = parser_state.parse_conf.states
        for one in lexer_state.text[:-1]:  # Lark adds the end itself
            yield token(one, self.terminals, rows[parser_state.position])


@dataclass(frozen=True, slots=True)
class Language:
    """The parser; the terminal of each sign and word of the language; its words, and those that
    cannot name a thing.
    """

    parser: lark.Lark
    terminals: Mapping[str, str]
    keywords: frozenset[str]
    reserved: frozenset[str]

    def before(self, start: str) -> Parser:
        """The parser as it stands before the first word of a start symbol."""
        return self.parser.parse_interactive(start=start)


@cache
def language() -> Language:
    """The language, from the cache if there is a trusted one of this grammar."""
    text = _grammar_text()
    key = hashlib.sha256(
        f"{lark.__version__}\n{sys.version_info[:2]}\n{text}".encode()
    ).hexdigest()[:32]
    folder = cache_folder()
    file = None if folder is None else folder / f"grammar-{key}.pickle"
    parser = None if file is None else _read_cache(file)
    if parser is None:
        parser = make_parser(text)
        if file is not None:
            _write_cache(file, parser)
    terminals = spellings(parser.terminals)
    keywords = frozenset(filter(is_name, terminals))
    return Language(parser, terminals, keywords, frozenset(_reserved(parser, terminals) & keywords))


def make_parser(text: str) -> lark.Lark:
    """The parser of a grammar; a grammar with conflicts is refused."""
    return lark.Lark(
        text,
        parser="lalr",
        lexer=Words,
        start=list(STARTS),
        strict=True,
        maybe_placeholders=True,
        propagate_positions=True,
    )


def token(lexeme: Lexeme, terminals: Mapping[str, str], fitting: Container[str]) -> lark.Token:
    """A lexeme as Lark knows it: a word is a word of the language where that fits, else a name."""
    kind = terminals.get(lexeme.text, lexeme.kind)
    if lexeme.kind == WORD and kind not in fitting and is_name(lexeme.text):
        kind = NAME
    return lark.Token(kind, lexeme.text, lexeme.start, end_pos=lexeme.end)


def spellings(terminals: Iterable[TerminalDef]) -> dict[str, str]:
    """The terminal of each sign and word that the grammar spells out."""
    return {one.pattern.value: one.name for one in terminals if one.pattern.type == "str"}


def cache_folder() -> Path | None:
    """Where parsers are kept; None unless it is a folder of this user's that nobody else can write
    to.
    """
    try:
        root = os.environ.get("XDG_CACHE_HOME") or ""
        base = Path(root) if root.startswith("/") else Path.home() / ".cache"
        folder = base / "targi_dsl"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_ours(folder.lstat(), stat.S_ISDIR) else None
    except (OSError, RuntimeError):
        return None


def _grammar_text() -> str:
    try:
        return (Path(__file__).parent.parent / "grammar.lark").read_text(encoding="utf-8")
    except OSError:  # inside a zipped wheel
        import pkgutil

        data = pkgutil.get_data("targi_dsl", "grammar.lark")
        assert data is not None
        return data.decode("utf-8")


def _reserved(parser: lark.Lark, terminals: Mapping[str, str]) -> set[str]:
    """The words that mean something where the name of a thing can be written in an expression, or
    right after it.

    Everywhere else a word of the language may be a name: `card`, `player`, `row` and `space` are.
    """
    rows = parser.parse_interactive(start=STARTS[0]).parser_state.parse_conf.states.values()
    places = [row for row in rows if NAME in row and ("atom" in row or "index" in row)]
    return {word for word, terminal in terminals.items() if any(terminal in row for row in places)}


def _is_ours(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    owner = getattr(
        os, "getuid", None
    )  # Windows has no owners: there a profile's folder is its user's own
    return is_kind(found.st_mode) and (
        owner is None or (found.st_uid == owner() and not found.st_mode & 0o022)
    )


def _read_cache(file: Path) -> lark.Lark | None:
    try:
        descriptor = os.open(
            file, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        )
        with os.fdopen(
            descriptor, "rb"
        ) as opened:  # a pickle can run code: only the user's own is read
            return lark.Lark.load(opened) if _is_ours(os.fstat(descriptor), stat.S_ISREG) else None
    except Exception:  # noqa: BLE001  a spoilt pickle can raise anything, and is no cache
        return None


def _write_cache(file: Path, made: lark.Lark) -> None:
    import tempfile  # 5 ms, seldom needed

    written = ""
    try:
        descriptor, written = tempfile.mkstemp(dir=file.parent)  # mode 0600
        with os.fdopen(descriptor, "wb") as opened:
            made.save(opened)
        Path(written).replace(file)
    except OSError:
        if written:
            Path(written).unlink(missing_ok=True)
