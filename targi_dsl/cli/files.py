"""The locations of the commands' files, and a check of a game before its files are written."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from targi_dsl.compiler.load import check
from targi_dsl.text.cache import home
from targi_dsl.text.diagnostics import Problems


def state_folder() -> Path:
    """The folder where programs of this user keep their state."""
    variable, below = (
        ("LOCALAPPDATA", "AppData/Local")
        if sys.platform == "win32"
        else ("XDG_STATE_HOME", ".local/state")
    )
    folder = Path(os.environ.get(variable, ""))
    return (folder if folder.is_absolute() else home() / below) / "targi_dsl"


def check_game(sheet: Path, texts: Mapping[Path, str]) -> None:
    """Raises Problems if the game of a sheet would have errors with these files in place."""
    _, problems = check(str(sheet), {str(path): text for path, text in texts.items()})
    if any(problem.severity == "error" for problem in problems):
        raise Problems(problems)
