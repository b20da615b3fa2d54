"""A cache of parsed files, keyed by content, so that a check only reads what has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from targi_dsl.cardfiles import CardCache, CardFile, read_cards
from targi_dsl.compiler.mentions import Mention, mentions
from targi_dsl.syntax import File, ParseCache, read_file
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Source, Text

MOST_TEXTS = 20_000
"""Sentences of cards that are kept, and syntax trees whose mentions are."""

Parsed = TypeVar("Parsed")
Read = tuple[Parsed | None, tuple[Problem, ...]]


@dataclass(slots=True)
class Kept:
    """The declarations, card files and sentences of cards as last read.

    Pass it to the project of the next check, and unchanged text is not parsed again. Cached
    declarations move with the text, so only the places of the latest check are right.
    """

    declarations: ParseCache = field(default_factory=ParseCache)
    cards: dict[str, tuple[str, tuple[CardFile | None, list[Problem]]]] = field(
        default_factory=dict
    )
    entries: CardCache = field(default_factory=CardCache)
    texts: dict[tuple[object, Text], Read[object]] = field(default_factory=dict)
    files: dict[str, tuple[Source, File]] = field(default_factory=dict)
    _mentions: dict[int, tuple[n.Node, tuple[Mention, ...]]] = field(default_factory=dict)

    def file(self, source: Source) -> File:
        """A rule file or game sheet."""
        before, file = self.files.get(source.name, (None, None))
        if file is None or before is not source:
            file = read_file(source, self.declarations)
            self.files[source.name] = source, file
        return file

    def apart(self) -> Kept:
        """The same for another reading of some of the texts: what stays as it is keeps its
        places.
        """
        return Kept(cards=dict(self.cards), texts=self.texts, files=dict(self.files))

    def card_file(self, source: Source) -> tuple[CardFile | None, list[Problem]]:
        """A card file."""
        text, read = self.cards.get(source.name, ("", None))
        if read is None or text != source.text:
            read = read_cards(source, self.entries)
            self.cards[source.name] = (source.text, read)
        return read

    def sentence(self, parse: Callable[[Text], Read[Parsed]], text: Text) -> Read[Parsed]:
        """A sentence on a card; `parse` reads one of its sort."""
        key = (parse, text)
        if key not in self.texts:
            if len(self.texts) >= MOST_TEXTS:
                self.texts.clear()
            self.texts[key] = parse(text)
        return self.texts[key]  # type: ignore[return-value]  # what this very function has read

    def mentions(self, tree: n.Node) -> tuple[Mention, ...]:
        """The names that a tree mentions."""
        before, found = self._mentions.get(id(tree), (None, ()))
        if before is not tree:
            if len(self._mentions) >= MOST_TEXTS:
                self._mentions.clear()
            found = mentions(tree)
            self._mentions[id(tree)] = tree, found
        return found
