"""Statistics of many games, accumulated in constant memory."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt

import numpy as np
from scipy import stats

from targi_dsl.search.estimates import RARE, SAME, Interval, proportion

LEVEL = 0.95

FEWEST = 5
"""The fewest values that say anything of their mean."""

GROUPS = 60
"""Groups of deals, each left out once by the jackknife."""

Statistic = Callable[[np.ndarray, int], np.ndarray]
"""Computes numbers from the sums of the columns of `Groups`, and the number of deals."""


def quantile(degrees: float) -> float:
    """The half-width of Student's interval in standard errors."""
    return float(stats.t.ppf((1 + LEVEL) / 2, degrees))


def mean_interval(count: int, mean: float, variance: float, skewness: float = 0) -> Interval:
    """A mean with Student's interval or, where it extends further, Hall's, which allows for
    skewness (Journal of the Royal Statistical Society B 54, 1992). variance: over all values. Fewer
    than five values tell nothing, since no interval is robust to how skewed games are; nor do too
    few equal values, and for more of them only the rule of three holds.
    """
    if count < FEWEST or (variance == 0 and count < SAME):
        return Interval(mean, -inf, inf)
    if variance == 0:
        return Interval.around(mean, RARE / count)
    far = quantile(count - 1) / sqrt(count)
    ends = [-far, far]
    if abs(skewness) > 1e-6:  # below that, the sum would be rounded away
        inner = 1 + skewness * (np.array(ends) - skewness / (6 * count))
        ends += (3 / skewness * (1 - np.cbrt(inner))).tolist()
    spread = sqrt(variance * count / (count - 1))
    return Interval(mean, mean + spread * min(ends), mean + spread * max(ends))


class Sums:
    """Sums of one measure and its powers, relative to the first value."""

    def __init__(self) -> None:
        self.count, self._first, self._powers = 0, 0.0, np.zeros(3)
        self._is_binary = True

    def add(self, values: np.ndarray) -> None:
        """Adds the values of some games."""
        if not self.count and len(values):
            self._first = float(values[0])
        self.count += len(values)
        far = values - self._first
        self._powers += [(far**power).sum() for power in (1, 2, 3)]
        self._is_binary = self._is_binary and bool(np.isin(values, (0, 1)).all())

    @property
    def mean(self) -> float:
        """The mean of the values; 0 for none."""
        return float(self._first + self._powers[0] / max(1, self.count))

    @property
    def variance(self) -> float:
        """The variance of the values."""
        far, square, _ = self._powers / max(1, self.count)
        return max(0.0, float(square - far * far))

    def interval(self, *, of_share: bool = False) -> Interval:
        """The mean of at least one value with its interval; a share lies between 0 and 1."""
        if of_share and self._is_binary:
            return proportion(round(self.count * self.mean), self.count)
        far, square, cube = self._powers / self.count
        third, variance = cube - 3 * far * square + 2 * far**3, self.variance
        skewness = float(third / variance**1.5) if variance else 0.0
        found = mean_interval(self.count, self.mean, variance, skewness)
        return found.within(0, 1) if of_share else found


class Pairs:
    """Sums of one measure in pairs of games."""

    def __init__(self) -> None:
        self.first, self.second, self.change = Sums(), Sums(), Sums()
        self._table: np.ndarray = np.zeros((2, 2), dtype=int)
        self._is_binary = True

    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        """Adds the values of some pairs."""
        self.first.add(first)
        self.second.add(second)
        self.change.add(second - first)
        self._is_binary = self._is_binary and bool(np.isin((first, second), (0, 1)).all())
        if self._is_binary:
            pairs = (2 * first + second).astype(int)
            self._table += np.bincount(pairs, minlength=4).reshape(2, 2)

    def difference(self, *, of_share: bool) -> Interval:
        """The mean of the second minus that of the first."""
        if of_share and self._is_binary:
            (neither, second), (first, both) = self._table.tolist()
            return paired_difference(both, first, second, neither)
        return self.change.interval()

    def saved(self) -> float:
        """The share of the games that pairing saves."""
        apart = self.first.variance + self.second.variance
        return 1 - self.change.variance / apart if apart > 0 else 0.0


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


class Groups:
    """Measurements of deals, summed in groups, each of which can be left out. width: how many
    numbers each deal has.
    """

    def __init__(self, width: int) -> None:
        self.totals: np.ndarray = np.zeros((GROUPS, width))
        self.counts: np.ndarray = np.zeros(GROUPS, dtype=int)

    @property
    def count(self) -> int:
        """The number of deals."""
        return int(self.counts.sum())

    def add(self, rows: np.ndarray) -> None:
        """Adds deals: a row of numbers for each."""
        groups: np.ndarray = (self.count + np.arange(len(rows))) % GROUPS
        np.add.at(self.totals, groups, rows)
        np.add.at(self.counts, groups, 1)

    def half(self, number: int) -> Groups:
        """Every other group, starting with this one."""
        found = Groups(self.totals.shape[1])
        found.totals[number::2] = self.totals[number::2]
        found.counts[number::2] = self.counts[number::2]
        return found

    def value(self, statistic: Statistic) -> np.ndarray:
        """The statistic of all deals."""
        return statistic(self.totals.sum(axis=0), self.count)

    def intervals(self, statistic: Statistic) -> list[Interval]:
        """The same with Student's intervals by the jackknife that leaves out a group at a time."""
        values, groups = self.value(statistic), np.flatnonzero(self.counts)
        halves = np.full(len(values), inf)
        if len(groups) > 1:
            total, count = self.totals.sum(axis=0), self.count
            without = np.array(
                [statistic(total - self.totals[one], count - self.counts[one]) for one in groups]
            )
            errors = np.sqrt((len(groups) - 1) * without.var(axis=0))
            halves = quantile(len(groups) - 1) * errors
            if count < SAME:
                halves[errors == 0] = inf  # few equal deals tell nothing
        return [*map(Interval.around, values.tolist(), halves.tolist())]
