"""A player with a mixed strategy, so that nobody can predict its choices."""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.api import Choice, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import DRAWS, Seed
from targi_dsl.information.determinization import sample
from targi_dsl.information.observation import Observation
from targi_dsl.players.random import Random
from targi_dsl.search import Budget
from targi_dsl.search.regret import Regrets, choice_by

USUAL = Budget(10_000)
"""The budget of a decision."""

OFTEN = 20
"""Visits of its information set that are enough."""


class Mixing(Random):
    """Plays an approximate equilibrium of a betting game, found in games from the beginning or, if
    these seldom reach its information set, from determinizations. All playouts run to the end of
    the game.
    """

    kind = "mixing"

    def __init__(self, seed: int, seat: str, budget: Budget = USUAL) -> None:
        super().__init__(seed, seat)
        self.budget = budget
        self._regrets: Regrets | None = None

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Draws one of the choices."""
        if len(choices) == 1 or observation.seat != self._seat:
            return super().choose(observation, choices)
        probable = dict(zip(observation.choices, self.strategy(observation), strict=True))
        return choices[choice_by([probable[one.id] for one in choices], self._stream)]

    def strategy(self, observation: Observation) -> list[float]:
        """The probability of each choice of its seat, after spending the budget of a decision."""
        game, stream = observation.game, self._stream
        regrets = self._regrets = self._regrets or Regrets(game, stream)
        here = regrets.at(observation)
        half = Budget(max(1, self.budget.playouts // 2), self.budget.seconds / 2)

        def beginning() -> State:
            return start(game, Seed(stream.below(DRAWS)))

        def deal() -> State:
            return sample(observation, stream)

        regrets.run(half, beginning)
        regrets.run(half, beginning if here.visits >= OFTEN else deal)
        return here.average
