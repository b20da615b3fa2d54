"""A player that plays out every choice from sampled positions and takes the one with the best
outcome shortly afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from msgspec import Struct, field

from targi_dsl.api import Choice
from targi_dsl.api.trials import beginning
from targi_dsl.codegen.trials import Horizon, Worth
from targi_dsl.engine.chance import Stream
from targi_dsl.information.observation import Observation, sample
from targi_dsl.ir.game import Game
from targi_dsl.players.random import Random

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


class _Candidate(Struct):
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


DRAWS = 3
"""Positions drawn for one decision, if there is anything that the seat does not know."""

AHEAD, FURTHER = 4, 16
"""Decisions after which a rollout may end with its first round, and after which with a later one. A
game of short rounds needs the second: what a choice costs comes at once, what it brings only
rounds later.
"""

FARTHEST = 60
"""Decisions of a rollout after which it ends wherever it is."""

MOST_EFFORT = 10_000_000
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
        while ended > 1 and 2 * options * self.effort * ended > MOST_EFFORT * self._farthest:
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


EACH, MORE = 3, 1
"""A unit of a resource, and a unit beyond the first `FEW` of the same, in tenths of a point."""

FEW = 3

CARD, HELD = 10, 5
"""A card on a place of one's own, with active abilities or without."""

_KEY = "worths"


def worth_of(game: Game) -> Worth:
    """What resources and cards are worth in a game; found once."""
    found = game.program.engines.get(_KEY)
    if not isinstance(found, Worth):
        cards = ((place.owner, CARD if place.active else HELD) for place in game.places)
        found = game.program.engines[_KEY] = Worth(FEW, EACH, MORE, tuple(cards))
    return found
