"""Rollouts: the value of a choice if everybody then plays on at random, but prefers to act."""

from __future__ import annotations

from collections.abc import Iterable

from targi_dsl.api.trials import beginning
from targi_dsl.codegen.trials import Horizon
from targi_dsl.engine.chance import Stream
from targi_dsl.information.observation import Observation, sample
from targi_dsl.players.greedy.evaluation import worth_of

DRAWS = 3
"""Positions drawn for one decision, if there is anything that the seat does not know."""

AHEAD, FURTHER = 4, 16
"""Decisions after which a rollout may end with its first round, and after which with a later one. A
game of short rounds needs the second: what a choice costs comes at once, what it brings only
rounds later.
"""

FARTHEST = 60
"""Decisions of a rollout after which it ends wherever it is."""

MOST = 10_000_000
"""The effort of all rollouts of one decision; where two rollouts of each choice would take more,
they end earlier.
"""

_SEEDS = 1 << 32  # the seeds of rollouts are below this


class Rollouts:
    """The rollouts for one decision. Options are numbers in its list of choices. Those evaluated
    together begin in the same position, with the same chance, and end in the same round.

    effort: that of the rollouts so far.
    """

    def __init__(self, observation: Observation, stream: Stream) -> None:
        game = observation.game
        self._stream, self._seat = stream, game.players.index(observation.seat)
        draws, worth = DRAWS if observation.unknown else 1, worth_of(game)
        states = [sample(observation, stream) for _ in range(draws)]
        self._beginnings = [(beginning(state, worth), state.options) for state in states]
        self._ahead = (AHEAD, FURTHER) if game.scores else (FARTHEST, FARTHEST)
        self._farthest, self._batches, self.effort = FARTHEST, 0, 0

    def to_same_round(self, options: Iterable[int]) -> dict[int, int]:
        """The values of these options some decisions later, each in one more rollout. Those after
        which the rules cannot go on are missing.
        """
        first, later = (min(one, self._farthest) for one in self._ahead)
        return self._values(options, Horizon(0, first, later, self._farthest))

    def nothing_more(self, options: Iterable[int]) -> dict[int, int]:
        """The values of these options when the next round begins, if the seat does nothing more
        before somebody else is asked.
        """
        return self._values(options, Horizon(1, 0, 0, self._farthest, declines=True))

    def shorten(self, options: int) -> None:
        """Lets rollouts end earlier if one of this many options shows that they take too long."""
        ended = self._farthest
        while ended > 1 and 2 * options * self.effort * ended > MOST * self._farthest:
            ended //= 2
        self._farthest = ended

    def _values(self, options: Iterable[int], horizon: Horizon) -> dict[int, int]:
        seed, numbers = self._stream.below(_SEEDS), [*options]
        begun, codes = self._beginnings[self._batches % len(self._beginnings)]
        self._batches += 1
        tried = begun.run([codes[number] for number in numbers], self._seat, seed, horizon)
        self.effort += tried.effort
        found = zip(numbers, tried.values, strict=True)
        return {number: value for number, value in found if value is not None}
