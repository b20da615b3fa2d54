"""Caches of parsed texts: in memory for the next check of this process, and on disk for other
processes.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field

from targi_dsl import cardfiles
from targi_dsl.cardfiles import CardCache, CardFile, Entries
from targi_dsl.syntax import File, ParseCache, read_file
from targi_dsl.text import resources
from targi_dsl.text.cache import folder, installed, keep, read
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Section, Source, Span, Text
from targi_dsl.text.structs import Frozen

MOST_TEXTS = 20_000
"""The most sentences of cards in a cache."""

Parsed = TypeVar("Parsed")
Read = tuple[Parsed | None, tuple[Problem, ...]]


class CheckCache(Struct):
    """Parsed declarations, card files and sentences of cards, by their text.

    Pass it to the project of the next check, so that unchanged text is not parsed again. The spans
    of cached declarations move with the text, so only those of the latest check are valid. A
    `lasting` cache starts from the parses that are stored on disk, and stores new ones.
    """

    lasting: bool = False
    declarations: ParseCache = field(default_factory=ParseCache)
    cards: dict[str, tuple[str, tuple[CardFile | None, list[Problem]]]] = {}
    entries: CardCache = field(default_factory=CardCache)
    texts: dict[tuple[object, Span], Read[object]] = {}
    files: dict[str, tuple[Source, File]] = {}
    sources: dict[str, Source] = {}
    _new: dict[str, Source] = {}

    def latest(self, source: Source) -> Source:
        """The source of the last check with this name if its text is the same, or else this one."""
        before = self.sources.get(source.name)
        if before is None or before.text != source.text:
            before = self.sources[source.name] = source
        return before

    def file(self, source: Source) -> File:
        """The parsed rule file or sheet."""
        if source.name not in self.files:
            self._restore(source)
        before, file = self.files.get(source.name, (None, None))
        if file is None or before is not source:
            file = read_file(source, self.declarations)
            self.files[source.name] = source, file
            self._new[source.name] = source
        return file

    def forget(self, name: str) -> None:
        """Drops the parse of a file that has changed. Its declarations are not reused, so games
        that were read before keep their spans.
        """
        self.declarations.files.pop(name, None)
        self.entries.files.pop(name, None)

    def fork(self) -> CheckCache:
        """A cache for a version of the project in which some texts differ. Spans of unchanged texts
        are the same in both.
        """
        return CheckCache(cards=dict(self.cards), texts=self.texts, files=dict(self.files))

    def card_file(self, source: Source) -> tuple[CardFile | None, list[Problem]]:
        """The parsed card file, if it is readable, and its problems."""
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
        """A parsed sentence of a card; `parse` is the parser of its sort."""
        key = (parse, place)
        read = self.texts.get(key)
        if read is None:
            if len(self.texts) >= MOST_TEXTS:
                self.texts.clear()
            read = self.texts[key] = parse(text)
            self._new[place.source.name] = place.source
        return read  # type: ignore[return-value]  # the key determines the type

    # ---- between processes ----

    def store(self) -> None:
        """Stores new parses on disk."""
        for source in [*self._new.values()] if self.lasting else ():
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
        reading = restore(source) if self.lasting else None
        if reading is None:
            return
        if reading.file is not None:
            self.declarations.files[source.name] = reading.file
            self.files[source.name] = reading.file.source, reading.file
        if reading.cards is not None:
            self.cards[source.name] = reading.text, reading.cards
            self.entries.files[source.name] = reading.entries
        self.texts.update(reading.sentences)


# ---- on disk: in the user's cache, the last parse for each file name ----

PACKAGES = ("cardfiles", "compiler", "syntax", "text")
"""The packages on whose code a stored parse depends."""

Sentence = tuple[object, Span]
"""The parser of a sentence, and its span."""


class Reading(Frozen):
    """A stored parse: of a rule file or sheet, or of a card file with its entries; and of sentences
    in it.
    """

    text: str
    file: File | None
    cards: tuple[CardFile | None, list[Problem]] | None
    entries: Entries
    sentences: Mapping[Sentence, tuple[object, tuple[Problem, ...]]]


def store(source: Source, reading: Reading) -> None:
    """Stores the parse of a source."""
    data = io.BytesIO()
    with suppress(RecursionError):  # too deeply nested to pickle: parsed again next time
        _Pickler(data, source).dump(reading)
        key = _key(source.name)
        keep(_path(key), data.getvalue(), key)


def restore(source: Source) -> Reading | None:
    """The stored parse of a file with this name, or None. If its text is that of the source, its
    spans refer to the source.
    """
    key = _key(source.name)
    data = read(_path(key), key)
    if data is None:
        return None
    try:
        reading: Reading = _Unpickler(io.BytesIO(data), source).load()
    except Exception:  # noqa: BLE001  written by another version of this program
        return None
    return reading


def _path(key: bytes) -> Path:
    return folder("readings") / f"{key.hex()}.read"


def _key(name: str) -> bytes:
    return hashlib.sha256(_readers() + name.encode("utf-8", "surrogatepass")).digest()


@cache
def _readers() -> bytes:
    return installed(*PACKAGES) + (resources.read("schema/cards.json") or b"")


# ---- pickling ----


class _Pickler(pickle.Pickler):
    """Pickles structs as their fields, and the source as a reference to it."""

    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file, protocol=5)
        self._source = source

    def persistent_id(self, obj: object) -> str | None:
        return self._source.text if obj is self._source else None

    def reducer_override(self, obj: Any) -> Any:
        of: type = type(obj)
        if isinstance(obj, Section):
            return of, (obj.source, obj.start, obj.start + len(obj.text))
        if not isinstance(obj, Struct):
            return NotImplemented
        return _rebuild, (of, *(getattr(obj, name) for name in obj.__struct_fields__))


def _rebuild(of: type[Struct], *values: object) -> Struct:
    """A struct from the values of its fields: positional ones first, then keyword-only ones."""
    by_position = len(of.__match_args__)
    names = of.__struct_fields__[by_position:]
    return of(*values[:by_position], **dict(zip(names, values[by_position:], strict=True)))


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file)
        self._source = source
        self._before: dict[str, Source] = {source.text: source}

    def persistent_load(self, pid: str) -> Source:
        if pid not in self._before:
            self._before[pid] = Source(self._source.name, pid)
        return self._before[pid]
