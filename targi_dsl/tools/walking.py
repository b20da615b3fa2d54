"""The files of a folder and of all folders below it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from targi_dsl.text.diagnostics import Problem, Problems

MOST = 20_000
"""The most files that are looked at."""


def files_below(folder: Path, *suffixes: str) -> Iterator[Path]:
    """The files that end in one of these, in order of their paths; nothing hidden. Raises Problems
    if there are too many files.
    """
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        count += len(names)
        if count > MOST:
            text = f"Files are looked for among at most {MOST:,}."
            hint = "Name a folder further down."
            raise Problems([Problem("E023", "too many files", None, text, hint, file=str(folder))])
        for name in sorted(names):
            if name.endswith(suffixes) and not name.startswith("."):
                yield Path(place, name)
