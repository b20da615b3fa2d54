"""Rollouts: the value of a choice if everybody then plays on at random, but prefers to act."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.run import Counting
from targi_dsl.information.observation import Observation, sample
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.players.greedy.evaluation import evaluate
from targi_dsl.text.diagnostics import Problems

DRAWS = 3
"""Positions drawn for one decision, if there is anything that the seat does not know."""

AHEAD, FURTHER = 4, 16
"""Decisions after which a rollout may end with its first round, and after which with a later one. A
game of short rounds needs the second: what a choice costs comes at once, what it brings only
rounds later.
"""

FARTHEST = 60
"""Decisions of a rollout after which it ends wherever it is."""

_SEEDS = 1 << 32  # the seeds of rollouts are below this


class Rollouts:
    """The rollouts for one decision. Options are numbers in its list of choices. Those evaluated
    together begin in the same position, with the same chance, and end in the same round.

    made: decisions in the rollouts so far.
    """

    def __init__(self, observation: Observation, stream: Stream) -> None:
        game = observation.game
        self._stream, self._seat = stream, game.players.index(observation.seat)
        draws = DRAWS if observation.unknown else 1
        self._states = [sample(observation, stream) for _ in range(draws)]
        self._ahead = (AHEAD, FURTHER) if game.scores else (FARTHEST, FARTHEST)
        self._batches = self.made = 0

    def to_same_round(self, options: Iterable[int]) -> dict[int, float]:
        """The values of these options some decisions later, each in one more rollout. Those after
        which the rules cannot go on are missing.
        """
        rounds = 0

        def play_on(rollout: _Rollout) -> None:
            nonlocal rounds
            rounds = rollout.to_round(rounds, *self._ahead)

        return self._values(options, play_on)

    def nothing_more(self, options: Iterable[int]) -> dict[int, float]:
        """The values of these options when the next round begins, if the seat does nothing more
        before somebody else is asked.
        """

        def play_on(rollout: _Rollout) -> None:
            rollout.decline(self._seat)
            rollout.to_round(1)

        return self._values(options, play_on)

    def _values(
        self, options: Iterable[int], play_on: Callable[[_Rollout], None]
    ) -> dict[int, float]:
        seed, found = self._stream.below(_SEEDS), dict[int, float]()
        state = self._states[self._batches % len(self._states)]
        self._batches += 1
        for option in options:
            try:
                rollout = _Rollout(state, option, seed)
                play_on(rollout)
            except Problems:  # the rules cannot go on
                continue
            self.made += rollout.made
            found[option] = evaluate(rollout.end(), self._seat)
        return found


class _Rollout:
    """A game played on from an option. Each seat draws from a stream of its own, so that one
    decision more of a seat does not change what the others do.

    made: decisions since then.
    """

    def __init__(self, state: State, option: int, seed: int) -> None:
        self._engine, self._run = engine_of(state.game), Counting(Seed(seed))
        self._streams = [Stream(~seed - _SEEDS * seat) for seat in range(len(state.game.players))]
        self._left = self._engine.answer(state.waiting, state.options[option], self._run)
        self.made = 0

    def to_round(self, rounds: int, ahead: int = 0, further: int = 0) -> int:
        """Plays on until so many rounds have begun; with 0, as many as it takes to make enough
        decisions: `ahead` with the first, else `further`. Returns the number of rounds.
        """
        begun, enough = max(1, rounds), ahead
        self._act_until(begun)
        while not rounds and self.made < enough and self._left.point != NOTHING:
            begun, enough = begun * 2, further
            self._act_until(begun)
        return begun

    def decline(self, seat: int) -> None:
        """Does nothing, where it can, as long as this seat is asked."""
        while self._is_open(1) and self._left.frame[YOU] == seat:
            declining = self._engine.declining(self._left.point).intersection(self._run.options)
            self._answer(min(declining) if declining else self._any())

    def end(self) -> State:
        """The position that the rollout has reached."""
        return State.left(self._engine, self._left, self._run)

    def _act_until(self, rounds: int) -> None:
        while self._is_open(rounds):
            self._answer(self._any())

    def _is_open(self, rounds: int) -> bool:
        open_ = self._left.point != NOTHING and self.made < FARTHEST
        return open_ and self._run.rounds < rounds

    def _any(self) -> int:
        """An option at random, one that does something if there is one."""
        options = self._run.options
        declining = self._engine.declining(self._left.point)
        if declining:
            options = [one for one in options if one not in declining] or options
        return options[self._streams[self._left.frame[YOU]].below(len(options))]

    def _answer(self, option: int) -> None:
        self._left = self._engine.answer(self._left, option, self._run)
        self.made += 1
