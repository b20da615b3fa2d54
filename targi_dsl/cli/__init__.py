"""The command line: thin; the only room that prints and listens.

Only click is imported here, and each command when it is asked for: `--help` comes at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

__version__ = "0.1.0"

COMMANDS = ("completion", "diff", "games", "mix", "new", "play", "replay", "show", "validate")


class _Commands(click.Group):
    """Each command is the value `command` of the module of its name."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, arguments)
        except click.UsageError as error:
            from targi_dsl.text.diagnostics import did_you_mean

            near = did_you_mean(arguments[0], COMMANDS)
            hint = f"Did you mean '{near}'?" if near else f"There are: {', '.join(COMMANDS)}."
            raise click.UsageError(f"No such command '{arguments[0]}'. {hint}", context) from error

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"{__name__}.{name}").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="targi")
def targi() -> None:
    """Reads, checks and plays board games written as rules.

    A GAME is the name of a shipped game (`targi games` lists them) or the path of a game sheet of
    your own.

    Exit codes: 0 done; 1 problems in files, records or play; 2 wrong usage; 130 interrupted; 70 a
    bug of ours.
    """


def main() -> NoReturn:
    """Does what the command line says, and exits; never with a traceback."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Does what the arguments say; gives the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal that cannot show a letter, or sends bytes that are none, gets and gives a "?".
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    try:
        code = targi.main(list(arguments), prog_name="targi", standalone_mode=False)
    except SystemExit:
        return 0  # nobody reads the rest, as in `targi show ... | head`: click has closed the pipe and wants to leave
    except Exception as error:  # noqa: BLE001  this is where every error is told and none gets through
        from targi_dsl.cli.failures import told

        return told(error, arguments)
    return code if isinstance(code, int) else 0
