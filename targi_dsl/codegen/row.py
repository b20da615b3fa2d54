"""A row of bytes: a position with all that generated C needs to go on from it at once. What is read
of it here needs no C.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct, error

CHANCE_DECIDES, NOBODY_DECIDES = 254, 255  # in place of a player

SEAT = 4
"""Where the row has who decides: a player, CHANCE_DECIDES, or NOBODY_DECIDES."""

_HEAD = 32  # bytes of `Row` in codegen/c/runtime/play.h; where it has other fields:
_ASKED, _TOLD, _OFFERED, _WAITS, _ROUNDS, _CHANCE = 5, 6, 8, 12, 20, 24

Seen = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""What a seat knows: the position, the cards that are unknown, and the slots whose values are."""

_SIZES = Struct("@3i")  # of these three, before their numbers
_number = Struct("=i").unpack_from
_count = Struct("=H").unpack_from
_state = Struct("=Q").unpack_from
_EVENT = Struct("=10i")


class _Structs(dict[int, Struct]):
    """By how many of a sort there are, what reads and writes them."""

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
    """The events that follow a row of this size where it was written, each for `event_of`."""
    return _EVENTS[_count(row, _TOLD)[0]].unpack_from(row, size)


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
    found: int = _number(row, _HEAD + 8 * _number(row, _OFFERED)[0] + 4 * number)[0]
    return found


def question_of(row: bytes) -> int:
    """The number of the open question, or -1."""
    found: int = _number(row, _WAITS)[0]
    return found


def chance_of(row: bytes) -> int | None:
    """The state of chance; None if its outcomes are asked for."""
    return None if row[_ASKED] else _state(row, _CHANCE)[0]


def rounds_of(row: bytes) -> int:
    """How many rounds have begun in the turns that led here."""
    found: int = _number(row, _ROUNDS)[0]
    return found


def seen_in(room: memoryview) -> Seen:
    """What C has written there of what a seat knows."""
    size, unknown, hidden = _SIZES.unpack_from(room)
    numbers = NUMBERS[size + unknown + hidden].unpack_from(room, _SIZES.size)
    end = size + unknown
    return numbers[:size], numbers[size:end], numbers[end:]


def packed(seen: Seen) -> bytes:
    """What a seat knows, as C reads it; nothing if a number has more than 32 bits."""
    sizes = [*map(len, seen)]
    try:
        parts = [NUMBERS[size].pack(*part) for size, part in zip(sizes, seen, strict=True)]
    except error:
        return b""
    return b"".join((_SIZES.pack(*sizes), *parts))
