"""The depth of skill in a game: ratings of players, and what the deal alone decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log

import numpy as np

from targi_dsl.api import start
from targi_dsl.engine.chance import Seed
from targi_dsl.lab.findings import Finding, Result, Section, estimate, result
from targi_dsl.lab.interventions import outcome, play_out, policy
from targi_dsl.lab.measures import columns, rows_of
from targi_dsl.lab.runner import Arm, Measurement, Runner
from targi_dsl.lab.statistics.samples import Groups
from targi_dsl.lab.version import Version, game_of
from targi_dsl.search.estimates import Interval

STEP = 0.75
"""The win rate of the stronger of two players who are one step apart."""

PLAYOUTS = 8
"""Random playouts of each deal."""

ROUNDS, CLOSE = 500, 1e-6  # iterations of the fit of ratings, and its tolerance


def ladder(version: Version, kinds: Sequence[str], runner: Runner, command: str = "") -> Result:
    """Every two players play the same deals from all seats; ratings are Bradley-Terry. Raises
    Problems if the version has errors, and ValueError for a game with one seat or players that do
    not differ.
    """
    game = game_of(version)
    seats, names = len(game.players), [f"share of {seat}" for seat in game.players]
    if len(set(kinds)) < max(2, len(kinds)):
        raise ValueError("a ladder needs at least two players that differ")
    if seats < 2:
        raise ValueError(f"{game.title} has only one seat")
    pairs = [*combinations(range(len(kinds)), 2)]
    arms = [
        Arm(version, (kinds[one], *[kinds[other]] * (seats - 1)), rotates=True)
        for one, other in pairs
    ]
    wins = Groups(len(pairs))
    for batches in runner.play(arms, seconds=0.8 * runner.seconds):
        if not all(batch.numbers == batches[0].numbers for batch in batches):
            continue
        parts = list[np.ndarray]()
        for batch in batches:
            found = columns(game, rows_of(game, batch))
            shares = np.array([found[name] for name in names]).reshape(seats, -1, seats)
            parts.append(np.einsum("sns->n", shares) / seats)
        wins.add(np.array(parts).T)
    luck = _luck(version, runner)
    about = f"{wins.count:,} deals for every two players, from all seats"
    if not wins.count:
        return result(f"A ladder of {version.arguments}", command, [Section(about, ())], runner)
    steps, depth, (best, worst) = standing(wins, pairs, len(kinds), seats)
    findings = [
        Finding("steps", one, "", f"{kind}: {estimate('steps', one, signed=True)} steps")
        for one, kind in sorted(zip(steps, kinds, strict=True), reverse=True)
    ]
    size = f"{estimate('steps', depth)} steps, each of {100 * STEP:g} % of the wins"
    says = f"skill depth: {kinds[best]} is above {kinds[worst]} by {size}"
    findings.append(Finding("skill depth", depth, "", says))
    sections = [Section(about, tuple(findings), (), wins.count), luck]
    return result(f"A ladder of {version.arguments}", command, sections, runner)


def standing(
    wins: Groups, pairs: Sequence[tuple[int, int]], players: int, seats: int
) -> tuple[list[Interval], Interval, tuple[int, int]]:
    """The rating of each player in steps from the mean of all, how many steps the strongest is
    above the weakest, and who they are. They are identified in one half of the deals and their
    distance measured in the other, so that it is unbiased for equal players.

    wins: by pair, the first one's share of the wins from all seats.
    """

    def steps(total: np.ndarray, count: int) -> np.ndarray:
        # half a drawn deal more keeps ratings finite, and right on average
        means = (total + 0.5 / seats) / (count + 0.5)
        ratings = np.log(bradley_terry(means, pairs, players, seats)) / log(STEP / (1 - STEP))
        apart: np.ndarray = ratings - ratings.mean()
        return apart

    ratings = wins.half(1).value(steps)
    best, worst = int(ratings.argmax()), int(ratings.argmin())

    def depth(total: np.ndarray, count: int) -> np.ndarray:
        ratings = steps(total, count)
        gap: np.ndarray = ratings[[best]] - ratings[[worst]]
        return gap

    return wins.intervals(steps), wins.half(0).intervals(depth)[0], (best, worst)


def bradley_terry(
    means: Sequence[float], pairs: Sequence[tuple[int, int]], players: int, seats: int
) -> np.ndarray:
    """Strengths by Hunter's MM algorithm (Annals of Statistics 32, 2004), from how often the first
    of each pair wins alone against the second in all other seats.
    """
    strengths: np.ndarray = np.ones(players)
    for _ in range(ROUNDS):
        won, met = np.zeros(players), np.zeros(players)
        for (one, other), share in zip(pairs, means, strict=True):
            total = strengths[one] + (seats - 1) * strengths[other]
            won[one] += share
            won[other] += 1 - share
            met[one] += 1 / total
            met[other] += (seats - 1) / total
        after: np.ndarray = won / met
        after /= after.mean()
        if np.abs(np.log(after / strengths)).max() < CLOSE:
            return after
        strengths = after
    return strengths


# ---- luck of the deal ----


def _won(version: Version, number: int) -> Iterator[float]:
    """The first seat's share of the win in each random playout of a deal."""
    game = game_of(version)
    opening = start(game, Seed(number))
    for at in range(PLAYOUTS):
        play = policy(game, "random", number * PLAYOUTS + at)
        yield outcome(play_out(opening, play), 0)[0]


def _luck(version: Version, runner: Runner) -> Section:
    """How much the deal decides, whatever is chosen: the correlation between random playouts of the
    same deal.
    """
    moments = Groups(3)
    for (batch,) in runner.play([Measurement(version, _won)], seconds=0.2 * runner.seconds):
        row = np.array(batch.rows)
        if len(row) and not np.isnan(row).any():
            total, squares = row.sum(), (row * row).sum()
            moments.add(np.array([[total, squares, total**2 - squares]]))
    about = (
        f"random in all seats, {moments.count:,} deals, each {PLAYOUTS} times with other choices"
    )
    if moments.count < 2:
        return Section(f"{about}: too few.", ())

    def correlation(sums: np.ndarray, count: int) -> np.ndarray:
        mean, square = sums[:2] / (count * PLAYOUTS)
        shared = sums[2] / (count * PLAYOUTS * (PLAYOUTS - 1)) - mean * mean
        spread = square - mean * mean
        part: np.ndarray = np.array([shared / spread if spread > 1e-12 else 1.0])
        return part

    (luck,) = moments.intervals(correlation)
    luck = Interval(*(min(1.0, max(0.0, one)) for one in luck))
    parts = " to ".join(f"{100 * one:.1f} %" for one in luck[1:])
    says = f"the deal alone explains {100 * luck.value:.1f} % ({parts}) of who wins"
    return Section(about, (Finding("share of the deal", luck, "", says),), (), moments.count)
