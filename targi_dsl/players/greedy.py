"""A player that tries every choice in sampled positions and takes the one with the best outcome
shortly afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import sqrt

from targi_dsl.api import Choice
from targi_dsl.information.observation import Observation
from targi_dsl.players.random import Random
from targi_dsl.players.trials import Trials
from targi_dsl.text.light import dataclass

FEWEST, MOST = 2, 100
"""How often each choice is tried at least before half of them are dropped, and how often at most
before half of those that are left are.
"""

EFFORT, AT_FIRST = 150, 1000
"""Decisions in trials after which nothing is tried once more; a trial's valuation counts as
`_VALUATION` too. The second, divided by the number of one's decisions so far, is for a game's
beginning, and for games of few decisions.
"""

CONFIRMED = 6
"""How often a choice that does nothing is held against the others before it is taken."""

_VALUATION = 3
_EQUAL = 1e-9  # sums of tenths are not exact


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
        dropped again and again, so that the better ones are tried more often.
        """
        if len(choices) == 1:
            return choices[0]
        self._decisions += 1
        numbers = {one: number for number, one in enumerate(observation.choices)}
        tried = [_Tried(numbers[one.id], one) for one in choices]
        trials = Trials(observation, self._stream)
        best = self._best(tried, trials)
        if all(one.choice.declines for one in best):
            best = _confirmed(tried, trials)
        return super().choose(observation, tuple(one.choice for one in best))

    def _best(self, tried: list[_Tried], trials: Trials) -> list[_Tried]:
        """The choices that nothing tells apart when the others have been dropped."""
        halvings = max(1, (len(tried) - 1).bit_length())
        enough, fewest = max(EFFORT, AT_FIRST // self._decisions) / halvings, FEWEST
        while len(tried) > 1:
            _try(tried, trials, fewest, enough)
            fewest = 1
            tried = sorted(tried, key=_Tried.value, reverse=True)
            if tried[-1].value() >= tried[0].value() - _EQUAL:
                break
            tried = tried[: (len(tried) + 1) // 2]
        return tried


@dataclass(slots=True)
class _Tried:
    """A choice with its number, and what it was worth in each of its trials."""

    number: int
    choice: Choice
    worths: list[float] = field(default_factory=list)

    def mean(self) -> float:
        """The average; below every other if nothing is known."""
        return sum(self.worths) / len(self.worths) if self.worths else float("-inf")

    def value(self) -> float:
        """The average; of a choice that does nothing less its standard error, for it is taken only
        if it is clearly better.
        """
        mean, number = self.mean(), len(self.worths)
        if not number or not self.choice.declines:
            return mean
        spread = sum((one - mean) ** 2 for one in self.worths) / number
        return mean - sqrt(spread / number) - 2 * _EQUAL


def _try(tried: list[_Tried], trials: Trials, fewest: int, enough: float) -> None:
    """Tries these choices again so often at least, and until their trials have taken enough
    decisions.
    """
    by_number, effort = {one.number: one for one in tried}, 0
    for trial in range(MOST):
        if trial >= fewest and effort >= enough:
            break
        before = trials.made
        found = trials.to_same_round(by_number)
        for number, worth in found.items():
            by_number[number].worths.append(worth)
        effort += trials.made - before + _VALUATION * len(found)


def _confirmed(tried: list[_Tried], trials: Trials) -> list[_Tried]:
    """The choices to take if nothing more is done after any of them. In other trials what is done
    later, at random, can spoil a choice that does something; but its player may stop there. To do
    nothing must be better than each other choice by the standard error of their difference.
    """
    again = {one.number: _Tried(one.number, one.choice) for one in tried}
    for _ in range(CONFIRMED):
        for number, worth in trials.nothing_more(again).items():
            again[number].worths.append(worth)
    nothing = max((one for one in again.values() if one.choice.declines), key=_Tried.mean)
    others = [one for one in again.values() if not one.choice.declines]
    doing = [one for one in others if not _is_clearly_better(nothing, one)]
    best = max((one.mean() for one in doing), default=0)
    return [one for one in doing if one.mean() >= best - _EQUAL] or [nothing]


def _is_clearly_better(one: _Tried, other: _Tried) -> bool:
    """Whether a choice did better than another in the same trials by more than the standard error
    of the difference; always, if the rules could not always go on after the other.
    """
    if len(other.worths) < max(2, len(one.worths)):
        return True
    by = [mine - its for mine, its in zip(one.worths, other.worths, strict=True)]
    mean = sum(by) / len(by)
    variance = sum((each - mean) ** 2 for each in by) / (len(by) - 1)
    return mean > sqrt(variance / len(by)) + _EQUAL
