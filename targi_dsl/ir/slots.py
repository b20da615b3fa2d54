"""A position is one list of integers: fixed slots, and then a stack of frames."""

from __future__ import annotations

from dataclasses import dataclass, field

POINT, METER, ENDED = 0, 1, 2
FRAME_HEAD = 2  # before slot 0 of a frame: its rule, and the point at which it waits


@dataclass(frozen=True, slots=True)
class Offsets:
    """Where the parts of a position begin that every game has."""

    amounts: int
    card_place: int
    card_next: int
    card_known: int
    piece_place: int
    place_top: int


@dataclass(frozen=True, slots=True)
class Slots(Offsets):
    """Where everything lies in the position.

    0 POINT (that waits, or nothing when the game is over), 1 METER (elements looked at since the
    last question: 0 while one waits), 2 ENDED (a rule or nothing), then: amounts (resource *
    players + player), card_place, card_next (the card below it), card_known (bit 0 face up, bit 1 +
    p known to player p), piece_place, place_top (top card), windows and memories, stored amounts,
    variables; then the stack from `stack`. lows and highs give the domain of every slot below it.
    """

    windows: int
    stack: int
    lows: tuple[int, ...] = field(repr=False)
    highs: tuple[int, ...] = field(repr=False)
