"""Compares the engines with each other, game by game.

    python -m bench.equal                                            every sheet
    python -m bench.equal base expansion mixed --games 20000 --reference 0 --greedy 0

Generated C is compared with generated Python by a checksum of each whole game: of the positions,
options and draws at every question, and of the scores. Generated Python is compared with the
reference question by question, and all three in games of greedy players, whose choices are made
once and repeated on each engine. In every second game players decline only if they must.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count

import click

from targi_dsl import choices, load
from targi_dsl.api.state import State
from targi_dsl.codegen.c.check import Checked
from targi_dsl.codegen.c.engine import CEngine
from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.engine.chance import Asked, Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Run, Waiting
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.players.greedy import Greedy
from tests.courses import LONGEST, checksum, course
from tests.games import ALL


def unlike(engine: Engine, checked: Checked, seeds: range) -> list[int]:
    """The seeds whose games differ."""
    theirs = checked.courses(seeds, [seed % 2 == 1 for seed in seeds], LONGEST)
    sums = [*theirs, *[NOTHING] * (len(seeds) - len(theirs))]
    both = zip(seeds, sums, strict=True)
    return [seed for seed, other in both if checksum(engine, seed) != other]


def assert_equal(reference: Engine, engine: Engine, seeds: range, longest: int = LONGEST) -> None:
    """Plays these seeds on an engine and on the reference, question by question; in every second
    game the outcomes of chance are questions too.
    """
    for seed in seeds:
        chance = Seed(seed) if seed % 2 else Asked()
        both = (course(each, seed, chance, longest) for each in (engine, reference))
        for number, (one, other) in enumerate(zip(*both, strict=True)):
            assert one == other, f"{engine.game.name}, seed {seed}, question {number}"


def assert_equal_for_greedy(engines: list[Engine], seed: int) -> None:
    """A game of greedy players, whose choices are made once and repeated on each engine."""
    game = engines[0].game
    runs = [Run(Seed(seed)) for _ in engines]
    positions = [engine.start(run) for engine, run in zip(engines, runs, strict=True)]
    seats = {seat: Greedy(seed, seat) for seat in game.players}
    for number in count():
        seen = [
            (engine.packed(left), run.options if left.point != NOTHING else [], run.after())
            for engine, left, run in zip(engines, positions, runs, strict=True)
        ]
        where = f"{game.name}, seed {seed}, greedy, question {number}"
        assert all(event == seen[0] for event in seen), where
        if positions[0].point == NOTHING:
            return
        seat = game.players[positions[0].frame[YOU]]
        state = State(game, positions[0], runs[0].after(), seat, runs[0].options)
        option = seats[seat].choose(observe(state, seat), choices(state)).code
        positions = [
            _answered(*position, option) for position in zip(engines, positions, runs, strict=True)
        ]


def _answered(engine: Engine, left: Waiting, run: Run, option: int) -> Waiting:
    return engine.answer(left, option, run)


def compared(name: str, games: int, reference: int, greedy: int) -> str:
    """Plays a sheet on the engines; returns a summary of the games played, or raises at the first
    difference.
    """
    game, began = load(name), time.process_time()
    python = PythonEngine(game)
    differ = unlike(python, Checked(game, level=0), range(games)) if games else []
    assert not differ, f"{game.name}: C and Python differ in seeds {differ[:5]}"
    assert_equal(Engine(game), python, range(reference))
    for seed in range(greedy):
        assert_equal_for_greedy([python, Engine(game), CEngine(game)], seed)
    return (
        f"{game.name}: equal in {games} games by C and Python, {reference} by Python and the "
        f"reference, {greedy} of greedy players by all; {python.unfounded} turns left to the "
        f"reference; {time.process_time() - began:.0f} s"
    )


@click.command()
@click.argument("names", nargs=-1, metavar="[SHEET...]")
@click.option("--games", default=300, show_default=True, help="By C and by Python.")
@click.option("--reference", default=30, show_default=True, help="By Python and the reference.")
@click.option("--greedy", default=0, show_default=True, help="Of greedy players, by all three.")
@click.option("--jobs", default=1, show_default=True, help="Sheets that are played at once.")
def main(names: tuple[str, ...], games: int, reference: int, greedy: int, jobs: int) -> None:
    """Play sheets on all engines, and stop at the first difference."""
    compare = partial(compared, games=games, reference=reference, greedy=greedy)
    with ProcessPoolExecutor(jobs) as pool:
        for line in pool.map(compare, names or ALL):
            click.echo(line)


if __name__ == "__main__":
    main()
