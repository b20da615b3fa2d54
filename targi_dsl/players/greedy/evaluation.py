"""What a position is worth beside its score: a little for whatever may still turn into score."""

from __future__ import annotations

from targi_dsl.codegen.trials import Worth
from targi_dsl.ir.game import Game

EACH, MORE = 3, 1
"""A unit of a resource, and a unit beyond the first `FEW` of the same, in tenths of a point."""

FEW = 3

CARD, HELD = 10, 5
"""A card on a place of one's own, with active abilities or without."""

_KEY = "worths"


def worth_of(game: Game) -> Worth:
    """What resources and cards are worth in a game; found once."""
    found = game.program.engines.get(_KEY)
    if not isinstance(found, Worth):
        cards = ((place.owner, CARD if place.active else HELD) for place in game.places)
        found = game.program.engines[_KEY] = Worth(FEW, EACH, MORE, tuple(cards))
    return found
