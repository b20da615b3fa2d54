"""Means, standard deviations and 95 % intervals, from integers only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import inf, sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Of a normal distribution 95 % lie within so many standard deviations."""


class Interval(NamedTuple):
    """An estimate with the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


def share(count: int, of: int) -> Interval | None:
    """A proportion with Wilson's interval; None for no games."""
    if not of:
        return None
    p, z2 = count / of, Z * Z
    middle = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = Z / (1 + z2 / of) * sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def difference(one: Interval | None, other: Interval | None) -> Interval | None:
    """The difference of two independent proportions, with Newcombe's interval."""
    if one is None or other is None:
        return None
    value = one.value - other.value
    below = sqrt((one.value - one.low) ** 2 + (other.high - other.value) ** 2)
    above = sqrt((one.high - one.value) ** 2 + (other.value - other.low) ** 2)
    return Interval(value, value - below, value + above)


def mean(counts: Mapping[int, int]) -> float:
    """The mean of values with their frequencies."""
    return sum(value * count for value, count in counts.items()) / max(1, _total(counts))


def spread(counts: Mapping[int, int]) -> float:
    """The standard deviation of a sample."""
    number = _total(counts)
    if number < 2:
        return 0.0
    total = sum(value * count for value, count in counts.items())
    squares = sum(value * value * count for value, count in counts.items())
    return sqrt(max(0, squares * number - total * total) / (number * (number - 1)))


def mean_interval(counts: Mapping[int, int], scale: float = 1.0) -> Interval | None:
    """The mean, with the interval of a normal distribution; values are divided by `scale`."""
    number = _total(counts)
    if not number:
        return None
    value, half = mean(counts) / scale, Z * spread(counts) / scale / sqrt(number)
    return Interval(value, value - half, value + half) if number > 1 else Interval(value, -inf, inf)


def histogram(counts: Mapping[int, int], most: int) -> list[tuple[int, int, int]]:
    """At most so many classes of equal width, from the lowest to the highest value: the first and
    the last value of each, and how many values lie there.
    """
    if not counts:
        return []
    low, high = min(counts), max(counts)
    width = -(-(high - low + 1) // most)
    classes: Counter[int] = Counter()
    for value, count in counts.items():
        classes[(value - low) // width] += count
    number = (high - low) // width + 1
    return [
        (low + at * width, min(high, low + (at + 1) * width - 1), classes[at])
        for at in range(number)
    ]


def _total(counts: Mapping[int, int]) -> int:
    return sum(counts.values())


def merged(all_: Iterable[Counter[int]]) -> Counter[int]:
    """The sum of several counters."""
    found: Counter[int] = Counter()
    for counts in all_:
        found.update(counts)
    return found
