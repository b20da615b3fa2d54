"""Hover, definitions and references of names, also while the game has errors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher

from msgspec.structs import replace

from targi_dsl.compiler.index import Symbol
from targi_dsl.compiler.layers.declarations import comment_of, effective_lines
from targi_dsl.ir.origins import Origin
from targi_dsl.language_service.workspace import Workspace, path_of
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

_SHOWN = 12  # the most lines of a declaration


class Hover(Frozen):
    """What is known of a name. kind: such as "rule". lines: its effective declaration. comment:
    above it. layers: what each module did, in order. sources: those that its layers cite. cards:
    those that mention it.
    """

    span: Span
    name: str
    kind: str
    type: str
    lines: tuple[str, ...]
    comment: str
    layers: tuple[Origin, ...]
    sources: tuple[str, ...]
    cards: tuple[str, ...]


def hover(workspace: Workspace, path: str, offset: int) -> Hover | None:
    """The information about the name at an offset, or None."""
    found = _hover(workspace, path, offset)
    if found is None and (before := _before(workspace, path, offset)):
        found = _hover(*before)
        if found is not None:
            (span,) = _now(workspace, (found.span,))
            found = replace(found, span=span)
    return found


def _hover(workspace: Workspace, path: str, offset: int) -> Hover | None:
    index, found = workspace.index(path), workspace.at(path, offset)
    if index is None or found is None or found.symbol is None:
        return None
    symbol, layers = found.symbol, found.symbol.layers
    lines = effective_lines(layers) if layers else ()
    more = (f"... ({len(lines) - _SHOWN} more lines)",) if len(lines) > _SHOWN else ()
    return Hover(
        found.span,
        symbol.name,
        symbol.kind,
        "" if found.type is None else found.type.name,
        lines[:_SHOWN] + more,
        comment_of(layers),
        layers[::-1],
        tuple(dict.fromkeys(cited for one in layers for cited in one.cites)),
        tuple(dict.fromkeys(index.cards_with(symbol))),
    )


def definitions(workspace: Workspace, path: str, offset: int) -> tuple[Span, ...]:
    """The spans that define a name: its declaration, and changes by other modules."""
    return _spans(_declarations, workspace, path, offset)


def _declarations(_: Workspace, __: str, symbol: Symbol) -> tuple[Span, ...]:
    layers = (one.span for one in symbol.layers[::-1] if one.span is not None)
    return tuple(dict.fromkeys(layers)) or tuple(filter(None, [symbol.span]))


def references(workspace: Workspace, path: str, offset: int) -> tuple[Span, ...]:
    """All occurrences of the name at an offset, in all games that read its declaration."""
    return _spans(lambda *of: tuple(places_of(*of).values()), workspace, path, offset)


# ---- while the game has errors ----

_At = tuple[Workspace, str, int]


_Ask = Callable[[Workspace, str, Symbol], tuple[Span, ...]]


def _spans(ask: _Ask, workspace: Workspace, path: str, offset: int) -> tuple[Span, ...]:
    """A query about the name at an offset; if it fails, its result when the game was last without
    errors, as far as lines have not changed.
    """
    found = _answer(ask, workspace, path, offset)
    if not found and (before := _before(workspace, path, offset)):
        found = tuple(_now(workspace, _answer(ask, *before)))
    return found


def _answer(ask: _Ask, workspace: Workspace, path: str, offset: int) -> tuple[Span, ...]:
    found = workspace.at(path, offset)
    return () if found is None or found.symbol is None else ask(workspace, path, found.symbol)


def _before(workspace: Workspace, path: str, offset: int) -> _At | None:
    """The same place when the game was last without errors, if its line existed."""
    earlier = workspace.earlier(path)
    if earlier is None:
        return None
    at, is_there = _moved(workspace.source(path).text, earlier.source(path).text, offset)
    return (earlier, path, at) if is_there else None


def _now(workspace: Workspace, spans: Iterable[Span]) -> Iterator[Span]:
    """The current positions of earlier spans; for a changed line, only its beginning."""
    for span in spans:
        source = workspace.source(path_of(span.source.name))
        at, is_there = _moved(span.source.text, source.text, span.start)
        yield source.span(at, at + (span.end - span.start) * is_there)


def _moved(before: str, after: str, offset: int) -> tuple[int, bool]:
    """The position in a later text of an offset, and whether its line still exists."""
    old, new = before.split("\n"), after.split("\n")
    line, column = before.count("\n", 0, offset), offset - before.rfind("\n", 0, offset) - 1
    now, is_there = 0, False
    for one in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        if one.a <= line:
            now, is_there = one.b + min(line - one.a, one.size), line < one.a + one.size
    start = sum(len(text) + 1 for text in new[:now])
    return min(start + column * is_there, len(after)), is_there


_Place = tuple[str, int]  # a path and an offset


def places_of(workspace: Workspace, path: str, symbol: Symbol) -> dict[_Place, Span]:
    """The occurrences of a symbol. Another game is included if the name occurs in more of its
    files, or in cards or lines that this game does not use, and the symbols share an occurrence.
    """
    own = workspace.game(path)
    places = uses(workspace, own, symbol)
    if symbol.kind == "local" or own is None:
        return places
    written, found = re.compile(rf"\b{own_name(symbol)}\b"), Counter(file for file, _ in places)
    read = set[str]()
    for file in workspace.files(own):
        times = len(written.findall(workspace.source(file).text))
        if found[file] >= (times if file.endswith(".yaml") else min(times, 1)):
            read.add(file)
    home = path if symbol.span is None else path_of(symbol.span.source.name)
    files, looked_at = [home, *(file for file, _ in places)], {own}
    for file in files:  # the list grows
        for game in workspace.games(file):
            more = set[str]() if game in looked_at else workspace.files(game) - read
            if any(written.search(workspace.source(one).text) for one in more):
                others = uses(workspace, game, symbol)
                if others.keys() & places.keys():
                    looked_at.add(game)  # others may share a place that is found later
                    files += (one for one, _ in others if one not in files)
                    places = others | places
    return places


def uses(workspace: Workspace, game: str | None, symbol: Symbol) -> dict[_Place, Span]:
    """The occurrences of a symbol in one game and its rule tests. Fields of one name are one
    symbol, whatever the kind of card.
    """
    index = None if game is None else workspace.check(game).index
    if game is None or index is None:
        return {}
    alike = [symbol] if symbol.kind == "local" else [index.symbols.get((symbol.kind, symbol.name))]
    if symbol.kind == "field":
        alike = [
            one
            for one in index.symbols.values()
            if one.kind == "field" and own_name(one) == own_name(symbol)
        ]
    found = [use for one in alike if one is not None for use in index.uses(one)]
    found += (use for use in workspace.uses_in_tests(game, index) if use.symbol in alike)
    return {(path_of(one.span.source.name), one.span.start): one.span for one in found}


def own_name(symbol: Symbol) -> str:
    """The unqualified name of a symbol."""
    return symbol.name.rpartition(".")[2]
