"""Values of a measure in many games, added up in constant memory, and what they say of its mean."""

from __future__ import annotations

import numpy as np

from targi_dsl.lab.estimates import FEW, mean, mean_of, paired_difference, share
from targi_dsl.simulation.document import Interval


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
            return share(round(self.total), self.count)
        if self.count <= FEW:
            found = mean_of(self._few)
        else:
            found = mean(self.count, self.total, self.squares)
        if of_share:
            return Interval(found.value, max(0.0, found.low), min(1.0, found.high))
        return found


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
        return self.change.interval()

    def saved(self) -> float:
        """The share of the games that pairing saves."""
        apart = self.first.variance + self.second.variance
        return float(1 - self.change.variance / apart) if apart > 0 else 0.0
