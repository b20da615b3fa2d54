"""Hypothesis tests of means: multiple tests, and sequential ones while games are still played."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from scipy import stats

from targi_dsl.search.estimates import SAME
from targi_dsl.text.structs import Frozen

ERROR = 0.05

LEAST = 400
"""The fewest pairs with which a sequential test decides: with fewer, if differences are rare, the
variance is not known well enough, and 10 % of verdicts are wrong.
"""


def p_values(counts: Any, means: Any, variances: Any) -> np.ndarray:
    """The p-values of means being zero; arrays or sequences of numbers. Too few values that are all
    equal tell nothing.
    """
    count, mean, variance = (np.asarray(one, dtype=float) for one in (counts, means, variances))
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(variance / (count - 1))
        found = 2 * stats.t.sf(np.abs(mean) / errors, count - 1)
    is_open = (count < 2) | (mean == 0) | ((variance == 0) & (count < SAME))
    settled: np.ndarray = np.where(is_open, 1.0, np.where(variance == 0, 0.0, found))
    return settled


def discoveries(counts: Any, means: Any, variances: Any) -> list[int]:
    """Which means are certainly above zero (1) or below (-1), and 0 for the others, at a false
    discovery rate of 5 % (Benjamini and Hochberg).
    """
    chances = p_values(counts, means, variances)
    if not len(chances):
        return []
    is_real = stats.false_discovery_control(chances) <= ERROR
    return [int(one) for one in np.where(is_real, np.sign(means), 0)]


class SequentialTest(Frozen):
    """A generalized sequential probability ratio test of a mean: zero against `within` more, and
    zero against `within` less, with an error of at most 5 %. least: values before it decides.
    """

    within: float
    least: int = LEAST

    def verdict(self, count: int, mean: float, variance: float) -> str:
        """`more`, `less`, `same`, or empty if more values are needed."""
        if count < self.least:
            return ""
        if variance <= 0:
            return "same" if mean == 0 else ("more" if mean > 0 else "less")
        ratio = count * self.within / variance
        more, less = (ratio * (sign * mean - self.within / 2) for sign in (1, -1))
        high = log((1 - ERROR / 2) / (ERROR / 2))
        if more >= high:
            return "more"
        if less >= high:
            return "less"
        return "same" if more <= -high and less <= -high else ""
