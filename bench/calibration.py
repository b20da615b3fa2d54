"""Calibration: games compared with themselves, on other deals, and known truths estimated.

python -m bench.calibration [GAME] [REPETITIONS] [GAMES]
    prints, for each measure, in how many repetitions the interval holds the truth
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

import click
import numpy as np

from targi_dsl.lab.compare import compare
from targi_dsl.lab.estimates import Sequential, mean, mean_of, share
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.version import Version

SHIFT = 1_000_000  # between the deals of a game and those of itself


def against_itself(name: str, repetitions: int, games: int) -> Iterator[tuple[str, int, int]]:
    """Each measure, in how many repetitions it was told, and in how many its interval holds no
    difference. Uses are those that were found to differ, of all repetitions.
    """
    told, held = Counter[str](), Counter[str]()
    for number in range(repetitions):
        runner = Runner(games, seed=number * games)
        found = compare(Version(name), Version(name), ["busy"], runner, shift=SHIFT)
        measures = [one for one in found.sections[0].findings if "uses" not in one.measure]
        for one in measures:
            told[one.measure] += 1
            held[one.measure] += one.interval.low <= 0 <= one.interval.high
        told["no use differs"] += 1
        held["no use differs"] += len(measures) == len(found.sections[0].findings)
    yield from ((one, told[one], held[one]) for one in told)


def truths(repetitions: int, seed: int = 0) -> Iterator[tuple[str, int, int]]:
    """The same for known truths: a coin, a loaded die, and a sequential test of no difference."""
    rng = np.random.default_rng(seed)
    held = Counter[str]()
    faces, chances = np.arange(1, 7), [0.1, 0.1, 0.1, 0.1, 0.1, 0.5]
    for _ in range(repetitions):
        coin = share(int(rng.binomial(1_000, 0.52)), 1_000)
        held["a coin of 0.52, 1,000 tosses"] += coin.low <= 0.52 <= coin.high
        few, many = (rng.choice(faces, size, p=chances) for size in (40, 1_000))
        die = mean_of(few.tolist())
        held["a loaded die, 40 rolls"] += die.low <= 4.5 <= die.high
        die = mean(len(many), float(many.sum()), float((many * many).sum()))
        held["a loaded die, 1,000 rolls"] += die.low <= 4.5 <= die.high
        held["a sequential test of no difference"] += _stops(rng, 0) in ("same", "")
        held["a sequential test of 2 % more"] += _stops(rng, 0.02) in ("more", "")
    yield from ((name, repetitions, count) for name, count in held.items())


def _stops(rng: np.random.Generator, more: float) -> str:
    """What a test of differences by -1, 0 and 1 says; looked at every 20 pairs."""
    test, step = Sequential(0.02), 20
    chances = [0.1 - more / 2, 0.8, 0.1 + more / 2]
    values = rng.choice((-1.0, 0.0, 1.0), 40_000, p=chances)
    totals, squares = np.cumsum(values), np.cumsum(values * values)
    for count in range(step, len(values) + 1, step):
        if said := test.verdict(count, float(totals[count - 1]), float(squares[count - 1])):
            return said
    return ""


def main(name: str = "dice_race", repetitions: str = "1000", games: str = "200") -> None:
    """Prints both tables."""
    rows = [*truths(int(repetitions)), *against_itself(name, int(repetitions), int(games))]
    for measure, told, held in rows:
        click.echo(f"{measure:40} {held:5} of {told:5}  {100 * held / told:5.1f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
