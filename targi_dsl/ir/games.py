"""Games by the hash of their rules, so that a position that comes from elsewhere finds its game."""

from __future__ import annotations

from weakref import WeakValueDictionary

from targi_dsl.ir.model import Game

_KNOWN: WeakValueDictionary[str, Game] = WeakValueDictionary()


def remember(game: Game) -> Game:
    """The same game, from now on found by its hash."""
    if game.hash:
        _KNOWN.setdefault(game.hash, game)
    return game


def known(rules_hash: str) -> Game | None:
    """A game of this process with these rules, as long as somebody keeps it."""
    return _KNOWN.get(rules_hash)
