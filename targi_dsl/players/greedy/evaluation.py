"""The value of a position for a seat: the game's own score, plus a little for whatever may still
turn into score.
"""

from __future__ import annotations

from targi_dsl.api import result
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.ir.constants import NOTHING

RESOURCE, MORE = 0.3, 0.1
"""A unit of a resource, and a unit beyond the first `FEW` of the same."""

FEW = 3

CARD, HELD = 1.0, 0.5
"""A card on a place of one's own, with active abilities or without."""


def evaluate(state: State, seat: int) -> float:
    """How far a seat is ahead of the best of the others. Before the game ends, what players own
    counts in addition to their scores.
    """
    totals = _returns(state)
    if state.seat is not None:
        _add_prospects(state, totals)
    own = totals.pop(seat)
    return own - max(totals, default=0)


def _returns(state: State) -> list[float]:
    """What each seat would get now: its score, or what it has won or lost."""
    if not state.game.scores:
        return [*result(state).returns]
    return [float(sum(parts)) for parts in engine_of(state.game).scores(state.vector)]


def _add_prospects(state: State, totals: list[float]) -> None:
    game, position = state.game, state.position
    for resource in range(len(game.resources)):
        for player in range(len(totals)):
            if amount := position.amount(resource, player):
                totals[player] += RESOURCE * min(amount, FEW) + MORE * max(0, amount - FEW)
    for number, place in enumerate(game.places):
        if place.owner != NOTHING:
            each = CARD if place.active else HELD
            totals[place.owner] += each * sum(1 for _ in position.cards_on(number))
