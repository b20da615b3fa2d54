"""Renaming: in rules, cards, rule tests and catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import chain
from pathlib import Path

from targi_dsl.compiler.index import Index, Occurrence, Symbol
from targi_dsl.compiler.symbols.mentions import TYPES
from targi_dsl.language_service.names import own_name, places_of, uses
from targi_dsl.language_service.rule_tests import is_put_together
from targi_dsl.language_service.workspace import Workspace, path_of
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lexer import LONGEST_NAME
from targi_dsl.text import resources
from targi_dsl.text.catalogues import Key
from targi_dsl.text.diagnostics import Edit, apply_edits
from targi_dsl.text.languages import AMOUNT
from targi_dsl.text.source import Source, Span

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_OF_FILES = {"module": "its folder", "card set": "its file"}
"""Kinds of symbols that are named by something on disk."""

Edits = Mapping[str, tuple[Edit, ...]]
"""Edits by file."""


class Refused(Exception):
    """Raised if a name cannot be changed; the message says why."""


def renaming(workspace: Workspace, path: str, offset: int) -> Occurrence:
    """The name at an offset, if it can be changed; raises Refused otherwise."""
    found = workspace.at(path, offset)
    if found is None or found.symbol is None:
        raise Refused("Nothing with a name of its own is here.")
    symbol = found.symbol
    if symbol.kind in _OF_FILES:
        raise Refused(f"A {symbol.kind} has the name of {_OF_FILES[symbol.kind]}: rename that.")
    if symbol.span is None:
        raise Refused(f"`{found.name}` is a word of the language.")
    if symbol.span.text != own_name(symbol):
        raise Refused(f"`{found.name}` is put together in {_where(symbol.span)}.")
    return found


def rename(
    workspace: Workspace, path: str, offset: int, name: str, writable: Iterable[str] = ()
) -> Edits:
    """The edits by file that rename the symbol at an offset in all games that read its declaration,
    and in catalogues; raises Refused. Shipped files are only changed below the `writable` folders.
    """
    found = renaming(workspace, path, offset)
    assert found.symbol is not None
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise Refused("A name has small letters, digits and _, and begins with a letter.")
    edits = _edits(workspace, path, found.symbol, name)
    for file in edits:
        if resources.name(Path(file)) is not None and not _is_below(file, writable):
            raise Refused(f"{Path(file).name} is shipped with this program. Change it in a copy.")
    other = _with(workspace, edits)
    games = _games(workspace, path, edits)
    for file in games or (path,):
        _check(workspace, other, file, name)
    _refuse_other_meaning(workspace, other, found.symbol, edits, name)
    _refuse_ambiguous(workspace, other, path, found.symbol)
    more = [*_in_ids(workspace, other, games, name)]
    for file, edit in more:
        edits[file] = (*edits.get(file, ()), edit)
    other = _with(workspace, edits) if more else other
    return {**edits, **dict(_in_catalogues(workspace, other, games))}


def _edits(
    workspace: Workspace, path: str, symbol: Symbol, name: str
) -> dict[str, tuple[Edit, ...]]:
    """The edits of rules, cards and tests."""
    own, edits = own_name(symbol), dict[str, list[Edit]]()
    places = places_of(workspace, path, symbol)
    for (file, _), span in places.items():
        if is_put_together(span):
            why = f"`{own}` is put together from a table in {_where(span)}. Write it out there."
            raise Refused(why)
        if span.text == own:
            edits.setdefault(file, []).append(Edit(span, name))
    for span, text in _parameters(workspace, path, symbol, name):
        file = path_of(span.source.name)
        within = range(span.start, span.end)
        others = [one for one in edits.get(file, ()) if one.span.start not in within]
        edits[file] = [*others, Edit(span, text)]
    return {file: tuple(those) for file, those in edits.items()}


def _parameters(
    workspace: Workspace, path: str, symbol: Symbol, name: str
) -> Iterator[tuple[Span, str]]:
    """The parameters that need more than a replaced name: one named after its type has no explicit
    type, which changes if either is renamed.
    """
    own, is_local = own_name(symbol), symbol.kind == "local"
    if symbol.span is None or symbol.kind not in ("local", *TYPES):
        return
    home = path_of(symbol.span.source.name)
    files = {home} if is_local else {*chain(*map(workspace.files, workspace.games(home)))}
    for file in sorted(files):
        parts = workspace.rule_file(file).parts if _is_of_rules(file) else ()
        for one in chain(*(part.node.every(n.Param) for part in parts if part.node is not None)):
            if is_local and one.name.span.start != symbol.span.start:
                continue
            called, type_ = one.name.text, one.type.span.text if one.type else one.name.text
            called, type_ = (name, type_) if is_local else (called, name if type_ == own else type_)
            if (called == type_) != (one.type is None):
                yield one.span, called if called == type_ else f"{called} ({type_})"


def _is_of_rules(file: str) -> bool:
    return file.endswith(".targi") and not file.endswith(resources.TESTS)


def _where(span: Span) -> str:
    return f"{span.source.name}:{span.line}"


def _refuse_ambiguous(workspace: Workspace, other: Workspace, path: str, symbol: Symbol) -> None:
    """Raises Refused if the name is that of several questions, or of a rule and an answer, and a
    test would fail because it means another one.
    """
    index, name, why = workspace.index(path), symbol.name, ""
    if index is None:
        return
    questions, either = index.questions.get(name, ()), {("rule", name), ("answer", name)}
    if (symbol.kind, name) in either <= index.symbols.keys():
        why = f"`{name}` is a rule and an answer"
    elif len(questions) > 1 and symbol in questions:
        why = f"{len(questions)} questions are about a `{name}`"
    for file in workspace.tests_of(workspace.game(path) or "") if why else ():
        if re.search(rf"\b{name}\b", workspace.source(file).text):
            for before, after in zip(workspace.outcomes(file), other.outcomes(file), strict=True):
                if after.problems and not before.problems:
                    raise Refused(f"{why}, and a test needs the other: {_where(before.test.span)}.")


def _is_below(file: str, folders: Iterable[str]) -> bool:
    return any(Path(file).is_relative_to(folder) for folder in folders)


def _with(workspace: Workspace, edits: Edits) -> Workspace:
    texts = {file: apply_edits(those) for file, those in edits.items()}
    return workspace.with_texts(texts, warned=False)


def _check(workspace: Workspace, other: Workspace, path: str, name: str) -> None:
    """Raises Refused if the new texts cause errors that did not exist before."""
    before = {one.code for one in workspace.problems(path) if one.severity == "error"}
    for problem in other.problems(path):
        if problem.severity == "error" and problem.code not in before:
            raise Refused(f"`{name}` does not work here: {problem.title}.")


def _refuse_other_meaning(
    workspace: Workspace, other: Workspace, symbol: Symbol, edits: Edits, name: str
) -> None:
    """Raises Refused if the new name has another meaning at one of its places, or captures another
    occurrence.
    """
    assert symbol.span is not None
    path, own = path_of(symbol.span.source.name), own_name(symbol)
    above = (one for one in edits.get(path, ()) if one.span.start < symbol.span.start)
    moved = sum(len(one.new) - (one.span.end - one.span.start) for one in above)
    renamed, game = other.at(path, symbol.span.start + moved), workspace.game(path)
    index, later = workspace.index(path), other.index(path)
    if game is None or index is None or later is None or renamed is None or renamed.symbol is None:
        return
    before = [one for one in index.uses(symbol) if one.span.text == own]
    after = [one for one in later.uses(renamed.symbol) if one.span.text == name]
    changed = [one for file in workspace.files(game) for one in edits.get(file, ())]
    types = [one for one in changed if (one.new, one.span.text) != (name, own)]  # `meal (dish)`
    more = 0 if symbol.kind == "local" else sum(1 if "(" in one.new else -1 for one in types)
    if len(before) + more != len(after):
        raise Refused(f"`{name}` already means something else where `{own}` stands.")


def _games(workspace: Workspace, path: str, edits: Iterable[str]) -> tuple[str, ...]:
    """The game of a file, and for each edited file that it does not read, one that does."""
    own = workspace.game(path)
    games = [] if own is None else [own]
    for file in edits:
        if not any(file in workspace.files(game) for game in games):
            games += workspace.games(file)[:1]
    return tuple(games)


def _in_ids(
    workspace: Workspace, other: Workspace, games: Iterable[str], name: str
) -> Iterator[tuple[str, Edit]]:
    """The edits of card ids that are composed of the name."""
    for game in games:
        old, new = (
            [one for one in index.symbols.values() if one.kind == "card"]
            for index in (workspace.check(game).index, other.check(game).index)
            if index is not None
        )
        for one, after in zip(old, new, strict=False):
            if after.name not in (one.name, name) and len(old) == len(new):
                for (file, _), span in uses(workspace, game, one).items():
                    if span.text == one.name:
                        yield file, Edit(span, after.name)


# ---- catalogues ----


def _in_catalogues(
    workspace: Workspace, other: Workspace, games: Iterable[str]
) -> Iterator[tuple[str, tuple[Edit, ...]]]:
    """The edits of catalogues whose texts contain the name."""
    texts, current, files = dict[Key, Key](), set[Key](), set[str]()
    for game in games:
        files |= workspace.files(game)
        old, new = (_texts(one.check(game).index) for one in (workspace, other))
        current |= {*new}
        for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if what == "replace":
                texts |= dict(zip(old[i:j], new[k:m], strict=False))
    for folder in sorted({Path(file).parent for file in files}) if texts else ():
        for catalogue in sorted(folder.glob("*.po")):
            source = workspace.source(str(catalogue))
            if found := tuple(_in_catalogue(source, texts, current)):
                yield str(catalogue), found


def _texts(index: Index | None) -> tuple[Key, ...]:
    return () if index is None else index.texts


def _in_catalogue(catalogue: Source, texts: Mapping[Key, Key], current: set[Key]) -> Iterator[Edit]:
    """The edits of one catalogue. The entry of a text that remains in the game is kept, and one for
    the new text added unless it exists.
    """
    entries = {_key(entry[0]): entry for entry in _ENTRY.finditer(catalogue.text)}
    for old, entry in entries.items():
        new = texts.get(old) if old is not None else None
        if new is None or old is None:
            continue
        first, last = entry.span()
        text = re.sub(
            rf'^(msgid(?:_plural)? "){re.escape(old[1])}"$', rf'\1{new[1]}"', entry[0], flags=re.M
        )
        for blank, other in zip(*(_BLANK.findall(one[1]) for one in (old, new)), strict=False):
            text = text.replace(blank, other)
        if old in current and new not in entries:
            yield Edit(catalogue.span(last, last), f"\n{text}")
        elif old not in current and new in entries:
            yield Edit(catalogue.span(first - 1, last), "")
        elif old not in current:
            yield Edit(catalogue.span(first, last), text)


def _key(entry: str) -> Key | None:
    found = _TEXT.search(entry)
    return found and (AMOUNT if entry.startswith("msgctxt") else "", found[1])


_ENTRY = re.compile(r"(?:.+\n)+")
"""An entry of a catalogue: the lines up to an empty one."""
_TEXT = re.compile(r'^msgid "(.*)"$', re.MULTILINE)
_BLANK = re.compile(r"\{[^{}\n]*\}")
