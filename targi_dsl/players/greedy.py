"""A player that tries every choice in sampled positions and takes the one with the best outcome
shortly afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

from targi_dsl.api import Choice, rollout, step
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.state import State
from targi_dsl.information.observation import Observation, sample
from targi_dsl.players.random import Random
from targi_dsl.players.worth import worth
from targi_dsl.text.diagnostics import Problems

DRAWS = 3
"""Positions drawn for one decision, if there is anything that the seat does not know."""

FEWEST, MOST = 2, 100
"""How often each choice that is left is tried before half of them are dropped, at least and at
most.
"""

EFFORT, AT_FIRST = 150, 1500
"""Decisions in trials after which nothing is tried once more; a trial's valuation counts as
`_VALUATION` too. The second, divided by the number of one's decisions so far, is for a game's
beginning, and for games of few decisions.
"""

AHEAD = 4
"""Decisions that a trial looks ahead at least, if the game goes on that long."""

FARTHEST = 60
"""Decisions of a trial after which it ends wherever it is."""

_VALUATION = 3
_EQUAL = 1e-9  # sums of tenths are not exact
_HALF = 1 << 32  # what a generator gives at once


class Greedy(Random):
    """Looks ahead to the start of a later round, the same one for all choices; to the end, where
    nothing counts before. On the way there, everybody plays at random but prefers to do something.
    """

    kind = "greedy"

    def __init__(self, seed: int, seat: str) -> None:
        super().__init__(seed, seat)
        self._decisions = 0

    def choose(self, observation: Observation, choices: tuple[Choice, ...]) -> Choice:
        """Returns the choice with the best average outcome. The worse half of the choices is
        dropped again and again, so that the better ones are tried more often.
        """
        if len(choices) == 1:
            return choices[0]
        self._decisions += 1
        tried = [_Tried(choice) for choice in choices]
        trials = _Trials(observation, self._stream)
        halvings = max(1, (len(tried) - 1).bit_length())
        enough = max(EFFORT, AT_FIRST // self._decisions) / halvings
        while len(tried) > 1:
            trials.carry_out(tried, enough)
            tried.sort(key=_Tried.value, reverse=True)
            if tried[-1].value() >= tried[0].value() - _EQUAL:
                break  # nothing tells them apart
            tried = tried[: (len(tried) + 1) // 2]
        return super().choose(observation, tuple(one.choice for one in tried))


@dataclass(slots=True)
class _Tried:
    """A choice, and what it was worth in each of its trials."""

    choice: Choice
    worths: list[float] = field(default_factory=list)

    def value(self) -> float:
        """The average; of a choice that does nothing less its standard error, for it is taken only
        if it is clearly better.
        """
        number = len(self.worths)
        if not number:
            return float("-inf")
        mean = sum(self.worths) / number
        if not self.choice.declines:
            return mean
        spread = sum((one - mean) ** 2 for one in self.worths) / number
        return mean - sqrt(spread / number) - 2 * _EQUAL


class _Trials:
    """The trials for one decision. Those carried out together begin in the same positions, with the
    same chance, and end in the same round.
    """

    def __init__(self, observation: Observation, stream: Stream) -> None:
        game = observation.game
        self._stream, self._seat = stream, game.players.index(observation.seat)
        draws = DRAWS if observation.unknown else 1
        self._states = [sample(observation, stream) for _ in range(draws)]
        self._carried_out = 0
        self._ahead = AHEAD if game.scores else FARTHEST

    def carry_out(self, tried: list[_Tried], enough: float) -> None:
        """Tries these choices again, until their trials have taken enough decisions."""
        effort = 0
        for trial in range(MOST):
            if trial >= FEWEST and effort >= enough:
                break
            effort += self._try_each(tried)

    def _try_each(self, tried: list[_Tried]) -> int:
        luck, rounds, effort = self._stream.below(_HALF), 0, 0
        state = self._states[self._carried_out % len(self._states)].with_chance(Seed(luck))
        self._carried_out += 1
        for one in tried:
            try:
                end, made, rounds = self._played(state, one.choice.id, luck, rounds)
            except Problems:  # the rules cannot go on there: nothing is learnt
                continue
            effort += _VALUATION + made
            one.worths.append(worth(end, self._seat))
        return effort

    def _played(
        self, state: State, choice_id: str, luck: int, rounds: int
    ) -> tuple[State, int, int]:
        """Plays on from a choice until `rounds` rounds have begun. With 0, plays as many rounds as
        it takes to look far enough ahead. Returns the position, the number of decisions made, and
        the number of rounds.
        """
        policy, after = _Busily(luck), step(state, choice_id)
        begun = max(1, rounds)
        while True:
            end = rollout(after, policy, limit=FARTHEST, rounds=begun)
            if rounds or policy.made >= self._ahead or end.seat is None:
                return end, policy.made, begun
            policy, begun = _Busily(luck), 2 * begun


class _Busily:
    """A rollout policy that picks at random but prefers to act. It counts its decisions.

    Each seat has luck of its own, so that a decision more of one does not change what the others
    do.
    """

    def __init__(self, luck: int) -> None:
        self.made = 0
        self._luck = luck
        self._streams: dict[int, Stream] = {}

    def __call__(self, state: State, found: tuple[Choice, ...]) -> Choice:
        self.made += 1
        below = self._stream(state.game.players.index(state.seat or "")).below
        chosen = found[below(len(found))]
        if not chosen.declines:
            return chosen
        active = [one for one in found if not one.declines] or found
        return active[below(len(active))]

    def _stream(self, seat: int) -> Stream:
        if seat not in self._streams:
            self._streams[seat] = Stream(~self._luck - _HALF * seat)
        return self._streams[seat]
