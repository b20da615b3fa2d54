"""What a position is worth to a seat: by the game's own scoring, and a little for what can still
become score.
"""

from __future__ import annotations

from functools import lru_cache

from targi_dsl.engine import Engine
from targi_dsl.ir.model import ENDED, NOTHING

RESOURCE, MORE = 0.3, 0.1
"""A unit of a resource, and a unit beyond the first `FEW` of the same."""

FEW = 3

GAMES = 16
"""Games of which what is worked out is kept."""

CARD, HELD = 1.0, 0.5
"""A card on a place of one's own, with active abilities or without."""


def worth(engine: Engine, v: list[int], seat: int) -> float:
    """How far a seat is ahead of the best of the others. Before the end what they have counts
    beside their scores.
    """
    totals = [float(sum(parts)) for parts in engine.scores(v)]
    if v[ENDED] == NOTHING:
        _add_prospects(engine, v, totals)
    own = totals.pop(seat)
    return own - max(totals, default=0)


def _add_prospects(engine: Engine, v: list[int], totals: list[float]) -> None:
    slots, players = engine.game.slots, len(totals)
    amounts = v[slots.amounts : slots.amounts + players * len(engine.game.resources)]
    for at, amount in enumerate(amounts):
        if amount:
            totals[at % players] += RESOURCE * min(amount, FEW) + MORE * max(0, amount - FEW)
    for top, owner, each in _owned(engine):
        card = v[top]
        while card != NOTHING:
            totals[owner] += each
            card = v[slots.card_next + card]


@lru_cache(GAMES)
def _owned(engine: Engine) -> tuple[tuple[int, int, float], ...]:
    """The places that belong to players: the slot of the top card, whose it is, and what a card on
    it counts.
    """
    top = engine.game.slots.place_top
    return tuple(
        (top + number, place.owner, CARD if place.active else HELD)
        for number, place in enumerate(engine.game.places)
        if place.owner != NOTHING
    )
