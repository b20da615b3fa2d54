"""Learns values from self-play, and tests that they help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from math import log

import numpy as np

from targi_dsl.api import choices, result, start, step
from targi_dsl.api.state import State
from targi_dsl.codegen.search import Evaluation
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.lab.runner import Batch, Measurement, Runner
from targi_dsl.lab.version import Version, game_of
from targi_dsl.players.lookahead import Lookahead
from targi_dsl.search import Budget, Settings, rows_of
from targi_dsl.search.reference import round_of, units_of
from targi_dsl.search.values import Values, evaluation_of, names_of
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

ENDLESS = 3_000
"""Decisions after which a game is abandoned."""

FEWEST = 20
"""The fewest games from which anything is learned."""

SMALL, SMALLER = 30.0, 300.0
"""Ridge penalties: of the weights of kinds of things, and of single cards, which are seen more
rarely.
"""

ERROR = 0.05
BETTER = 0.6
"""The alternative of the test of learned values: their share of decided deals, against an even
share; a worse player passes in at most `ERROR` of all trainings.
"""

MOST_DEALS = 400
"""Deals after which an undecided test counts as failed."""


class Generation(Frozen):
    """The result of a generation. deals, won: the deals of the test that were decided, and those
    that the learned values won; passed: whether that is enough.
    """

    values: Values
    deals: int
    won: int
    passed: bool


class Training:
    """Learns about a version in generations. games: in each generation; playouts: for each
    decision; runner: plays them, without a limit. An interrupt ends a training and discards the
    current generation.
    """

    def __init__(
        self,
        version: Version,
        games: int,
        playouts: int,
        generations: int,
        runner: Runner,
        progress: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.game, self.runner = game_of(version), runner
        if len(self.game.players) < 2 or not any(names_of(self.game)):
            raise Problems([_nothing(self.game, "Nobody has anything in it that others have not.")])
        rows_of(self.game)  # compiles C before processes start
        self._version, self._games, self._playouts = version, games, playouts
        self._generations, self._progress, self._begun = generations, progress, 0
        self._names = tuple(dict.fromkeys(name for name in names_of(self.game) if name))
        self._evaluation, self._learned_from = evaluation_of(self.game), 0
        self._rows = list[np.ndarray]()

    def run(self) -> Iterator[Generation]:
        """Yields the result of each generation, up to the first that does not pass."""
        for _ in range(self._generations):
            self._play()
            if self.runner.interrupted:
                return
            values = self._fit()
            found = self._test(values)
            if self.runner.interrupted:
                return
            yield found
            if not found.passed:
                return
            self._evaluation = values.evaluation(self.game)

    def _deals(
        self, measure: Callable[[Version, int], Iterator[float]], most: int
    ) -> Iterator[Batch]:
        """The rows of so many new deals."""
        deals = Measurement(self._version, measure, self._begun, thinks=True)
        self._begun += most
        for (batch,) in self.runner.play([deals], most):
            yield batch

    def _play(self) -> None:
        """Plays a generation of games, and keeps what everybody had when each round began."""
        measure = partial(_course, self._evaluation, self._playouts, self._names)
        for number, batch in enumerate(self._deals(measure, self._games), 1):
            self._progress(f"game {number:,} of {self._games:,}")
            if batch.rows:
                self._rows.append(np.array(batch.rows).reshape(-1, 2 + len(self._names)))
                self._learned_from += 1

    # ---- values ----

    def _fit(self) -> Values:
        """The weights that best predict gains, by least squares; each changes linearly from the
        first round to the last.
        """
        rows = np.vstack(self._rows) if self._rows else np.zeros((1, 2))
        if self._learned_from < FEWEST or not rows[:, 1].any():
            why = f"Of {self._games:,} games too few end, or without a difference between players."
            raise Problems([_nothing(self.game, why)])
        rounds, gains, early = rows[:, 0], rows[:, 1], rows[:, 2:]
        last = int(rounds.max())
        late = rounds / max(1, last)
        both = np.hstack([early, early * late[:, None]]) if last else early
        single = [name.endswith((" active", " held")) for name in self._names]
        held = np.tile(np.where(single, SMALLER, SMALL), 2 if last else 1)
        found = np.linalg.solve(both.T @ both + np.diag(held), both.T @ gains)
        first = found[: len(self._names)]
        then = first + found[len(self._names) :] if last else first
        pairs = zip(map(float, first), map(float, then), strict=True)
        weights = dict(zip(self._names, pairs, strict=True))
        return Values(self.game.hash, last, self._learned_from, weights)

    def _test(self, values: Values) -> Generation:
        """Plays deals, each from every seat, until it is known whether the learned values beat the
        previous ones: a sequential probability ratio test (Wald, 1945) of the deals won with more
        than an even share, against those with less.
        """
        measure = partial(_shares, values.evaluation(self.game), self._evaluation, self._playouts)
        ratio, won, deals = 0.0, 0, 0
        error = ERROR / self._generations
        for number, batch in enumerate(self._deals(measure, MOST_DEALS), 1):
            self._progress(f"test: deal {number:,}, {won} of {deals} won")
            share = sum(batch.rows)
            if not batch.rows or abs(share - 1) < 1e-9:
                continue
            deals, won = deals + 1, won + (share > 1)
            ratio += log(BETTER / 0.5) if share > 1 else log((1 - BETTER) / 0.5)
            if ratio >= log((1 - ERROR) / error):
                return Generation(values, deals, won, passed=True)
            if ratio <= log(ERROR / (1 - error)):
                break
        return Generation(values, deals, won, passed=False)


# ---- games, played in processes ----


def _states(
    game: Game, evaluations: Sequence[Evaluation], playouts: int, seed: int
) -> Iterator[State]:
    """The positions of a game in which every seat has its own evaluation, up to its end, or to a
    decision that no game needs.
    """
    players = {}
    for seat, evaluation in zip(game.players, evaluations, strict=True):
        players[seat] = Lookahead(seed, seat, Budget(playouts))
        players[seat].settings = Settings(evaluation=evaluation)
    state = start(game, Seed(seed))
    for _ in range(ENDLESS):
        yield state
        if state.seat is None:
            return
        chosen = players[state.seat].choose(observe(state, state.seat), choices(state))
        state = step(state, chosen)


def _course(
    evaluation: Evaluation, playouts: int, names: Sequence[str], version: Version, number: int
) -> Iterator[float]:
    """For each position at the start of a round and each two players: the round, how much more the
    first gains later, and how much more it has of each thing; nothing without an end.
    """
    game = game_of(version)
    columns = [names.index(name) if name else 0 for name in names_of(game)]
    counts = [bool(name) for name in names_of(game)]
    everything = Values("", 0, 0, dict.fromkeys(names, (0, 0))).evaluation(game)
    states = [*_states(game, [evaluation] * len(game.players), playouts, number)]
    if states[-1].seat is not None:
        return
    has = result(states.pop()).returns
    for state in states:
        if state.rounds_begun:
            had, units = result(state).returns, np.zeros((len(has), len(names)))
            for row, counted in zip(units, units_of(state, everything), strict=True):
                for at, much in counted.items():
                    row[columns[at]] += much * counts[at]
            for one, other in combinations(range(len(has)), 2):
                yield round_of(state)
                yield has[one] - has[other] - had[one] + had[other]
                yield from units[one] - units[other]


def _shares(
    learned: Evaluation, before: Evaluation, playouts: int, version: Version, number: int
) -> Iterator[float]:
    """The learner's share of the win, from each seat; a draw or a game without an end is shared by
    all.
    """
    game = game_of(version)
    for seat in game.players:
        evaluations = [learned if one == seat else before for one in game.players]
        *_, last = _states(game, evaluations, playouts, number)
        winner = result(last).winner if last.seat is None else None
        yield 1 / len(evaluations) if winner is None else float(winner == seat)


def _nothing(game: Game, why: str) -> Problem:
    return Problem("E622", "nothing can be learned", None, f"{why} ({game.title})")
