"""The runtime of generated Python: functions that are the same for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import NoReturn

from targi_dsl.engine.faults import PARTS, RANGE
from targi_dsl.engine.paths import longest_line as longest_line_of
from targi_dsl.engine.run import Vector
from targi_dsl.engine.sets import made, quotient
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import METER

_KEPT = 20_000  # entries of a memo, which is then cleared


class Doubt(Exception):
    """Something may be wrong: the reference must repeat this turn and report the fault."""


def in_doubt() -> NoReturn:
    raise Doubt


class Memo(dict[int, tuple[int, ...]]):
    """A value derived from a mask, computed when it is first needed."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) > _KEPT:
            self.clear()
        found = self[mask] = self.of(mask)
        return found

    def of(self, mask: int) -> tuple[int, ...]:
        """The elements of a mask, ascending."""
        found: list[int] = []
        for at, byte in enumerate(mask.to_bytes(-(-mask.bit_length() // 8), "little")):
            if byte:
                found += _IN_BYTE[at << 8 | byte]
        return tuple(found)


class _InByte(dict[int, tuple[int, ...]]):
    """The elements of one byte of a mask; the key has the number of the byte and its value."""

    def __missing__(self, key: int) -> tuple[int, ...]:
        at, byte = key >> 8, key & 255
        found = self[key] = tuple(8 * at + bit for bit in range(8) if byte >> bit & 1)
        return found


_IN_BYTE = _InByte()
ELEMENTS = Memo()


class Options(Memo):
    """The options of a way for each element of a mask."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def of(self, mask: int) -> tuple[int, ...]:
        return tuple([self.first + element for element in ELEMENTS[mask]])


class Image(dict[int, int]):
    """The image of a set under a relation, both as masks."""

    def __init__(self, related: Sequence[int]) -> None:
        super().__init__()
        self.related = related

    def __missing__(self, mask: int) -> int:
        if len(self) > _KEPT:
            self.clear()
        found = 0
        for element in ELEMENTS[mask]:
            found |= self.related[element]
        self[mask] = found
        return found


class Longest(dict[int, int]):
    """The length of the longest straight line within a mask. A way with a constant step is followed
    for all places at once; any other as in the reference.
    """

    def __init__(self, ways: tuple[tuple[int, ...], ...]) -> None:
        super().__init__()
        self.ways = ways
        self.shifts = shifts(ways)

    def __missing__(self, mask: int) -> int:
        if len(self) > _KEPT:
            self.clear()
        if self.shifts:
            found = self._along(mask)
        else:
            found = longest_line([0, 0], self.ways, ELEMENTS[mask])
        self[mask] = found
        return found

    def _along(self, mask: int) -> int:
        longest = 0
        for by, has_next in self.shifts:
            onwards, ahead, length = mask & has_next, mask, 0
            while ahead:
                ahead = onwards & (ahead >> by if by > 0 else ahead << -by)
                length += 1
            if length > longest:
                longest = length
        return longest


def shifts(ways: tuple[tuple[int, ...], ...]) -> list[tuple[int, int]]:
    """The constant step of each way, and the places from which it continues; none if any step
    varies.
    """
    found = [_shift(way) for way in ways]
    return [one for one in found if one is not None] if None not in found else []


def _shift(way: tuple[int, ...]) -> tuple[int, int] | None:
    steps = {after - place for place, after in enumerate(way) if after != NOTHING}
    has_next = sum(1 << place for place, after in enumerate(way) if after != NOTHING)
    return (steps.pop(), has_next) if len(steps) == 1 else None


class Spots(dict[tuple[int, ...], int]):
    """The mask of a few places, some of which may be nothing."""

    def __missing__(self, places: tuple[int, ...]) -> int:
        if len(self) > _KEPT:
            self.clear()
        found = 0
        for place in places:
            if place >= 0:
                found |= 1 << place
        self[places] = found
        return found


class Sides(dict[tuple[bool, ...], int]):
    """The mask of the places at which some tests held."""

    def __missing__(self, tests: tuple[bool, ...]) -> int:
        if len(self) > _KEPT:
            self.clear()
        found = self[tests] = sum(1 << at for at, test in enumerate(tests) if test)
        return found


def between(low: int, high: int) -> int:
    """The mask of the numbers from low to high."""
    if high - low >= RANGE:
        in_doubt()
    return (2 << high) - (1 << low) if high >= low else 0


def numbers(low: int, high: int) -> range:
    """The numbers from low to high."""
    if high - low >= RANGE:
        in_doubt()
    return range(low, high + 1)


def plus(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The union of two sets."""
    return tuple(sorted({*one, *other}))


def without(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The elements of a set that are not in the other."""
    return tuple([element for element in one if element not in other])


def within(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The elements that are in both sets."""
    return tuple([element for element in one if element in other])


def reached(v: Vector, start: int, among: int, onwards: Callable[[int], int]) -> int:
    """The places of a set that can be reached without leaving it."""
    level, found = start, start & among
    while level:
        places, ahead = ELEMENTS[level], 0
        v[METER] += len(places)
        if v[METER] > PARTS:
            in_doubt()
        for place in places:
            ahead |= onwards(place)
        level = ahead & among & ~found
        found |= level
    return found


def longest_line(v: Vector, ways: Iterable[tuple[int, ...]], places: Sequence[int]) -> int:
    """The length of the longest straight line within a set."""
    found: int = longest_line_of(ways, lambda v, f: places)([0, 0], [])
    return found


def counted(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Amounts without those below 1, equal items added."""
    total: dict[int, int] = {}
    for item, number in pairs:
        if number > 0:
            total[item] = total.get(item, 0) + number
    return tuple(sorted(total.items()))


def bit_table(width: int) -> tuple[int, ...]:
    """The bit of each number; none for nothing, which is the last entry."""
    return (*(1 << number for number in range(width)), 0)


def bits_of(width: int) -> Callable[[Iterable[int]], int]:
    """A function that maps the elements of a set to their mask, as far as they can be in one."""

    def bits(elements: Iterable[int]) -> int:
        found = 0
        for one in elements:
            if 0 <= one < width:
                found |= 1 << one
        return found

    return bits


FUNCTIONS = {
    "ELEMENTS": ELEMENTS,
    "FREE": ((), NOTHING),
    "Image": Image,
    "Longest": Longest,
    "Options": Options,
    "PARTS": PARTS,
    "SIDES": Sides(),
    "SPOTS": Spots(),
    "between": between,
    "counted": counted,
    "in_doubt": in_doubt,
    "longest_line": longest_line,
    "made": made,
    "numbers": numbers,
    "plus": plus,
    "or_": or_,
    "quotient": quotient,
    "reached": reached,
    "reduce": reduce,
    "within": within,
    "without": without,
}
"""By the names that generated Python uses for them."""
