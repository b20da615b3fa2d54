"""Computer players. Each is given what its seat knows and the choices it has, and picks one of
them. To add the player `last`, write a module `last` with the class `Last` here: every module of
this package is a player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, runtime_checkable

from targi_dsl.api import Choice
from targi_dsl.information.observation import Observation
from targi_dsl.search import MOST, Budget


class Player(Protocol):
    """Answers for one seat, and is given nothing that the seat may not know."""

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Returns one of the choices; there is always at least one."""
        ...


def _shipped() -> Iterator[tuple[str, Callable[[int, str], Player]]]:
    """The name of each module, and the class in it that has this name."""
    for _, name, _ in iter_modules(__path__):
        yield name, getattr(import_module(f"{__name__}.{name}"), name.title())


PLAYERS = dict(_shipped())
"""The constructor of each kind of player, from the seed of the game and the name of its seat."""

USUAL = "lookahead"
"""The default player of the other seats when a person plays."""

LEVELS = (10, 30, 100, 1_000, 10_000)
"""Playouts for each decision of a searching player, from level 1 on."""

USUAL_LEVEL = 4


@runtime_checkable
class Thinker(Protocol):
    """A player that searches for as long as its budget allows."""

    budget: Budget


def thinks(kind: str) -> bool:
    """Whether a kind of player searches."""
    return isinstance(player_of(kind, 0, ""), Thinker)


def is_kind(text: str) -> bool:
    """Whether this names a kind of player; one that searches perhaps with its playouts for a
    decision, as in `lookahead:100`.
    """
    name, colon, playouts = text.partition(":")
    is_number = playouts.isascii() and playouts.isdecimal() and len(playouts) <= len(str(MOST))
    return name in PLAYERS and (
        not colon or (is_number and 1 <= int(playouts) <= MOST and thinks(name))
    )


def player_of(kind: str, seed: int, seat: str, budget: Budget | None = None) -> Player:
    """A player of a kind, for a game with this seed. The budget is for those that search, unless
    their kind includes playouts.
    """
    name, _, playouts = kind.partition(":")
    player = PLAYERS[name](seed, seat)
    if playouts:
        budget = Budget(int(playouts))
    if budget is not None and isinstance(player, Thinker):
        player.budget = budget
    return player


__all__ = ["LEVELS", "PLAYERS", "USUAL", "Player", "Thinker", "is_kind", "player_of", "thinks"]
