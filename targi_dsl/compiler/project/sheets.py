"""Reads a game as written: its sheet, the sheets that it is based on, and the modules that they
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from targi_dsl.compiler.layers.changes import (
    Key,
    ModuleText,
    card_changes,
    changes_of,
    is_component,
    keys,
)
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.project.discovery import Project
from targi_dsl.compiler.project.written import Written
from targi_dsl.syntax import VERSION, parse_deck
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem, Problems
from targi_dsl.text.source import Source, Span
from targi_dsl.text.suggestions import suggestion

DEEPEST_BASES = 64
"""The longest chain of sheets, or modules, that are based on one another."""


def read_game(
    project: Project,
    sheet: Source,
    options: Mapping[str, str],
    decks: Mapping[str, str] | None = None,
) -> Written:
    """Reads a sheet and the modules it names. `options` and `decks` (expressions by zone) override
    those of the sheet. Errors are collected, not raised.
    """
    written = Written(project)
    _sheet(written, sheet, ())
    written.options.update(options)
    for zone, text_ in (decks or {}).items():
        text = Source(f"deck {zone}", text_)
        expression, problems = parse_deck(text)
        written.problems.extend(problems)
        if expression is not None:
            span = text.span(0, len(text_))
            written.decks[zone] = n.SheetDeck(n.Word(zone, span=span), expression, span=span)
    for word in written.rules:
        _module(written, word, ())
    if not written.errors.no_module:
        written.problems.extend(check_settlements(written.modules, written.settles))
    return written


def _sheet(written: Written, source: Source, below: tuple[str, ...]) -> None:
    written.sheets.append(source)
    declarations = written.parse(source)
    sheets = [node for node in declarations if isinstance(node, n.Sheet)]
    written.errors.no_module |= not sheets
    for node in declarations:
        if isinstance(node, n.Module):
            text = "Rules in a sheet belong to its game. A module has a folder of files."
            hint = "Delete this line."
            written.report("E420", "a module in a sheet", node.span, text, hint)
    if len(sheets) != 1:
        if not written.problems:
            title, span = ("a second game", sheets[1].span) if sheets else ("no game here", None)
            text = "A sheet has one line `game NAME`, followed by indented lines about the game."
            written.report("E421", title, span, text, file=source.name)
        return
    sheet = sheets[0]
    if sheet.based_on is not None:
        _read_base(written, source, sheet.name, sheet.based_on, below)
    written.name, written.span = sheet.name.text, sheet.name.span
    written.title = sheet.title or sheet.name.text
    written.problems.extend(repeated_lines(sheet))
    for line in sheet.lines:
        match line:
            case n.SheetRules():
                own = {word.text: word for word in line.modules}
                written.chapters.update((use.module.text, use.chapters) for use in line.uses)
                others = (word for word in written.rules if word.text not in own)
                written.rules = (*others, *own.values())
            case n.SheetDeck():
                written.decks[line.zone.text] = line
            case n.SheetNeeds():
                written.needs[line.zone.text] = line
            case n.SheetOption():
                written.options[line.option.text] = line
            case n.SheetSettle():
                written.settles[line.name.text] = line
    _own_rules(written, source, sheet, declarations)
    if not written.rules and not below and not written.errors.no_module:
        text = "A game needs rules: name a module, or write them below."
        written.report("E423", "the sheet names no rules", sheet.span, text, "rules base")


def _own_rules(
    written: Written, source: Source, sheet: n.Sheet, declarations: tuple[n.Declaration, ...]
) -> None:
    """Makes the rules in a sheet a module that has the sheet's name and is based on all others."""
    own = tuple(one for one in declarations if isinstance(one, n.Component | n.Layer))
    if not own:
        return
    name = sheet.name
    others = tuple(word for word in written.rules if word.text != name.text)
    for same in set(written.rules).difference(others):
        title = f"`{name.text}` is also the name of a module"
        text = "Rules in a sheet form a module with the name of the game."
        hint = "Leave the module out of `rules`."
        label = Label(same.span, "the module")
        if is_there := name.text in written.project.names("module"):
            text += " Write them in a file of their own, beside those of that module, which begins:"
            hint = f"language {VERSION}\nmodule {name.text}"
        written.report("E433", title, own[0].span, text, hint, labels=(label,))
        if is_there:
            return
    written.sources[source] = name.text
    module = ModuleText(name.text, sheet.title, others, own, name.span)
    written.own[name.text] = module
    written.rules = (*others, name)


def _read_base(
    written: Written, source: Source, name: n.Word, based_on: n.Word, below: tuple[str, ...]
) -> None:
    """Reads the sheet on which another is based."""
    chain = (*below, name.text)
    if len(below) >= DEEPEST_BASES:
        written.problems.append(_too_deep(based_on))
    elif (base := _base(written, source, based_on)) in written.sheets or based_on.text in chain:
        text = f"{' is based on '.join((*chain, based_on.text))}."
        written.report("E405", "a game based on itself", based_on.span, text)
    elif base is not None:
        _sheet(written, base, chain)
        return
    written.errors.no_module = True


def _base(written: Written, source: Source, word: n.Word) -> Source | None:
    """The sheet with that name, not `source` itself unless it is the only one."""
    try:
        found = written.project.game(word.text, besides=source)
    except Problems as unreadable:
        written.problems.extend(unreadable.problems)
        return None
    if found is None:
        hint = suggestion(word.text, written.project.names("game"))
        text = "There is no sheet with that name."
        title = f"unknown game `{word.text}`"
        written.report("E422", title, word.span, text, hint)
    return found


def _module(written: Written, word: n.Word, below: tuple[str, ...]) -> None:
    """Reads a module after its bases."""
    name = word.text
    if name in below:
        chain = " is based on ".join((*below[below.index(name) :], name))
        written.report("E405", "modules based on each other", word.span, f"{chain}.")
        return
    if name in written.modules:
        return
    if len(below) >= DEEPEST_BASES:
        written.problems.append(_too_deep(word))
        written.errors.no_module = True
        return
    if own := written.own.get(name):
        _add_module(written, own, below)
        return
    files = _ModuleFiles(written, name)
    chapters = {word.text: word for word in written.chapters.get(name, ())}
    present = list[str]()
    for source in _module_sources(written, word):
        present.append(chapter_of(source))
        files.read(source, not chapters or present[-1] in chapters)
    for chapter in chapters.values():
        if present and chapter.text not in present:
            title_ = f"module {name} has no chapter `{chapter.text}`"
            text = f"Its files are, without their numbers: {', '.join(present)}."
            hint = suggestion(chapter.text, present)
            written.report("E406", title_, chapter.span, text, hint)
            written.errors.no_module = True
    based_on = tuple({base.text: base for one in files.headers for base in one.based_on}.values())
    if files.headers:
        title = next((header.title for header in files.headers if header.title), None)
        span, declarations = files.headers[0].span, tuple(files.declarations)
        _add_module(written, ModuleText(name, title, based_on, declarations, span), below)


def _add_module(written: Written, module: ModuleText, below: tuple[str, ...]) -> None:
    """Adds a module after its bases."""
    for base in module.based_on:
        _module(written, base, (*below, module.name))
    written.modules[module.name] = module


def _too_deep(word: n.Word) -> Problem:
    text = f"At most {DEEPEST_BASES} games or modules can be based on one another."
    return Problem("E432", "based on too many others", word.span, text)


def _module_sources(written: Written, word: n.Word) -> Iterator[Source]:
    """The files of a module; reports a module without files and unreadable files."""
    found = False
    try:
        for source in written.project.module(word.text):
            found = True
            yield source
    except Problems as unreadable:
        written.problems.extend(unreadable.problems)
        written.errors.no_module = True
        return
    if not found:
        hint = suggestion(word.text, written.project.names("module"))
        text = f"There is no folder `{word.text}` with rule files."
        title = f"unknown module `{word.text}`"
        written.report("E406", title, word.span, text, hint)
        written.errors.no_module = True


class _ModuleFiles(Struct):
    """The declarations of the files of one module. `spans`: where each key is declared."""

    written: Written
    name: str
    declarations: list[n.Component | n.Layer] = []
    headers: list[n.Module] = []
    spans: dict[Key, Span] = {}

    def read(self, source: Source, wanted: bool) -> None:
        """Adds the declarations of a file, or only its headers unless it is wanted. A file that
        seems to be a copy of another is reported and skipped.
        """
        self.written.sources[source] = self.name
        before = len(self.written.problems)
        parsed = self.written.parse(source)
        faulty = len(self.written.problems) > before
        self.written.problems.extend(check_header(parsed, self.name, faulty))
        headers = [node for node in parsed if isinstance(node, n.Module)]
        components = [node for node in parsed if wanted and is_component(node)]
        named = [(key, node.span) for node in components for key in keys(node)]
        twice = [key for key in dict(named) if key in self.spans]
        # Two files that share at least half of their names are copies.
        if headers and 1 < len(twice) >= len(named) - len(twice):
            spans, title = self.spans[twice[0]], "a file that seems to be a copy"
            text = f"{len(twice)} names of it stand in {spans.source.name} as well."
            text += " Delete one of the two files."
            label = Label(spans, "here already")
            self.written.report("E427", title, headers[0].name.span, text, labels=(label,))
            self.written.errors.enter(source.text)
            return
        self.headers += headers
        self.spans.update(named)
        for node in parsed if wanted else ():
            if isinstance(node, n.Sheet):
                text = "A module file contains rules; a game needs a sheet of its own."
                self.written.report("E424", "a game in a module", node.span, text)
            elif not isinstance(node, n.Language | n.Module):
                self.declarations.append(node)


# ---- parts without effect ----


def repeated_lines(sheet: n.Sheet) -> Iterator[Problem]:
    """Reports modules, decks, options and settlements that a sheet gives twice (E430)."""
    first: dict[tuple[str, str], n.Word] = {}
    for line in sheet.lines:
        match line:
            case n.SheetRules():
                yield from _twice("rules", line.modules, first)
            case n.SheetDeck():
                yield from _twice("deck", (line.zone,), first)
            case n.SheetNeeds():
                yield from _twice("needs of", (line.zone,), first)
            case n.SheetOption():
                yield from _twice("option", (line.option,), first)
            case n.SheetSettle():
                yield from _twice("settle", (line.name,), first)
                yield from _twice(f"settle {line.name.text}:", line.modules, {})


def _twice(
    what: str, words: tuple[n.Word, ...], first: dict[tuple[str, str], n.Word]
) -> Iterator[Problem]:
    for word in words:
        before = first.setdefault((what, word.text), word)
        if before is not word:
            title = f"`{what} {word.text}` is given twice"
            text = "A sheet can say it only once. Delete one of the two."
            label = Label(before.span, "first here")
            yield Problem("E430", title, word.span, text, labels=(label,))


def check_settlements(
    modules: Mapping[str, ModuleText], settles: Mapping[str, n.SheetSettle]
) -> Iterator[Problem]:
    """Reports settlements of unknown names (E402) and of modules that do not change the name
    (E431).
    """
    changing: dict[str, list[str]] = {}
    for module in modules.values() if settles else ():
        keys_ = (key for node in module.declarations for key, _ in changes_of(module.name, node))
        cards = (change.card.text for change in card_changes(module))
        for name in dict.fromkeys((*(name for _, name in keys_), *cards)):
            changing.setdefault(name, []).append(module.name)
    for name, line in settles.items():
        if name not in changing:
            text = (
                "No module of this game changes anything with that name, so nothing can be settled."
            )
            title, hint = f"unknown name `{name}`", suggestion(name, changing)
            yield Unresolved("E402", title, line.name.span, text, hint, name=name)
            continue
        for word in line.modules:
            if word.text not in changing[name]:
                text = f"You can settle which of these comes last: {', '.join(changing[name])}."
                title = f"module `{word.text}` does not change `{name}`"
                yield Problem("E431", title, word.span, text, suggestion(word.text, changing[name]))


def check_header(
    declarations: tuple[n.Declaration, ...], module: str, faulty: bool
) -> Iterator[Problem]:
    """The problems of module headers in a file: a wrong name or none (E428), a second header or a
    late one (E429). If parts of the file are unreadable, the header may be in these.
    """
    headers = [node for node in declarations if isinstance(node, n.Module)]
    first_nodes = [node for node in declarations if not isinstance(node, n.Language)]
    if not headers and first_nodes and not faulty and not isinstance(first_nodes[0], n.Sheet):
        text = f"It is in the folder of module {module}. Write above it:"
        title = "a rule file without a module"
        yield Problem("E428", title, first_nodes[0].span, text, f"module {module}")
    for node in headers:
        if node is not first_nodes[0]:
            title = "the module is named too late or twice"
            text = "A file belongs to one module, and names it right after the language version."
            first = isinstance(first_nodes[0], n.Module)
            label = Label(first_nodes[0].span, "first here" if first else "this stands above it")
            yield Problem("E429", title, node.span, text, labels=(label,))
        elif node.name.text != module:
            text = f"This folder is for module {module} only. Move the file, or write:"
            title = f"a rule file of module {node.name.text} in folder {module}"
            yield Problem("E428", title, node.name.span, text, module)


def chapter_of(source: Source) -> str:
    """The chapter of a module that a file is: its name without the number, `board` for
    `04_board.targi`.
    """
    return re.sub(r"^[0-9]+_", "", PurePosixPath(source.name.replace("\\", "/")).stem)
