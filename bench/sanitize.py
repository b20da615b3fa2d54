"""Plays sheets on generated C under the address and undefined-behaviour sanitizers.

    python -m bench.sanitize                 every sheet, two games each
    python -m bench.sanitize base --games 20
    python -m bench.sanitize base --edited 30    and 30 valid games made from it by random edits

Every position of a game is written as a canonical one, read again and played on from; its key is
taken, and a sample of what each seat knows. Then the same seeds are played and counted in bulk. The
first fault that a sanitizer finds ends the program with its report.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from bench.equal import valid_edits
from targi_dsl import load
from targi_dsl.codegen.c.compilers import compilers
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.text import resources

FLAGS = ("-std=gnu11", "-w", "-g", "-O0", "-fwrapv", "-fsanitize=address,undefined")
ENDING = "-fno-sanitize-recover=all"
FAULTY = ("status 1", "status 3", "status 5")
"""What is said of an edited game whose rules cannot continue, which is no fault of C."""

SHEETS = tuple(name.removesuffix(".targi") for name in resources.names("rules/games", ".targi"))

MAIN = Path(__file__).with_suffix(".h").read_text(encoding="utf-8")


def sanitized(game: Game, games: int) -> str:
    """The sanitizer's report on this number of games; empty if there is none, or no C."""
    try:
        text = f"{source(Engine(game))}\n{MAIN}"
    except NotInC:
        return ""
    with TemporaryDirectory() as folder:
        path, program = Path(folder) / "game.c", Path(folder) / "game"
        path.write_text(text, encoding="utf-8")
        command = [*next(compilers()).command, *FLAGS, ENDING, str(path), "-o", str(program)]
        subprocess.run(command, check=True, timeout=300)
        done = subprocess.run(
            [str(program), str(games)], capture_output=True, timeout=600, check=False
        )
    report = done.stderr.decode("utf-8", "replace")
    return report or (f"status {done.returncode}" if done.returncode else "")


@click.command()
@click.argument("sheets", nargs=-1)
@click.option("--games", default=2, show_default=True)
@click.option("--edited", default=0, show_default=True, help="Edited games of each sheet.")
def main(sheets: tuple[str, ...], games: int, edited: int) -> None:
    """Plays sheets under the sanitizers."""
    for name in sheets or SHEETS:
        number = 0
        for number, game in enumerate(chain([load(name)], islice(valid_edits(name), edited))):
            faults = sanitized(game, games)
            if faults and not (number and faults in FAULTY):
                click.echo(f"{name}, edit {number}: {faults}")
                sys.exit(1)
        click.echo(f"{name}: nothing found, nor in {number} edited games")


if __name__ == "__main__":
    main()
