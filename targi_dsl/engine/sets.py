"""Runtime functions of compiled expressions: sets, and arithmetic that can fail.

A set is an ascending tuple of distinct numbers. Functions that bind elements to a slot restore
its old value, since the frame may belong to a rule that continues. Every set whose elements are
evaluated adds to the meter; see `faults.PARTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

from targi_dsl.engine.faults import PARTS, RANGE, Fault, too_much
from targi_dsl.engine.run import Vector
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import METER

_KEPT = 1_000  # images of one relation
Set = tuple[int, ...]


def counted(v: Vector, elements: Set) -> Set:
    """The elements of a set, counted on the meter."""
    v[METER] += len(elements)
    if v[METER] > PARTS:
        too_much()
    return elements


def quotient(left: int, right: int) -> int:
    """The quotient, rounded down; 0 for a divisor of 0."""
    return left // right if right else 0


# ---- sets of numbers ----


def made(items: Iterable[int]) -> Set:
    """The set of these values, without nothing."""
    elements = {*items}
    elements.discard(NOTHING)
    return tuple(sorted(elements))


def union(left: Set, other: Set) -> Set:
    """The union of two sets."""
    return tuple(sorted({*left, *other})) if left and other else left or other


def numbers(first: int, last: int) -> Set:
    """The numbers of a range."""
    if last - first >= RANGE:
        raise Fault(
            "E610",
            f"a range from {first} to {last}",
            f"A range may hold at most {RANGE} numbers.",
        )
    return tuple(range(first, last + 1))


def image(sets: tuple[Set, ...]) -> Callable[[Set], Set]:
    """The image of a set under a relation."""

    @lru_cache(_KEPT)
    def related(elements: Set) -> Set:
        return tuple(sorted({related for element in elements for related in sets[element]}))

    return related


# ---- what lies where ----


def values_at(base: int, things: Set) -> Callable[[Vector], Sequence[int]]:
    """The values of a slot for each of these things."""
    slots = [base + thing for thing in things]
    if not slots:
        return lambda v: ()
    low, high = slots[0], slots[-1] + 1
    if slots == [*range(low, high)]:
        return itemgetter(slice(low, high))
    return itemgetter(*slots)


def values_of(v: Vector, base: int, things: Iterable[int]) -> list[int]:
    """Like `values_at`, for things that are computed."""
    return [v[base + thing] for thing in things]


def cards_on(tops: int, below: int) -> Callable[[Vector, Set], Set]:
    """The cards on any of some places."""

    def cards(v: Vector, places: Set) -> Set:
        if len(places) == 1:  # mostly, and mostly with one card at most
            card = v[tops + places[0]]
            if card < 0:
                return ()
            if v[below + card] < 0:
                return (card,)
        reachable = []
        for place in places:
            card = v[tops + place]
            while card >= 0:
                reachable.append(card)
                card = v[below + card]
        if len(reachable) > 1:
            reachable.sort()
        return tuple(reachable)

    return cards


def bottom_card(tops: int, below: int) -> Callable[[Vector, int], int]:
    """The bottom card of a place."""

    def card_below(v: Vector, place: int) -> int:
        card = v[tops + place] if place >= 0 else NOTHING
        while card >= 0 and v[below + card] >= 0:
            card = v[below + card]
        return card

    return card_below


def lying(v: Vector, base: int, things: Set, places: Set) -> Set:
    """Those of these things that are on one of these places."""
    return tuple([thing for thing in things if v[base + thing] in places])
