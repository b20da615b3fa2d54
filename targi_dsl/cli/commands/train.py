"""`targi train`: learns what things are worth in a game."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.failures import DONE, INTERRUPTED
from targi_dsl.cli.output import put, put_over
from targi_dsl.cli.thinking import tell_unused
from targi_dsl.codegen.tiered import use_c
from targi_dsl.players import USUAL
from targi_dsl.search import MOST
from targi_dsl.search.values import file_of
from targi_dsl.text.files import write_file

MOST_GAMES, MOST_GENERATIONS, MOST_WORKERS = 1_000_000, 20, 256


@click.command("train")
@arguments.game()
@arguments.number("--games", 1, MOST_GAMES, 1000, "The games of each generation.")
@arguments.number("--playouts", 1, MOST, 120, "How long the players think about each decision.")
@arguments.number("--generations", 1, MOST_GENERATIONS, 2, "How often what is learned is used.")
@arguments.seed("The seed of the first deal, 0 if it is not given.")
@arguments.number("--workers", 1, MOST_WORKERS, 1, "How many processes play.")
@arguments.engine
def command(
    name: str, games: int, playouts: int, generations: int, seed: int | None, workers: int
) -> int:
    """Learn what things are worth in a game.

    A player that looks ahead plays with itself. What everybody had when a round began, and gained
    later, tells what each thing is worth. Then a player who thinks so plays against one who does
    not, and only if it is better beyond doubt, is what was learned written to GAME.values, beside
    the sheet, where `lookahead` and `search` find it. The games of the next generation begin with
    that.

    An interrupt (Ctrl-C) ends it; what earlier generations have written stays.
    """
    lab = with_extra("targi_dsl.lab.training", "lab")
    arms = with_extra("targi_dsl.lab.runner", "lab")
    versions = with_extra("targi_dsl.lab.version", "lab")
    version = versions.Version(name)
    game = versions.game_of(version)
    file = file_of(game)
    assert file is not None, "a game that was loaded by name has a sheet"
    tell_unused(game, [USUAL])
    use_c(game)
    is_shown = sys.stderr.isatty()
    show = put_over if is_shown else _silent
    runner = arms.Runner(arguments.LARGEST_SEED, 0, seed or 0, workers)
    training = lab.Training(version, games, playouts, generations, runner, show)
    for found in training.run():
        if is_shown:
            put_over("")
        told = f"after {found.values.games:,} games: better in {found.won} of {found.deals} deals"
        if found.passed:
            write_file(file, found.values.text(Path(name).stem))
            put(f"{told}; written to {file}")
        else:
            put(f"{told}, which is not enough; nothing is written")
    if not runner.interrupted:
        return DONE
    if is_shown:
        put_over("")
    put("interrupted; what the generation under way has played is lost")
    return INTERRUPTED


def _silent(line: str) -> None:
    """Progress output that is not shown."""
