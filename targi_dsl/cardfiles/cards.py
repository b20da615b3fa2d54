"""Card files as written: entries of cards with their spans."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from targi_dsl.cardfiles.nodes import Mapping, Scalar, Sequence
from targi_dsl.text.source import Section, Span
from targi_dsl.text.structs import Frozen

_IN_BRACES = re.compile(r"\{(\w+)\}")


class CardEntry(Frozen):
    """One card as written.

    `names`, `shorts` and `texts` are by language. `sources`: the provenance of the card, or of its
    fields. `fields`: the keys that rules declare, in order. `node` has the spans:
    `node.keys["id"]`, `node.entries["id"].span`.
    """

    id: str
    number: int | None
    copies: int
    names: dict[str, str]
    shorts: dict[str, str]
    texts: dict[str, str]
    fields: dict[str, Scalar | Sequence]
    sources: dict[str, str] | str
    node: Mapping

    @property
    def span(self) -> Span:
        """The whole card."""
        return self.node.span

    @property
    def keys(self) -> dict[str, Span]:
        """The place of each key."""
        return self.node.keys

    def fields_in_words(self) -> Iterator[tuple[str, Span]]:
        """The fields in braces in the card's names and texts, with their spans."""
        for words in map(self.node.entries.get, ("name", "short", "text")):
            for one in words.entries.values() if isinstance(words, Mapping) else (words,):
                if isinstance(one, Scalar):
                    for name in _IN_BRACES.finditer(str(one.value)):
                        yield name[1], one.text.span(*name.span(1))


class CardFile(Frozen):
    """A card file as written; `source`: the provenance of cards without their own."""

    set: str
    kind: str
    cards: tuple[CardEntry, ...]
    source: str
    node: Mapping

    @property
    def span(self) -> Span:
        """The part of the file that has content."""
        return self.node.span


Entries = dict[str, list[tuple[Section, Mapping]]]
"""The entries of a file by their texts."""


class CardCache(Struct):
    """The latest entries of card files. Unchanged entries are reused: the same object, with its
    section moved to the new position.
    """

    files: dict[str, Entries] = field(default_factory=dict)
