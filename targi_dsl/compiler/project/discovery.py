"""Finds the files of a game by path: next to its sheet first, then among the shipped files.

A module is a folder, a card set a file, and a game a sheet, each named after its path:

    rules/M/*.targi         M/*.targi         the module M
    cards/F/S.yaml          S.yaml, F/S.yaml  the card set S
    rules/games/G.targi     G.targi           the game G
    rules/M/L.po            M/L.po            the catalogue of the module M for the language L
    rules/games/L.po        L.po              the catalogue of the sheets for the language L

The left column has the paths of shipped files, the middle one those relative to a sheet. A sheet in
a folder `rules/games` also has the files around it that are placed as the shipped ones are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec import field
from msgspec.structs import replace

from targi_dsl.compiler.project.cache import CheckCache, Parsed, Read
from targi_dsl.text import resources
from targi_dsl.text.decoding import decode
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import read_file
from targi_dsl.text.source import Source, Text
from targi_dsl.text.structs import Frozen, Noted

PLAYERS = "players"
"""The option for the number of players; rules cannot declare an option of this name."""

SHEETS = "games"
"""The folder of the shipped sheets, and the name under which catalogues of sheets are found."""

MOST_FILES = 10_000
"""The most files in the folder of a sheet and its subfolders."""

_CARDS = re.compile(r"^(?:set|cards):", re.MULTILINE)
"""What a file with cards has at its left edge."""

Role = Literal["game", "module", "card set", "catalogue"]


@lru_cache(MOST_FILES)
def role(file: str) -> tuple[Role, str] | None:
    """What a file is for, by its path, and its name; None for other files."""
    path = PurePosixPath(file)
    if path.name.startswith(".") or path.name.endswith(resources.TESTS):
        return None
    match path.suffix:
        case ".yaml":
            return "card set", path.stem
        case ".po":
            return "catalogue", f"{_module_of(path)}/{path.stem}"
        case ".targi" if path.parent.name in ("", SHEETS):
            return "game", path.stem
        case ".targi":
            return "module", path.parent.name
        case _:
            return None


def _module_of(path: PurePosixPath) -> str:
    """The module of a catalogue; that of the sheets is SHEETS."""
    return path.parent.name or SHEETS


class Folder(Frozen):
    """An index of files by role and name. `read` gives the text of a file, or raises Problems."""

    files: Mapping[tuple[Role, str], tuple[str, ...]]
    read: Callable[[str], Source]
    shipped: bool = False

    def names(self, role: Role) -> Iterator[str]:
        """All names with this role."""
        yield from (name for kind, name in self.files if kind == role)


class Project(Noted):
    """Folders in order of precedence: a name in one hides the same name in later ones. Each file is
    read once, so it has a single Source.
    """

    notes = ("cache", "_sources", "_names")
    folders: tuple[Folder, ...]
    cache: CheckCache = field(default_factory=CheckCache)
    _sources: dict[tuple[bool, str], Source] = field(default_factory=dict)
    _names: dict[Role, tuple[str, ...]] = field(default_factory=dict)

    def names(self, role: Role) -> tuple[str, ...]:
        """All names with this role, in order of precedence."""
        if role not in self._names:
            every = (name for one in self.folders for name in one.names(role))
            self._names[role] = tuple(dict.fromkeys(every))
        return self._names[role]

    def names_beside(self, role: Role) -> tuple[str, ...]:
        """The names with this role that are not shipped."""
        return tuple(name for one in self.folders if not one.shipped for name in one.names(role))

    def games(self) -> tuple[str, ...]:
        """The names of all games."""
        return self.names("game")

    def game(self, name: str, besides: Source | None = None) -> Source | None:
        """The sheet of a game, preferably not `besides`: so a game can be based on a shipped one of
        its own name. None if there is none; raises Problems if it is unreadable.
        """
        for folder in self.folders:
            for file in folder.files.get(("game", name), ()):
                if (sheet := self.source(folder, file)) is not besides:
                    return sheet
        return besides and self.game(name)

    def sheet_at(self, path: str) -> Source | None:
        """The sheet with this path, if the first folder has it."""
        for file in self.folders[0].files.get(("game", PurePosixPath(path).stem), ()):
            source = self.source(self.folders[0], file)
            if os.path.normpath(source.name) == os.path.normpath(path):
                return source
        return None

    def module(self, name: str) -> Iterator[Source]:
        """The files of a module, sorted; raises Problems if one is unreadable."""
        return self._find("module", name)

    def files(self, role: Role, name: str) -> tuple[str, ...]:
        """The paths of the files with a role and name."""
        return next(
            (one.files[role, name] for one in self.folders if (role, name) in one.files), ()
        )

    def card_set(self, name: str) -> Iterator[Source]:
        """The files of a card set; more than one if several folders beside the sheet contain it."""
        return self._find("card set", name)

    def card_sets(self) -> tuple[str, ...]:
        """The names of all card sets, without other files in YAML, such as saved games."""
        return tuple(filter(self._has_cards, self.names("card set")))

    def _has_cards(self, name: str) -> bool:
        with suppress(Problems):
            return any(_CARDS.search(source.text) for source in self.card_set(name))
        return False

    def catalogues(self, module: str) -> Iterator[tuple[str, Source]]:
        """The catalogues of a module, or of SHEETS, with their languages."""
        for name in self.names("catalogue"):
            if name.startswith(f"{module}/"):
                for source in self._find("catalogue", name):
                    yield name.rpartition("/")[2], source

    def source(self, folder: Folder, file: str) -> Source:
        """A file of a folder, read on first use."""
        key = (folder.shipped, file)
        if key not in self._sources:
            self._sources[key] = folder.read(file)
        return self._sources[key]

    def cache_of(self, source: Source) -> CheckCache:
        """The cache for a source; all projects share the cache of shipped files."""
        shipped, _ = _SOURCES.get(source.name, (None, ()))
        return _SHIPPED if shipped is source else self.cache

    def sentence(self, parse: Callable[[Text], Read[Parsed]], text: Text) -> Read[Parsed]:
        """A parsed sentence of a card; `parse` is the parser of its sort."""
        place = text.span(0, len(text.text))
        return self.cache_of(place.source).sentence(parse, text, place)

    def store(self) -> None:
        """Stores new parses on disk for other processes."""
        for cache in (self.cache, _SHIPPED):
            cache.store()

    def with_sources(self, sources: Mapping[Source, Source]) -> Project:
        """The project with some sources replaced."""
        read = {key: sources.get(one, one) for key, one in self._sources.items()}
        return Project(self.folders, self.cache.fork(), read)

    def _find(self, role: Role, name: str) -> Iterator[Source]:
        for folder in self.folders:
            if files := folder.files.get((role, name), ()):
                yield from (self.source(folder, file) for file in files)
                return


def shipped() -> Project:
    """The project of the shipped rules and cards alone."""
    return Project((_shipped_folder(),))


def beside(
    sheet: Path, buffers: Mapping[str, str] | None = None, cache: CheckCache | None = None
) -> Project:
    """The project of a sheet on disk: the files in its folder and subfolders, those around it if it
    is placed as the shipped sheets are, then the shipped files. `buffers`: texts by path that
    replace files on disk, shipped ones too, or add to them. Raises Problems if the folder has too
    many files.
    """
    texts = {os.path.normpath(name): text for name, text in (buffers or {}).items()}
    files = dict[str, None]()
    is_own = resources.name(sheet.absolute()) is None
    for place in ("", *(_AROUND if is_own and home(sheet) != sheet.parent else ())):
        folder = sheet.parent / place
        found = (*_files_in(folder), *_below(os.path.normpath(folder), texts))
        files |= {f"{place}{one}": None for one in found if not (place and one.startswith(_GAMES))}
    cache = cache or CheckCache(lasting=buffers is None)
    own = folder_of(files, _reader(texts, sheet.parent, cache))
    return Project((own, _edited(_shipped_folder(), texts, cache)), cache)


_GAMES = f"{SHEETS}/"
_AROUND = ("../", "../../cards/")
"""The folders of modules and card sets, relative to a sheet that is placed as the shipped ones
are.
"""


def home(sheet: Path) -> Path:
    """The folder that contains all files of a sheet: its own, or the one with `rules` and `cards`
    if it is placed as the shipped ones are.
    """
    path = sheet.absolute()
    return path.parents[2] if path.parts[-3:-1] == ("rules", SHEETS) else sheet.parent


def of_texts(texts: Mapping[str, str], cache: CheckCache | None = None) -> Project:
    """A project of texts in memory, by path, then the shipped files."""
    cache = cache or CheckCache()
    own = folder_of(sorted(texts), lambda name: cache.latest(Source(name, texts[name])))
    return Project((own, _shipped_folder()), cache)


def folder_of(files: Iterable[str], read: Callable[[str], Source], shipped: bool = False) -> Folder:
    found: dict[tuple[Role, str], list[str]] = {}
    for file in files:
        key = role(file)
        if key is not None:
            found.setdefault(key, []).append(file)
    return Folder({key: tuple(sorted(paths)) for key, paths in found.items()}, read, shipped)


def _reader(texts: Mapping[str, str], folder: Path, cache: CheckCache) -> Callable[[str], Source]:
    """A function that reads a file by its path in a folder."""

    def read(file: str) -> Source:
        name = str(folder / file)
        name = os.path.normpath(name) if file.startswith("..") else name
        text = texts.get(os.path.normpath(name))
        return cache.latest(read_file(name) if text is None else Source(name, text))

    return read


def _below(folder: str, names: Iterable[str]) -> Iterator[str]:
    """The paths that are below a folder, relative to it."""
    for name in names:
        path = (
            os.path.relpath(name, folder)
            if Path(name).is_absolute() == Path(folder).is_absolute()
            else name
        )
        if not path.startswith(".."):
            yield PurePosixPath(path).as_posix()


def _files_in(folder: Path) -> Iterator[str]:
    """The relative paths of the files in a folder and its direct subfolders."""
    for count, path in enumerate(_entries(folder)):
        if count >= MOST_FILES:
            text = f"Rules and cards are looked for among at most {MOST_FILES:,} files."
            hint = "Put the sheet in a folder of its own."
            raise Problems([Problem("E023", "too many files", None, text, hint, file=str(folder))])
        yield path


def _entries(folder: Path) -> Iterator[str]:
    for entry in _entries_in(folder):
        if _is(entry.is_dir):
            inner = _entries_in(entry.path)
            yield from (f"{entry.name}/{one.name}" for one in inner if _is(one.is_file))
        elif _is(entry.is_file):
            yield entry.name


def _entries_in(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """The entries of a folder without hidden ones; none if it is not readable."""
    try:
        with os.scandir(folder) as entries:
            yield from (one for one in entries if not one.name.startswith("."))
    except (OSError, ValueError):
        return


def _is(question: Callable[[], bool]) -> bool:
    """The result of a test of a directory entry; false if the system call fails."""
    try:
        return question()
    except OSError:
        return False


def _shipped_folder() -> Folder:
    return _shipped_files(
        resources.names("rules", ".targi", ".po"), resources.names("cards", ".yaml")
    )


def _edited(folder: Folder, texts: Mapping[str, str], cache: CheckCache) -> Folder:
    """The shipped files, with texts that are being edited in place of theirs."""
    names = {resources.name(Path(path).absolute()): text for path, text in texts.items()}

    def read(file: str) -> Source:
        return cache.latest(Source(file, names[file])) if file in names else folder.read(file)

    return replace(folder, read=read)


@lru_cache(1)
def _shipped_files(rules: tuple[str, ...], cards: tuple[str, ...]) -> Folder:
    files = (*(f"rules/{name}" for name in rules), *(f"cards/{name}" for name in cards))
    return folder_of(files, _shipped_source, shipped=True)


_SOURCES: dict[str, tuple[Source, resources.Version]] = {}
"""The shipped files read so far, with their versions."""
_SHIPPED = CheckCache(lasting=True)


def _shipped_source(name: str) -> Source:
    """A shipped file; it is read again if it has changed."""
    source, before = _SOURCES.get(name, (None, ()))
    version = resources.version(name)
    if source is None or version != before:
        data = resources.read(name)
        if data is None:
            raise FileNotFoundError(f"{name} is not shipped with this program")
        _SHIPPED.forget(name)
        source = decode(name, data)
        _SOURCES[name] = source, version
    return source
