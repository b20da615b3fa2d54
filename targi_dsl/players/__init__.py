"""Players that are no people: each sees what its seat may know and its choices, and answers with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from targi_dsl.face import Choice
from targi_dsl.players.observation import Observation
from targi_dsl.players.random import Random


class Player(Protocol):
    """Whoever answers for one seat. It is given nothing that its seat may not know."""

    def choose(self, observation: Observation, choices: tuple[Choice, ...]) -> Choice:
        """One of the choices, of which there is at least one."""
        ...


PLAYERS: dict[str, Callable[[int, str], Player]] = {"random": Random}
"""How each kind of player is made: from the seed of the game and the name of its seat."""

__all__ = ["PLAYERS", "Observation", "Player", "Random"]
