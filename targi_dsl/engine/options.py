"""Options by number: the way of a question and the element chosen, or a free exchange."""

from __future__ import annotations

from targi_dsl.ir.constants import NOTHING

ELEMENT = 16  # bits for the element: an option is its way's number, then the element + 1
EXCHANGE = 1 << 2 * ELEMENT  # options from here on are free exchanges


def pack(place: int, element: int = NOTHING) -> int:
    """The option of a way, or of one element of its set."""
    return (place << ELEMENT) + element + 1


def unpack(option: int) -> tuple[int, int]:
    """The way of an option, and its element, or nothing."""
    return option >> ELEMENT, (option & (1 << ELEMENT) - 1) - 1
