"""Reading a game: its sheet, the modules and card sets that it names, as written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from targi_dsl.compiler import sheet_checks
from targi_dsl.compiler.changes import Key, ModuleText, keys
from targi_dsl.compiler.decks import DeckCard
from targi_dsl.compiler.error_symbols import ErrorSymbols
from targi_dsl.compiler.project import Project
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_deck
from targi_dsl.text.diagnostics import Label, Problem, Problems
from targi_dsl.text.source import Source, Span
from targi_dsl.text.suggestions import suggestion

_WORD = re.compile(r"[a-z][a-z0-9_]*")
DEEPEST_BASES = 64
"""How many sheets, or modules, may be based on one another."""
MOST_LINES = 40_000
"""Lines of all files of a game."""
_SHOWN = 12  # names that a message lists


@dataclass(slots=True)
class Written:
    """A game as written, every file of it read once."""

    project: Project
    problems: list[Problem] = field(default_factory=list)
    name: str = ""
    title: str = ""
    modules: dict[str, ModuleText] = field(default_factory=dict)
    decks: dict[str, n.SheetDeck] = field(default_factory=dict)
    options: dict[str, n.SheetOption | str] = field(
        default_factory=dict
    )  # a bare value comes from the caller
    settles: dict[str, n.SheetSettle] = field(default_factory=dict)
    rules: tuple[n.Word, ...] = ()
    chapters: dict[str, tuple[n.Word, ...]] = field(default_factory=dict)  # none: all of a module
    span: Span | None = None
    errors: ErrorSymbols = field(default_factory=ErrorSymbols)
    sources: dict[Source, str] = field(default_factory=dict)
    sheets: list[Source] = field(default_factory=list)
    lines: int = 0
    card_files: list[str] = field(default_factory=list)
    _sets: dict[str, tuple[DeckCard, ...]] = field(default_factory=dict)
    citations: dict[Source, tuple[n.Word, ...]] = field(default_factory=dict)

    @property
    def settled(self) -> dict[str, tuple[n.Word, ...]]:
        """For each name that several modules change, those modules in the order that the sheet
        says.
        """
        return {name: line.modules for name, line in self.settles.items()}

    def files(self) -> Iterator[str]:
        """The files that have been read, card files too."""
        yield from (source.name for source in (*self.sheets, *self.sources))
        for line in self.decks.values():
            for node in line.deck.walk():
                match node:
                    case (
                        n.DeckSet(name=word)
                        | n.DeckCards(of=word)
                        | n.DeckCopies(of=n.Word() as word)
                    ):
                        self.card_set(word)
                    case _:
                        pass
        yield from self.card_files

    def card_set(self, word: n.Word) -> tuple[DeckCard, ...]:
        """The cards of a set, each as often as it has copies."""
        if word.text not in self._sets:
            self._sets[word.text] = tuple(self._read_set(word))
        return self._sets[word.text]

    def _read_set(self, word: n.Word) -> Iterator[DeckCard]:
        sources = self._sources_of(word)
        for other in sources[1:]:
            text = "It lies in two folders. Delete one of the two files, or give one another name."
            label = (Label(other.span(0, 0), "here as well"),)
            title = f"two files of card set `{word.text}`"
            self.problems.append(Problem("E427", title, sources[0].span(0, 0), text, labels=label))
        for source in sources[:1]:
            self.card_files.append(source.name)
            if self.is_too_much(source):
                continue
            found, problems = self.project.kept.card_file(source)
            self.problems.extend(problems)
            if found is None:
                self.errors.no_cards = True
                continue
            set_span, kind_span = (found.node.entries[key].span for key in ("set", "kind"))
            if found.set != word.text:
                text = "A file of cards has the name of its set."
                title = f"card set `{found.set}` in a file of another name"
                self.problems.append(Problem("E542", title, set_span, text, word.text))
            for entry in found.cards:
                yield from [
                    DeckCard(entry, found.kind, word.text, kind_span, set_span)
                ] * entry.copies

    def is_too_much(self, source: Source) -> bool:
        """Whether a file is refused because of all that has been read before it."""
        before = self.lines
        self.lines += source.text.count("\n")
        if self.lines <= MOST_LINES:
            return False
        if before <= MOST_LINES:
            text = (
                f"With this file the game has {self.lines:,} lines; at most {MOST_LINES:,} are"
                " read."
            )
            title = "too much to read"
            self.problems.append(Problem("E024", title, source.span(0, 0), text))
        self.errors.no_module = True
        return True

    def _sources_of(self, word: n.Word) -> tuple[Source, ...]:
        """The files of a card set; told if there is none that can be read."""
        name = word.text
        try:
            sources = tuple(self.project.card_set(name))
        except Problems as unreadable:
            self.problems.extend(unreadable.problems)
            self.errors.no_cards = True
            return ()
        if not sources:
            sets = self.project.names("card set")
            text = f"There is no file `{name}.yaml` of cards."
            if not (hint := suggestion(name, sets)):
                others = " and others" if len(sets) > _SHOWN else ""
                text += f" The sets are: {', '.join(sets[:_SHOWN])}{others}."
            problem = Problem("E526", f"unknown card set `{name}`", word.span, text, hint)
            self.problems.append(problem)
            self.errors.no_cards = True
        return sources

    def cites(self, span: Span) -> tuple[str, ...]:
        """What the `source` clauses on the lines of a span name."""
        lines = range(span.line, span.end_line + 1)
        words = self.citations.get(span.source, ())
        texts = (one.text for one in words if one.span.line in lines)
        return tuple(dict.fromkeys(part.strip() for text in texts for part in text.split(",")))


def read_game(
    project: Project,
    sheet: Source,
    options: Mapping[str, str],
    decks: Mapping[str, str] | None = None,
) -> Written:
    """Reads a sheet and everything it names; options and deck expressions given here override the
    sheet's.

    Faults are collected, not raised.
    """
    written = Written(project)
    _sheet(written, sheet, ())
    written.options.update(options)
    for zone, said in (decks or {}).items():
        text = Source(f"deck {zone}", said)
        expression, problems = parse_deck(text)
        written.problems.extend(problems)
        if expression is not None:
            all_ = text.span(0, len(said))
            written.decks[zone] = n.SheetDeck(n.Word(zone, span=all_), expression, span=all_)
    for word in written.rules:
        _module(written, word, ())
    if not written.errors.no_module:
        written.problems.extend(sheet_checks.settled(written.modules, written.settles))
    return written


def _sheet(written: Written, source: Source, below: tuple[str, ...]) -> None:
    written.sheets.append(source)
    declarations = _parsed(written, source)
    if written.problems:
        written.errors.no_module = True
    sheets = [node for node in declarations if isinstance(node, n.Sheet)]
    for node in declarations:
        if not isinstance(node, n.Sheet | n.Language):
            text = "A sheet only names rules, decks and options; rules stand in a module."
            written.problems.append(
                Problem("E420", "this does not belong in a sheet", node.span, text)
            )
    if len(sheets) != 1:
        if not written.problems:
            text = (
                "A sheet has one line `game NAME`, with what belongs to the game indented below it."
            )
            span = sheets[1].span if sheets else None
            written.problems.append(
                Problem(
                    "E421",
                    "no game here" if not sheets else "a second game",
                    span,
                    text,
                    file=source.name,
                )
            )
        return
    sheet = sheets[0]
    if sheet.based_on is not None:
        _read_base(written, source, sheet.name, sheet.based_on, below)
    written.name, written.title, written.span = (
        sheet.name.text,
        sheet.title or sheet.name.text,
        sheet.name.span,
    )
    written.problems.extend(sheet_checks.said_twice(sheet))
    for line in sheet.lines:
        match line:
            case n.SheetRules():
                own = {word.text: word for word in line.modules}
                written.chapters.update((use.module.text, use.chapters) for use in line.uses)
                written.rules = (
                    *(word for word in written.rules if word.text not in own),
                    *own.values(),
                )
            case n.SheetDeck():
                written.decks[line.zone.text] = line
            case n.SheetOption():
                written.options[line.option.text] = line
            case n.SheetSettle():
                written.settles[line.name.text] = line
    if not written.rules and not below and not written.errors.no_module:
        text = "A game needs rules."
        written.problems.append(
            Problem("E423", "the sheet names no rules", sheet.span, text, "rules base")
        )


def _parsed(written: Written, source: Source) -> tuple[n.Declaration, ...]:
    """The declarations of a file; the words of those that cannot be read are noted as lost."""
    if written.is_too_much(source):
        return ()
    file = written.project.kept.file(source)
    declarations, problems = file.declarations, file.problems
    written.citations[source] = file.citations
    written.problems.extend(problems)
    starts = [
        0,
        *(found.start() for found in re.finditer(r"^[a-z]", source.text, re.MULTILINE)),
        len(source.text),
    ]
    for problem in problems:
        if problem.span is not None:
            # What follows a text that ends in the middle of something may have declared anything.
            written.errors.no_module |= problem.span.end >= len(source.text.rstrip())
            at = bisect_right(starts, problem.span.start)
            end = starts[min(at, len(starts) - 1)]
            written.errors.enter(source.text[starts[at - 1] : end])
    return declarations


def _read_base(
    written: Written, source: Source, name: n.Word, based_on: n.Word, below: tuple[str, ...]
) -> None:
    """Reads the sheet that another is based on; told if there is none that can be read."""
    chain = (*below, name.text)
    if len(below) >= DEEPEST_BASES:
        written.problems.append(_too_deep(based_on))
    elif (base := _base(written, source, based_on)) in written.sheets or based_on.text in chain:
        text = f"{' is based on '.join((*chain, based_on.text))}."
        written.problems.append(Problem("E405", "a game based on itself", based_on.span, text))
    elif base is not None:
        _sheet(written, base, chain)
        return
    written.errors.no_module = True


def _base(written: Written, source: Source, word: n.Word) -> Source | None:
    """The sheet that this one is based on: itself only if there is no other of that name."""
    try:
        found = written.project.game(word.text, besides=source)
    except Problems as unreadable:
        written.problems.extend(unreadable.problems)
        return None
    if found is None:
        hint = suggestion(word.text, written.project.names("game"))
        text = "No sheet of that name is found."
        title = f"unknown game `{word.text}`"
        written.problems.append(Problem("E422", title, word.span, text, hint))
    return found


def _module(written: Written, word: n.Word, below: tuple[str, ...]) -> None:
    """Reads a module after those it is based on."""
    name = word.text
    if name in below:
        chain = " is based on ".join((*below[below.index(name) :], name))
        problem = Problem("E405", "modules based on each other", word.span, f"{chain}.")
        written.problems.append(problem)
        return
    if name in written.modules:
        return
    if len(below) >= DEEPEST_BASES:
        written.problems.append(_too_deep(word))
        written.errors.no_module = True
        return
    files = _ModuleFiles(written, name)
    chapters = {word.text: word for word in written.chapters.get(name, ())}
    there = list[str]()
    for source in _module_sources(written, word):
        there.append(sheet_checks.chapter(source))
        files.read(source, not chapters or there[-1] in chapters)
    for chapter in chapters.values():
        if there and chapter.text not in there:
            written.problems.append(sheet_checks.unknown_chapter(chapter, name, there))
            written.errors.no_module = True
    based_on = tuple({base.text: base for one in files.headers for base in one.based_on}.values())
    for base in based_on:
        _module(written, base, (*below, name))
    if files.headers:
        title = next((header.title for header in files.headers if header.title), None)
        span, declarations = files.headers[0].span, tuple(files.declarations)
        written.modules[name] = ModuleText(name, title, based_on, declarations, span)


def _too_deep(word: n.Word) -> Problem:
    text = f"At most {DEEPEST_BASES} games or modules are based on one another."
    return Problem("E432", "based on too many others", word.span, text)


def _module_sources(written: Written, word: n.Word) -> Iterator[Source]:
    """The files of a module; told if there are none, or one cannot be read."""
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
        written.problems.append(Problem("E406", title, word.span, text, hint))
        written.errors.no_module = True


@dataclass(slots=True)
class _ModuleFiles:
    """What the files of one module say together."""

    written: Written
    name: str
    declarations: list[n.Component | n.Layer] = field(default_factory=list)
    headers: list[n.Module] = field(default_factory=list)
    there: dict[Key, Span] = field(default_factory=dict)

    def read(self, source: Source, wanted: bool) -> None:
        """Adds what a file says, unless it is a copy of the others; of one that is not wanted only
        what it says of the module.
        """
        self.written.sources[source] = self.name
        before = len(self.written.problems)
        parsed = _parsed(self.written, source)
        faulty = len(self.written.problems) > before
        self.written.problems.extend(sheet_checks.header(parsed, self.name, faulty))
        if not wanted:
            self.headers += (node for node in parsed if isinstance(node, n.Module))
            return
        components = [node for node in parsed if isinstance(node, n.Component)]
        named = [(key, node.span) for node in components for key in keys(node)]
        twice = [key for key in dict(named) if key in self.there]
        header = next((node for node in parsed if isinstance(node, n.Module)), None)
        if header is not None and sheet_checks.is_copy(len(twice), len(named)):
            there = self.there[twice[0]]
            self.written.problems.append(sheet_checks.copy(header.name.span, there, len(twice)))
            self.written.errors.enter(source.text)
            return
        self.there.update(named)
        for node in parsed:
            self._add(node)

    def _add(self, node: n.Declaration) -> None:
        match node:
            case n.Language():
                pass
            case n.Module():
                self.headers.append(node)
            case n.Sheet():
                text = "A module file has rules; a game is a sheet of its own."
                problem = Problem("E424", "a game in a module", node.span, text)
                self.written.problems.append(problem)
            case _:
                self.declarations.append(node)
