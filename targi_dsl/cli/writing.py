"""Files that a command makes: all of them or none, and none written over unless that is wanted."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from targi_dsl.compiler.library import Library, Shelf, beside
from targi_dsl.compiler.load import check
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Source


def check_game(game: str, texts: Mapping[Path, str], folder: Path) -> None:
    """Raises Problems if a game is wrong once these files are there."""
    named = {str(path): text for path, text in texts.items()}
    own = Shelf(tuple(sorted(named)), lambda name: Source(name, named[name]))
    _, problems = check(game, Library((own, *beside(folder / "sheet").shelves)))
    if any(one.severity == "error" for one in problems):
        raise Problems(problems)


def write_all(texts: Mapping[Path, str], *, force: bool = False) -> None:
    """Writes the files, whole or none of them; raises Problems when one is there already or cannot
    be written.
    """
    there = [path for path in texts if path.exists()]
    if there and not force:
        text = "It stays as it is, and nothing else is written."
        raise Problems(
            [
                Problem("E020", "there is such a file already", None, text, file=str(path))
                for path in there
            ]
        )
    begun = dict[Path, str]()
    made = list[Path]()
    try:
        for path, text in texts.items():
            made += _made(path.parent)
            handle, begun[path] = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        for path, name in begun.items():
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(path)
    except OSError as error:
        for name in begun.values():
            Path(name).unlink(missing_ok=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        reason = error.strerror or "it cannot be written"
        raise Problems(
            [Problem("E021", "cannot write the file", None, f"{reason}.", file=str(path))]
        ) from error


def _made(folder: Path) -> list[Path]:
    """The folders that had to be made, the outermost first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]
