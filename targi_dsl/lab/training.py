"""Learns from games of a player with itself what things are worth, and tests that it helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, count
from math import log

import numpy as np

from targi_dsl.api import choices, result, start, step
from targi_dsl.api.state import State
from targi_dsl.codegen.search import Worth
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.players.lookahead import Lookahead
from targi_dsl.search import Budget, Settings
from targi_dsl.search.reference import round_of, units_of
from targi_dsl.search.values import Values, names_of, worth_of
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

ENDLESS = 3_000
"""Decisions after which a game is left."""

FEWEST = 20
"""Games from which anything is learned."""

SMALL, SMALLER = 30.0, 300.0
"""How strongly weights are held near zero (ridge): of kinds of things, and of single cards, each
of which is seen seldom.
"""

ERROR = 0.05
BETTER = 0.6
"""The test of what was learned decides between an even chance to do better in a deal and this one;
it lets no worse player pass more often than in `ERROR` of all trainings.
"""

MOST_DEALS = 400
"""Deals after which a test that has not decided is lost."""


class Trained(Frozen):
    """What a generation has come to. deals, won: of those that the test played, in how many it was
    decided which is better, and in how many what was learned was; passed: whether that is enough.
    """

    values: Values
    deals: int
    won: int
    passed: bool


class Training:
    """Learns about a game in generations. games: of each generation; trials: for each decision."""

    def __init__(
        self,
        game: Game,
        games: int,
        trials: int,
        generations: int,
        seed: int = 0,
        progress: Callable[[str], None] = lambda line: None,
    ) -> None:
        if len(game.players) < 2 or not any(names_of(game)):
            raise Problems([_nothing(game, "Nobody has anything in it that others have not.")])
        self.game, self._games, self._trials = game, games, trials
        self._generations, self._progress = generations, progress
        self._names = tuple(dict.fromkeys(name for name in names_of(game) if name))
        self._columns = [self._names.index(name) if name else -1 for name in names_of(game)]
        self._seeds = count(seed)
        self._worth, self._learned_from = worth_of(game), 0
        self._rows = list[np.ndarray]()
        self._rounds, self._gains = list[int](), list[float]()

    def run(self) -> Iterator[Trained]:
        """Yields what each generation has come to, up to the first that does not pass."""
        for _ in range(self._generations):
            self._play()
            values = self._fitted()
            found = self._tested(values)
            yield found
            if not found.passed:
                return
            self._worth = values.worth(self.game)

    # ---- games ----

    def _play(self) -> None:
        """Plays a generation of games, and keeps what everybody had when a round began."""
        for number in range(self._games):
            self._progress(f"game {number + 1:,} of {self._games:,}")
            rows = list[State]()
            after: tuple[float, ...] = ()
            for state in self._states([self._worth] * len(self.game.players), next(self._seeds)):
                if state.rounds_begun and state.seat is not None:
                    rows.append(state)
                after = result(state).returns if state.seat is None else ()
            if after:
                for state in rows:
                    self._keep(state, result(state).returns, after)
                self._learned_from += 1

    def _states(self, worths: list[Worth], seed: int) -> Iterator[State]:
        """The positions of a game in which every seat has its own opinion of what is worth how
        much, up to its end, or to a decision that no game needs.
        """
        players = {}
        for seat, worth in zip(self.game.players, worths, strict=True):
            players[seat] = Lookahead(seed, seat, Budget(self._trials))
            players[seat].settings = Settings(worth=worth)
        state = start(self.game, Seed(seed))
        for _ in range(ENDLESS):
            yield state
            if state.seat is None:
                return
            chosen = players[state.seat].choose(observe(state, state.seat), choices(state))
            state = step(state, chosen)

    def _keep(self, state: State, had: tuple[float, ...], has: tuple[float, ...]) -> None:
        """For each two players, the difference of what they have and of what they gain later."""
        units = np.zeros((len(self.game.players), len(self._names)))
        for row, counted in zip(units, units_of(state, self._worth), strict=True):
            for at, number in counted.items():
                row[self._columns[at]] += number
        for one, other in combinations(range(len(units)), 2):
            self._rows.append(units[one] - units[other])
            self._gains.append(has[one] - has[other] - had[one] + had[other])
            self._rounds.append(round_of(state))

    # ---- values ----

    def _fitted(self) -> Values:
        """The weights that foretell gains best, by least squares; each changes evenly from the
        first round to the last.
        """
        if self._learned_from < FEWEST or not any(self._gains):
            why = f"Of {self._games:,} games too few end, or without a difference between players."
            raise Problems([_nothing(self.game, why)])
        rounds = np.array(self._rounds, dtype=float)
        last = int(rounds.max())
        late = rounds / max(1, last)
        early = np.array(self._rows)
        both = np.hstack([early, early * late[:, None]]) if last else early
        single = [name.endswith((" active", " held")) for name in self._names]
        held = np.tile(np.where(single, SMALLER, SMALL), 2 if last else 1)
        found = np.linalg.solve(both.T @ both + np.diag(held), both.T @ np.array(self._gains))
        first = found[: len(self._names)]
        then = first + found[len(self._names) :] if last else first
        pairs = zip(map(float, first), map(float, then), strict=True)
        weights = dict(zip(self._names, pairs, strict=True))
        return Values(self.game.hash, last, self._learned_from, weights)

    def _tested(self, values: Values) -> Trained:
        """Plays deals, each from every seat, until it is known whether what was learned is better
        than what was used before: a sequential probability ratio test (Wald, 1945) of the deals
        that it wins more often than its share, against those that it wins less often.
        """
        seats = len(self.game.players)
        learned, ratio, won, deals = values.worth(self.game), 0.0, 0, 0
        error = ERROR / self._generations
        for number in range(MOST_DEALS):
            self._progress(f"test: deal {number + 1:,}, {won} of {deals} won")
            seed, share = next(self._seeds), 0.0
            for seat in range(seats):
                worths = [learned if one == seat else self._worth for one in range(seats)]
                share += self._share(worths, seed, seat)
            if abs(share - 1) < 1e-9:
                continue
            deals, won = deals + 1, won + (share > 1)
            ratio += log(BETTER / 0.5) if share > 1 else log((1 - BETTER) / 0.5)
            if ratio >= log((1 - ERROR) / error):
                return Trained(values, deals, won, passed=True)
            if ratio <= log(ERROR / (1 - error)):
                break
        return Trained(values, deals, won, passed=False)

    def _share(self, worths: list[Worth], seed: int, seat: int) -> float:
        """The part of a game that a seat wins; a draw or a game without an end is shared by all."""
        *_, last = self._states(worths, seed)
        winner = result(last).winner if last.seat is None else None
        if winner is None:
            return 1 / len(worths)
        return float(winner == self.game.players[seat])


def _nothing(game: Game, why: str) -> Problem:
    return Problem("E622", "nothing can be learned", None, f"{why} ({game.title})")
