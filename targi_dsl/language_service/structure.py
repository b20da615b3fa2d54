"""Outline, folding ranges and semantic tokens of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from targi_dsl.compiler.index import Index, Occurrence
from targi_dsl.compiler.layers.changes import names, word_of
from targi_dsl.compiler.layers.declarations import effective_lines
from targi_dsl.language_service.workspace import Workspace
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.grammar import language
from targi_dsl.syntax.lexer import COMMENT, NUMBER, TEXT, LexicalError, tokenize
from targi_dsl.text.resources import TESTS
from targi_dsl.text.source import Source, Span
from targi_dsl.text.structs import Frozen


class Outlined(Frozen):
    """A declaration or card in an outline. span: all of it; name_span: its name. kind: such as
    "rule".
    """

    name: str
    kind: str
    span: Span
    name_span: Span


class Token(Frozen):
    """A token with its sort: "keyword", "number", "string", "comment", or the kind of the symbol of
    a name.
    """

    span: Span
    sort: str


def outline(workspace: Workspace, path: str) -> tuple[Outlined, ...]:
    """The declarations of a rule file, the cards of a card file, or the tests of a file of rule
    tests.
    """
    if path.endswith(TESTS):
        return tuple(_tests(workspace, path))
    if path.endswith((".yaml", ".yml")):
        file = workspace.card_file(path)
        cards = () if file is None else file.cards
        return tuple(
            Outlined(one.id, "card", one.span, one.node.entries["id"].span) for one in cards
        )
    return tuple(_declarations(workspace, path))


def _declarations(workspace: Workspace, path: str) -> Iterator[Outlined]:
    for part in workspace.rule_file(path).parts:
        text = part.section.text
        begin = len(text) - len(text.lstrip())
        span = part.section.span(begin, len(text.rstrip()))
        node = part.node
        if isinstance(node, n.Sheet):
            yield Outlined(node.name.text, "game", span, node.name.span)
        elif isinstance(node, n.Component):
            kind, word = (*names(node), (word_of(type(node)), None))[0]
            yield Outlined(word.text if word else kind, kind, span, (word or node).span)
        elif isinstance(node, n.Layer):  # its first line says what it changes
            first = node.span.text.partition("\n")[0]
            yield Outlined(first, "change", span, node.span)


def _tests(workspace: Workspace, path: str) -> Iterator[Outlined]:
    """Each test with its lines; one with a table once."""
    tests = {one.span.start: one for one in workspace.test_file(path).tests}
    text, source = workspace.source(path).text, workspace.source(path)
    for start, one in tests.items():
        more = _LINES.match(text, one.span.end)
        end = more.end() if more is not None else one.span.end
        span = source.span(start, start + len(text[start:end].rstrip()))
        yield Outlined(one.name, "test", span, one.span)


_LINES = re.compile(r".*(?:\n(?:[ \t].*)?)*")
"""The rest of a line, and all indented or empty lines below it."""


def foldings(workspace: Workspace, path: str) -> tuple[tuple[int, int], ...]:
    """The first and last line, from 1, of each declaration or card with several lines."""
    spans = (one.span for one in outline(workspace, path))
    lines = ((span.line, span.end_line) for span in spans)
    return tuple((first, last) for first, last in lines if last > first)


def tokens(workspace: Workspace, path: str) -> tuple[Token, ...]:
    """The tokens of a rule file or of rule tests; of a card file only the names in its
    sentences.
    """
    index = workspace.index(path)
    named = {one.span.start: Token(one.span, _sort(one)) for one in workspace.names(path, index)}
    found = dict[int, Token]()
    if path.endswith(TESTS):
        found = _words_of_tests(workspace.source(path))
    elif not path.endswith((".yaml", ".yml")):
        found = _words(workspace.source(path))
    return tuple(token for _, token in sorted({**found, **named}.items()))


def _sort(one: Occurrence) -> str:
    return "unknown" if one.symbol is None else one.symbol.kind


def _words(source: Source) -> dict[int, Token]:
    keywords = language().keywords
    try:
        lexemes = tokenize(source, lined=True)
    except LexicalError:
        return {}
    found = dict[int, Token]()
    for one in (*lexemes.all, *lexemes.comments):
        sort = _SORTS.get(one.kind) or ("keyword" if one.text in keywords else "")
        if sort and one.end > one.start:
            found[one.start] = Token(source.span(one.start, one.end), sort)
    return found


def _words_of_tests(source: Source) -> dict[int, Token]:
    found = ((one, one.lastgroup) for one in _WORD_OF_TESTS.finditer(source.text) if one.lastgroup)
    return {
        one.start(sort): Token(source.span(one.start(sort), one.end(sort)), sort)
        for one, sort in found
    }


_WORD_OF_TESTS = re.compile(
    r'(?P<comment>#.*)|(?P<string>"[^"\n]*")|\b(?P<number>\d+)\b'
    r"|^ *(?P<keyword>language|tests of|before each|test|given|when|then|again|with)\b",
    re.MULTILINE,
)


_SORTS = {NUMBER: "number", TEXT: "string", COMMENT: "comment"}


def named(workspace: Workspace, path: str, query: str) -> Iterator[Outlined]:
    """Symbols of a file's game whose names contain the letters of the query in order."""
    index, letters = workspace.index(path), re.compile(".*".join(map(re.escape, query.lower())))
    for (kind, name), one in {} if index is None else index.symbols.items():
        if one.span is not None and letters.search(name):
            yield Outlined(name.rpartition(".")[2], kind, one.span, one.span)


def amounts(workspace: Workspace, path: str) -> Iterator[tuple[Span, str]]:
    """The names in a file that stand for a number in its game, each with the number."""
    for one in workspace.names(path):
        symbol = one.symbol
        if symbol is not None and symbol.kind == "definition" and symbol.layers:
            (line, *more) = effective_lines(symbol.layers)
            number = _NUMBER.fullmatch(line)
            if number and not more and symbol.span != one.span:
                yield one.span, number[1]


_NUMBER = re.compile(r"define \w+: (\d+)")


def counts(index: Index, symbols: tuple[Outlined, ...]) -> Iterator[tuple[Outlined, int, int]]:
    """For each declaration the numbers of other places and of cards that mention it."""
    for one in symbols:
        symbol = index.symbols.get((one.kind, one.name))
        if symbol is not None:
            uses = len(index.uses(symbol)) - (symbol.span is not None)
            yield one, uses, len(set(index.cards_with(symbol)))
