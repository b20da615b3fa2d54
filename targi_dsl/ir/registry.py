"""Games by the hash of their rules, so that positions from elsewhere can find their game."""

from __future__ import annotations

from weakref import WeakValueDictionary

from targi_dsl.ir.game import Game

_GAMES: WeakValueDictionary[str, Game] = WeakValueDictionary()


def register(game: Game) -> Game:
    """Makes a game findable by its hash, and returns it."""
    if game.hash:
        _GAMES.setdefault(game.hash, game)
    return game


def find(rules_hash: str) -> Game | None:
    """A registered game with these rules; games are held weakly."""
    return _GAMES.get(rules_hash)
