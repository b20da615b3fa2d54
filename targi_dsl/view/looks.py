"""The look that the things of a game have."""

from __future__ import annotations

from targi_dsl.ir.game import Game
from targi_dsl.ir.look import PLAIN, Look

COLOURS = (
    *("red", "orange", "amber", "yellow", "lime", "green", "teal", "blue", "violet", "pink"),
    *("brown", "sand", "grey", "black", "white"),
)
"""The colours that a look can have."""


def look_of(game: Game, name: str) -> Look:
    """The declared look of a thing, or an empty one."""
    return game.look.get(name, PLAIN)


def colour_of(game: Game, name: str) -> str:
    """The colour of a thing: the declared one, or that of a player named after a colour."""
    own = name if name in COLOURS and name in game.players else ""
    return look_of(game, name).colour or own
