"""Which engine plays a simulation."""

from __future__ import annotations

from targi_dsl.engine import Engine, engine_of
from targi_dsl.ir.game import Game

ENGINES = ("auto", "reference")


def engine_for(game: Game, name: str) -> Engine:
    """The engine of this name for a game."""
    return engine_of(game)
