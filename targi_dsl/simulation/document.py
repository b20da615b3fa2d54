"""The report of a simulation as plain data for tables and JSON (docs/simulation.md explains it),
and its statistics from integers only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple, TypedDict


class Distribution(TypedDict):
    """The values of something counted once in each game."""

    mean: float
    spread: float
    least: int
    most: int
    histogram: list[Class]


class Won(TypedDict):
    """The games won alone, and those won with others; `share` is that of games won alone. None in
    a game for one player that only counts points, which nobody wins.
    """

    wins: int | None
    shared: int | None
    share: Interval | None
    score: Distribution | None


class PlayerResult(Won):
    """A player of the plan, in all seats together."""

    player: str
    begins_as: str


class SeatResult(Won):
    """A seat, and the average of each part of its score."""

    seat: str
    parts: dict[str, float]


class Paired(TypedDict):
    """Games of one seed that differ in the seats alone."""

    seeds: int
    wins_of_first_player: dict[str, int]
    share: Interval | None


class Ending(TypedDict):
    """The rule that ended games; None for games that were cut off."""

    ended_by: str | None
    games: int


class TieBreak(TypedDict):
    tie: str
    games: int


class CardUse(TypedDict):
    card: str
    name: str
    copies: int
    offered: int
    taken: int
    in_play: int
    won_with: Interval | None
    won_without: Interval | None
    difference: Interval | None
    points: float | None


class SpaceUse(TypedDict):
    space: str
    offered: int
    taken: int


class NeverTaken(TypedDict):
    rule: str
    label: str
    offered: int


class ChoiceUse(NeverTaken):
    taken: int


class Never(TypedDict):
    """What no game used."""

    rules: list[str]
    cards: list[str]
    choices: list[NeverTaken]


class Used(TypedDict):
    """The use of cards, spaces and choices."""

    cards: list[CardUse]
    spaces: list[SpaceUse]
    choices: list[ChoiceUse]
    never: Never


class Document(Used):
    """A whole report."""

    game: str
    rules: str
    options: dict[str, str]
    decks: dict[str, str]
    seed: int
    games: int
    players: list[PlayerResult]
    seats: list[SeatResult]
    first_seat_edge: Interval | None
    paired: Paired | None
    rounds: Distribution
    decisions: Distribution
    branching: float
    lead_changes: Distribution
    endings: list[Ending]
    ties: list[TieBreak]


Z = 1.959963984540054
"""The number of standard deviations within which 95 % of a normal distribution lie."""


Class = tuple[int, int, int]
"""A class of a histogram: its first and last value, and how many values it contains."""


class Interval(NamedTuple):
    """An estimate with the bounds of its 95 % interval."""

    value: float
    low: float
    high: float

    def over(self, scale: float) -> Interval:
        """The estimate in units of `scale`."""
        return Interval(self.value / scale, self.low / scale, self.high / scale)


def share(count: int, of: int) -> Interval | None:
    """A proportion with Wilson's interval; None of nothing."""
    return proportion(count, of) if of else None


def proportion(count: int, of: int) -> Interval:
    """A proportion of at least one, with Wilson's interval."""
    p, z2 = count / of, Z * Z
    middle = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = Z / (1 + z2 / of) * sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def difference(first: Interval | None, other: Interval | None) -> Interval | None:
    """The difference of two proportions. The interval holds however much they depend on each other,
    as do those of players of the same games.
    """
    if first is None or other is None:
        return None
    return Interval(first.value - other.value, first.low - other.high, first.high - other.low)


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


def mean_interval(counts: Mapping[int, int], least: int, most: int) -> Interval | None:
    """The mean of values between two bounds, with an interval after Agresti and Coull: half of z
    squared further values are imagined at each bound, so that few games, or games that all end
    alike, do not suggest certainty.
    """
    number = _total(counts)
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
    last value of each, and how many values it contains. They cover the values `beside` as well, so
    that histograms of the same values beside have the same classes.
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


def _total(counts: Mapping[int, int]) -> int:
    return sum(counts.values())


def sum_of(all_: Iterable[Counter[int]]) -> Counter[int]:
    """The sum of several counters."""
    total: Counter[int] = Counter()
    for counts in all_:
        total.update(counts)
    return total
