"""A player to whom every choice is as good as another, as long as something is done."""

from __future__ import annotations

from targi_dsl.api import Choice
from targi_dsl.information.observation import Observation
from targi_dsl.players.random import Random


class Busy(Random):
    """Declines only when there is nothing else."""

    kind = "busy"

    def choose(self, observation: Observation, choices: tuple[Choice, ...]) -> Choice:
        """One of the choices that do something, each as likely as another."""
        return super().choose(
            observation, tuple(one for one in choices if not one.declines) or choices
        )
