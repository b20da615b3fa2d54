"""Where the texts of a game are looked up: beside the sheet first, then among the shipped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from targi_dsl import resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import read_file
from targi_dsl.text.source import Source

SET = re.compile(r"^set:[ \t]*([a-z][a-z0-9_]*)", re.MULTILINE)
MODULE = re.compile(r"^module[ \t]+([a-z][a-z0-9_]*).*", re.MULTILINE)
_GAME = re.compile(r"^game[ \t]+([a-z][a-z0-9_]*)", re.MULTILINE)
NO_PLAIN_FILE = "E006"

Read = tuple[Source | None, tuple[Problem, ...]]
"""A text; or, if it cannot be read, none and why."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Texts by name; `read` raises Problems for a text that cannot be read."""

    names: tuple[str, ...]
    read: Callable[[str], Source]
    _read: dict[str, Source] = field(default_factory=dict, repr=False, compare=False)

    def source(self, name: str) -> Source:
        """The text of that name, read once."""
        if name not in self._read:
            self._read[name] = self.read(name)
        return self._read[name]


@dataclass(frozen=True, slots=True)
class Library:
    """Shelves, the nearest first. A name found on a nearer shelf hides the same name further on."""

    shelves: tuple[Shelf, ...]

    def game(self, name: str) -> Source | None:
        """The sheet of a game."""
        found = self._declared(_GAME, name, ".targi")
        return found[0] if found else None

    def module(self, name: str) -> tuple[Source, ...]:
        """The files of a module, by name of file."""
        return self._declared(MODULE, name, ".targi")

    def card_set(self, name: str) -> tuple[Source, ...]:
        """The card files of a set."""
        return self._declared(SET, name, ".yaml")

    def games(self) -> tuple[str, ...]:
        return self._names(_GAME, ".targi")

    def modules(self) -> tuple[str, ...]:
        return self._names(MODULE, ".targi")

    def card_sets(self) -> tuple[str, ...]:
        return self._names(SET, ".yaml")

    def strays(self, suffix: str) -> Iterator[Read]:
        """The texts beside the shipped ones that cannot be read, with why, or that declare nothing."""
        for shelf in self.shelves[:-1]:
            for source, problems in _read(
                shelf, (name for name in shelf.names if name.endswith(suffix))
            ):
                if source is None or not any(
                    pattern.search(source.text) for pattern in (SET, MODULE, _GAME)
                ):
                    yield source, problems

    def neighbours(
        self, sources: tuple[Source, ...], suffix: str
    ) -> Iterator[tuple[Source | None, tuple[Problem, ...]]]:
        """The other texts in the folders that these lie in; a pipe or folder with such a name is
        nobody's text.
        """
        own = {source.name for source in sources}
        folders = {PurePath(name).parent for name in own}
        for shelf in self.shelves:
            if own.isdisjoint(shelf.names):
                continue
            others = (
                PurePath(name) for name in shelf.names if name.endswith(suffix) and name not in own
            )
            beside = (
                str(one) for one in others if one.parent in folders and not one.name.startswith(".")
            )
            found = _read(shelf, beside)
            yield from (
                one for one in found if not any(problem.code == NO_PLAIN_FILE for problem in one[1])
            )

    def is_used(self, module: str, beside: Source) -> bool:
        """Whether a sheet or another module on the shelf of that text names the module."""
        pattern = re.compile(
            rf"^(?:[ \t]+rules|(?:module|game)\b.*\bbased on)\b.*\b{module}\b", re.MULTILINE
        )
        shelves = (shelf for shelf in self.shelves if beside.name in shelf.names)
        return any(
            pattern.search(source.text) for shelf in shelves for source in _texts(shelf, ".targi")
        )

    def _declared(self, pattern: re.Pattern[str], name: str, suffix: str) -> tuple[Source, ...]:
        for shelf in self.shelves:
            found = tuple(
                source for source in _texts(shelf, suffix) if name in pattern.findall(source.text)
            )
            if found:
                return found
        return ()

    def _names(self, pattern: re.Pattern[str], suffix: str) -> tuple[str, ...]:
        texts = (source.text for shelf in self.shelves for source in _texts(shelf, suffix))
        return tuple(dict.fromkeys(name for text in texts for name in pattern.findall(text)))


def shipped() -> Library:
    """The library of the shipped rules and cards."""
    return Library((_stock_shelf(),))


def beside(path: Path) -> Library:
    """The library of a sheet on disk: the texts of its folder and of the folders in it, then the
    shipped.
    """
    folder = path.parent
    names = tuple(
        str(found)
        for suffix in (".targi", ".yaml")
        for found in sorted(
            {
                *folder.glob(f"*{suffix}"),
                *folder.glob(f"*/*{suffix}"),
                *folder.glob(f"*/*/*{suffix}"),
            }
        )
    )
    return Library((Shelf(names, read_file), _stock_shelf()))


def of_texts(texts: Mapping[str, str]) -> Library:
    """A library of texts in memory, then the shipped."""
    return Library(
        (Shelf(tuple(sorted(texts)), lambda name: Source(name, texts[name])), _stock_shelf())
    )


def _stock_shelf() -> Shelf:
    kinds = (("rules", ".targi"), ("cards", ".yaml"))
    names = tuple(
        f"{folder}/{name}" for folder, suffix in kinds for name in resources.names(folder, suffix)
    )
    return Shelf(names, _read_stock)


def _read_stock(name: str) -> Source:
    data = resources.read(name)
    assert data is not None, name
    return decode(name, data)


def _read(shelf: Shelf, names: Iterable[str]) -> Iterator[Read]:
    for name in names:
        try:
            yield shelf.source(name), ()
        except Problems as error:
            yield None, error.problems


def _texts(shelf: Shelf, suffix: str) -> Iterable[Source]:
    for name in shelf.names:
        if name.endswith(suffix):
            try:
                yield shelf.source(name)
            except Problems:
                continue  # a text that cannot be read declares nothing; `strays` and `neighbours` tell why
