"""`targi play`: a game at a terminal, or without one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from targi_dsl.commands import arguments

if TYPE_CHECKING:
    from targi_dsl.model import Game
    from targi_dsl.record import Record

LARGEST_SEED = 2**31 - 1  # a record keeps numbers of 32 bits


@click.command("play")
@click.argument("name", metavar="GAME")
@arguments.seats
@click.option(
    "--seed", metavar="N", type=click.IntRange(0, LARGEST_SEED), help="Where chance begins; if not said, anywhere."
)
@arguments.options
@click.option("--save", metavar="FILE", help="Keep the game in FILE, or go on with it.")
@arguments.as_json
def command(
    name: str, seats: Mapping[str, str], seed: int | None, options: Mapping[str, str], save: str | None, as_json: bool
) -> None:
    """Play a game.

    Answer a question by the number or the name of a choice; `quit` leaves. With --save FILE the game is kept there, and
    the same command goes on with it. With --json nobody is asked: every seat is played by chance.
    """
    # Imported here, as everything else that --help can do without.
    from pathlib import Path
    from secrets import randbelow

    from targi_dsl.build.library import read_file
    from targi_dsl.build.load import load
    from targi_dsl.commands.output import emit
    from targi_dsl.commands.sitting import Sitting
    from targi_dsl.commands.telling import document
    from targi_dsl.record import Record, read

    game = load(name, options=options)
    sitting = _seated(game, seats, as_json)
    file = Path(save) if save else None
    if file is not None and file.exists():
        kept = read(read_file(str(file)))
        _hold_against(kept, sitting if seats else kept.seats, kept.seed if seed is None else seed)
    else:
        seed = randbelow(LARGEST_SEED) if seed is None else seed
        kept = Record(name, game.hash, dict(game.options), seed, sitting, ())
    if as_json and "human" in kept.seats.values():
        raise click.UsageError("with --json nobody can be asked, so that no seat can be a person's.")
    played = Sitting(game, kept, file, quiet=as_json)
    played.play()
    if as_json:
        emit(document(played.record, played.state, played.decisions))


def _hold_against(kept: Record, seats: Mapping[str, str], seed: int) -> None:
    """Raises Problems if a saved game is not the one that was asked for."""
    from targi_dsl.problems import Problem, Problems

    hint = "Leave it out to go on with the saved game, or name another file for a new one."
    told = (("seed", kept.seed, seed), ("seats", dict(kept.seats), dict(seats)))
    differing = [
        Problem("E709", f"saved game with other {key}", kept.spans.get(key), "This is not what was asked for.", hint)
        for key, there, asked in told
        if there != asked
    ]
    if differing:
        raise Problems(differing)


def _seated(game: Game, said: Mapping[str, str], as_json: bool) -> dict[str, str]:
    """Who plays each seat: as said; else chance; but when nothing is said a person the first."""
    from targi_dsl.problems import did_you_mean

    for seat, who in said.items():
        if seat not in game.players:
            near = did_you_mean(seat, game.players)
            hint = f"Did you mean '{near}'?" if near else f"There are: {', '.join(game.players)}."
            raise click.UsageError(f"{game.title} has no seat '{seat}'. {hint}")
        if who not in arguments.WHO:
            raise click.UsageError(f"'{who}' is none of: {', '.join(arguments.WHO)}.")
    said = said or ({} if as_json else {game.players[0]: "human"})
    return {seat: said.get(seat, "random") for seat in game.players}
