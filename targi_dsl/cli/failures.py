"""Reports all failures in the same way: problems, wrong usage, interruptions and bugs."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Iterable, Sequence

import click

from targi_dsl.cli.output import put, put_document, put_problems
from targi_dsl.text.cache import state_folder
from targi_dsl.text.diagnostics import Problem, Problems, to_json
from targi_dsl.text.files import reason, write_files
from targi_dsl.text.suggestions import did_you_mean
from targi_dsl.text.version import __version__

DONE, WRONG, USAGE, INTERRUPTED, BUG = 0, 1, 2, 130, 70
"""The exit codes."""


def unknown(
    what: str, name: str, known: Iterable[str], context: click.Context | None = None
) -> click.UsageError:
    """The error for an argument that is not one of the known words."""
    known = tuple(known)
    near = did_you_mean(name, known)
    hint = f"Did you mean '{near}'?" if near else f"There are: {', '.join(known)}."
    return click.UsageError(f"{what[:1].upper()}{what[1:]}. {hint}", context)


def report(error: Exception, arguments: Sequence[str]) -> int:
    """Prints an error to standard error, with --json also to standard output. Returns the exit
    code.
    """
    code, problems = _explained(error, arguments)
    try:
        if not isinstance(error, click.Abort | KeyboardInterrupt):
            _print(error, problems)
        if "--json" in arguments:
            put_document(to_json(problems))
    except OSError:  # nothing can be printed
        code = code or WRONG
    return code


def _explained(error: Exception, arguments: Sequence[str]) -> tuple[int, Sequence[Problem]]:
    """The exit code and the message of an error."""
    match error:
        case Problems():
            return WRONG, error.problems
        case click.ClickException():
            return USAGE, [Problem("E009", "wrong usage", None, error.format_message())]
        case click.Abort() | KeyboardInterrupt():
            return INTERRUPTED, [
                Problem("E008", "interrupted", None, "The command was interrupted.")
            ]
        case OSError():
            title, file = "the system refuses something", error.filename
            name = file if isinstance(file, str) else ""
            return WRONG, [Problem("E029", title, None, f"{reason(error)}.", file=name)]
        case _:
            what = traceback.format_exception_only(error)[-1].strip()
            report = _bug_report(error, arguments)
            text = f"This is a bug in targi, not in your files: {what}. {report}"
            return BUG, [Problem("E007", "a bug in targi", None, text)]


def _print(error: Exception, problems: Sequence[Problem]) -> None:
    """Prints an error to standard error."""
    match error:
        case Problems() | OSError():
            put_problems(problems)
        case click.ClickException():
            put(_usage(error), err=True)
        case _:
            put(f"targi: {problems[0].text}", err=True)


def _usage(error: click.ClickException) -> str:
    """The message of wrong usage."""
    message = error.format_message()
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return f"Error: {message}"
    if message == context.get_help():  # no command was named
        return message
    hint = f"Try '{context.command_path} {context.help_option_names[-1]}' for help."
    return f"{context.get_usage()}\n{hint}\n\nError: {message}"


def _bug_report(error: Exception, arguments: Sequence[str]) -> str:
    """Writes a report of the error to a file; returns a message that names it."""
    lines = [
        f"targi {__version__}, Python {sys.version}, {sys.platform}",
        "arguments: " + " ".join(map(repr, arguments)),
        *traceback.format_exception(error),
    ]
    path = state_folder() / time.strftime(f"bug-%Y%m%d-%H%M%S-{os.getpid()}.txt")
    data = "\n".join(lines).encode("utf-8", "backslashreplace")
    try:
        write_files({path: data}, replace=True, make_folders=True)
    except Problems as failure:
        return f"A report could not be written: {failure.problems[0].text}"
    return f"A report with everything there is to know is in {path}"
