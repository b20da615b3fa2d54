"""A row of bytes: a position with all that generated C needs to go on from it at once. What is read
of it here needs no C.
"""

from __future__ import annotations

from struct import Struct
from sys import byteorder

CHANCE_DECIDES, NOBODY_DECIDES = 254, 255  # in place of a player

SEAT = 4
"""Where the row has who decides: a player, CHANCE_DECIDES, or NOBODY_DECIDES."""

_HEAD = 32  # bytes of `Row` in codegen/c/runtime/play.h; where it has other fields:
_ASKED, _OFFERED, _WAITS = 5, slice(8, 12), slice(12, 16)
_ROUNDS, _CHANCE = slice(20, 24), slice(24, 32)

_EVENT = Struct("=10i")
EVENT = _EVENT.size
"""The bytes of an event."""

TOLD = 3
"""Where a row, in numbers of two bytes, has how many events follow it where it was written."""


class _Structs(dict[int, Struct]):
    """By how many numbers of a width there are, what reads and writes them."""

    def __init__(self, width: str) -> None:
        super().__init__()
        self._width = width

    def __missing__(self, count: int) -> Struct:
        found = self[count] = Struct(f"={count}{self._width}")
        return found


NUMBERS, _OPTIONS = _Structs("i"), _Structs("q")


def options_of(row: bytes) -> tuple[int, ...]:
    """The options of the open question, in order."""
    return _OPTIONS[int.from_bytes(row[_OFFERED], byteorder)].unpack_from(row, _HEAD)


def event_of(told: bytes) -> tuple[int, ...]:
    """The numbers of an event: that of its kind among `EventKind`, the others of a `RawEvent`, and
    what was known at that moment, as api/events.py says.
    """
    return _EVENT.unpack(told)


def told_as(numbers: tuple[int, ...]) -> bytes:
    """The event of these numbers, as C tells it."""
    return _EVENT.pack(*numbers)


def slot_of(row: bytes, number: int) -> int:
    """A slot of the position below the frames, of those that hold things and values."""
    at = _HEAD + 8 * int.from_bytes(row[_OFFERED], byteorder) + 4 * number
    return int.from_bytes(row[at : at + 4], byteorder, signed=True)


def question_of(row: bytes) -> int:
    """The number of the open question, or -1."""
    return int.from_bytes(row[_WAITS], byteorder, signed=True)


def chance_of(row: bytes) -> int | None:
    """The state of chance; None if its outcomes are asked for."""
    return None if row[_ASKED] else int.from_bytes(row[_CHANCE], byteorder)


def rounds_of(row: bytes) -> int:
    """How many rounds have begun in the turns that led here."""
    return int.from_bytes(row[_ROUNDS], byteorder)
