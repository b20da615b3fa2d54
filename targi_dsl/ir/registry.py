"""Games by the hash of their rules, so that a position from elsewhere finds its game."""

from __future__ import annotations

from weakref import WeakValueDictionary

from targi_dsl.ir.game import Game

_GAMES: WeakValueDictionary[str, Game] = WeakValueDictionary()


def register(game: Game) -> Game:
    """The same game, from now on found by its hash."""
    if game.hash:
        _GAMES.setdefault(game.hash, game)
    return game


def find(rules_hash: str) -> Game | None:
    """A game of this process with these rules, as long as something else keeps it."""
    return _GAMES.get(rules_hash)
