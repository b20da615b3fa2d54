"""Equilibria of small games of two players: CFR+ over the whole tree, and how much a strategy loses
to the best answer (O. Tammelin: Solving large imperfect information games using CFR+,
arXiv:1407.5042).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from targi_dsl.api import Choice, choices, result, start, step
from targi_dsl.api.state import State
from targi_dsl.engine.chance import DRAWS, Asked, Stream
from targi_dsl.information.observation import Observation, observe
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problem, Problems

MOST_POSITIONS = 1_000_000
"""The most positions of a game that is solved."""

CHANCE, OVER = 2, 3  # in place of a player

Memory = tuple[int, str]
"""What a player remembers: the number of the information set in which it was asked last, and its
choice there.
"""

BEFORE: Memory = (-1, "")


class Solution:
    """A strategy of both players, which every iteration improves. An information set is what a
    player sees when it is asked, with what it remembers; what it has seen in between does not
    count. Raises Problems if the game is not one of two players, is too large, or if what one wins
    is not what the other loses.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.iterations = game, 0
        self.sets = dict[tuple[Memory, tuple[int, ...]], int]()
        self.offered = list[tuple[str, ...]]()
        """The choices of each information set."""
        self._seen, self._memories = list[Observation](), list[Memory]()
        self._actors, self._set_of, self._first = list[int](), list[int](), list[int]()
        self._weights, self._payoffs = [1.0], list[float]()
        self._build()
        self._slots = [0]
        for ids in self.offered:
            self._slots.append(self._slots[-1] + len(ids))
        self._current = [1 / len(ids) for ids in self.offered for _ in ids]
        self._regrets, self._sums = [0.0] * len(self._current), [0.0] * len(self._current)

    # ---- the tree, breadth first: the positions after one follow one another ----

    def _build(self) -> None:
        players = self.game.players
        if len(players) != 2:
            raise Problems([_unsolvable(self.game, "it is not for two players")])
        queue = [(start(self.game, Asked()), (BEFORE, BEFORE))]
        for state, memories in queue:
            offered, seat = choices(state), state.seat
            actor = OVER if seat is None else [*players, "chance"].index(seat)
            number = self._set(state, memories[actor]) if actor < CHANCE else 0
            self._actors.append(actor)
            self._set_of.append(number)
            self._first.append(len(queue))
            self._payoffs.append(self._payoff(state) if actor == OVER else 0)
            whole = sum(one.weight for one in offered)
            for one in offered:
                after = (number, one.id)
                known = (after, memories[1]) if actor == 0 else (memories[0], after)
                queue.append((step(state, one), known if actor < CHANCE else memories))
                self._weights.append(one.weight / whole)
            if len(queue) > MOST_POSITIONS:
                reason = f"it has more than {MOST_POSITIONS:,} positions"
                raise Problems([_unsolvable(self.game, reason)])
        self._first.append(len(queue))

    def _set(self, state: State, memory: Memory) -> int:
        """The number of an information set; a new one if it has none."""
        seen = observe(state, str(state.seat))
        if (memory, seen.vector) not in self.sets:
            self.sets[memory, seen.vector] = len(self.offered)
            self.offered.append(seen.choices)
            self._seen.append(seen)
            self._memories.append(memory)
        return self.sets[memory, seen.vector]

    def _payoff(self, state: State) -> float:
        """What the first player wins."""
        one, other = result(state).returns
        if one + other:
            raise Problems([_unsolvable(self.game, "one wins what the other does not lose")])
        return one

    # ---- iterations ----

    def iterate(self, times: int) -> None:
        """Improves the strategy of each player in turn, so often."""
        for _ in range(times):
            self.iterations += 1
            for player in (0, 1):
                self._improve(player)

    def _improve(self, player: int) -> None:
        own, others = self._reach(self._current, player)
        values = self._values(self._current, player)
        for node, actor in enumerate(self._actors):
            if actor == player:
                number, first, sums = self._set_of[node], self._first[node], self._sums
                for at, slot in enumerate(self._every(number)):
                    gain = values[first + at] - values[node]
                    self._regrets[slot] += others[node] * gain
                    sums[slot] += self.iterations * own[node] * self._current[slot]
        for number in {*self._set_of}:
            self._match_regrets(number)

    def _match_regrets(self, number: int) -> None:
        slots = self._every(number)
        for slot in slots:
            self._regrets[slot] = max(0.0, self._regrets[slot])
        whole = sum(self._regrets[slot] for slot in slots)
        for slot in slots:
            self._current[slot] = self._regrets[slot] / whole if whole else 1 / len(slots)

    def _every(self, number: int) -> range:
        """The slots of an information set."""
        return range(self._slots[number], self._slots[number + 1])

    def _reach(self, strategy: Sequence[float], player: int) -> tuple[list[float], list[float]]:
        """How likely the player plays to each position, and how likely all others do."""
        own, others = [1.0] * len(self._actors), [1.0] * len(self._actors)
        for node, actor in enumerate(self._actors):
            slot = self._slots[self._set_of[node]] - self._first[node]
            for after in range(self._first[node], self._first[node + 1]):
                chance = self._weights[after] if actor == CHANCE else strategy[slot + after]
                mine = actor == player
                own[after] = own[node] * chance if mine else own[node]
                others[after] = others[node] if mine else others[node] * chance
        return own, others

    def _values(self, strategy: Sequence[float], player: int) -> list[float]:
        """What the player can expect in each position."""
        values, sign = [0.0] * len(self._actors), 1 - 2 * player
        for node in range(len(self._actors) - 1, -1, -1):
            actor, first, end = self._actors[node], self._first[node], self._first[node + 1]
            if actor == OVER:
                values[node] = sign * self._payoffs[node]
            elif actor == CHANCE:
                values[node] = sum(self._weights[at] * values[at] for at in range(first, end))
            else:
                slot = self._slots[self._set_of[node]] - first
                values[node] = sum(strategy[slot + at] * values[at] for at in range(first, end))
        return values

    # ---- what has been found ----

    def strategy(self) -> list[float]:
        """The average strategy, which approaches an equilibrium: the probability of each choice,
        information set by information set.
        """
        found = list[float]()
        for number, ids in enumerate(self.offered):
            sums = [self._sums[slot] for slot in self._every(number)]
            whole = sum(sums)
            found += [one / whole if whole else 1 / len(ids) for one in sums]
        return found

    def policy(self) -> list[dict[str, Any]]:
        """The same as plain data: for each information set the seat, its choices so far, what it
        sees, and the probability of each choice.
        """
        strategy, found = self.strategy(), list[dict[str, Any]]()
        for number, seen in enumerate(self._seen):
            before, id_ = self._memories[number]
            made = [*found[before]["chosen"], id_] if id_ else []
            chances = [strategy[slot] for slot in self._every(number)]
            play = dict(zip(self.offered[number], chances, strict=True))
            found.append({"seat": seen.seat, "chosen": made, "sees": seen.describe(), "play": play})
        return found

    @property
    def positions(self) -> int:
        """All positions of the game, those at the end too."""
        return len(self._actors)

    def value(self) -> float:
        """What the first player wins on average."""
        return self._values(self.strategy(), 0)[0]

    def exploitability(self) -> float:
        """What the players lose to the best answer to their strategy, on average over both."""
        strategy = self.strategy()
        return sum(self._best_answer(strategy, player) for player in (0, 1)) / 2

    def _best_answer(self, strategy: Sequence[float], player: int) -> float:
        """What the player wins by the best answer to the strategy of the other. An information set
        is decided at the first of its positions that is met from below: those below it were met.
        """
        _, others = self._reach(strategy, player)
        nodes_of: dict[int, list[int]] = {}
        for node, actor in enumerate(self._actors):
            if actor == player:
                nodes_of.setdefault(self._set_of[node], []).append(node)
        pure, decided, sign = list(strategy), set[int](), 1 - 2 * player
        known: dict[int, float] = {}

        def value(node: int) -> float:
            if node not in known:
                actor, first, end = self._actors[node], self._first[node], self._first[node + 1]
                number = self._set_of[node]
                if actor == OVER:
                    known[node] = sign * self._payoffs[node]
                    return known[node]
                if actor == player and number not in decided:
                    decide(number)
                slot = self._slots[number] - first
                weights = self._weights if actor == CHANCE else pure
                shift = 0 if actor == CHANCE else slot
                known[node] = sum(
                    weights[shift + at] * value(at)
                    for at in range(first, end)
                    if weights[shift + at]
                )
            return known[node]

        def decide(number: int) -> None:
            slots = self._every(number)
            gains = [
                sum(others[node] * value(self._first[node] + at) for node in nodes_of[number])
                for at in range(len(slots))
            ]
            best = gains.index(max(gains))
            for at, slot in enumerate(slots):
                pure[slot] = float(at == best)
            decided.add(number)

        return value(0)


class Mixing:
    """Plays a strategy at one seat: what it has to choose there it draws."""

    def __init__(self, solution: Solution, seed: int) -> None:
        self._solution, self._strategy = solution, solution.strategy()
        self._stream, self._memory = Stream(seed), BEFORE

    def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
        """Draws one of the choices with the probabilities of the strategy."""
        solution = self._solution
        number = solution.sets[self._memory, observation.vector]
        ids, draw = solution.offered[number], self._stream.below(DRAWS) / DRAWS
        first = sum(map(len, solution.offered[:number]))
        for id_, chance in zip(ids, self._strategy[first : first + len(ids)], strict=True):
            chosen = id_
            draw -= chance
            if draw < 0:
                break
        self._memory = (number, chosen)
        return next(one for one in choices if one.id == chosen)


def _unsolvable(game: Game, reason: str) -> Problem:
    text = f"Games of two players are solved, if they are small: {reason}."
    return Problem("E619", f"{game.title} cannot be solved", None, text)
