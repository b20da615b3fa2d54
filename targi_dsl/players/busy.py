"""A random player that prefers to do something."""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.api import Choice
from targi_dsl.information.observation import Observation
from targi_dsl.players.random import Random


class Busy(Random):
    """Picks at random, but declines only when it has no other choice."""

    kind = "busy"

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Picks with equal probability among the choices that do something."""
        return super().choose(
            observation, tuple(choice for choice in choices if not choice.declines) or choices
        )
