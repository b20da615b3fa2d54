"""The command line: parses arguments, prints and reads. It is the only package that does so.

Only click is imported here, so that `--help` is fast. Everything else is loaded on demand by
`_late`: the module of a command when it runs.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from types import ModuleType
from typing import NoReturn

import click

from targi_dsl.text.version import __version__

SELDOM = 100_000, 20, 20
"""Thresholds of the garbage collector. Loading a game creates trees and hardly any garbage."""

COMMANDS = {
    "analyse": "Say which choices of a saved game were good.",
    "completion": "Print the script that completes words in a shell.",
    "coverage": "Show what of a game is never used in random games.",
    "diff": "Show what one game changes in another.",
    "explain": "Tell what a message means.",
    "fix": "Repair what can be repaired.",
    "fmt": "Format rule files, sheets and card files.",
    "games": "List the shipped games.",
    "lab": "Measure what a change does, and what seats and cards are worth.",
    "lsp": "Serve an editor by the language server protocol.",
    "mix": "Draw the decks of a game once and keep them as a new game.",
    "new": "Start a game of your own.",
    "play": "Play a game.",
    "replay": "Play a saved game again.",
    "share": "Write a saved game as one HTML page.",
    "show": "Show what a game consists of.",
    "simulate": "Play a game many times and count what happens.",
    "solve": "Find an equilibrium of a small game.",
    "table": "Play a game in a browser.",
    "test": "Run rule tests.",
    "trace": "Show which rules acted in a saved game.",
    "train": "Learn what things are worth in a game.",
    "try": "Play random games and tell what is odd.",
    "validate": "Report every problem in games and files.",
    "watch": "Check a game on every save.",
    "why": "Tell why something could not be chosen in a saved game.",
}
"""The commands with their descriptions; each is `command` in its module in `commands`."""


def module_of(name: str) -> str:
    """The module of a command; a keyword of Python gets an underscore."""
    return f"{name}_" if iskeyword(name) else name


class _Commands(click.Group):
    """Commands whose modules are loaded only when they run."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = _late(f"commands.{module_of(name)}").command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = arguments[0]
        if name not in COMMANDS:
            raise _late("failures").unknown(f"no such command '{name}'", name, COMMANDS, context)
        return super().resolve_command(context, arguments)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="targi")
def targi() -> None:
    """Reads, checks and plays board games written as rules.

    A GAME is the name of a shipped game (`targi games` lists them) or the path of a game sheet of
    your own.

    Exit codes: 0 success; 1 problems in files, records or play; 2 wrong usage; 130 interrupted;
    70 a bug in this program.
    """


def main() -> NoReturn:
    """Runs the command line and exits, never with a traceback."""
    gc.set_threshold(*SELDOM)
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # reported already; Python would report it again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    gc.freeze()  # spares the useless collection before exit
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Runs a command with these arguments and returns the exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115, PTH123
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Characters that a terminal cannot show, and invalid input, become "?".
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
            if stream is sys.stdin and "\n".encode(stream.encoding) != b"\n":
                reconfigure(encoding="utf-8")  # no terminal types in UTF-16
    try:
        code = targi.main(list(arguments), prog_name="targi", standalone_mode=False)
    except SystemExit:
        return 0  # the reader has stopped, as in `targi show ... | head`: click has closed the pipe
    except Exception as error:  # noqa: BLE001  every error is reported here, and none gets through
        failed: int = _late("failures").report(error, arguments)
        return failed
    return code if isinstance(code, int) else 0


def _late(module: str) -> ModuleType:
    """Imports a module of this package on demand."""
    return import_module(f"{__name__}.{module}")
