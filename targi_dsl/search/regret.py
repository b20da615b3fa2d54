"""Strategies by external-sampling counterfactual regret minimization (M. Lanctot, K. Waugh, M.
Zinkevich and M. Bowling: Monte Carlo sampling for regret minimization in extensive games, 2009).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from operator import mul

from targi_dsl.api import choices, result, rollout, step, uniform
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.codegen.tiered import WARM
from targi_dsl.engine.chance import DRAWS, Stream
from targi_dsl.information.observation import Observation, observe
from targi_dsl.ir.game import Game
from targi_dsl.search import FARTHEST, Budget
from targi_dsl.text.diagnostics import Problems

FAMILIAR = 8
"""Visits of an information set before its regrets are used; until then, random playouts continue
from there. Large games are thus explored from the beginning.
"""

AT_ONCE = 20
"""Decisions of a playout between looks at the clock."""


@dataclass(slots=True)
class InformationSet:
    """The regrets and the average strategy at an information set."""

    regrets: list[float]
    sums: list[float]
    visits: int = 0

    @classmethod
    def of(cls, count: int) -> InformationSet:
        """A new one with so many choices."""
        return cls([0.0] * count, [0.0] * count)

    @property
    def current(self) -> list[float]:
        """The current strategy, by regret matching."""
        return _shares([max(0.0, one) for one in self.regrets])

    @property
    def average(self) -> list[float]:
        """The average strategy over all iterations, which is the one to play."""
        return _shares(self.sums)


def _shares(numbers: Sequence[float]) -> list[float]:
    whole = sum(numbers)
    return [one / whole if whole else 1 / len(numbers) for one in numbers]


def choice_by(strategy: Sequence[float], stream: Stream) -> int:
    """The index of a choice drawn from a strategy."""
    draw = stream.below(DRAWS) / DRAWS
    for number, probability in enumerate(strategy):
        draw -= probability
        if draw < 0:
            return number
    return len(strategy) - 1


class _Spent(Exception):
    """The budget is spent."""


class Regrets:
    """The strategies of all players of a game, improved by every iteration."""

    def __init__(self, game: Game, stream: Stream) -> None:
        engine_of(game).warmed(WARM)  # compiles C where possible
        self._players, self._stream = game.players, stream
        self._sets = dict[tuple[str, tuple[int, ...]], InformationSet]()
        self._iterations, self._left, self._end = 0, 0, inf

    def run(self, budget: Budget, deal: Callable[[], State]) -> None:
        """Improves the strategies until the budget is spent: each iteration starts at a deal, and
        tries all choices of one player against samples of the others'. The last one is abandoned,
        as it may take long in a large game.
        """
        self._left, self._end = budget.playouts, time.monotonic() + (budget.seconds or inf)
        while not self._is_spent:
            player = self._players[self._iterations % len(self._players)]
            self._iterations += 1
            try:
                self._value(deal(), player, frozenset())
            except _Spent:
                return
            except Problems:  # a fault of the rules
                self._left -= 1

    @property
    def _is_spent(self) -> bool:
        return self._left <= 0 or time.monotonic() >= self._end

    def at(self, observation: Observation) -> InformationSet:
        """The information set of the seat that is asked."""
        key = observation.seat, observation.vector
        if (found := self._sets.get(key)) is None:
            found = self._sets[key] = InformationSet.of(len(observation.choices))
        return found

    def _value(self, state: State, player: str, met: frozenset[int]) -> float:
        """A sample of a player's payoff from a position on. met: the information sets on the way
        there. At a repeated one, as in a cycle of trades, or after too many, a random playout takes
        over. Raises _Spent.
        """
        if self._is_spent:
            raise _Spent
        if state.seat is None:
            return self._payoff(state, player)
        found, offered = self.at(observe(state, state.seat)), choices(state)
        found.visits += 1
        if found.visits <= FAMILIAR or id(found) in met or len(met) == FARTHEST:
            return self._payoff(self._played_on(state), player)
        met |= {id(found)}
        strategy = found.current
        if state.seat != player:
            for number, probability in enumerate(strategy):
                found.sums[number] += self._iterations * probability
            return self._value(step(state, offered[choice_by(strategy, self._stream)]), player, met)
        values = [self._value(step(state, one), player, met) for one in offered]
        value: float = sum(map(mul, strategy, values))
        for number, one in enumerate(values):
            found.regrets[number] = max(0.0, found.regrets[number] + one - value)
        return value

    def _played_on(self, state: State) -> State:
        """The position after a random playout, which may be slow in plain Python. Raises _Spent."""
        policy = uniform(self._stream)
        for _ in range(FARTHEST // AT_ONCE):
            if state.seat is None:
                break
            if self._is_spent:
                raise _Spent
            state = rollout(state, policy, AT_ONCE)
        return state

    def _payoff(self, state: State, player: str) -> float:
        self._left -= 1
        return result(state).returns[self._players.index(player)]
