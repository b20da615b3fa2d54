"""Values of a measure in many games, added up in constant memory, and what they say of its mean."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import stats

from targi_dsl.lab.estimates import FEW, LEVEL, SAME, mean, mean_of, paired_difference
from targi_dsl.simulation.document import Interval, proportion

GROUPS = 60
"""Groups of deals, each of which is once left out."""

Statistic = Callable[[np.ndarray, int], np.ndarray]
"""Computes numbers from the sums of the columns of `Groups`, and the number of deals."""


class Sums:
    """Values of one measure, added up."""

    def __init__(self) -> None:
        self.count, self.total, self.squares = 0, 0.0, 0.0
        self.is_binary = True
        self._few = list[float]()

    def add(self, values: np.ndarray) -> None:
        """Adds the values of some games."""
        self.count += len(values)
        self.total += float(values.sum())
        self.squares += float((values * values).sum())
        self.is_binary = self.is_binary and bool(np.isin(values, (0, 1)).all())
        if len(self._few) <= FEW:
            self._few += values.tolist()

    @property
    def mean(self) -> float:
        """The mean of the values, of which there is at least one."""
        return self.total / self.count

    @property
    def variance(self) -> float:
        """How far the values lie from their mean, squared."""
        return max(0.0, self.squares / self.count - self.mean**2)

    def interval(self, *, of_share: bool = False) -> Interval:
        """The mean with its interval; a share lies between 0 and 1."""
        if of_share and self.is_binary:
            return proportion(round(self.total), self.count)
        found = mean_of(self._few) if self.count <= FEW else self.student()
        if of_share:
            return Interval(found.value, max(0.0, found.low), min(1.0, found.high))
        return found

    def student(self) -> Interval:
        """The mean with Student's interval, for differences between games: they lie alike on both
        sides, and a few of them far away, where the bootstrap of few values holds too seldom.
        """
        return mean(self.count, self.total, self.squares)


class Pairs:
    """Values of one measure in pairs of games, added up."""

    def __init__(self) -> None:
        self.first, self.second, self.change = Sums(), Sums(), Sums()
        self._table: np.ndarray = np.zeros((2, 2), dtype=int)

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return self.change.count

    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        """Adds the values of some pairs."""
        self.first.add(first)
        self.second.add(second)
        self.change.add(second - first)
        if self._is_binary:
            pairs = (2 * first + second).astype(int)
            self._table += np.bincount(pairs, minlength=4).reshape(2, 2)

    @property
    def _is_binary(self) -> bool:
        return self.first.is_binary and self.second.is_binary

    def difference(self, *, of_share: bool) -> Interval:
        """The mean of the second minus that of the first."""
        if of_share and self._is_binary:
            (neither, second), (first, both) = self._table.tolist()
            return paired_difference(both, first, second, neither)
        return self.change.student()

    def saved(self) -> float:
        """The share of the games that pairing saves."""
        apart = self.first.variance + self.second.variance
        return float(1 - self.change.variance / apart) if apart > 0 else 0.0


class Groups:
    """What was measured in deals, added up in groups, of which each can be left out. width: how
    many numbers there are of each deal.
    """

    def __init__(self, width: int) -> None:
        self.totals: np.ndarray = np.zeros((GROUPS, width))
        self.counts: np.ndarray = np.zeros(GROUPS, dtype=int)

    @property
    def count(self) -> int:
        """How many deals there are."""
        return int(self.counts.sum())

    def add(self, rows: np.ndarray) -> None:
        """Adds deals: a row of numbers for each."""
        groups: np.ndarray = (self.count + np.arange(len(rows))) % GROUPS
        np.add.at(self.totals, groups, rows)
        np.add.at(self.counts, groups, 1)

    def half(self, number: int) -> Groups:
        """Every other group, beginning with this one."""
        found = Groups(self.totals.shape[1])
        found.totals[number::2] = self.totals[number::2]
        found.counts[number::2] = self.counts[number::2]
        return found

    def value(self, statistic: Statistic) -> np.ndarray:
        """What is computed from all deals."""
        return statistic(self.totals.sum(axis=0), self.count)

    def intervals(self, statistic: Statistic) -> list[Interval]:
        """The same with Student's intervals by the jackknife that leaves out a group at a time."""
        values, groups = self.value(statistic), np.flatnonzero(self.counts)
        if len(groups) < 2:
            return [Interval(float(value), -np.inf, np.inf) for value in values]
        total, count = self.totals.sum(axis=0), self.count
        without = np.array(
            [statistic(total - self.totals[one], count - self.counts[one]) for one in groups]
        )
        errors = np.sqrt((len(groups) - 1) * without.var(axis=0))
        halves = stats.t.ppf((1 + LEVEL) / 2, len(groups) - 1) * errors
        if count < SAME:
            halves[errors == 0] = np.inf  # of few deals that are all equal nothing is known
        each = zip(values.tolist(), halves.tolist(), strict=True)
        return [Interval(value, value - half, value + half) for value, half in each]
