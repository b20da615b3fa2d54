"""Sets of numbers, the meter, and the cards on places; see docs/program.md, *Expressions*.

A set is an ascending tuple of distinct numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from targi_dsl.engine.faults import PARTS, RANGE, Fault, too_much
from targi_dsl.engine.run import Vector
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import METER

_KEPT = 1_000  # images of one relation
Set = tuple[int, ...]


def count(v: Vector, number: int) -> None:
    """Adds to the meter; too much of it is a fault."""
    v[METER] += number
    if v[METER] > PARTS:
        too_much()


def counted(v: Vector, elements: Set) -> Set:
    """The elements of a set, counted on the meter."""
    count(v, len(elements))
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


def cards_on(tops: int, below: int) -> Callable[[Vector, Set], Set]:
    """The cards on any of some places."""

    def cards(v: Vector, places: Set) -> Set:
        found = []
        for place in places:
            card = v[tops + place]
            while card >= 0:
                found.append(card)
                card = v[below + card]
        return tuple(sorted(found))

    return cards


def bottom_card(tops: int, below: int) -> Callable[[Vector, int], int]:
    """The bottom card of a place."""

    def card_below(v: Vector, place: int) -> int:
        card = v[tops + place] if place >= 0 else NOTHING
        while card >= 0 and v[below + card] >= 0:
            card = v[below + card]
        return card

    return card_below
