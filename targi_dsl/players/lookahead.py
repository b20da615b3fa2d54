"""A player that tries all its choices by playouts in the same deals, with the same chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from zlib import crc32

from targi_dsl.api import Choice
from targi_dsl.engine.chance import Stream, whole_number
from targi_dsl.information.observation import Observation
from targi_dsl.players.random import Random
from targi_dsl.search import Budget, Search, Settings

USUAL = Budget(1000)
"""The budget of a decision."""

OFTEN = 2
"""How often it repeats a choice in the same observation."""


class Lookahead(Random):
    """Takes the choice after whose playouts it was ahead most. They go on to the beginning of the
    third round, or of a later one; on the way everybody prefers what has been good so far, in games
    with scores.
    """

    kind = "lookahead"
    settings = Settings()

    def __init__(self, seed: int, seat: str, budget: Budget = USUAL) -> None:
        super().__init__(seed, seat)
        self.budget, self._taken = budget, Counter[tuple[int, str]]()

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Returns the best choice; of choices that are equally good, one that does nothing. What
        it has chosen often when it saw the same is left out, or it might trade in a circle. The
        luck of the playouts depends on nothing else but what is seen.
        """
        if len(choices) == 1 or observation.seat != self._seat:
            return super().choose(observation, choices)
        seen = crc32(str(observation.vector).encode())
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
