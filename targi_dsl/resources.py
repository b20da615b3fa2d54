"""Finds the shipped rules/, cards/, schema/ and locale/, whether installed or in a checkout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

FOLDERS = ("rules", "cards", "schema", "locale")


def read(name: str) -> bytes | None:
    """The bytes of a shipped file, such as `schema/cards.json`; None if it does not exist."""
    found = _find(name)
    return found.read_bytes() if found is not None and found.is_file() else None


def names(folder: str, suffix: str) -> tuple[str, ...]:
    """The shipped files below a folder that end in `suffix`: relative to it, with `/`, sorted."""
    return tuple(name for name in _names(folder) if name.endswith(suffix))


def default_game() -> str:
    """The shipped game that is played if none is named."""
    data = read("rules/games/default.txt")
    return data.decode().strip() if data is not None else ""


@cache
def _names(folder: str) -> tuple[str, ...]:
    found = _find(folder)
    return tuple(sorted(_below(found))) if found is not None and found.is_dir() else ()


def _find(name: str) -> Traversable | None:
    """The file or folder of this name, if it is in one of the shipped folders."""
    parts = name.split("/")
    if parts[0] not in FOLDERS or any(_is_no_name(part) for part in parts):
        return None
    place = _root(Path(__file__).parent)
    for part in parts:
        if not place.is_dir():
            return None
        place = place / part
    return place


def _is_no_name(part: str) -> bool:
    # A backslash or a colon would lead out of the folder on Windows; dot names are never shipped.
    return not part or part.startswith(".") or any(c in part for c in "\\:\0")


def _root(package: Path) -> Traversable:
    """The folder that contains the shipped ones: that of the checkout, or else the installed
    package.
    """
    # `schema` too, since an installed package may be next to somebody else's pyproject.toml.
    if (package.parent / "pyproject.toml").is_file() and (package.parent / "schema").is_dir():
        return package.parent
    return files("targi_dsl") / "data"


def _below(folder: Traversable, prefix: str = "") -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name
