"""A player that tries every choice in sampled positions and takes the one with the best outcome
shortly afterwards.
"""

from __future__ import annotations

from targi_dsl.api import Choice, rollout, step
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.state import State
from targi_dsl.information.observation import Observation, sample
from targi_dsl.players.random import Random
from targi_dsl.players.worth import worth
from targi_dsl.text.diagnostics import Problems

DRAWS = 2
"""Positions drawn for one decision, if there is anything that the seat does not know."""

FEWEST, MOST = 2, 100
"""How often each choice is tried: at least, at most."""

EFFORT, AT_FIRST = 80, 1500
"""Decisions of trials after which no choice is tried once more; a trial's valuation counts as
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
    """Looks ahead to the start of a later round, the same one for all choices. On the way there,
    everybody plays at random but prefers to do something.
    """

    kind = "greedy"

    def __init__(self, seed: int, seat: str) -> None:
        super().__init__(seed, seat)
        self._decisions = 0

    def choose(self, observation: Observation, choices: tuple[Choice, ...]) -> Choice:
        """Returns the choice with the best average outcome. Ties go to choices that do something,
        and then to chance.
        """
        if len(choices) == 1:
            return choices[0]
        self._decisions += 1
        means = self._means(observation, choices)
        best = [
            one for one, mean in zip(choices, means, strict=True) if mean >= max(means) - _EQUAL
        ]
        return super().choose(
            observation, tuple(one for one in best if not one.declines) or tuple(best)
        )

    def _means(self, observation: Observation, choices: tuple[Choice, ...]) -> list[float]:
        """The average outcome of each choice. All choices are tried in the same positions, with the
        same chance, up to the same round.
        """
        seat = observation.game.players.index(observation.seat)
        draws = DRAWS if observation.unknown else 1
        states = [sample(observation, self._stream) for _ in range(draws)]
        found: list[list[float]] = [[] for _ in choices]
        effort, enough = 0, max(EFFORT, AT_FIRST // self._decisions)
        for trial in range(MOST):
            if trial >= FEWEST and effort >= enough:
                break
            luck = self._stream.below(_HALF)
            state = states[trial % draws].with_chance(Seed(luck))
            rounds = 0
            for worths, choice in zip(found, choices, strict=True):
                try:
                    end, made, rounds = _tried(state, choice.id, luck, rounds)
                except Problems:  # the rules cannot go on there: nothing is learnt
                    continue
                effort += _VALUATION + made
                worths.append(worth(end, seat))
        return [sum(worths) / len(worths) if worths else float("-inf") for worths in found]


def _tried(state: State, choice_id: str, luck: int, rounds: int) -> tuple[State, int, int]:
    """Plays on from a choice until `rounds` rounds have begun. With 0, plays as many rounds as it
    takes to look far enough ahead. Returns the position, the number of decisions made, and the
    number of rounds.
    """
    policy, after = _Busily(luck), step(state, choice_id)
    begun = max(1, rounds)
    while True:
        end = rollout(after, policy, limit=FARTHEST, rounds=begun)
        if rounds or policy.made >= AHEAD or end.seat is None or begun >= AHEAD:
            return end, policy.made, begun
        policy, begun = _Busily(luck), begun + 1


class _Busily:
    """A rollout policy that picks at random but prefers to act. It counts its decisions."""

    def __init__(self, luck: int) -> None:
        self.below, self.made = Stream(~luck).below, 0

    def __call__(self, state: State, found: tuple[Choice, ...]) -> Choice:
        self.made += 1
        chosen = found[self.below(len(found))]
        if not chosen.declines:
            return chosen
        active = [one for one in found if not one.declines] or found
        return active[self.below(len(active))]
