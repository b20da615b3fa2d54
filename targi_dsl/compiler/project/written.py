"""A game as written: its parsed files, and names declared in the files around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import PurePath

from msgspec import Struct, field

from targi_dsl.compiler.cards.decks import DeckCard, with_copies
from targi_dsl.compiler.layers.changes import ModuleText, forbids, names_of
from targi_dsl.compiler.layers.error_symbols import ErrorSymbols
from targi_dsl.compiler.project.discovery import Project
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem, Problems, Reporter
from targi_dsl.text.source import Section, Source, Span
from targi_dsl.text.suggestions import suggestion

MOST_LINES = 40_000
"""The most lines of a game in all files."""
MOST_CHARACTERS = 1_000_000
"""The most characters of a game in all files."""
_SHOWN = 12  # the most names in a message


class Written(Reporter, Struct):
    """A game as written. Each file is read once."""

    project: Project
    problems: list[Problem] = []
    name: str = ""
    title: str = ""
    modules: dict[str, ModuleText] = {}
    decks: dict[str, n.SheetDeck] = {}
    needs: dict[str, n.SheetNeeds] = {}
    options: dict[str, n.SheetOption | str] = {}  # str: the caller's value
    settles: dict[str, n.SheetSettle] = {}
    rules: tuple[n.Word, ...] = ()
    chapters: dict[str, tuple[n.Word, ...]] = {}  # empty: the whole module
    span: Span | None = None
    errors: ErrorSymbols = field(default_factory=ErrorSymbols)
    sources: dict[Source, str] = {}
    sheets: list[Source] = []
    own: dict[str, ModuleText] = {}  # rules written in sheets
    lines: int = 0
    characters: int = 0
    is_refused: bool = False
    card_files: list[str] = []
    _sets: dict[str, tuple[DeckCard, ...]] = {}
    citations: dict[Source, tuple[n.Word, ...]] = {}
    _cited: dict[Source, dict[Source | Section, list[n.Word]]] = {}

    @property
    def declarations(self) -> Iterator[n.Component | n.Layer]:
        """All declarations and layers of all modules, in order."""
        return (node for module in self.modules.values() for node in module.declarations)

    @property
    def settled(self) -> dict[str, tuple[n.Word, ...]]:
        """For each settled name, the modules in the order in which their changes apply."""
        return {name: line.modules for name, line in self.settles.items()}

    def files(self) -> Iterator[str]:
        """The names of the files that were read, card files included."""
        yield from (source.name for source in (*self.sheets, *self.sources))
        for line in self.decks.values():
            for word in set_words(line.deck):
                self.card_set(word)
        yield from self.card_files

    def card_set(self, word: n.Word) -> tuple[DeckCard, ...]:
        """The cards of a set, with copies; reports an unknown set."""
        if word.text not in self._sets:
            self._sets[word.text] = tuple(self._read_set(word))
        return self._sets[word.text]

    def _read_set(self, word: n.Word) -> Iterator[DeckCard]:
        sources = self._sources_of(word)
        for other in sources[1:]:
            text = "It is in two folders. Delete one of the files, or rename it."
            label = (Label(other.span(0, 0), "here as well"),)
            title = f"two files of card set `{word.text}`"
            self.report("E427", title, sources[0].span(0, 0), text, labels=label)
        for source in sources[:1]:
            self.card_files.append(source.name)
            if self.is_too_much(source):
                continue
            found, problems = self.project.cache_of(source).card_file(source)
            self.problems.extend(problems)
            if found is None:
                self.errors.no_cards = True
                continue
            set_span, kind_span = (found.node.entries[key].span for key in ("set", "kind"))
            if found.set != word.text:
                text = "A card file has the name of its set."
                title = f"card set `{found.set}` in a file of another name"
                self.report("E542", title, set_span, text, word.text)
            kind, name = found.kind, word.text
            cards = (DeckCard(one, kind, name, kind_span, set_span) for one in found.cards)
            yield from with_copies(cards)

    def parse(self, source: Source) -> tuple[n.Declaration, ...]:
        """The declarations of a file. Names in unreadable declarations become error symbols."""
        if self.is_too_much(source):
            return ()
        file = self.project.cache_of(source).file(source)
        declarations, problems = file.declarations, file.problems
        for section, rest in file.rests:
            self.errors.enter_rest(section, rest)
        self.citations[source] = file.citations
        self.problems.extend(problems)
        if problems:  # and those that are not told, as they would be consequences of others
            untold = (one for part in file.parts for one in part.problems)
            self._enter_errors(source, (*problems, *untold))
        return declarations + tuple(rest.node for _, rest in file.rests)

    def _enter_errors(self, source: Source, problems: Iterable[Problem]) -> None:
        """Enters error symbols for the declarations that have problems."""
        starts, end = _starts(source.text), len(source.text.rstrip())
        located = [(one.span, one.edits) for one in problems if one.span is not None]
        # The missing rest of a truncated text may declare anything.
        self.errors.no_module |= any(span.end >= end and not edits for span, edits in located)
        unread = (span for span, _ in located if span.home not in self.errors.rests)
        for at in dict.fromkeys(bisect_right(starts, span.start) for span in unread):
            declaration = source.text[starts[at - 1] : starts[min(at, len(starts) - 1)]]
            # Unreadable lines of a sheet may name modules.
            self.errors.no_module |= declaration.startswith(("game", "based", "rules"))
            self.errors.enter(declaration)

    def files_of(self, module: str) -> tuple[Source, ...]:
        """The files of a module, of all its chapters; or the sheet with its rules."""
        own = (source for source, of in self.sources.items() if of == module)
        return tuple(dict.fromkeys((*self.project.module(module), *own)))

    def is_too_much(self, source: Source) -> bool:
        """Counts a file; reports and refuses it if the game exceeds the limits on text."""
        self.lines += source.text.count("\n")
        self.characters += len(source.text)
        if self.lines <= MOST_LINES and self.characters <= MOST_CHARACTERS:
            return False
        if not self.is_refused:
            count, most = f"{self.lines:,} lines", MOST_LINES
            if self.lines <= MOST_LINES:
                count, most = f"{self.characters:,} characters", MOST_CHARACTERS
            text = f"With this file the game has {count}; at most {most:,} are read."
            self.report("E024", "too much to read", source.span(0, 0), text)
        self.is_refused = self.errors.no_module = True
        return True

    def _sources_of(self, word: n.Word) -> tuple[Source, ...]:
        """The files of a card set; reports a set without files and unreadable files."""
        name = word.text
        try:
            sources = tuple(self.project.card_set(name))
        except Problems as unreadable:
            self.problems.extend(unreadable.problems)
            self.errors.no_cards = True
            return ()
        if not sources:
            sets = self.project.card_sets()
            text = f"There is no file `{name}.yaml` of cards."
            if not (hint := suggestion(name, sets)):
                others = " and others" if len(sets) > _SHOWN else ""
                text += f" The sets are: {', '.join(sets[:_SHOWN])}{others}."
            self.report("E526", f"unknown card set `{name}`", word.span, text, hint)
            self.errors.no_cards = True
        return sources

    def _citations(self, span: Span) -> Iterable[n.Word]:
        """The citations in the section of a span; all of the source, if the span is not in a
        section.
        """
        source = span.source
        if span.home is source:
            return self.citations.get(source, ())
        if source not in self._cited:
            cited = self._cited[source] = {}
            for word in self.citations.get(source, ()):
                cited.setdefault(word.span.home, []).append(word)
        return self._cited[source].get(span.home, ())

    def cites(self, span: Span) -> tuple[str, ...]:
        """The sources cited by `source` clauses on the lines of a span."""
        if not (cited := self._citations(span)):
            return ()
        lines = range(span.line, span.end_line + 1)
        texts = (one.text for one in cited if one.span.line in lines)
        return tuple(dict.fromkeys(part.strip() for text in texts for part in text.split(",")))


def _starts(text: str) -> list[int]:
    """The offsets at which declarations begin, with the start and end of the text."""
    found = re.finditer(r"^[a-z]", text, re.MULTILINE)
    return [0, *(one.start() for one in found), len(text)]


def set_words(deck: n.DeckExpr) -> Iterator[n.Word]:
    """The names of card sets in a deck expression."""
    for node in deck.walk():
        match node:
            case n.DeckSet(name=word) | n.DeckCards(of=word) | n.DeckCopies(of=n.Word() as word):
                yield word


_BASED = re.compile(r"^module\b.*\bbased\b.*", re.MULTILINE)


class NearbyNames(Struct):
    """Names that the game does not declare but files around it do, for hints. These are read only
    when there is an unknown name.

    Searched are the modules related to the game's by their bases, the modules next to its sheet,
    and the card sets next to its own. `cards`: the ids of the cards in play.
    """

    written: Written
    cards: Collection[str]
    _found: dict[str, str] | None = None
    _on_cards: tuple[frozenset[str], ...] | None = None

    def __contains__(self, name: str) -> bool:
        """Whether the name is declared near the game, or was removed from it."""
        return name in self._names()

    def has_card(self, name: str) -> bool:
        """Whether a card of that id exists that is not in play."""
        return any(name == card for card, _ in self._names_of_cards())

    def hint(self, name: str) -> str:
        """How to add what has this name to the game; empty if there is no way."""
        return self._names().get(name, "")

    def _names(self) -> dict[str, str]:
        if self._found is None:
            found: dict[str, str] = {}
            for node in self.written.declarations:
                found.update((name, "") for name in node.derived(_names_declared))
            found.update(self._names_of_modules())
            for name, how in self._names_of_cards():
                found.setdefault(name, how)
            self._found = found
        return self._found

    def _names_of_modules(self) -> Iterator[tuple[str, str]]:
        project, own = self.written.project, self.written.modules
        others = [one for one in project.names("module") if one not in own]
        bases = {module: _bases(project, module) for module in others}
        related = set(own)
        while more := {one for one, based_on in bases.items() if based_on & related} - related:
            related |= more
        related |= set(project.names_beside("module"))
        for module in others:
            if module in related:
                how = f"Module {module} declares it: add it to `rules`."
                for source in _readable(project.module(module)):
                    for node in project.cache_of(source).file(source).declarations:
                        yield from ((name, how) for name in node.derived(_names_declared))

    def _names_of_cards(self) -> Iterator[tuple[str, str]]:
        for card_set, source in self._card_files():
            how = f"It is a card of set {card_set}: add it to a `deck`."
            found, _ = self.written.project.cache_of(source).card_file(source)
            for entry in found.cards if found is not None else ():
                if entry.id not in self.cards:
                    yield entry.id, how

    def is_on_cards(self, name: str) -> bool:
        """Whether a card file near the game contains that word."""
        if self._on_cards is None:
            self._on_cards = tuple(_words(source.text) for _, source in self._card_files())
        return any(name in words for words in self._on_cards)

    def _card_files(self) -> Iterator[tuple[str, Source]]:
        """The card files near the game, with the names of their sets."""
        project = self.written.project
        beside = set(project.names_beside("card set"))
        folders = {PurePath(name).parent for name in self.written.card_files}
        for card_set in project.names("card set"):
            files = project.files("card set", card_set)
            if card_set in beside or any(PurePath(one).parent in folders for one in files):
                for source in _readable(project.card_set(card_set)):
                    yield card_set, source


@lru_cache(256)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


def _readable(sources: Iterator[Source]) -> Iterator[Source]:
    """The sources up to the first unreadable one."""
    with suppress(Problems):
        yield from sources


def _bases(project: Project, module: str) -> set[str]:
    """The direct bases of a module."""
    return {
        word.text
        for source in _readable(project.module(module))
        if _BASED.search(source.text)
        for node in project.cache_of(source).file(source).declarations
        if isinstance(node, n.Module)
        for word in node.based_on
    }


def _names_declared(node: n.Declaration) -> tuple[str, ...]:
    """The names that exist because of a declaration."""
    match node:
        case n.ExtendNames():
            return tuple(word.text for word in node.members)
        case n.Replace():
            return tuple(part.name.text for part in forbids(node.what))
        case _ if isinstance(node, n.Component):
            return tuple(names_of(node))
        case _:
            return ()
