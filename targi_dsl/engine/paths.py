"""Steps from place to place: what they reach, and straight lines.

What is reached is found level by level: from the places of a level steps are looked at once, and
the meter goes up for each of these places.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from targi_dsl.engine.code import Value
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.sets import Set, counted

Onwards = Callable[[Vector, Frame, Collection[int]], set[int]]


def onwards(slot: int, step: Value) -> Onwards:
    """Where steps from some places lead; each is bound to the slot in turn."""

    def steps(v: Vector, f: Frame, places: Collection[int]) -> set[int]:
        before, found = f[slot], set[int]()
        for place in counted(v, tuple(places)):
            f[slot] = place
            found.update(step(v, f))
        f[slot] = before
        return found

    return steps


def onwards_by(related: tuple[Set, ...]) -> Onwards:
    """As `onwards`, where a step follows from the place alone."""

    def steps(v: Vector, f: Frame, places: Collection[int]) -> set[int]:
        return {one for place in counted(v, tuple(places)) for one in related[place]}

    return steps


def reached(steps: Onwards, start: Value, within: Value) -> Value:
    """The places of a set that are reached without leaving it."""

    def places(v: Vector, f: Frame) -> Set:
        level: Collection[int] = start(v, f)
        among = set(within(v, f))
        found = among.intersection(level)
        while level:
            level = (steps(v, f, level) & among) - found
            found |= level
        return tuple(sorted(found))

    return places


def longest_line(ways: Iterable[tuple[int, ...]], within: Value) -> Value:
    """The most places of a set that lie one behind the other."""

    def length(v: Vector, f: Frame) -> int:
        among = set(counted(v, within(v, f)))
        return max((_longest(way, among) for way in ways), default=min(1, len(among)))

    return length


def _longest(way: tuple[int, ...], places: set[int]) -> int:
    """As `longest_line`, in one way."""
    begin = places.difference([way[place] for place in places])
    longest, left = 0, set(places)
    for first in (*begin, *places):  # a ring that is full begins anywhere
        number, at = 0, first
        while at in left:
            left.remove(at)
            number, at = number + 1, way[at]
        longest = max(longest, number)
    return longest
