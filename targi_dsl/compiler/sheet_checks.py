"""What sheets and files say in vain: twice, of nothing, or where nothing is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from targi_dsl.compiler.changes import Key, ModuleText, changes_of
from targi_dsl.compiler.library import Library
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_file
from targi_dsl.text.diagnostics import Label, Problem, did_you_mean
from targi_dsl.text.source import Source


def said_twice(sheet: n.Sheet) -> Iterator[Problem]:
    """Modules, decks, options and settlements that one sheet has twice (E430)."""
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
            title = f"`{what} {word.text}` is said twice"
            text = "A sheet says it once. Delete one of the two."
            yield Problem(
                "E430", title, word.span, text, labels=(Label(before.span, "first here"),)
            )


def settled(
    modules: Mapping[str, ModuleText], settles: Mapping[str, n.SheetSettle]
) -> Iterator[Problem]:
    """What is settled and is none of the game's names (E402), or between modules that do not change
    it (E431).
    """
    changing: dict[str, list[str]] = {}
    for module in modules.values():
        for name in dict.fromkeys(
            key[1] for node in module.declarations for key, _ in changes_of(module.name, node)
        ):
            changing.setdefault(name, []).append(module.name)
    for name, line in settles.items():
        if name not in changing:
            text = (
                "No module of this game says anything of that name, so there is nothing to settle."
            )
            yield Problem(
                "E402", f"unknown name `{name}`", line.name.span, text, _near(name, list(changing))
            )
            continue
        for word in line.modules:
            if word.text not in changing[name]:
                text = f"What is settled is which of these comes last: {', '.join(changing[name])}."
                title = f"module `{word.text}` does not change `{name}`"
                yield Problem("E431", title, word.span, text, _near(word.text, changing[name]))


def _near(word: str, known: list[str]) -> str:
    found = did_you_mean(word, known)
    return f"Did you mean `{found}`?" if found else ""


def header(declarations: tuple[n.Declaration, ...]) -> Iterator[Problem]:
    """A `module` line that is a file's second one, or stands below something else (E429)."""
    headers = [node for node in declarations if isinstance(node, n.Module)]
    first = next((node for node in declarations if not isinstance(node, n.Language)), None)
    for node in headers:
        if first is not None and node is not first:
            title = "the module is named too late or twice"
            text = "A file belongs to one module, and names it right below the version of the language."
            label = (
                Label(
                    first.span,
                    "first here" if isinstance(first, n.Module) else "this stands above it",
                ),
            )
            yield Problem("E429", title, node.span, text, labels=label)


def misplaced(library: Library, module: str, source: Source) -> Iterator[Problem]:
    """Why a rule file that lies among those of a module is no part of it, if it seems to be meant
    so (E428).
    """
    declarations, problems = parse_file(source)
    if any(isinstance(node, n.Sheet) for node in declarations):
        return
    named = next((node.name for node in declarations if isinstance(node, n.Module)), None)
    rules = next((node for node in declarations if isinstance(node, n.Component | n.Layer)), None)
    if named is None and rules is not None:
        text = f"It lies among the files of module {module}, but says no module, so nothing of it is read."
        yield from problems or [
            Problem("E428", "a rule file of no module", rules.span, text, f"module {module}")
        ]
    elif named is not None and PurePath(source.name).parent.name == module:
        if _says_the_same(declarations, library.module(module)):
            return  # a copy under another name: no rule is missed
        homes = {PurePath(one.name).parent for one in library.module(named.text)}
        if len(homes) > 1 or not library.is_used(named.text, source):
            text = f"One would look in this folder for the rules of module {module} only. Move the file, or write:"
            title = f"a rule file of module {named.text} in folder {module}"
            yield Problem("E428", title, named.span, text, module)


def _says_the_same(declarations: tuple[n.Declaration, ...], sources: tuple[Source, ...]) -> bool:
    """Whether these texts as well do to each name what is done to it here."""
    there = {one for source in sources for one in _done(parse_file(source)[0])}
    return set(_done(declarations)) <= there


def _done(declarations: tuple[n.Declaration, ...]) -> Iterator[tuple[Key, str]]:
    for node in declarations:
        if isinstance(node, n.Component | n.Layer):
            yield from ((key, change.how) for key, change in changes_of("", node))
