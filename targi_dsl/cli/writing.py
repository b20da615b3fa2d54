"""A check of games that are about to be written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from targi_dsl.compiler.library import Library, Shelf, beside
from targi_dsl.compiler.load import check
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.source import Source


def check_game(game: str, texts: Mapping[Path, str], folder: Path) -> None:
    """Raises Problems if a game is wrong once these files are there."""
    named = {str(path): text for path, text in texts.items()}
    own = Shelf(tuple(sorted(named)), lambda name: Source(name, named[name]))
    _, problems = check(game, Library((own, *beside(folder / "sheet").shelves)))
    if any(one.severity == "error" for one in problems):
        raise Problems(problems)
