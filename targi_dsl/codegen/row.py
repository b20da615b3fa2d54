"""Rows of bytes: positions with all that generated C needs to continue at once. Reading them here
needs no C.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct, error

CHANCE_DECIDES, NOBODY_DECIDES = 254, 255  # in place of a player

SEAT = 4
"""The offset of who decides: a player, CHANCE_DECIDES, or NOBODY_DECIDES."""

_HEAD = 32  # bytes of `Row` in codegen/c/runtime/play.h; offsets of its fields:
_ASKED, _TOLD, _OFFERED, _WAITS, _ROUNDS, _CHANCE = 5, 6, 8, 12, 20, 24

Seen = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""An observation: the vector, the unknown cards, and the hidden slots."""

_SIZES = Struct("@3i")  # the lengths of these three, before their numbers
_number = Struct("=i").unpack_from
_count = Struct("=H").unpack_from
_state = Struct("=Q").unpack_from
_EVENT = Struct("=10i")


class _Structs(dict[int, Struct]):
    """Structs by the number of their elements."""

    def __init__(self, form: Callable[[int], str]) -> None:
        super().__init__()
        self._form = form

    def __missing__(self, count: int) -> Struct:
        found = self[count] = Struct(self._form(count))
        return found


NUMBERS, _OPTIONS = _Structs("@{}i".format), _Structs("@{}q".format)
_EVENTS = _Structs(lambda count: f"={count * f'{_EVENT.size}s'}")


def options_of(row: bytes) -> tuple[int, ...]:
    """The options of the open question, in order."""
    return _OPTIONS[_number(row, _OFFERED)[0]].unpack_from(row, _HEAD)


def told_after(row: memoryview, size: int) -> tuple[bytes, ...]:
    """The events after a row of this size in the buffer it was written to, for `event_of`."""
    return _EVENTS[_count(row, _TOLD)[0]].unpack_from(row, size)


def event_of(told: bytes) -> tuple[int, ...]:
    """The numbers of an event: its kind as an index of `EventKind`, the other fields of a
    `RawEvent`, and who knew what at that moment (see api/events.py).
    """
    return _EVENT.unpack(told)


def told_as(numbers: tuple[int, ...]) -> bytes:
    """The inverse of `event_of`."""
    return _EVENT.pack(*numbers)


def slot_of(row: bytes, number: int) -> int:
    """The value of a slot below the frames."""
    found: int = _number(row, _HEAD + 8 * _number(row, _OFFERED)[0] + 4 * number)[0]
    return found


def slots_of(row: bytes, first: int, count: int) -> tuple[int, ...]:
    """The values of slots below the frames, in order."""
    at = _HEAD + 8 * _number(row, _OFFERED)[0] + 4 * first
    return NUMBERS[count].unpack_from(row, at)


def question_of(row: bytes) -> int:
    """The number of the open question, or -1."""
    found: int = _number(row, _WAITS)[0]
    return found


def chance_of(row: bytes) -> int | None:
    """The state of chance; None if outcomes are asked for."""
    return None if row[_ASKED] else _state(row, _CHANCE)[0]


def rounds_of(row: bytes) -> int:
    """How many rounds have begun in the call that wrote the row."""
    found: int = _number(row, _ROUNDS)[0]
    return found


def seen_in(room: memoryview) -> Seen:
    """The observation that C wrote to a buffer."""
    size, unknown, hidden = _SIZES.unpack_from(room)
    numbers = NUMBERS[size + unknown + hidden].unpack_from(room, _SIZES.size)
    end = size + unknown
    return numbers[:size], numbers[size:end], numbers[end:]


def packed(seen: Seen) -> bytes:
    """An observation in the layout of C; empty if a number has more than 32 bits."""
    sizes = [*map(len, seen)]
    try:
        parts = [NUMBERS[size].pack(*part) for size, part in zip(sizes, seen, strict=True)]
    except error:
        return b""
    return b"".join((_SIZES.pack(*sizes), *parts))
