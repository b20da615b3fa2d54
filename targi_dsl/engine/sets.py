"""Runtime functions of compiled expressions: sets, and arithmetic that can fail.

A set is an ascending tuple of distinct numbers. Functions that bind elements to a slot restore
its old value, since the frame may belong to a rule that continues. Every set whose elements are
evaluated adds to the meter; see `faults.PARTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

from targi_dsl.engine.code import Value
from targi_dsl.engine.faults import HIGHEST, LOWEST, PARTS, RANGE, Fault, overflow, too_much
from targi_dsl.engine.run import Frame, Vector
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
    found = {*items}
    found.discard(NOTHING)
    return tuple(sorted(found))


def union(one: Set, other: Set) -> Set:
    """The union of two sets."""
    return tuple(sorted({*one, *other})) if one and other else one or other


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
        return tuple(sorted({found for element in elements for found in sets[element]}))

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
        found = []
        for place in places:
            card = v[tops + place]
            while card >= 0:
                found.append(card)
                card = v[below + card]
        if len(found) > 1:
            found.sort()
        return tuple(found)

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


# ---- element by element ----


def filtered(slot: int, within: Value, condition: Value) -> Value:
    """The elements that satisfy a condition."""

    def those(v: Vector, f: Frame) -> Set:
        before, found = f[slot], []
        for element in counted(v, within(v, f)):
            f[slot] = element
            if condition(v, f):
                found.append(element)
        f[slot] = before
        return tuple(found)

    return those


def mapped(slot: int, within: Value, value: Value) -> Value:
    """The set of values of an expression for each element."""
    values = _values(slot, within, value)
    return lambda v, f: made(values(v, f))


def folded(op: str, slot: int, within: Value, value: Value) -> Value:
    """The fold of the elements' values."""
    values = _values(slot, within, value)

    def total(v: Vector, f: Frame) -> int:
        result = sum(values(v, f))
        return result if LOWEST <= result <= HIGHEST else overflow(result)

    match op:
        case "sum":
            return total
        case "highest":
            return lambda v, f: max(values(v, f), default=0)
        case "lowest":
            return lambda v, f: min(values(v, f), default=0)
        case _:
            return lambda v, f: len({*values(v, f)} - {NOTHING})


def _values(slot: int, within: Value, value: Value) -> Callable[[Vector, Frame], list[int]]:
    def values(v: Vector, f: Frame) -> list[int]:
        before, found = f[slot], []
        for element in counted(v, within(v, f)):
            f[slot] = element
            found.append(value(v, f))
        f[slot] = before
        return found

    return values


def exists(slot: int, within: Value, condition: Value) -> Value:
    """Whether any element satisfies a condition."""

    def some(v: Vector, f: Frame) -> int:
        before, holds = f[slot], 0
        for element in counted(v, within(v, f)):
            f[slot] = element
            if condition(v, f):
                holds = 1
                break
        f[slot] = before
        return holds

    return some
