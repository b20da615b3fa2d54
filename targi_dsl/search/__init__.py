"""Search: finds the good choices by playouts in determinizations of what a seat knows."""

from __future__ import annotations

import time
from collections.abc import Collection
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from targi_dsl.api import traits
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.codegen.row import SEAT, options_of
from targi_dsl.codegen.search import LEAST, Evaluation, Playouts, Task
from targi_dsl.codegen.tiered import SEARCH, WARM
from targi_dsl.engine.chance import Seed, Stream, whole_number
from targi_dsl.engine.machine import ENDLESS, Engine
from targi_dsl.information.determinization import sample
from targi_dsl.information.observation import Observation, observe
from targi_dsl.ir.game import Game
from targi_dsl.search.reference import ReferencePlayouts
from targi_dsl.search.values import by_hand, evaluation_of
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

if TYPE_CHECKING:
    from targi_dsl.codegen.c.rows import Rows

ENOUGH = 16
"""The fewest decisions of a playout: the cost of a choice shows at once, its benefit only rounds
later, and rounds may be short.
"""

FARTHEST = 200
"""Decisions after which a playout is cut off."""

MOST_DECISIONS = 1_000
"""The same for a playout to the end of the game."""

DRAWS = 4
"""Out of how many random options a playout takes the one with the best mean. In a game without
scores it takes a single random one, which won more often on two boards of four.
"""

EXPLORATION = 512
"""See `Task`. Trees that explored at 400 and at 768 won against a lookahead."""

MOST = 1 << 20
"""The most playouts of one search, whatever the time."""

_PROVES, _PRIOR = "proves", "prior"  # keys in `Program.engines`


class Budget(Frozen):
    """How long a search runs: for a number of playouts, which gives the same result on every
    machine with generated C, or for some seconds.
    """

    playouts: int = MOST
    seconds: float = 0


class Settings(Frozen):
    """The parameters of a search; see `Task`. draws: 0 for the default. to_end: playouts run to the
    end of the game. evaluation: overrides that of the game. prior: playouts that learn begin
    with what was learned about the game.
    """

    grows: bool = False
    draws: int = 0
    exploration: int = EXPLORATION
    to_end: bool = False
    evaluation: Evaluation | None = None
    prior: bool = True


class Estimate(Frozen):
    """A search's estimate of a choice.

    visits: the number of its playouts. lead: the seat's mean lead over the best opponent at their
    ends, in points or the equivalent. proven: 1 for a proven win, -1 for a proven loss.
    """

    id: str
    visits: int
    lead: float
    proven: int = 0

    @property
    def merit(self) -> tuple[int, int, float]:
        """A sort key: the best choice has the greatest."""
        return self.proven, self.visits, self.lead


class Search:
    """A search of the choices of one observation; the seed determines its deals. Raises Problems if
    a tree is to grow and there is no generated C.
    """

    def __init__(self, observation: Observation, seed: int, settings: Settings) -> None:
        self.observation, self._seed, self._grows = observation, seed, settings.grows
        first = self.deal(0)
        self.playouts = self._begin(task_of(first, seed, settings), first)

    def run(self, budget: Budget) -> None:
        """Runs until the budget is spent. Without a tree, all choices get the same number of
        playouts.
        """
        count, before = len(self.observation.choices), len(self.playouts.ends)
        began = time.monotonic()
        unit = 1 if self._grows else count
        step = LEAST * count
        if not budget.seconds:
            step = max(step, budget.playouts // unit * unit)
        while (done := len(self.playouts.ends)) < MOST:
            self.playouts.run(done + step)
            spent = time.monotonic() - began
            if spent >= budget.seconds:
                break
            more = min(1, budget.seconds / spent - 1) * (done + step - before)
            step = max(unit, int(more) // unit * unit)

    @property
    def ends(self) -> list[int]:
        """The final lead of each playout, in tenths of a point. Without a tree, the choices take
        turns, and all are played in the same deals.
        """
        return self.playouts.ends

    def estimates(self) -> list[Estimate]:
        """The estimate of each choice, in order."""
        found = self.playouts.visits(), self.playouts.sums(), self.playouts.proven()
        each = zip(self.observation.choices, *found, strict=True)
        return [Estimate(id_, n, sum_ / n / 10, proven) for id_, n, sum_, proven in each]

    def best(self, among: Collection[str]) -> list[str]:
        """The best of some choices; several if they are tied."""
        found = [one for one in self.estimates() if one.id in among]
        most = max(one.merit for one in found)
        return [one.id for one in found if one.merit == most]

    def deal(self, number: int) -> State:
        """The determinization with a number, always the same for that number."""
        return _deal(self.observation, self._seed, number)

    def _begin(self, task: Task, first: State) -> Playouts:
        seen, game = self.observation, self.observation.game
        rows = rows_of(game)
        if rows is not None and (row := first.row(rows)) is not None:
            known = seen.vector, seen.unknown, seen.hidden
            deal = partial(_deal, seen, self._seed)  # no reference cycle, or trees would stay alive
            found: Playouts = _late("search").CompiledPlayouts(
                rows, known, task, row, lambda number: deal(number).row(rows)
            )
            return found
        if task.grows:
            raise Problems([_not_compiled(game)])
        return ReferencePlayouts(Engine(game), task, self.deal)


def _deal(observation: Observation, seed: int, number: int) -> State:
    return sample(observation, Stream(whole_number(seed, number + 1)))


def task_of(deal: State, seed: int, settings: Settings) -> Task:
    """The search task of the choices in a deal, for an engine."""
    seat = deal.game.players.index(str(deal.seat))
    return replace(seat_task(deal.game, settings), seed=seed, seat=seat, options=deal.options)


def seat_task(game: Game, settings: Settings) -> Task:
    """The search task of a seat, whatever is asked."""
    draws = settings.draws or (DRAWS if game.scores else 1)
    return Task(
        0,
        0,
        (),
        settings.evaluation or evaluation_of(game),
        0 if game.scores and not settings.to_end else ENDLESS,
        ENOUGH,
        MOST_DECISIONS if settings.to_end else FARTHEST,
        draws,
        settings.grows,
        settings.exploration,
        settings.grows and _proves(game),
        prior_of(game) if settings.prior and draws > 1 else (),
    )


def prior_of(game: Game) -> tuple[int, ...]:
    """The statistics of actions that playouts begin with, learned in a moment from a few games of
    players with the least budget, who judge by hand-set values. Empty without generated C.
    """
    engines: dict[str, Any] = game.program.engines
    if _PRIOR not in engines:
        task = seat_task(game, Settings(evaluation=by_hand(game), prior=False))
        rows, deal = rows_of(game), partial(deal_for, game)
        engines[_PRIOR] = () if rows is None else _late("prior").learned(rows, task, deal)
    prior: tuple[int, ...] = engines[_PRIOR]
    return prior


def deal_for(game: Game, row: bytes, seed: int, number: int) -> bytes:
    """The determinization with a number, as a row, for whoever is asked in a row."""
    rows = rows_of(game)
    assert rows is not None
    seat = game.players[row[SEAT]]
    state = State(game, rows.vector(row), Seed(0), seat, options_of(row))
    deal = _deal(observe(state, seat), seed, number).row(rows)
    assert deal is not None
    return deal


def _proves(game: Game) -> bool:
    """Whether wins and losses can be proven: in a game of two players without scores, chance and
    secrets.
    """
    engines = game.program.engines
    if _PROVES not in engines:
        known = traits(game)
        uncertain = known.chance or known.hidden or known.simultaneous
        engines[_PROVES] = known.players == 2 and not (uncertain or game.scores)
    return bool(engines[_PROVES])


def rows_of(game: Game) -> Rows | None:
    """The verbs of a game in C, compiled at once; None if that is impossible."""
    engines: dict[str, Any] = game.program.engines
    if SEARCH not in engines:
        engines[SEARCH] = engine_of(game).warmed(WARM) or _late("search").rows_for_search(game)
    found: Rows | None = engines[SEARCH]
    return found


def _late(module: str) -> ModuleType:
    """A module about generated C, loaded on first use."""
    return import_module(f"targi_dsl.codegen.c.{module}")


def _not_compiled(game: Game) -> Problem:
    return Problem(
        "E618",
        "a tree needs a compiler",
        None,
        f"The player `search` needs C, and here nothing compiles {game.title} to it.",
        "Install it by `pip install 'targi-dsl[fast]'`, or let `lookahead` play.",
    )
