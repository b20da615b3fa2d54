"""The looks of players, who can always be told apart by their colours."""

from __future__ import annotations

from msgspec.structs import replace

from targi_dsl.ir.game import Game
from targi_dsl.ir.look import PLAIN, Look

COLOURS = (
    *("red", "orange", "amber", "yellow", "lime", "green", "teal", "blue", "violet", "pink"),
    *("brown", "sand", "grey", "black", "white"),
)
"""The colours that a look can have."""

_USUAL = ("blue", "orange", "green", "violet", "red", "teal", "pink", "lime", "brown", "grey")
"""The colours of players that have none of their own."""


def looks_of_players(game: Game) -> dict[str, Look]:
    """The looks of the players, each with a colour: the declared one, the one that the player is
    named after, or one that no other player has.
    """
    looks = {name: game.look.get(name, PLAIN) for name in game.players}
    own = {name: one.colour or (name if name in COLOURS else "") for name, one in looks.items()}
    others = iter([one for one in _USUAL if one not in own.values()] * len(own))
    return {name: replace(one, colour=own[name] or next(others)) for name, one in looks.items()}
