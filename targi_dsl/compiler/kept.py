"""What a check keeps for the next: parsed texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

from targi_dsl import cardfiles
from targi_dsl.cardfiles import CardCache, CardFile
from targi_dsl.compiler.stored import Reading, restored, store
from targi_dsl.syntax import File, ParseCache, read_file
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Source, Span, Text

MOST_TEXTS = 20_000
"""The most cached sentences of cards."""

Parsed = TypeVar("Parsed")
Read = tuple[Parsed | None, tuple[Problem, ...]]


@dataclass(slots=True)
class Kept:
    """The declarations, card files and sentences of cards as last read.

    Pass it to the project of the next check: unchanged text is not parsed again. Cached
    declarations move with the text, so only the places of the latest check are right. One that is
    `lasting` begins with what other processes have read, and leaves them what it reads.
    """

    lasting: bool = False
    declarations: ParseCache = field(default_factory=ParseCache)
    cards: dict[str, tuple[str, tuple[CardFile | None, list[Problem]]]] = field(
        default_factory=dict
    )
    entries: CardCache = field(default_factory=CardCache)
    texts: dict[tuple[object, Span], Read[object]] = field(default_factory=dict)
    files: dict[str, tuple[Source, File]] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    _new: dict[str, Source] = field(default_factory=dict)

    def unchanged(self, source: Source) -> Source:
        """The source as last read, if its text is still the same."""
        before = self.sources.get(source.name)
        if before is None or before.text != source.text:
            before = self.sources[source.name] = source
        return before

    def file(self, source: Source) -> File:
        """A rule file or game sheet."""
        if source.name not in self.files:
            self._restore(source)
        before, file = self.files.get(source.name, (None, None))
        if file is None or before is not source:
            file = read_file(source, self.declarations)
            self.files[source.name] = source, file
            self._new[source.name] = source
        return file

    def forget(self, name: str) -> None:
        """Reads a file anew, so that games that have been read from it keep their places."""
        self.declarations.files.pop(name, None)
        self.entries.files.pop(name, None)

    def apart(self) -> Kept:
        """The cache for another version of some of the texts: what is unchanged keeps
        its places.
        """
        return Kept(cards=dict(self.cards), texts=self.texts, files=dict(self.files))

    def card_file(self, source: Source) -> tuple[CardFile | None, list[Problem]]:
        """A card file."""
        if source.name not in self.cards:
            self._restore(source)
        text, read = self.cards.get(source.name, ("", None))
        if read is None or text != source.text:
            read = cardfiles.read_cards(source, self.entries)
            self.cards[source.name] = (source.text, read)
            self._new[source.name] = source
        return read

    def sentence(
        self, parse: Callable[[Text], Read[Parsed]], text: Text, place: Span
    ) -> Read[Parsed]:
        """A sentence on a card with its place; `parse` parses one of its sort."""
        key = (parse, place)
        read = self.texts.get(key)
        if read is None:
            if len(self.texts) >= MOST_TEXTS:
                self.texts.clear()
            read = self.texts[key] = parse(text)
            self._new[place.source.name] = place.source
        return read  # type: ignore[return-value]  # what this very function has read

    # ---- between processes ----

    def store(self) -> None:
        """Stores what is new for other processes."""
        for source in self._new.values() if self.lasting else ():
            store(source, self._reading(source))
        self._new.clear()

    def _reading(self, source: Source) -> Reading:
        name, text = source.name, source.text
        before, file = self.files.get(name, (None, None))
        written, cards = self.cards.get(name, ("", None))
        return Reading(
            text,
            file if before is source else None,
            cards if written == text else None,
            self.entries.files.get(name, {}),
            {
                key: read
                for key, read in self.texts.items()
                if key[1].source.name == name and key[1].source.text == text
            },
        )

    def _restore(self, source: Source) -> None:
        reading = restored(source) if self.lasting else None
        if reading is None:
            return
        if reading.file is not None:
            self.declarations.files[source.name] = reading.file
            self.files[source.name] = reading.file.source, reading.file
        if reading.cards is not None:
            self.cards[source.name] = reading.text, reading.cards
            self.entries.files[source.name] = reading.entries
        self.texts.update(reading.sentences)
