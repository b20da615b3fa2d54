"""What a name means, where it is declared and used, and how it gets another name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from pathlib import Path

from msgspec.structs import replace

from targi_dsl.compiler.index import Occurrence, Symbol
from targi_dsl.compiler.layers.declarations import comment_of, effective_lines
from targi_dsl.compiler.symbols.mentions import COUNTED
from targi_dsl.ir.origins import Origin
from targi_dsl.language_service.rule_tests import is_put_together
from targi_dsl.language_service.workspace import Workspace, path_of
from targi_dsl.syntax.lexer import LONGEST_NAME
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Edit, apply_edits
from targi_dsl.text.source import Source, Span
from targi_dsl.text.structs import Frozen

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_OF_FILES = {"module": "its folder", "card set": "its file"}
"""Kinds of symbols that have the name of something on disk."""
_ENTRY = re.compile(r"(?:.+\n)+")
"""An entry of a catalogue: lines up to an empty one."""
_SHOWN = 12  # the most lines of a declaration


class Hover(Frozen):
    """What is known of a name. kind: such as "rule". lines: its declaration as all modules leave
    it. comment: what is written above it. layers: what each module did, in order. sources: the
    texts that its layers cite. cards: the cards that mention it.
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


class Refused(Exception):
    """Raised for a name that cannot be changed; the message says why."""


def hover(workspace: Workspace, path: str, offset: int) -> Hover | None:
    """What the name at an offset of a file means, if a game says so."""
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
    """The places that make what a name means: its declaration, and what other modules change."""
    return _spans(_definitions, workspace, path, offset)


def _definitions(workspace: Workspace, path: str, offset: int) -> tuple[Span, ...]:
    found = workspace.at(path, offset)
    if found is None or found.symbol is None:
        return ()
    layers = (one.span for one in found.symbol.layers[::-1] if one.span is not None)
    return tuple(dict.fromkeys(layers)) or tuple(filter(None, [found.symbol.span]))


def references(workspace: Workspace, path: str, offset: int) -> tuple[Span, ...]:
    """All places of the name at an offset, in all games that read its declaration."""
    return _spans(_references, workspace, path, offset)


def _references(workspace: Workspace, path: str, offset: int) -> tuple[Span, ...]:
    found = workspace.at(path, offset)
    if found is None or found.symbol is None:
        return ()
    return tuple(_places(workspace, path, found.symbol).values())


# ---- while the game has errors ----

_At = tuple[Workspace, str, int]


def _spans(
    ask: Callable[[Workspace, str, int], tuple[Span, ...]],
    workspace: Workspace,
    path: str,
    offset: int,
) -> tuple[Span, ...]:
    """An answer, or else that of when the game was last without errors, as far as it is about lines
    that are still the same.
    """
    found = ask(workspace, path, offset)
    if not found and (before := _before(workspace, path, offset)):
        found = tuple(_now(workspace, ask(*before)))
    return found


def _before(workspace: Workspace, path: str, offset: int) -> _At | None:
    """The same place when the game was last without errors, if its line was there."""
    earlier = workspace.earlier(path)
    if earlier is None:
        return None
    at, is_there = _moved(workspace.source(path).text, earlier.source(path).text, offset)
    return (earlier, path, at) if is_there else None


def _now(workspace: Workspace, spans: Iterable[Span]) -> Iterator[Span]:
    """Where earlier places are now; of a line that has changed, only where it begins."""
    for span in spans:
        source = workspace.source(path_of(span.source.name))
        at, is_there = _moved(span.source.text, source.text, span.start)
        yield source.span(at, at + (span.end - span.start) * is_there)


def _moved(before: str, after: str, offset: int) -> tuple[int, bool]:
    """Where what was at an offset of a text is in a later one, and whether its line is there."""
    old, new = before.split("\n"), after.split("\n")
    line, column = before.count("\n", 0, offset), offset - before.rfind("\n", 0, offset) - 1
    now, is_there = 0, False
    for one in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        if one.a <= line:
            now, is_there = one.b + min(line - one.a, one.size), line < one.a + one.size
    start = sum(len(text) + 1 for text in new[:now])
    return min(start + column * is_there, len(after)), is_there


_Place = tuple[str, int]  # a path and an offset


def _places(workspace: Workspace, path: str, symbol: Symbol) -> dict[_Place, Span]:
    """The places of a symbol. In another game it is what has one of the same places."""
    places = _uses(workspace, workspace.game(path), symbol)
    if symbol.kind == "local":
        return places
    home = path if symbol.span is None else path_of(symbol.span.source.name)
    for game in workspace.games(home):
        uses = _uses(workspace, game, symbol)
        if uses.keys() & places.keys():
            places = uses | places
    return places


def _uses(workspace: Workspace, game: str | None, symbol: Symbol) -> dict[_Place, Span]:
    """The places of a symbol in one game and its rule tests. A field is one, whichever kinds of
    card have it.
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
    uses = [use for one in alike if one is not None for use in index.uses(one)]
    uses += (use for use in workspace.uses_in_tests(game, index) if use.symbol in alike)
    return {(path_of(one.span.source.name), one.span.start): one.span for one in uses}


def own_name(symbol: Symbol) -> str:
    """The name of a symbol without that of what it belongs to."""
    return symbol.name.rpartition(".")[2]


# ---- another name ----


def renaming(workspace: Workspace, path: str, offset: int) -> Occurrence:
    """The name at an offset, if it can be changed; else raises Refused."""
    found = workspace.at(path, offset)
    if found is None or found.symbol is None:
        raise Refused("Nothing with a name of its own is here.")
    symbol = found.symbol
    if symbol.kind in _OF_FILES:
        raise Refused(f"A {symbol.kind} has the name of {_OF_FILES[symbol.kind]}: rename that.")
    if symbol.span is None:
        raise Refused(f"`{found.name}` is a word of the language.")
    return found


def rename(
    workspace: Workspace, path: str, offset: int, name: str, writable: Iterable[str] = ()
) -> Mapping[str, tuple[Edit, ...]]:
    """The edits, by file, that give the name at an offset another name in all games that read its
    declaration, and in their catalogues; raises Refused. Shipped files may be changed only below
    the `writable` folders.
    """
    found = renaming(workspace, path, offset)
    assert found.symbol is not None
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise Refused("A name has small letters, digits and _, and begins with a letter.")
    own = own_name(found.symbol)
    edits = dict[str, list[Edit]]()
    for (file, _), span in _places(workspace, path, found.symbol).items():
        if resources.name(Path(file)) is not None and not _is_below(file, writable):
            raise Refused(f"{span.source.name} is shipped with this program. Change it in a copy.")
        if is_put_together(span):
            where = f"{span.source.name}:{span.line}"
            raise Refused(f"`{own}` is put together from a table in {where}. Write it out there.")
        if span.text == own:
            edits.setdefault(file, []).append(Edit(span, name))
    index = workspace.index(path)
    if index is not None and len(index.questions.get(own, ())) > 1:
        _refuse_ambiguous(workspace, path, index.questions[own], found.symbol)
    is_read = index is None or index.is_read(found.symbol)
    is_shared = index is not None and any(
        own_name(one) == own and one.kind != found.symbol.kind and index.is_read(one)
        for one in index.symbols.values()
    )
    is_counted = found.symbol.kind in COUNTED
    rules = [*edits.values()]
    for file in _catalogues(edits):
        new = list[Edit]()
        if is_read:
            new += _translated(workspace.source(file), own, name, is_counted, is_shared)
        if found.symbol.kind != "local":  # another declaration may have one of the same name
            new += _in_braces(workspace.source(file), own, name)
            new += _in_conditions(workspace.source(file), [one for those in rules for one in those])
        edits.setdefault(file, []).extend(new)
    changed = {file: tuple(those) for file, those in edits.items() if those}
    _check(workspace, path, changed, name)
    return changed


def _refuse_ambiguous(
    workspace: Workspace, path: str, questions: tuple[Symbol, ...], symbol: Symbol
) -> None:
    """Refuses a new name for what one of several questions of this name asks for, if rule tests
    choose by it.
    """
    written = re.compile(rf"\b{symbol.name}\b")
    for file in workspace.tests_of(workspace.game(path) or "") if symbol in questions else ():
        if written.search(workspace.source(file).text):
            why = f"{len(questions)} questions are about a `{symbol.name}`, and tests choose it"
            raise Refused(f"{why}: {file}.")


def _is_below(file: str, folders: Iterable[str]) -> bool:
    return any(Path(file).is_relative_to(folder) for folder in folders)


def _check(
    workspace: Workspace, path: str, edits: Mapping[str, tuple[Edit, ...]], name: str
) -> None:
    """Raises Refused if the new texts have errors that the old ones do not have."""
    before = {one.code for one in workspace.problems(path) if one.severity == "error"}
    texts = {file: apply_edits(those) for file, those in edits.items()}
    for problem in workspace.with_texts(texts).problems(path):
        if problem.severity == "error" and problem.code not in before:
            raise Refused(f"`{name}` does not work here: {problem.title}.")


def _catalogues(edits: Iterable[str]) -> Iterator[str]:
    """The catalogues beside these files."""
    for folder in {Path(file).parent for file in edits}:
        yield from map(str, sorted(folder.glob("*.po")))


def _translated(
    catalogue: Source, before: str, name: str, is_counted: bool, is_shared: bool
) -> Iterator[Edit]:
    """The edits to a catalogue, which has names in words. An entry that is also about something
    else stays beside one for the new name; one that there is already serves both.
    """
    old, new = before.replace("_", " "), name.replace("_", " ")
    written = re.compile(rf'^(msgid(?:_plural)? "){re.escape(old)}"$', re.MULTILINE)
    is_there = f'\nmsgid "{new}"\nmsgstr' in catalogue.text
    for entry in _ENTRY.finditer(catalogue.text):
        first, last = entry.span()
        is_amount, text = entry[0].startswith("msgctxt"), written.sub(rf'\1{new}"', entry[0])
        if text == entry[0] or (is_amount and not is_counted):
            continue
        if is_amount or not (is_shared or is_there):
            yield Edit(catalogue.span(first, last), text)
        elif not is_there:
            yield Edit(catalogue.span(last, last), f"\n{text}")
        elif not is_shared:  # one entry is enough for both
            yield Edit(catalogue.span(first - 1, last), "")


def _in_conditions(catalogue: Source, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits to texts of a catalogue that are parts of rules, such as conditions."""
    found = dict[int, Edit]()
    for text in _TEXT.finditer(catalogue.text):
        for edit in edits:
            rules, said, span = edit.span.source.text, text[1], edit.span
            at = rules.find(said, max(0, span.end - len(said)), span.start + len(said))
            if said != span.text and at >= 0:
                start = text.start(1) + span.start - at
                found[start] = Edit(catalogue.span(start, start + len(span.text)), edit.new)
    yield from found.values()


_TEXT = re.compile(r'^msgid "([^"{}\n]+)"$', re.MULTILINE)


def _in_braces(catalogue: Source, before: str, name: str) -> Iterator[Edit]:
    """The edits to the values inside braces in the texts of a catalogue."""
    written = re.compile(rf"\b{re.escape(before)}\b")
    for value in _VALUE.finditer(catalogue.text):
        for one in written.finditer(catalogue.text, *value.span()):
            yield Edit(catalogue.span(*one.span()), name)


_VALUE = re.compile(r"\{[^{}\n]*\}")
