"""Parsed files, kept in the user's cache for the next process.

Every file name has one entry, its last parse. Of a text that has changed since, only what is new is
parsed again.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from targi_dsl.cardfiles import CardFile, Entries
from targi_dsl.syntax import File
from targi_dsl.text import resources
from targi_dsl.text.cache import folder, installed, keep, read
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Section, Source, Span

PACKAGES = ("cardfiles", "compiler", "syntax", "text")
"""What a parse depends on."""

Sentence = tuple[object, Span]
"""How a sentence is parsed, and where it is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed file: a rule file or sheet, or a card file with its entries; and the sentences
    parsed in it.
    """

    text: str
    file: File | None
    cards: tuple[CardFile | None, list[Problem]] | None
    entries: Entries
    sentences: Mapping[Sentence, tuple[object, tuple[Problem, ...]]]


def store(source: Source, reading: Reading) -> None:
    """Stores the parse of a source."""
    data = io.BytesIO()
    with suppress(RecursionError):  # one nested this deeply is parsed again
        _Pickler(data, source).dump(reading)
        key = _key(source.name)
        keep(_path(key), data.getvalue(), key)


def restored(source: Source) -> Reading | None:
    """The last parse of a file of this name; where the text is unchanged, as a parse of this
    source.
    """
    key = _key(source.name)
    data = read(_path(key), key)
    if data is None:
        return None
    reading: Reading = _Unpickler(io.BytesIO(data), source).load()
    return reading


def _path(key: bytes) -> Path:
    return folder("readings") / f"{key.hex()}.read"


def _key(name: str) -> bytes:
    return hashlib.sha256(_readers() + name.encode("utf-8", "surrogatepass")).digest()


@cache
def _readers() -> bytes:
    return installed(*PACKAGES) + (resources.read("schema/cards.json") or b"")


# ---- as bytes ----


class _Pickler(pickle.Pickler):
    """Writes nodes as their fields, and the source as its text alone."""

    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file, protocol=5)
        self._source = source

    def persistent_id(self, obj: object) -> str | None:
        return self._source.text if obj is self._source else None

    def reducer_override(self, obj: Any) -> Any:
        of: type = type(obj)
        if isinstance(obj, Section):
            return of, (obj.source, obj.start, obj.start + len(obj.text))
        if isinstance(obj, type) or not is_dataclass(obj):
            return NotImplemented
        by_position, by_name = _filled(of)
        values = tuple(getattr(obj, name) for name in by_position)
        if not by_name:
            return of, values
        return _made, (of, by_name, *(getattr(obj, name) for name in by_name), *values)


@cache
def _filled(of: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields passed by position, and those passed by name."""
    given = [one for one in fields(of) if one.init]
    by_position = tuple(one.name for one in given if not one.kw_only)
    return by_position, tuple(one.name for one in given if one.kw_only)


def _made(of: Callable[..., object], by_name: tuple[str, ...], *values: object) -> object:
    return of(*values[len(by_name) :], **dict(zip(by_name, values, strict=False)))


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file)
        self._source = source
        self._before: dict[str, Source] = {source.text: source}

    def persistent_load(self, pid: str) -> Source:
        if pid not in self._before:
            self._before[pid] = Source(self._source.name, pid)
        return self._before[pid]
