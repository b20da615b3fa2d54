"""Computer players. Each is given what its seat knows and the choices it has, and picks one of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from targi_dsl.api import Choice
from targi_dsl.information.observation import Observation
from targi_dsl.players.busy import Busy
from targi_dsl.players.greedy import Greedy
from targi_dsl.players.random import Random


class Player(Protocol):
    """Answers for one seat, and is given nothing that the seat may not know."""

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Returns one of the choices; there is always at least one."""
        ...


PLAYERS: dict[str, Callable[[int, str], Player]] = {
    "random": Random,
    "busy": Busy,
    "greedy": Greedy,
}
"""How each kind of player is made: from the seed of the game and the name of its seat."""

USUAL = "greedy"
"""The player of the other seats when a person plays and does not say who else does."""

ADVISER = "greedy"
"""The player whose choice is shown as a hint."""

__all__ = ["ADVISER", "PLAYERS", "USUAL", "Busy", "Greedy", "Observation", "Player", "Random"]
