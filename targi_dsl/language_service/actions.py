"""Code actions: repairs of problems; and on request, if it causes no error: add a missing
declaration, name a number, replace a declaration of another module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from targi_dsl.compiler.index import Index
from targi_dsl.compiler.layers.declarations import effective_lines
from targi_dsl.language_service.completion import expected
from targi_dsl.language_service.workspace import Workspace, covers, path_of
from targi_dsl.syntax import File
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lexer import NUMBER, LexicalError, tokenize
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Edit, Problem, apart, apply_edits, by_source
from targi_dsl.text.source import Source, Span
from targi_dsl.text.structs import Frozen

_DEFINE = ("define {}: 1", "define {}: yes")
_VALUES = (
    *_DEFINE, "variable {}: 0 to 9", "variable {} for each player: 0 to 9", "resource {}",
    "space {}: row of 3", "zone {}: {kind}", "zone {} for each player: {kind}, seen by owner",
    "piece {}: 1",
)  # fmt: skip
_DECLARED: Mapping[str, Sequence[str]] = {
    "any": _VALUES,
    "define": _DEFINE,
    "element": _VALUES,
    "kind": ("card {}\n  worth: 0 to 9",),
    "option": ("option {}: no or yes",),
    "piece": ("piece {}: 1",),
    "property": _VALUES,
    "region": ("space {}: row of 3", "zone {}: {kind}"),
    "resource": ("resource {}",),
    "rule": ("rule {}\n  nothing",),
    "type": ("values {}: first, second", "card {}\n  worth: 0 to 9"),
    "zone": ("zone {}: {kind}", "zone {} for each player: {kind}, seen by owner"),
}
"""Declarations of a name, by the kind of name that the grammar expects."""
_MISSING = ("E201", "E204", "E523")
"""Codes of problems about unknown names."""
_IDLE = "W901"
"""The code of an ability without effect, because of what the name was declared as."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_CARD_IDS = re.compile(r"(?<=\bid: )[a-z]\w*")
_CARD_NAMES = re.compile(r"(?<=\ben: )[^,}\n]+")


class Repair(Frozen):
    """A code action: a change of texts that repairs problems or is useful otherwise. edits: by
    path.
    """

    title: str
    problems: tuple[Problem, ...]
    edits: Mapping[str, tuple[Edit, ...]]


def repairs(workspace: Workspace, path: str, first: int, last: int) -> Iterator[Repair]:
    """The repairs of problems between two offsets of a file: of each, and of all with its code."""
    mendable = [one for one in workspace.problems(path) if one.edits and one.span is not None]
    here = [one for one in mendable if _is_within(one, path, first, last)]
    for one in here:
        yield Repair(_title(one), (one,), _by_file([one]))
    for code in dict.fromkeys(one.code for one in here):
        alike = [one for one in mendable if one.code == code]
        if len(alike) > 1:
            yield Repair(f"Mend all {len(alike)} problems {code}", tuple(alike), _by_file(alike))


def _is_within(one: Problem, path: str, first: int, last: int) -> bool:
    span = one.span
    if span is None or path_of(span.source.name) != path:
        return False
    return span.start <= last and first <= span.end


def _title(problem: Problem) -> str:
    new = " ".join(problem.edits[0].new.split())
    return f"Write: {new}" if new else "Take it out"


def _by_file(problems: Iterable[Problem]) -> dict[str, tuple[Edit, ...]]:
    """The edits by path, without repairs that touch an earlier one."""
    found = by_source(edit for one in apart(problems) for edit in one.edits)
    return {path_of(name): tuple(edits) for name, edits in found.items()}


# ---- on request ----


def refactorings(workspace: Workspace, path: str, offset: int) -> Iterator[Repair]:
    """The code actions at an offset, besides repairs."""
    for change in (_declared, _named, _replaced):
        yield from change(workspace, path, offset)


def _holds(
    workspace: Workspace,
    path: str,
    edits: Mapping[str, tuple[Edit, ...]],
    mended: tuple[Problem, ...] = (),
) -> bool:
    """Whether the new texts cause no new error and no idle ability, and solve the `mended`
    problems.
    """
    texts = {file: apply_edits(those) for file, those in edits.items()}
    before, after = (
        {(one.code, one.title) for one in problems if one.severity == "error" or one.code == _IDLE}
        for problems in (workspace.problems(path), workspace.with_texts(texts).problems(path))
    )
    return after <= before - {(one.code, one.title) for one in mended}


# ---- a missing declaration ----


def _declared(workspace: Workspace, path: str, offset: int) -> Iterator[Repair]:
    for problem in workspace.problems(path):
        span = problem.span
        if span is None or path_of(span.source.name) != path or not covers(span, offset):
            continue
        if problem.code not in _MISSING or not _NAME.fullmatch(span.text):
            continue
        for title, edits in _declarations(workspace, path, span):
            if _holds(workspace, path, edits, (problem,)):
                yield Repair(title, (problem,), edits)


def _declarations(
    workspace: Workspace, path: str, span: Span
) -> Iterator[tuple[str, dict[str, tuple[Edit, ...]]]]:
    kinds = expected(workspace, path, span.start).kinds
    index = workspace.index(path)
    if index is None:
        return
    if "card" in kinds and "rule" not in kinds:
        yield from _cards(workspace, index, span.text)
    file = path if path.endswith(".targi") else _rules_of(workspace, index)
    card = next((name for kind, name in index.symbols if kind == "kind of card"), "")
    lines = dict.fromkeys(one for kind in sorted(kinds) for one in _DECLARED.get(kind, ()))
    for line in lines:
        if file is not None and (card or "{kind}" not in line):
            text = line.format(span.text, kind=card)
            title = f"Declare: {text.partition(chr(10))[0]}"
            yield title, {file: (_at_end(workspace, file, text),)}


def _at_end(workspace: Workspace, path: str, text: str) -> Edit:
    source = workspace.source(path)
    end = len(source.text.rstrip())
    return Edit(source.span(end, len(source.text)), f"\n\n{text}\n")


def _rules_of(workspace: Workspace, index: Index) -> str | None:
    """The last rule file of a game: that of the module that changes the others."""
    spans = [one.span for (kind, _), one in index.symbols.items() if kind == "module"]
    return next((path_of(span.source.name) for span in reversed(spans) if span is not None), None)


def _cards(
    workspace: Workspace, index: Index, name: str
) -> Iterator[tuple[str, dict[str, tuple[Edit, ...]]]]:
    """A copy of the last card of each file, under another name."""
    files = {
        path_of(one.span.source.name): None
        for (kind, _), one in index.symbols.items()
        if kind == "card" and one.span is not None
    }
    for path in files:
        file = workspace.card_file(path)
        if file is not None and file.cards:
            last = file.cards[-1].span
            line = last.source.line_span(last.line)
            text = last.source.text[line.start : last.end].rstrip()
            new = _CARD_NAMES.sub(name.replace("_", " ").capitalize(), text, count=1)
            new = _CARD_IDS.sub(name, new, count=1)
            end = line.start + len(text)
            edit = Edit(last.source.span(end, end), f"\n{new}")
            yield f"Declare: card {name} in {Path(path).name}", {path: (edit,)}


# ---- naming a number ----


def _named(workspace: Workspace, path: str, offset: int) -> Iterator[Repair]:
    """A number in a rule file, extracted to a definition."""
    if not path.endswith(".targi") or path.endswith(resources.TESTS):
        return
    part = _part_at(workspace.rule_file(path), offset)
    if part is None or isinstance(part[1], n.Define) or not isinstance(part[1], n.Node):
        return
    span, _ = part
    number = _number_at(span, offset)
    index = workspace.index(path)
    if number is None or index is None:
        return
    words = [one for one in _NAME.findall(span.text.partition("\n")[0]) if one != "rule"]
    stem = f"{words[0] if words else 'rule'}_number"
    taken = {name for _, name in index.symbols}
    name = next(one for one in (stem, *(f"{stem}_{at}" for at in range(2, 99))) if one not in taken)
    source = span.source
    before = Edit(source.span(span.start, span.start), f"define {name}: {number.text}\n\n")
    edits = {path: (before, Edit(number, name))}
    if _holds(workspace, path, edits):
        yield Repair(f"Name this number: define {name}: {number.text}", (), edits)


def _part_at(file: File, offset: int) -> tuple[Span, object] | None:
    """The declaration at an offset, with its tree."""
    for part in file.parts:
        text = part.section.text
        span = part.section.span(len(text) - len(text.lstrip()), len(text.rstrip()))
        if covers(span, offset):
            return span, part.node
    return None


def _number_at(span: Span, offset: int) -> Span | None:
    try:
        lexemes = tokenize(Source("", span.text), lined=True).all
    except LexicalError:
        return None
    found = (one for one in lexemes if one.kind == NUMBER)
    spans = (span.source.span(span.start + one.start, span.start + one.end) for one in found)
    return next((one for one in spans if covers(one, offset)), None)


# ---- replacing a declaration of another module ----


def _replaced(workspace: Workspace, path: str, offset: int) -> Iterator[Repair]:
    """The effective declaration of the name at an offset, as a replacement in modules that are
    being edited and based on its module.
    """
    found = workspace.at(path, offset)
    symbol = None if found is None else found.symbol
    if symbol is None or symbol.span is None or not symbol.layers:
        return
    lines, home = effective_lines(symbol.layers), path_of(symbol.span.source.name)
    for own in workspace.edited() if lines else ():
        index = None if own == home else workspace.index(own)
        if index is not None and (symbol.kind, symbol.name) in index.symbols:
            edit = _at_end(workspace, own, "\n".join([f"replace {lines[0]}", *lines[1:]]))
            if _is_module(workspace, own) and _holds(workspace, own, {own: (edit,)}):
                title = f"Replace {symbol.kind} {symbol.name} in {Path(own).name}"
                yield Repair(title, (), {own: (edit,)})


def _is_module(workspace: Workspace, path: str) -> bool:
    if not path.endswith(".targi") or path.endswith(resources.TESTS):
        return False
    return any(isinstance(one, n.Module) for one in workspace.rule_file(path).declarations)
