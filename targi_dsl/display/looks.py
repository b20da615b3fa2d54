"""How the things of a game look, with what their names say by themselves."""

from __future__ import annotations

from targi_dsl.ir.game import Game
from targi_dsl.ir.look import PLAIN, Look

COLOURS = (
    *("red", "orange", "amber", "yellow", "lime", "green", "teal", "blue", "violet", "pink"),
    *("brown", "sand", "grey", "black", "white"),
)
"""The colours that a look can have."""


def look_of(game: Game, name: str) -> Look:
    """The declared look of a thing; an empty one if it has none."""
    return game.look.get(name, PLAIN)


def colour_of(game: Game, name: str) -> str:
    """The colour of a thing: declared, or that of its name if a player is called like a colour."""
    own = name if name in COLOURS and name in game.players else ""
    return look_of(game, name).colour or own
