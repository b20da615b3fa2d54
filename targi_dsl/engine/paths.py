"""Paths on the board: reachable places and straight lines; see docs/program.md, *Expressions*.

The search is breadth-first: steps from the places of one level are evaluated once, and each of
these places counts as one element on the meter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from targi_dsl.engine.code import Value
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.sets import Set, counted


def reached(slot: int, step: Value, start: Value, within: Value) -> Value:
    """The places of a set that can be reached without leaving it; each is bound to the slot in
    turn.
    """

    def places(v: Vector, f: Frame) -> Set:
        level: Collection[int] = start(v, f)
        among, before = set(within(v, f)), f[slot]
        reached = among.intersection(level)
        while level:
            ends = set[int]()
            for f[slot] in counted(v, tuple(level)):
                ends.update(step(v, f))
            level = (ends & among) - reached
            reached |= level
        f[slot] = before
        return tuple(sorted(reached))

    return places


def longest_line(ways: Iterable[tuple[int, ...]], within: Value) -> Value:
    """The length of the longest straight line within a set."""

    def length(v: Vector, f: Frame) -> int:
        among = set(counted(v, within(v, f)))
        return max((_longest(way, among) for way in ways), default=min(1, len(among)))

    return length


def _longest(way: tuple[int, ...], places: set[int]) -> int:
    """Like `longest_line`, in one direction."""
    begin = places.difference([way[place] for place in places])
    longest, left = 0, set(places)
    for first in (*begin, *places):  # a ring that is full begins anywhere
        number, at = 0, first
        while at in left:
            left.remove(at)
            number, at = number + 1, way[at]
        longest = max(longest, number)
    return longest
