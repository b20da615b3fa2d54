"""Whatever goes wrong, told in one way: problems, wrong usage, an interruption, or a bug of ours."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from targi_dsl.cli import __version__
from targi_dsl.cli.output import emit, tell
from targi_dsl.text.diagnostics import Problem, Problems, to_json

DONE, WRONG, USAGE, INTERRUPTED, BUG = 0, 1, 2, 130, 70
"""The exit codes."""


def told(error: Exception, arguments: Sequence[str]) -> int:
    """Says on standard error what went wrong, with --json also on standard output; gives the exit
    code.
    """
    code, problems = _explained(error, arguments)
    if "--json" in arguments:
        emit(to_json(problems))
    return code


def _explained(error: Exception, arguments: Sequence[str]) -> tuple[int, Sequence[Problem]]:
    match error:
        case Problems():
            tell(error.problems)
            return WRONG, error.problems
        case click.ClickException():
            error.show()
            return USAGE, [Problem("E009", "wrong usage", None, error.format_message())]
        case click.Abort() | KeyboardInterrupt():
            return INTERRUPTED, [
                Problem("E008", "interrupted", None, "The command was interrupted.")
            ]
        case _:
            text = f"This is a bug in targi, not in your files. {_reported(error, arguments)}"
            click.echo(f"targi: {text}", err=True)
            return BUG, [Problem("E007", "a bug of ours", None, text)]


def _reported(error: Exception, arguments: Sequence[str]) -> str:
    """Writes a report of the error; says where it is."""
    lines = [
        f"targi {__version__}, Python {sys.version}, {sys.platform}",
        "arguments: " + " ".join(map(repr, arguments)),
        *traceback.format_exception(error),
    ]
    path = state_folder() / time.strftime(f"bug-%Y%m%d-%H%M%S-{os.getpid()}.txt")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8", errors="backslashreplace")
    except OSError as failure:
        return f"A report could not be written: {failure.strerror or failure}."
    return f"A report with all there is to know is in {path}"


def state_folder() -> Path:
    """Where this user's programs keep what they leave behind."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "targi_dsl"
