"""Reports parts of sheets and files without effect: given twice, about nothing, or never read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from targi_dsl.compiler.changes import ModuleText, card_changes, changes_of
from targi_dsl.compiler.error_symbols import Unresolved
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Source, Span
from targi_dsl.text.suggestions import suggestion


def said_twice(sheet: n.Sheet) -> Iterator[Problem]:
    """Reports modules, decks, options and settlements given twice in one sheet (E430)."""
    first: dict[tuple[str, str], n.Word] = {}
    for line in sheet.lines:
        match line:
            case n.SheetRules():
                yield from _twice("rules", line.modules, first)
            case n.SheetDeck():
                yield from _twice("deck", (line.zone,), first)
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


def settled(
    modules: Mapping[str, ModuleText], settles: Mapping[str, n.SheetSettle]
) -> Iterator[Problem]:
    """Reports settlements of names that the game lacks (E402), or between modules that do not
    change them (E431).
    """
    changing: dict[str, list[str]] = {}
    for module in modules.values() if settles else ():
        for name in dict.fromkeys(_changed_names(module)):
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


def _changed_names(module: ModuleText) -> Iterator[str]:
    for node in module.declarations:
        yield from (key[1] for key, _ in changes_of(module.name, node))
    yield from (change.card.text for change in card_changes(module))


def header(declarations: tuple[n.Declaration, ...], module: str, faulty: bool) -> Iterator[Problem]:
    """The problems with the module headers of a file in a module's folder: another name or none
    (E428), a second header, or one that is not at the top (E429).

    A file with faults may have its header in a part that could not be read.
    """
    headers = [node for node in declarations if isinstance(node, n.Module)]
    said = [node for node in declarations if not isinstance(node, n.Language)]
    if not headers and said and not faulty and not isinstance(said[0], n.Sheet):
        text = f"It is in the folder of module {module}. Write above it:"
        title = "a rule file without a module"
        yield Problem("E428", title, said[0].span, text, f"module {module}")
    for node in headers:
        if node is not said[0]:
            title = "the module is named too late or twice"
            text = "A file belongs to one module, and names it right after the language version."
            first = isinstance(said[0], n.Module)
            label = Label(said[0].span, "first here" if first else "this stands above it")
            yield Problem("E429", title, node.span, text, labels=(label,))
        elif node.name.text != module:
            text = f"This folder is for module {module} only. Move the file, or write:"
            title = f"a rule file of module {node.name.text} in folder {module}"
            yield Problem("E428", title, node.name.span, text, module)


def chapter(source: Source) -> str:
    """The name of a module's file without its number: `board` for `04_board.targi`."""
    return re.sub(r"^[0-9]+_", "", PurePosixPath(source.name.replace("\\", "/")).stem)


def unknown_chapter(word: n.Word, module: str, there: list[str]) -> Problem:
    title = f"module {module} has no chapter `{word.text}`"
    text = f"Its files are, without their numbers: {', '.join(there)}."
    return Problem("E406", title, word.span, text, suggestion(word.text, there))


def is_copy(twice: int, all_: int) -> bool:
    """Whether two files share too many names for it to be an accident."""
    return twice > 1 and twice >= all_ - twice


def copy(here: Span, there: Span, twice: int) -> Problem:
    """The problem of a file that repeats another one."""
    title = "a file that seems to be a copy"
    text = f"{twice} names of it stand in {there.source.name} as well. Delete one of the two files."
    return Problem("E427", title, here, text, labels=(Label(there, "here already"),))
