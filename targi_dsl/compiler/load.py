"""A game by name or path, read, checked and lowered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from targi_dsl.compiler import assemble, library
from targi_dsl.compiler.sheets import Written, read_game
from targi_dsl.ir.model import Game
from targi_dsl.text.diagnostics import Problem, Problems, did_you_mean
from targi_dsl.text.files import is_file, read_file
from targi_dsl.text.source import Source

Find = library.Library | Mapping[str, str]
"""Where the texts of a game are looked up; or the texts themselves by name of file, before the
shipped ones.
"""


def load(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
) -> Game:
    """The checked game of a sheet.

    A name is looked up in `find`, by default the shipped library and then the files of the present
    folder; with a `/` or ending in `.targi` it is a path. Texts in memory are given to `find` by
    name of file. `options` override those of the sheet, and so do `decks`: of a zone, what a sheet
    would say. Raises Problems with everything that is wrong in all files.
    """
    game, problems = check(name_or_path, find, options, decks)
    if game is None:
        raise Problems(problems)
    return game


def check(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
) -> tuple[Game | None, tuple[Problem, ...]]:
    """The game, unless there are errors, and all problems, warnings too; `decks` override those of
    the sheet.
    """
    try:
        written = read(name_or_path, find, options, decks)
    except Problems as error:
        return None, error.problems
    game = assemble.game(written)
    problems = Problems(written.problems).problems
    return (None if any(one.severity == "error" for one in problems) else game), problems


def read(
    name_or_path: str,
    find: Find | None = None,
    options: Mapping[str, str] | None = None,
    decks: Mapping[str, str] | None = None,
) -> Written:
    """The game as written, not checked yet; raises Problems when there is no such sheet."""
    where = library.of_texts(find) if isinstance(find, Mapping) else find
    sheet, shelves = _sheet(name_or_path, where)
    # What is no text is no value of any option, and is refused as such.
    given = {str(name): str(value) for name, value in (options or {}).items()}
    return read_game(shelves, sheet, given, decks or {})


def _sheet(name_or_path: str, find: library.Library | None) -> tuple[Source, library.Library]:
    if "/" in name_or_path or name_or_path.endswith(".targi"):
        path = Path(name_or_path)
        return read_file(name_or_path), find or library.beside(path)
    shelves = find or library.shipped()
    sheet = shelves.game(name_or_path)
    if sheet is None and find is None and is_file(Path(f"{name_or_path}.targi")):
        return _sheet(f"./{name_or_path}.targi", None)
    if sheet is None:
        games = shelves.games()
        near = did_you_mean(name_or_path, games)
        hint = f"Did you mean `{near}`?" if near else f"The games are: {', '.join(sorted(games))}."
        raise Problems(
            [
                Problem(
                    "E422",
                    f"unknown game `{name_or_path}`",
                    None,
                    "No sheet of that name is found.",
                    hint,
                )
            ]
        )
    return sheet, shelves
