"""Estimates with their intervals of 95 %, and tests: scipy's where it has them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
from scipy import stats

from targi_dsl.simulation.document import Interval, proportion
from targi_dsl.text.structs import Frozen

LEVEL = 0.95
ERROR = 0.05
FEW = 200
"""Values up to which a mean has a bootstrap interval: of more, Student's is the same."""

RESAMPLES = 999

SAME = 30
"""Equal values from which a mean is taken for certain."""


def mean(count: int, total: float, squares: float) -> Interval:
    """A mean with Student's interval, from the sums of the values and of their squares. Of too few
    values that are all equal nothing is known.
    """
    value = total / count
    variance = max(0.0, squares / count - value * value)
    if count < 2 or (variance == 0 and count < SAME):
        return Interval(value, -np.inf, np.inf)
    error = sqrt(variance / (count - 1))
    half = float(stats.t.ppf((1 + LEVEL) / 2, count - 1)) * error
    return Interval(value, value - half, value + half)


def mean_of(values: Sequence[float]) -> Interval:
    """A mean with its interval: by the bootstrap (BCa) of a few values that differ, whose
    distribution may be skew, and else by Student.
    """
    data = np.asarray(values, dtype=float)
    if not 2 <= len(data) <= FEW or len(np.unique(data)) < 4:
        return mean(len(data), float(data.sum()), float((data * data).sum()))
    found = stats.bootstrap(
        (data,), np.mean, n_resamples=RESAMPLES, confidence_level=LEVEL, method="BCa", rng=0
    ).confidence_interval
    return Interval(float(data.mean()), float(found.low), float(found.high))


def paired_difference(both: int, first: int, second: int, neither: int) -> Interval:
    """The second of two proportions of the same pairs minus the first, by Newcombe's method 10
    (Statistics in Medicine 17, 1998). first, second: the pairs in which only that one is true.
    """
    of = both + first + second + neither
    a, b = proportion(both + first, of), proportion(both + second, of)
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    excess: float = both * neither - first * second
    if excess > 0:
        excess = max(excess - of / 2, 0)
    phi = excess / sqrt(margins) if margins else 0.0
    down_a, up_a = a.value - a.low, a.high - a.value
    down_b, up_b = b.value - b.low, b.high - b.value
    low = sqrt(max(0.0, down_b**2 - 2 * phi * down_b * up_a + up_a**2))
    high = sqrt(max(0.0, up_b**2 - 2 * phi * up_b * down_a + down_a**2))
    value = b.value - a.value
    return Interval(value, value - low, value + high)


def discoveries(chances: Sequence[float]) -> list[bool]:
    """Which of many tests found something, at a false discovery rate of 5 % (Benjamini and
    Hochberg); `chances` are their p-values.
    """
    if not chances:
        return []
    return [bool(one <= ERROR) for one in stats.false_discovery_control(chances)]


def p_value(count: int, total: float, squares: float) -> float:
    """The p-value of a mean of zero, from the sums of the values and of their squares."""
    if count < 2 or squares == 0:
        return 1.0
    value = total / count
    variance = max(0.0, squares / count - value * value) / (count - 1)
    if variance == 0:
        return 0.0 if count >= SAME else 1.0
    return float(2 * stats.t.sf(abs(value) / sqrt(variance), count - 1))


def slopes(uses: np.ndarray, wins: np.ndarray, *, together: bool) -> list[Interval]:
    """By thing, how much more of the win a seat has for each use of it more than the others, by
    least squares: of one thing at a time, or of all together. The errors are those of games, whose
    seats depend on each other, by the jackknife (CR3). Of too few games nothing is known.

    uses: games by seats by things; wins: games by seats; both without the mean of their game.
    """
    values, by_game, rank = (_together if together else _each)(uses.astype(float), wins)
    seen = (uses != 0).any(axis=1).sum(axis=0)
    degrees = np.minimum(len(uses) - rank, seen - 1)
    if len(uses) < 2 * rank:
        degrees[:] = 0
    errors = np.sqrt((by_game * by_game).sum(axis=0))
    quantiles = stats.t.ppf((1 + LEVEL) / 2, np.maximum(1, degrees))
    halves = np.where(degrees > 0, quantiles * errors, np.inf)
    found = zip(values.tolist(), halves.tolist(), strict=True)
    return [Interval(value, value - half, value + half) for value, half in found]


def _together(uses: np.ndarray, wins: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The slopes of all things together, how far each game moves them, and the rank."""
    flat = uses.reshape(-1, uses.shape[2])
    inverse = np.linalg.pinv(flat.T @ flat, hermitian=True)
    values = inverse @ flat.T @ wins.reshape(-1)
    own = np.eye(wins.shape[1]) - uses @ inverse @ uses.transpose(0, 2, 1)
    left = np.einsum("gsr,gr->gs", np.linalg.pinv(own, 1e-9, hermitian=True), wins - uses @ values)
    rank = np.linalg.matrix_rank(flat.T @ flat, hermitian=True)
    return values, np.einsum("gst,gs->gt", uses, left) @ inverse, rank


def _each(uses: np.ndarray, wins: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """The slopes of one thing at a time, how far each game moves them, and the rank."""
    squares = (uses * uses).sum(axis=1)
    total = squares.sum(axis=0)
    total[total == 0] = np.inf
    shared = np.einsum("gst,gs->gt", uses, wins)
    values = shared.sum(axis=0) / total
    rest = total - squares
    rest[rest <= 0] = np.inf
    return values, (shared - squares * values) / rest, 1


LEAST = 400
"""Pairs before a sequential test may decide: of fewer, in which a difference is rare, the spread is
not known well enough, and it errs in 10 %.
"""


class SequentialTest(Frozen):
    """A generalized sequential probability ratio test of a mean: nothing against `within` more, and
    nothing against `within` less, so that it errs in at most 5 %. least: values before it decides.
    """

    within: float
    least: int = LEAST

    def verdict(self, count: int, total: float, squares: float) -> str:
        """`more`, `less`, `same`, or empty if it has to go on."""
        if count < self.least:
            return ""
        value = total / count
        variance = squares / count - value * value
        if variance <= 0:
            return "same" if value == 0 else ("more" if value > 0 else "less")
        ratio = count * self.within / variance
        more, less = (ratio * (sign * value - self.within / 2) for sign in (1, -1))
        high = log((1 - ERROR / 2) / (ERROR / 2))
        if more >= high:
            return "more"
        if less >= high:
            return "less"
        return "same" if more <= -high and less <= -high else ""
