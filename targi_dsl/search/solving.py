"""Equilibria of small two-player games: CFR+ over the whole tree, and exploitability (O. Tammelin:
Solving large imperfect information games using CFR+, arXiv:1407.5042).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from targi_dsl.api import Choice, choices, result, start, step, weights
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Asked, Stream
from targi_dsl.information.observation import Observation, observe
from targi_dsl.ir.game import Game
from targi_dsl.search.regret import choice_by
from targi_dsl.text.diagnostics import Problem, Problems

MOST_POSITIONS = 1_000_000
"""The most positions of a game that can be solved."""

NOTHING_YET = 0
"""The empty sequence: the slot of a player that has not been asked yet. Every other slot is a
choice in an information set; together they are the sequences of both players (B. von Stengel:
Efficient computation of behavior strategies, Games and Economic Behavior 14, 1996).
"""


class Solution:
    """A strategy of both players, improved by every iteration. An information set is what a player
    sees when asked, with its last choice; what it has seen in between does not count. Raises
    Problems if the game does not have two players, is too large, or is not zero-sum.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.iterations, self.positions = game, 0, 0
        self.sets = dict[tuple[int, tuple[int, ...]], int]()
        """The number of an information set, by the slot of the last choice and the observation."""
        self.offered = list[tuple[str, ...]]()
        """The choices of each information set."""
        self._seen, self._slots = list[Observation](), list[range]()
        self._before, self._sets_of = list[int](), (list[int](), list[int]())
        self._size = NOTHING_YET + 1
        self._payoffs = tuple(self._found().items())
        self._current = [1.0] * self._size
        for slots in self._slots:
            self._current[slots.start : slots.stop] = [1 / len(slots)] * len(slots)
        self._regrets, self._sums = [0.0] * self._size, [0.0] * self._size

    # ---- the tree, of which only the ends are stored ----

    def _found(self) -> dict[tuple[int, int], float]:
        """The first player's expected payoff by the last slots of both players, weighted by chance:
        a sum over the ends of the game.
        """
        players, found = self.game.players, dict[tuple[int, int], float]()
        if len(players) != 2:
            raise Problems([_unsolvable(self.game, "it is not for two players")])
        left = [(start(self.game, Asked()), (NOTHING_YET, NOTHING_YET), 1.0)]
        while left:
            state, last, chance = left.pop()
            self.positions += 1
            if self.positions > MOST_POSITIONS:
                reason = f"it has more than {MOST_POSITIONS:,} positions"
                raise Problems([_unsolvable(self.game, reason)])
            offered = choices(state)
            if state.seat is None:
                found[last] = found.get(last, 0.0) + chance * self._payoff(state)
            elif state.seat in players:
                player = players.index(state.seat)
                for slot, one in zip(
                    self._slots_at(state, player, last[player]), offered, strict=True
                ):
                    after = (slot, last[1]) if player == 0 else (last[0], slot)
                    left.append((step(state, one), after, chance))
            else:
                shares = zip(offered, weights(state), strict=True)
                left += [(step(state, one), last, chance * share) for one, share in shares]
        return found

    def _slots_at(self, state: State, player: int, before: int) -> range:
        """The slots of the information set of a position, which is added if it is new."""
        seen = observe(state, self.game.players[player])
        number = self.sets.setdefault((before, seen.vector), len(self.offered))
        if number == len(self.offered):
            self.offered.append(seen.choices)
            self._seen.append(seen)
            self._before.append(before)
            self._sets_of[player].append(number)
            self._slots.append(range(self._size, self._size + len(seen.choices)))
            self._size += len(seen.choices)
        return self._slots[number]

    def _payoff(self, state: State) -> float:
        """The first player's payoff."""
        one, other = result(state).returns
        if one + other:
            raise Problems([_unsolvable(self.game, "one wins what the other does not lose")])
        return one

    # ---- iterations ----

    def iterate(self, times: int) -> None:
        """Runs so many iterations, updating the players in turn."""
        for _ in range(times):
            self.iterations += 1
            for player in (0, 1):
                self._improve(player)

    def _improve(self, player: int) -> None:
        current, regrets, sums = self._current, self._regrets, self._sums
        own, gains = self._reach(current, player), self._gains(current, player)
        for number in reversed(self._sets_of[player]):  # later ones first
            slots, before = self._slots[number], self._before[number]
            value = sum(current[slot] * gains[slot] for slot in slots)
            gains[before] += value
            for slot in slots:
                sums[slot] += self.iterations * own[slot]
                regrets[slot] = max(0.0, regrets[slot] + gains[slot] - value)
            whole = sum(regrets[slots.start : slots.stop])
            for slot in slots:
                current[slot] = regrets[slot] / whole if whole else 1 / len(slots)

    def _reach(self, strategy: Sequence[float], player: int) -> list[float]:
        """The player's reach probability of each slot: of all its choices up to that one."""
        reach = [1.0] * self._size
        for number in self._sets_of[player]:
            likely = reach[self._before[number]]
            for slot in self._slots[number]:
                reach[slot] = likely * strategy[slot]
        return reach

    def _gains(self, strategy: Sequence[float], player: int) -> list[float]:
        """A player's payoff at the ends after each of its slots, weighted by the reach
        probabilities of chance and the opponent.
        """
        gains, others = [0.0] * self._size, self._reach(strategy, 1 - player)
        if player == 0:
            for (own, other), payoff in self._payoffs:
                gains[own] += payoff * others[other]
        else:
            for (other, own), payoff in self._payoffs:
                gains[own] -= payoff * others[other]
        return gains

    # ---- results ----

    def strategy(self) -> list[float]:
        """The average strategy, which converges to an equilibrium: the probability of each slot."""
        found = [1.0] * self._size
        for slots in self._slots:
            whole = sum(self._sums[slots.start : slots.stop])
            for slot in slots:
                found[slot] = self._sums[slot] / whole if whole else 1 / len(slots)
        return found

    def strategy_of(self, probabilities: Callable[[Observation], Sequence[float]]) -> list[float]:
        """The slot probabilities of players who choose in each observation like this."""
        found = [1.0] * self._size
        for slots, seen in zip(self._slots, self._seen, strict=True):
            found[slots.start : slots.stop] = probabilities(seen)
        return found

    def slots(self, observation: Observation, last: int) -> range:
        """The slots of a player's choices, by its observation and last slot. Raises KeyError if the
        game never gets there.
        """
        return self._slots[self.sets[last, observation.vector]]

    def policy(self) -> list[dict[str, Any]]:
        """The average strategy as plain data: for each information set the seat, its choices so
        far, what it sees, and the probability of each choice.
        """
        strategy, found, made = self.strategy(), list[dict[str, Any]](), {NOTHING_YET: list[str]()}
        for number, seen in enumerate(self._seen):
            slots, before = self._slots[number], made[self._before[number]]
            made |= {slot: [*before, id_] for slot, id_ in zip(slots, seen.choices, strict=True)}
            play = {id_: strategy[slot] for slot, id_ in zip(slots, seen.choices, strict=True)}
            sees = seen.describe()
            found.append({"seat": seen.seat, "chosen": before, "sees": sees, "play": play})
        return found

    def value(self) -> float:
        """The first player's expected payoff."""
        strategy = self.strategy()
        one, other = (self._reach(strategy, player) for player in (0, 1))
        return sum(payoff * one[at] * other[its] for (at, its), payoff in self._payoffs)

    def exploitability(self, strategy: Sequence[float] = ()) -> float:
        """The mean payoff of the players' best responses to a strategy, by default the
        average one.
        """
        strategy = strategy or self.strategy()
        return sum(self._best_answer(strategy, player) for player in (0, 1)) / 2

    def _best_answer(self, strategy: Sequence[float], player: int) -> float:
        """A player's payoff by the best response to the opponent's strategy."""
        gains = self._gains(strategy, player)
        for number in reversed(self._sets_of[player]):
            slots = self._slots[number]
            gains[self._before[number]] += max(gains[slots.start : slots.stop])
        return gains[NOTHING_YET]


class PolicyPlayer:
    """Plays the strategy of a solution at one seat, drawing each choice."""

    def __init__(self, solution: Solution, seed: int) -> None:
        self._solution, self._strategy = solution, solution.strategy()
        self._stream, self._last = Stream(seed), NOTHING_YET

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Draws a choice by the probabilities of the strategy."""
        at = self._solution.slots(observation, self._last)
        number = choice_by(self._strategy[at.start : at.stop], self._stream)
        self._last = at[number]
        return next(one for one in choices if one.id == observation.choices[number])


def _unsolvable(game: Game, reason: str) -> Problem:
    text = f"Games of two players are solved, if they are small: {reason}."
    return Problem("E619", f"{game.title} cannot be solved", None, text)
