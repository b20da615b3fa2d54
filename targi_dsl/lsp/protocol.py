"""Converts spans, problems and names to the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lsprotocol import types as p
from pygls.uris import from_fs_path, to_fs_path

from targi_dsl.language_service import Completion, Hover, Outlined, Token, path_of
from targi_dsl.text.diagnostics import Edit, Problem
from targi_dsl.text.source import Source, Span, Unit

UNITS: dict[str, Unit] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "code point"}
"""What a column counts, by the negotiated position encoding."""

_COMPLETIONS = {
    "word": p.CompletionItemKind.Keyword,
    "local": p.CompletionItemKind.Variable,
    "rule": p.CompletionItemKind.Function,
    "definition": p.CompletionItemKind.Function,
    "value": p.CompletionItemKind.EnumMember,
    "option value": p.CompletionItemKind.EnumMember,
    "named space": p.CompletionItemKind.EnumMember,
    "list of values": p.CompletionItemKind.Enum,
    "kind of card": p.CompletionItemKind.Class,
    "card": p.CompletionItemKind.Value,
    "field": p.CompletionItemKind.Field,
    "module": p.CompletionItemKind.Module,
}
_SYMBOLS = {
    "rule": p.SymbolKind.Function,
    "definition": p.SymbolKind.Function,
    "list of values": p.SymbolKind.Enum,
    "kind of card": p.SymbolKind.Class,
    "card": p.SymbolKind.Object,
    "game": p.SymbolKind.Module,
    "change": p.SymbolKind.Event,
    "resource": p.SymbolKind.Property,
}
_TOKENS = {
    "rule": "function",
    "definition": "function",
    "value": "enumMember",
    "option value": "enumMember",
    "named space": "enumMember",
    "list of values": "enum",
    "kind of card": "class",
    "local": "parameter",
    "field": "property",
    "module": "namespace",
    "card set": "namespace",
}
TOKEN_TYPES = (
    "variable",
    *dict.fromkeys(_TOKENS.values()),
    "keyword",
    "number",
    "string",
    "comment",
)
_OWN = frozenset(TOKEN_TYPES)


def path_at(uri: str) -> str:
    """The path of a document; its URI if it is not on disk."""
    return (to_fs_path(uri) if uri.startswith("file:") else None) or uri


def uri_of(path: str) -> str:
    """The URI of a path."""
    return (from_fs_path(path) if path.startswith(("/", "\\")) or path[1:2] == ":" else "") or path


def position(source: Source, offset: int, unit: Unit) -> p.Position:
    """An offset as line and column, from 0."""
    line, column = source.position(offset, unit)
    return p.Position(line - 1, column - 1)


def range_of(span: Span | None, unit: Unit) -> p.Range:
    """The range of a span; the beginning of the file for None."""
    if span is None:
        return p.Range(p.Position(0, 0), p.Position(0, 0))
    source = span.source
    return p.Range(position(source, span.start, unit), position(source, span.end, unit))


def location(span: Span, unit: Unit) -> p.Location:
    """The range of a span with its file."""
    return p.Location(uri_of(path_of(span.source.name)), range_of(span, unit))


def diagnostic(problem: Problem, unit: Unit) -> p.Diagnostic:
    """A problem as a diagnostic: its title, then its text and hint."""
    is_error = problem.severity == "error"
    words = (problem.title, problem.text, problem.hint, problem.help)
    return p.Diagnostic(
        range_of(problem.span, unit),
        "\n".join(filter(None, words)),
        p.DiagnosticSeverity.Error if is_error else p.DiagnosticSeverity.Warning,
        problem.code,
        source="targi",
        related_information=[
            p.DiagnosticRelatedInformation(location(label.span, unit), label.text)
            for label in problem.labels
        ],
    )


def by_path(problems: Iterable[Problem], default: str) -> dict[str, list[Problem]]:
    """Problems by file; those without a file are in `default`."""
    found = dict[str, list[Problem]]()
    for one in problems:
        name = one.span.source.name if one.span is not None else one.file
        found.setdefault(path_of(name) if name else default, []).append(one)
    return found


def workspace_edit(edits: Mapping[str, Iterable[Edit]], unit: Unit) -> p.WorkspaceEdit:
    """Edits of texts, by path."""
    return p.WorkspaceEdit(
        changes={
            uri_of(path): [p.TextEdit(range_of(one.span, unit), one.new) for one in of_path]
            for path, of_path in edits.items()
        }
    )


def completion_item(one: Completion, span: Span, unit: Unit) -> p.CompletionItem:
    """A proposal that replaces a span; names are sorted before words."""
    return p.CompletionItem(
        one.text,
        kind=_COMPLETIONS.get(one.kind, p.CompletionItemKind.Variable),
        detail="" if one.kind == "word" else one.kind,
        sort_text=f"{'2' if one.kind == 'word' else '1'}{one.text}",
        text_edit=p.TextEdit(range_of(span, unit), one.text),
    )


def symbol(one: Outlined, unit: Unit) -> p.DocumentSymbol:
    """A declaration or card."""
    kind = _SYMBOLS.get(one.kind, p.SymbolKind.Variable)
    return p.DocumentSymbol(
        one.name, kind, range_of(one.span, unit), range_of(one.name_span, unit), one.kind
    )


def symbol_information(one: Outlined, unit: Unit) -> p.SymbolInformation:
    """A declaration or card, with its file."""
    kind = _SYMBOLS.get(one.kind, p.SymbolKind.Variable)
    return p.SymbolInformation(location(one.span, unit), one.name, kind, container_name=one.kind)


def markdown(hover: Hover) -> str:
    """The hover text of a name."""
    of_type = f", {hover.type}" if hover.type else ""
    parts = [f"**{hover.kind}** `{hover.name}`{of_type}"]
    if hover.lines:
        parts.append("\n".join(["```targi", *hover.lines, "```"]))
    if hover.comment:
        parts.append(hover.comment)
    places = (
        f"{one.text} in `{one.module}`"
        + (f", {one.span.source.name}:{one.span.line}" if one.span else "")
        for one in hover.layers
    )
    parts.append("; ".join(places))
    if hover.cards:
        parts.append(f"on cards: {', '.join(hover.cards)}")
    parts.append("; ".join(hover.sources))
    return "\n\n".join(filter(None, parts))


def encoded_tokens(tokens: Iterable[Token], unit: Unit) -> list[int]:
    """Semantic tokens as the protocol encodes them: five numbers each, relative to the previous
    one.
    """
    data, before = list[int](), (1, 1)
    for token in tokens:
        span = token.span
        if span.end_line != span.line:
            continue
        line, column = span.source.position(span.start, unit)
        length = span.source.position(span.end, unit)[1] - column
        sort = token.sort if token.sort in _OWN else _TOKENS.get(token.sort, "variable")
        beside = column - before[1] if line == before[0] else column - 1
        data += [line - before[0], beside, length, TOKEN_TYPES.index(sort), 0]
        before = line, column
    return data
