"""Estimates with their intervals of 95 %, in plain Python and mostly from integers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, inf, isfinite, sqrt
from typing import NamedTuple

Class = tuple[int, int, int]
"""A class of a histogram: its first and last value, and how many values it contains."""

Z = 1.959963984540054
"""The number of standard deviations within which 95 % of a normal distribution lie."""


class Interval(NamedTuple):
    """An estimate with the bounds of its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def around(cls, value: float, half: float) -> Interval:
        """An estimate with symmetric bounds."""
        return cls(value, value - half, value + half)

    @property
    def is_known(self) -> bool:
        """Whether it has bounds."""
        return isfinite(self.low) and isfinite(self.high)

    def holds(self, value: float) -> bool:
        """Whether a value is within the bounds."""
        return self.low <= value <= self.high

    def over(self, scale: float) -> Interval:
        """The estimate in units of `scale`, which may be negative."""
        return Interval(self.value / scale, *sorted((self.low / scale, self.high / scale)))

    def within(self, least: float, most: float) -> Interval:
        """The estimate with its bounds clipped to these."""
        return Interval(self.value, max(least, self.low), min(most, self.high))

    def data(self) -> dict[str, float | None]:
        """The estimate as plain data for JSON; unknown bounds are None."""
        each = self._asdict().items()
        return {name: float(one) if isfinite(one) else None for name, one in each}


RARE = 3.0
"""The rule of three: if n games were all alike, up to 3 / n of others are not ruled out."""

SAME = 30
"""The fewest equal values that say anything of their mean."""


def share(count: int, of: int) -> Interval | None:
    """A proportion with Wilson's interval; None of nothing."""
    return proportion(count, of) if of else None


def proportion(count: float, of: int) -> Interval:
    """A proportion of at least one, with Wilson's interval; shared wins may count in part."""
    p, z2 = count / of, Z * Z
    middle = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = Z / (1 + z2 / of) * sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def difference(first: Interval | None, other: Interval | None) -> Interval | None:
    """The difference of two proportions. The interval holds however dependent they are, as for
    players of the same games.
    """
    if first is None or other is None:
        return None
    return Interval(first.value - other.value, first.low - other.high, first.high - other.low)


def mean_of(values: Sequence[float]) -> Interval:
    """The mean of values, such as final leads; 0 for none. It has Student's interval, or for few
    values a wider one (Wallace, Annals of Mathematical Statistics 30, 1959).
    """
    count = max(1, len(values))
    value, free = sum(values) / count, count - 1
    if len({*values}) < 2:
        return Interval.around(value, RARE / count if count >= SAME else inf)
    squares = sum((one - value) ** 2 for one in values)
    far = (Z * (8 * free + 3) / (8 * free + 1)) ** 2 / free
    return Interval.around(value, sqrt((exp(far) - 1) * squares / count))


def mean(counts: Mapping[int, int]) -> float:
    """The mean of values with their frequencies."""
    return sum(value * count for value, count in counts.items()) / max(1, sum(counts.values()))


def spread(counts: Mapping[int, int]) -> float:
    """The standard deviation of a sample."""
    number = sum(counts.values())
    if number < 2:
        return 0.0
    total = sum(value * count for value, count in counts.items())
    squares = sum(value * value * count for value, count in counts.items())
    return sqrt(max(0, squares * number - total * total) / (number * (number - 1)))


def mean_interval(counts: Mapping[int, int], least: int, most: int) -> Interval | None:
    """The mean of values between two bounds, with an interval after Agresti and Coull: half of z
    squared pseudo-observations at each bound keep few games, or games that all end alike, from
    suggesting certainty.
    """
    number = sum(counts.values())
    if not number:
        return None
    value, imagined = mean(counts), Z * Z / 2
    total = number + 2 * imagined
    middle = (value * number + (least + most) * imagined) / total
    squares = sum(count * count_value * count_value for count_value, count in counts.items())
    mean_square = (squares + imagined * (least * least + most * most)) / total
    half = Z * sqrt(max(0.0, mean_square - middle * middle) / total)
    return Interval(value, max(least, middle - half), min(most, middle + half))


def histogram(counts: Mapping[int, int], most: int, beside: Iterable[int] = ()) -> list[Class]:
    """At most this many classes of equal width, from the lowest to the highest value: the first and
    last value of each, and its count. They cover the values `beside` as well, so that two
    histograms with each other beside have the same classes.
    """
    if not counts:
        return []
    low, high = min(*counts, *beside, min(counts)), max(*counts, *beside, max(counts))
    width = -(-(high - low + 1) // most)
    classes: Counter[int] = Counter()
    for value, count in counts.items():
        classes[(value - low) // width] += count
    number = (high - low) // width + 1
    return [(low + at * width, low + (at + 1) * width - 1, classes[at]) for at in range(number)]


def sum_of(all_: Iterable[Counter[int]]) -> Counter[int]:
    """The sum of several counters."""
    total: Counter[int] = Counter()
    for counts in all_:
        total.update(counts)
    return total
