"""A player that tries all its choices by playouts in the same deals, with the same chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from targi_dsl.api import Choice
from targi_dsl.codegen.search import OFTEN, Task
from targi_dsl.engine.chance import Stream, whole_number
from targi_dsl.information.observation import Observation
from targi_dsl.ir.game import Game
from targi_dsl.players.random import Random
from targi_dsl.search import Budget, Search, Settings, seat_task

USUAL = Budget(1000)
"""The budget of a decision."""


class Lookahead(Random):
    """Takes the choice with the best mean lead after its playouts. They last until the third round
    begins, or a later one; in games with scores, everybody in them prefers what has been good so
    far, and at first what has been good in a few other games.
    """

    kind = "lookahead"
    settings = Settings()

    def __init__(self, seed: int, seat: str, budget: Budget = USUAL) -> None:
        super().__init__(seed, seat)
        self.budget, self._taken = budget, Counter[tuple[int, str]]()

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Returns the best choice; of equally good ones, one that does nothing. Choices that it has
        often made in the same observation are excluded, or it might trade in a cycle. The chance of
        the playouts depends on the observation alone.
        """
        if len(choices) == 1 or observation.seat != self._seat:
            return super().choose(observation, choices)
        seen = observation.number
        fresh = [one for one in choices if self._taken[seen, one.id] < OFTEN] or choices
        seed = whole_number(self._stream.number, seen)
        search = Search(observation, seed, self.settings)
        search.run(self.budget)
        best = search.best([one.id for one in fresh])
        found = [one for one in fresh if one.id in best]
        found = [one for one in found if one.declines] or found
        choice = found[Stream(seed).below(len(found))]
        self._taken[seen, choice.id] += 1
        return choice

    def task(self, game: Game) -> tuple[Task, int]:
        """Its task for generated C, whatever is asked, and its playouts for each decision."""
        return seat_task(game, self.settings), self.budget.playouts
