"""A player that plays out every choice from sampled positions and takes the one with the best
outcome shortly afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import sqrt

from targi_dsl.api import Choice
from targi_dsl.information.observation import Observation
from targi_dsl.players.greedy.rollouts import Rollouts
from targi_dsl.players.random import Random
from targi_dsl.text.light import dataclass

FEWEST, MOST = 2, 100
"""The fewest rollouts of each choice before half of the choices are dropped for the first time, and
the most before any time.
"""

EFFORT, AT_FIRST = 8_000, 50_000
"""The effort of rollouts (see `Tried`) after which no other begins; the evaluation of its end adds
`_EVALUATION`. The second, divided by the number of one's decisions so far, is for a game's
beginning, and for games of few decisions.
"""

CONFIRMED = 6
"""How often a choice that does nothing is held against the others before it is taken."""

_EVALUATION = 75
_EQUAL = 1e-9


class Greedy(Random):
    """Looks ahead to the start of a later round, the same one for all choices; to the end, where
    nothing counts before. On the way there, everybody plays at random but prefers to do something.
    """

    kind = "greedy"

    def __init__(self, seed: int, seat: str) -> None:
        super().__init__(seed, seat)
        self._decisions = 0

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Returns the choice with the best average outcome. The worse half of the choices is
        dropped again and again, so that the better ones get more rollouts.
        """
        if len(choices) == 1 or observation.seat != self._seat:
            return super().choose(observation, choices)
        self._decisions += 1
        numbers = {one: number for number, one in enumerate(observation.choices)}
        candidates = [_Candidate(numbers[one.id], one) for one in choices]
        rollouts = Rollouts(observation, self._stream)
        rollouts.to_same_round([candidates[0].number])
        rollouts.shorten(len(candidates))
        best = self._best(candidates, rollouts)
        if all(one.choice.declines for one in best):
            best = _confirmed(candidates, rollouts)
        return super().choose(observation, tuple(one.choice for one in best))

    def _best(self, candidates: list[_Candidate], rollouts: Rollouts) -> list[_Candidate]:
        """The choices that nothing tells apart when the others have been dropped."""
        halvings = max(1, (len(candidates) - 1).bit_length())
        enough, fewest = max(EFFORT, AT_FIRST // self._decisions) / halvings, FEWEST
        while len(candidates) > 1:
            _play_out(candidates, rollouts, fewest, enough)
            fewest = 1
            candidates = sorted(candidates, key=_Candidate.value, reverse=True)
            if candidates[-1].value() >= candidates[0].value() - _EQUAL:
                break
            candidates = candidates[: (len(candidates) + 1) // 2]
        return candidates


@dataclass(slots=True)
class _Candidate:
    """A choice with its number, and its value in each of its rollouts."""

    number: int
    choice: Choice
    values: list[int] = field(default_factory=list)

    def mean(self) -> float:
        """The average; below every other if nothing is known."""
        return sum(self.values) / len(self.values) if self.values else float("-inf")

    def value(self) -> float:
        """The average; of a choice that does nothing less its standard error, for it is taken only
        if it is clearly better.
        """
        mean, number = self.mean(), len(self.values)
        if not number or not self.choice.declines:
            return mean
        spread = sum((one - mean) ** 2 for one in self.values) / number
        return mean - sqrt(spread / number) - 2 * _EQUAL


def _play_out(candidates: list[_Candidate], rollouts: Rollouts, fewest: int, enough: float) -> None:
    """Plays rollouts of these choices: the fewest of each, and more until they have taken enough
    decisions.
    """
    by_number, effort = {one.number: one for one in candidates}, 0
    for rollout in range(MOST):
        if rollout >= fewest and effort >= enough:
            break
        before = rollouts.effort
        found = rollouts.to_same_round(by_number)
        for number, value in found.items():
            by_number[number].values.append(value)
        effort += rollouts.effort - before + _EVALUATION * len(found)


def _confirmed(candidates: list[_Candidate], rollouts: Rollouts) -> list[_Candidate]:
    """The choices to take if nothing more is done after any of them. In other rollouts what is done
    later, at random, can spoil a choice that does something; but its player may stop there. To do
    nothing must be better than each other choice by the standard error of their difference.
    """
    again = {one.number: _Candidate(one.number, one.choice) for one in candidates}
    for _ in range(CONFIRMED):
        for number, value in rollouts.nothing_more(again).items():
            again[number].values.append(value)
    nothing = max((one for one in again.values() if one.choice.declines), key=_Candidate.mean)
    others = [one for one in again.values() if not one.choice.declines]
    doing = [one for one in others if not _is_clearly_better(nothing, one)]
    best = max((one.mean() for one in doing), default=0)
    return [one for one in doing if one.mean() >= best - _EQUAL] or [nothing]


def _is_clearly_better(one: _Candidate, other: _Candidate) -> bool:
    """Whether a choice did better than another in the same rollouts by more than the standard error
    of the difference; always, if the rules could not always go on after the other.
    """
    if len(other.values) < max(2, len(one.values)):
        return True
    by = [mine - its for mine, its in zip(one.values, other.values, strict=True)]
    mean = sum(by) / len(by)
    variance = sum((each - mean) ** 2 for each in by) / (len(by) - 1)
    return mean > sqrt(variance / len(by)) + _EQUAL
