"""Finds the files of a game by path: next to its sheet first, then among the shipped ones.

A module is a folder, a card set a file, and a game a sheet, each with its name:

    rules/M/*.targi         M/*.targi         the module M
    cards/F/S.yaml          S.yaml, F/S.yaml  the card set S
    rules/games/G.targi     G.targi           the game G
    rules/M/L.po            M/L.po            the words of the module M in the language L
    rules/games/L.po        L.po              the words of the sheets in the language L

The left column has the paths of shipped files, the middle one those next to a sheet. A sheet that
lies as the shipped ones do, in a folder `rules/games`, has next to it what lies so, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
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
"""The name of the number of players among the options; options of the rules cannot have it."""

SHEETS = "games"
"""The folder of the shipped sheets."""

MOST_FILES = 10_000
"""The most entries of the folder of a sheet and of its subfolders."""

Role = Literal["game", "module", "card set", "catalogue"]


@lru_cache(MOST_FILES)
def role(file: str) -> tuple[Role, str] | None:
    """The role and name of a file according to its path; None for a file without a role."""
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
    """The module whose catalogue this is; the sheets share one."""
    return path.parent.name or SHEETS


class Folder(Frozen):
    """Files by role and name; `read` returns the text of one, or raises Problems."""

    files: Mapping[tuple[Role, str], tuple[str, ...]]
    read: Callable[[str], Source]
    shipped: bool = False

    def names(self, role: Role) -> Iterator[str]:
        """All names with this role."""
        yield from (name for kind, name in self.files if kind == role)


class Project(Noted):
    """Folders, closest first. A name in a closer folder hides the same name in the others.

    Every file is read once, so it is a single source.
    """

    notes = ("cache", "_sources", "_names")
    folders: tuple[Folder, ...]
    cache: CheckCache = field(default_factory=CheckCache)
    _sources: dict[tuple[bool, str], Source] = field(default_factory=dict)
    _names: dict[Role, tuple[str, ...]] = field(default_factory=dict)

    def names(self, role: Role) -> tuple[str, ...]:
        """The names of all games, modules or card sets, closest first."""
        if role not in self._names:
            every = (name for one in self.folders for name in one.names(role))
            self._names[role] = tuple(dict.fromkeys(every))
        return self._names[role]

    def names_beside(self, role: Role) -> tuple[str, ...]:
        """The names next to the sheet."""
        return tuple(name for one in self.folders if not one.shipped for name in one.names(role))

    def games(self) -> tuple[str, ...]:
        """The names of all games, closest first."""
        return self.names("game")

    def game(self, name: str, besides: Source | None = None) -> Source | None:
        """The closest sheet of a game other than `besides`; raises Problems if unreadable."""
        for folder in self.folders:
            for file in folder.files.get(("game", name), ()):
                if (sheet := self.source(folder, file)) is not besides:
                    return sheet
        return besides and self.game(name)

    def sheet_at(self, path: str) -> Source | None:
        """The sheet at a path, if it is one of the files next to each other."""
        for file in self.folders[0].files.get(("game", PurePosixPath(path).stem), ()):
            source = self.source(self.folders[0], file)
            if os.path.normpath(source.name) == os.path.normpath(path):
                return source
        return None

    def module(self, name: str) -> Iterator[Source]:
        """The files of a module, by name; raises Problems if one cannot be read."""
        return self._find("module", name)

    def files(self, role: Role, name: str) -> tuple[str, ...]:
        """The paths of the files of a name."""
        return next(
            (one.files[role, name] for one in self.folders if (role, name) in one.files), ()
        )

    def card_set(self, name: str) -> Iterator[Source]:
        """The file of a card set; several if several folders next to each other contain it."""
        return self._find("card set", name)

    def catalogues(self, module: str) -> Iterator[tuple[str, Source]]:
        """The catalogues of a module, or of all sheets, by language."""
        for name in self.names("catalogue"):
            if name.startswith(f"{module}/"):
                for source in self._find("catalogue", name):
                    yield name.rpartition("/")[2], source

    def source(self, folder: Folder, file: str) -> Source:
        """The text of a file."""
        key = (folder.shipped, file)
        if key not in self._sources:
            self._sources[key] = folder.read(file)
        return self._sources[key]

    def cache_of(self, source: Source) -> CheckCache:
        """The cache of a source; all projects share that of the shipped files."""
        shipped, _ = _SOURCES.get(source.name, (None, ()))
        return _SHIPPED if shipped is source else self.cache

    def sentence(self, parse: Callable[[Text], Read[Parsed]], text: Text) -> Read[Parsed]:
        """A sentence on a card; `parse` parses one of its sort."""
        place = text.span(0, len(text.text))
        return self.cache_of(place.source).sentence(parse, text, place)

    def store(self) -> None:
        """Stores what has been parsed for other processes."""
        for cache in (self.cache, _SHIPPED):
            cache.store()

    def with_sources(self, sources: Mapping[Source, Source]) -> Project:
        """The same project with some of the sources replaced."""
        read = {key: sources.get(one, one) for key, one in self._sources.items()}
        return Project(self.folders, self.cache.fork(), read)

    def _find(self, role: Role, name: str) -> Iterator[Source]:
        for folder in self.folders:
            if files := folder.files.get((role, name), ()):
                yield from (self.source(folder, file) for file in files)
                return


def shipped() -> Project:
    """The project of the shipped rules and cards."""
    return Project((_shipped_folder(),))


def beside(
    sheet: Path, buffers: Mapping[str, str] | None = None, cache: CheckCache | None = None
) -> Project:
    """The project of a sheet on disk: the files in its folder and subfolders, and those that lie
    around it as the shipped ones do, then the shipped ones.

    `buffers` are texts by path that override files on disk, shipped ones too, or are not there yet.
    Raises Problems if the folder contains too many files.
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
"""Where modules and card sets are, seen from a sheet that lies as the shipped ones do."""


def home(sheet: Path) -> Path:
    """The folder with all files next to a sheet: its own, or if the sheet lies as the shipped ones
    do, the one with `rules` and `cards`.
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
    return Folder({key: tuple(sorted(those)) for key, those in found.items()}, read, shipped)


def _reader(texts: Mapping[str, str], folder: Path, cache: CheckCache) -> Callable[[str], Source]:
    """Reads a file of a folder by its path within it."""

    def read(file: str) -> Source:
        name = str(folder / file)
        name = os.path.normpath(name) if file.startswith("..") else name
        text = texts.get(os.path.normpath(name))
        return cache.latest(read_file(name) if text is None else Source(name, text))

    return read


def _below(folder: str, names: Iterable[str]) -> Iterator[str]:
    """The paths below a folder, relative to it."""
    for name in names:
        path = (
            os.path.relpath(name, folder)
            if Path(name).is_absolute() == Path(folder).is_absolute()
            else name
        )
        if not path.startswith(".."):
            yield PurePosixPath(path).as_posix()


def _files_in(folder: Path) -> Iterator[str]:
    """The files of a folder and its subfolders, by relative path."""
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
    """The entries of a folder except hidden ones; none if it may not be read."""
    try:
        with os.scandir(folder) as entries:
            yield from (one for one in entries if not one.name.startswith("."))
    except (OSError, ValueError):
        return


def _is(question: Callable[[], bool]) -> bool:
    """The answer to a question about an entry; false if the system refuses to answer."""
    try:
        return question()
    except OSError:
        return False


def _shipped_folder() -> Folder:
    return _shipped_files(
        resources.names("rules", ".targi", ".po"), resources.names("cards", ".yaml")
    )


def _edited(folder: Folder, texts: Mapping[str, str], cache: CheckCache) -> Folder:
    """The shipped files with the texts of those that are being edited."""
    names = {resources.name(Path(path).absolute()): text for path, text in texts.items()}

    def read(file: str) -> Source:
        return cache.latest(Source(file, names[file])) if file in names else folder.read(file)

    return replace(folder, read=read)


@lru_cache(1)
def _shipped_files(rules: tuple[str, ...], cards: tuple[str, ...]) -> Folder:
    files = (*(f"rules/{name}" for name in rules), *(f"cards/{name}" for name in cards))
    return folder_of(files, _shipped_source, shipped=True)


_SOURCES: dict[str, tuple[Source, resources.Version]] = {}
"""The shipped files that have been read, each with its version then."""
_SHIPPED = CheckCache(lasting=True)


def _shipped_source(name: str) -> Source:
    """The text of a shipped file, read again if it has changed since."""
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
