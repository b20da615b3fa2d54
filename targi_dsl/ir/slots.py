"""The slots of a position, which is one list of integers: fixed slots, then a stack of frames."""

from __future__ import annotations

from targi_dsl.text.structs import Frozen

POINT, METER, ENDED = 0, 1, 2
FRAME_HEAD = 2  # before slot 0 of a frame: its rule and its point


class Offsets(Frozen):
    """The offsets of the parts that every position has."""

    amounts: int
    card_place: int
    card_next: int
    card_known: int
    piece_place: int
    place_top: int


class Slots(Offsets):
    """The offsets of all parts of a position.

    0 POINT (the point of the open question, or nothing when the game is over), 1 METER (elements
    evaluated since the last question; 0 at a question), 2 ENDED (the rule that ended the game, or
    nothing), then: amounts (resource * players + player), card_place, card_next (the card below),
    card_known (bit 0: face up, bit 1 + p: known to player p), piece_place, place_top (the top
    card), windows and memories, stored amounts, variables; then the stack, from `stack` on. lows
    and highs are the bounds of every slot below the stack.
    """

    windows: int
    stack: int
    lows: tuple[int, ...]
    highs: tuple[int, ...]
