"""Calibration: how often intervals hold the truth, and how often tests that stop by themselves err.

python -m bench.calibration [REPETITIONS] [GAMES] [SHEET...]
    prints for each interval in how many repetitions it holds the truth: of known truths, of the
    dice race compared with itself on other deals, and of seats against a long run; or only of
    these sheets compared with themselves
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice

import click
import numpy as np

from targi_dsl import Seed, choices, load, observe, result, start, step
from targi_dsl.lab.compare import compare
from targi_dsl.lab.findings import Finding, Result
from targi_dsl.lab.ladder import standing
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.seats import seats
from targi_dsl.lab.statistics.hypotheses import SequentialTest
from targi_dsl.lab.statistics.samples import Groups, Sums
from targi_dsl.lab.version import Version
from targi_dsl.search.estimates import Interval, proportion
from targi_dsl.search.solving import PolicyPlayer, Solution

USES = (", uses a game", ", had at the end")
SHIFT = 1_000_000  # between the deals of a game and those of itself


def against_itself(name: str, repetitions: int, games: int) -> Iterator[tuple[str, int, int]]:
    """Each measure, in how many repetitions it was told, and in how many its interval holds no
    difference. Uses are those that were found to differ, of all repetitions.
    """
    told, held = Counter[str](), Counter[str]()
    for number in range(repetitions):
        runner = Runner(games, seed=number * games)
        found = compare(Version(name), Version(name), ["busy"], runner, shift=SHIFT)
        measures = [one for one in found.sections[0].findings if not one.measure.endswith(USES)]
        for one in measures:
            told[one.measure] += 1
            held[one.measure] += one.interval.holds(0)
        told["no use differs"] += 1
        held["no use differs"] += len(measures) == len(found.sections[0].findings)
    yield from ((one, told[one], held[one]) for one in told)


Experiment = Callable[[Runner], Result]

LONG = 200
"""How many times as many games tell the truth as an experiment has."""


def against_a_long_run(
    experiment: Experiment, repetitions: int, games: int
) -> Iterator[tuple[str, int, int]]:
    """Each measure, in how many repetitions it was told, and in how many its interval holds what is
    found in many other games; what is counted in few games only is left out.
    """

    def found(runner: Runner) -> dict[str, Finding]:
        many = (one for one in experiment(runner).sections if one.games == runner.games)
        return {one.measure: one for section in many for one in section.findings}

    truth = found(Runner(games * LONG, seed=SHIFT))
    told, held = Counter[str](), Counter[str]()
    for number in range(repetitions):
        for name, one in found(Runner(games, seed=number * games)).items():
            if name in truth:
                told[name] += 1
                held[name] += one.interval.holds(truth[name].interval.value)
    yield from ((name, told[name], held[name]) for name in told)


def ladders(repetitions: int, deals: int, seed: int = 0) -> Iterator[tuple[str, int, int]]:
    """The same for ladders of three players, equal ones and such as are a step apart, where the
    deal decides three in ten games.
    """
    rng, pairs = np.random.default_rng(seed), [*combinations(range(3), 2)]
    for name, strengths in (("equal players", (0, 0, 0)), ("a step apart", (1, 0, -1))):
        rates = [1 / (1 + 3.0 ** (strengths[b] - strengths[a])) for a, b in pairs]
        # the deal gives each of two players the game from one seat
        real = [0.5 + 0.7 * (rate - 0.5) for rate in rates]
        expected, *_ = standing(_groups(np.array([real] * 2_000)), pairs, 3, 2)
        steps = depths = 0
        for _ in range(repetitions):
            by_deal = rng.random((deals, 1)) < 0.3
            by_skill = rng.random((deals, 3, 2)) < np.array(rates)[:, None]
            wins = np.where(by_deal, 0.5, by_skill.mean(axis=2))
            found, depth, (best, worst) = standing(_groups(wins), pairs, 3, 2)
            steps += sum(one.holds(two.value) for one, two in zip(found, expected, strict=True))
            apart = expected[best].value - expected[worst].value
            depths += depth.holds(apart)
        yield f"steps of {name}, {deals} deals", 3 * repetitions, steps
        yield f"skill depth of {name}, {deals} deals", repetitions, depths


def _groups(wins: np.ndarray) -> Groups:
    found = Groups(wins.shape[1])
    found.add(wins)
    return found


def kuhn(repetitions: int, games: int = 40) -> Iterator[tuple[str, int, int]]:
    """The same for the value of Kuhn poker, which is -1/18 where both play an equilibrium."""
    solution, held = Solution(load("kuhn_poker")), 0
    solution.iterate(300)
    played = _gains(solution)
    for _ in range(repetitions):
        held += interval(np.array([*islice(played, games)])).holds(-1 / 18)
    yield f"the value of Kuhn poker, {games} games", repetitions, held


def _gains(solution: Solution) -> Iterator[float]:
    """What the first player gains in game after game."""
    seed = 0
    while True:
        state, seats = start(solution.game, Seed(seed)), enumerate(solution.game.players)
        players = {seat: PolicyPlayer(solution, 2 * seed + at) for at, seat in seats}
        while (seat := state.seat) is not None:
            state = step(state, players[seat].choose(observe(state, seat), choices(state)))
        yield result(state).returns[0]
        seed += 1


def interval(values: np.ndarray) -> Interval:
    """What some values say of their mean."""
    sums = Sums()
    sums.add(values.astype(float))
    return sums.interval()


def truths(repetitions: int, seed: int = 0) -> Iterator[tuple[str, int, int]]:
    """The same for known truths: a coin, a loaded die, points that are seldom many, and a
    sequential test of no difference.
    """
    rng = np.random.default_rng(seed)
    held = Counter[str]()
    faces, chances = np.arange(1, 7), [0.1, 0.1, 0.1, 0.1, 0.1, 0.5]
    for _ in range(repetitions):
        coin = proportion(int(rng.binomial(1_000, 0.52)), 1_000)
        held["a coin of 0.52, 1,000 tosses"] += coin.holds(0.52)
        for size in (20, 40, 1_000):
            die = interval(rng.choice(faces, size, p=chances))
            held[f"a loaded die, {size:,} rolls"] += die.holds(4.5)
            points = interval((rng.random(size) < 0.2) * rng.exponential(size=size))
            held[f"points that one in five has, {size:,} games"] += points.holds(0.2)
        held["a sequential test of no difference"] += _stops(rng, 0) in ("same", "")
        held["a sequential test of 2 % more"] += _stops(rng, 0.02) in ("more", "")
    yield from ((name, repetitions, count) for name, count in held.items())


def _stops(rng: np.random.Generator, more: float) -> str:
    """What a test of differences by -1, 0 and 1 says; looked at every 20 pairs."""
    test, step = SequentialTest(0.02), 20
    chances = [0.1 - more / 2, 0.8, 0.1 + more / 2]
    values = rng.choice((-1.0, 0.0, 1.0), 40_000, p=chances)
    for count in range(step, len(values) + 1, step):
        mean = float(values[:count].mean())
        if said := test.verdict(count, mean, float(values[:count].var())):
            return said
    return ""


def main(repetitions: str = "1000", games: str = "200", *names: str) -> None:
    """Prints all tables, or those of some sheets."""
    count = int(repetitions)
    for name in names:
        _print(f"{name} with itself", against_itself(name, count, int(games)))
    if names:
        return
    _print("known truths", truths(count))
    _print("Kuhn poker", kuhn(count))
    for deals in (20, 100):
        _print("ladders", ladders(count, deals))
    _print("the dice race with itself", against_itself("dice_race", count, int(games)))
    for name in ("dice_race", "foretold"):
        asked = partial(seats, Version(name), "busy")
        _print(f"the seats of {name}", against_a_long_run(asked, count, int(games)))


def _print(title: str, rows: Iterator[tuple[str, int, int]]) -> None:
    click.echo(title)
    for measure, told, held in rows:
        click.echo(f"  {measure:48} {held:5} of {told:5}  {100 * held / told:5.1f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
