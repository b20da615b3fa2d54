"""Locates the shipped rules/, cards/, schema/ and locale/, whether installed or in a checkout.
Files in a checkout may be edited, so what is cached about them is checked against the disk.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

FOLDERS = ("rules", "cards", "schema", "locale", "docs")
TESTS = ".test.targi"
"""The suffix of rule tests, which may be among rule files."""

_CACHE_SIZE = 10_000

Version = tuple[int, ...]
Folders = list[tuple[Traversable, Version]]

_listed: dict[str, tuple[tuple[str, ...], Folders]] = {}
"""The files below each folder, and all folders below it."""


def read(name: str) -> bytes | None:
    """The bytes of a shipped file, such as `schema/cards.json`; None if it does not exist."""
    found = _find(name)
    return found.read_bytes() if found is not None and found.is_file() else None


def path(name: str) -> Path | None:
    """The path of a shipped file; None if it does not exist or is in an archive."""
    found = _find(name)
    return found if isinstance(found, Path) and found.is_file() else None


def name(path: Path) -> str | None:
    """The name of the shipped file at a path, which need not exist; None for other paths."""
    root = _root(Path(__file__).parents[1])
    if not isinstance(root, Path) or not path.is_relative_to(root):
        return None
    inside = path.relative_to(root)
    return inside.as_posix() if inside.parts[:1] and inside.parts[0] in FOLDERS else None


def names(folder: str, *suffixes: str) -> tuple[str, ...]:
    """The shipped files below a folder with one of these suffixes, as sorted relative paths with
    `/`; rule tests only if asked for.
    """
    return _ending(_names(folder), suffixes)


@lru_cache
def _ending(names: tuple[str, ...], suffixes: tuple[str, ...]) -> tuple[str, ...]:
    found = (name for name in names if name.endswith(suffixes))
    return tuple(name for name in found if name.endswith(TESTS) == (TESTS in suffixes))


def default_game() -> str:
    """The shipped game that is played if none is named."""
    data = read("rules/games/default.txt")
    return data.decode().strip() if data is not None else ""


def version(name: str) -> Version:
    """Changes whenever a shipped file does; empty if it cannot change or does not exist."""
    return _version(_find(name))


def _version(place: Traversable | None) -> Version:
    try:
        about = place.stat() if isinstance(place, Path) else None
    except OSError:
        return ()
    return (about.st_mtime_ns, about.st_size) if about is not None else ()


def _names(folder: str) -> tuple[str, ...]:
    names, folders = _listed.get(folder, ((), []))
    if not folders or any(_version(place) != before for place, before in folders):
        found, folders, top = list[str](), Folders(), _find(folder)
        if top is not None and top.is_dir():
            _list(top, "", found, folders)
        names = tuple(sorted(found))
        _listed[folder] = names, folders
    return names


def _find(name: str) -> Traversable | None:
    """The location of a name in the shipped folders."""
    place, parts = _root(Path(__file__).parents[1]), _parts(name)
    if isinstance(place, Path) and parts:
        return place.joinpath(*parts)
    for part in parts:
        if not place.is_dir():
            return None
        place = place / part
    return place if parts else None


@lru_cache(_CACHE_SIZE)
def _parts(name: str) -> tuple[str, ...]:
    """The parts of the name of a shipped file; none if it cannot be one."""
    parts = tuple(name.split("/"))
    return () if parts[0] not in FOLDERS or any(map(_is_no_name, parts)) else parts


def _is_no_name(part: str) -> bool:
    # A backslash or a colon would lead out of the folder on Windows; dot names are never shipped.
    return not part or part.startswith(".") or any(c in part for c in "\\:\0")


@lru_cache(1)
def _root(package: Path) -> Traversable:
    """The folder that contains the shipped folders: the checkout, or the installed package."""
    # `schema` too, as an installed package may be beside an unrelated pyproject.toml.
    if (package.parent / "pyproject.toml").is_file() and (package.parent / "schema").is_dir():
        return package.parent
    return files("targi_dsl") / "data"


def _list(folder: Traversable, prefix: str, names: list[str], folders: Folders) -> None:
    """Adds the files below a folder, and all folders."""
    folders.append((folder, _version(folder)))
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            _list(entry, f"{prefix}{entry.name}/", names, folders)
        else:
            names.append(prefix + entry.name)
