"""Plays the same games on the reference and on generated C, and compares everything counted.

    python -m bench.tallies                          every sheet, 10 games each
    python -m bench.tallies base mixed --games 1000

Players are random and busy in turns. The comparison covers the row of every game (decisions,
options, rounds, ending, tie, winners, lead, every part of every score) and the tally of all games:
how often each option of each question was offered and taken, and how often each rule began. Then C
plays the games again without a tally, which it does in a different way; the lead is not compared
then.
"""

from __future__ import annotations

import sys
from array import array
from operator import add

import click

from targi_dsl import load
from targi_dsl.codegen.c.bulk import Seating, bulk
from targi_dsl.codegen.tally import Row
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.bulk import seating
from targi_dsl.simulation.game_loop import GameLoop, answerer
from targi_dsl.text import resources

SHEETS = tuple(name.removesuffix(".targi") for name in resources.names("rules/games", ".targi"))


def differ(game: Game, seeds: range, level: int) -> list[str]:
    """The differences in the games of these seeds."""
    engine, games, players = Engine(game), bulk(game, level), len(game.players)
    loop, rows, seatings = GameLoop(engine), array("q"), list[Seating]()
    for seed in seeds:
        kinds = ["busy" if (seat + seed) % 2 else "random" for seat in range(players)]
        seats = zip(kinds, game.players, strict=True)
        rows += loop.play(seed, [answerer(engine, kind, seed, seat) for kind, seat in seats])
        seatings.append(seating(game, kinds))
    width, found = games.layout.width, list[str]()
    for is_counted, what in ((True, "the row of seed"), (False, "the row without a tally of seed")):
        mine, tally = array("q"), array("q", bytes(8 * len(loop.tally)))
        for seed, seats_of in zip(seeds, seatings, strict=True):
            played = games.run(seed, range(1), [seats_of], is_counted)
            if not played.rows:
                return ["only generated C finds a fault"]
            mine += played.rows
            for one in played.tallies:
                tally = array("q", map(add, tally, one))
        if not is_counted:
            mine[Row.LEAD_CHANGES :: width] = rows[Row.LEAD_CHANGES :: width]
        elif tally != loop.tally:
            found.append("the tally")
        found += [
            f"{what} {seed}"
            for at, seed in enumerate(seeds)
            if mine[at * width : (at + 1) * width] != rows[at * width : (at + 1) * width]
        ]
    return found


@click.command()
@click.argument("sheets", nargs=-1)
@click.option("--games", default=10, show_default=True)
@click.option("--level", default=1, show_default=True, help="How well C is compiled.")
def main(sheets: tuple[str, ...], games: int, level: int) -> None:
    """Compares the engines game by game."""
    wrong = False
    for name in sheets or SHEETS:
        found = differ(load(name), range(games), level)
        click.echo(f"{name}: {games} games, {', '.join(found[:5]) or 'equal'}")
        wrong = wrong or bool(found)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
