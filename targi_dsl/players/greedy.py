"""A player that tries each choice in positions it could be in, and takes the one that stands best a
little later.
"""

from __future__ import annotations

from targi_dsl.api import Choice
from targi_dsl.api import choices as choices_of
from targi_dsl.engine import Engine, Run, engine_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.information.observation import Observation, sample
from targi_dsl.ir.model import NOTHING, POINT
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
"""Decisions of a trial after which it ends with the round."""

FARTHEST = 60
"""Decisions of a trial after which it ends wherever it is."""

_VALUATION = 3
_EQUAL = 1e-9  # sums of tenths are not exact
_HALF = 1 << 32  # what a generator gives at once


class Greedy(Random):
    """Looks to the end of the round; on the way there everybody does anything, but something."""

    kind = "greedy"

    def __init__(self, seed: int, seat: str) -> None:
        super().__init__(seed, seat)
        self._decisions = 0

    def choose(self, observation: Observation, choices: tuple[Choice, ...]) -> Choice:
        """The choice that stands best on the average of its trials; of equals one that is no
        decline, then any.
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
        """What each choice was worth in its trials: all are tried in the same positions, with the
        same chance.
        """
        engine, seat = engine_of(observation.game), observation.game.players.index(observation.seat)
        draws = []
        for _ in range(DRAWS if observation.unknown else 1):
            state = sample(observation, self._stream)
            codes = {one.id: one.code for one in choices_of(state)}
            draws.append((list(state.vector), [codes.get(one.id) for one in choices]))
        found: list[list[float]] = [[] for _ in choices]
        effort, enough = 0, max(EFFORT, AT_FIRST // self._decisions)
        for trial in range(MOST):
            if trial >= FEWEST and effort >= enough:
                break
            start, options = draws[trial % len(draws)]
            luck = self._stream.below(_HALF)
            for worths, option in zip(found, options, strict=True):
                if option is None:  # of a position that does not fit what is seen; see `sample`
                    continue
                try:
                    v, made = _played_on(engine, start, option, luck)
                except Problems:  # the rules cannot go on there, or not so far: nothing is learnt
                    continue
                effort += _VALUATION + made
                worths.append(worth(engine, v, seat))
        return [sum(worths) / len(worths) if worths else float("-inf") for worths in found]


def _played_on(engine: Engine, start: list[int], option: int, luck: int) -> tuple[list[int], int]:
    """Takes an option and plays on to where a trial ends; that position, and how many decisions it
    took.
    """
    run, below = Run(Seed(luck)), Stream(~luck).below
    v, point = engine.frames.unpack(start, run), start[POINT]
    for made in range(1, FARTHEST):
        run.ends_with_round = made >= AHEAD
        point = engine.take(v, run, point, option)
        if point == NOTHING:
            return v, made
        options, declines = run.options, engine.declining(point)
        if declines:
            options = [one for one in options if one not in declines] or options
        option = options[below(len(options))]
    run.ends_with_round = False
    engine.take(v, run, point, option)
    return v, FARTHEST
