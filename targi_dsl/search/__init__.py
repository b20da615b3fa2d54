"""Search: which choices are good, found by playouts in deals that a seat may be in."""

from __future__ import annotations

import time
from collections.abc import Collection
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from targi_dsl.api import traits
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.codegen.search import Evaluation, Playouts, Task
from targi_dsl.codegen.tiered import SEARCH, WARM
from targi_dsl.engine.chance import Stream, whole_number
from targi_dsl.engine.machine import ENDLESS, Engine
from targi_dsl.information.determinization import sample
from targi_dsl.information.observation import Observation
from targi_dsl.ir.game import Game
from targi_dsl.search.reference import ReferencePlayouts
from targi_dsl.search.values import evaluation_of
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

if TYPE_CHECKING:
    from targi_dsl.codegen.c.rows import Rows

ENOUGH = 16
"""Decisions of a playout that are enough: what a choice costs comes at once, what it brings only
rounds later, and a game may have short rounds.
"""

FARTHEST = 200
"""Decisions of a playout after which it ends wherever it is."""

MOST_DECISIONS = 1_000
"""Those of a playout that goes on to the end."""

DRAWS = 4
"""Of how many options a playout takes the one with most merit. In a game without scores it takes
one at random, which won more often on two boards of four.
"""

EXPLORATION = 512
"""See `Task`. Trees that explored at 400 and at 768 won against a lookahead."""

LEAST = 2
"""Playouts of each choice, however few were asked for."""

MOST = 1 << 20
"""Playouts of one search, however much time there is."""

_PROVES = "proves"  # the key among the engines of a game


class Budget(Frozen):
    """How long a search goes on: for a number of playouts, which is the same on every machine, or
    for some seconds.
    """

    playouts: int = MOST
    seconds: float = 0


class Settings(Frozen):
    """How a search goes about it; see `Task`. draws: 0 for the usual number. to_end: playouts go on
    to the end of the game. evaluation: instead of that of the game.
    """

    grows: bool = False
    draws: int = 0
    exploration: int = EXPLORATION
    to_end: bool = False
    evaluation: Evaluation | None = None


class Estimate(Frozen):
    """What a search has found out about a choice.

    visits: the number of its playouts. lead: how far the seat was ahead of the best of the others
    at their ends, on average, in points or what is worth as much. proven: 1 if it certainly wins,
    -1 if it certainly loses.
    """

    id: str
    visits: int
    lead: float
    proven: int = 0

    @property
    def merit(self) -> tuple[int, int, float]:
        """The choice with the most is the best."""
        return self.proven, self.visits, self.lead


class Search:
    """The search of the choices of one observation; the seed is that of its deals. Raises Problems
    if a tree is to grow and there is no generated C.
    """

    def __init__(self, observation: Observation, seed: int, settings: Settings) -> None:
        self.observation, self._seed, self._grows = observation, seed, settings.grows
        first = self.deal(0)
        self.playouts = self._begin(task_of(first, seed, settings), first)

    def run(self, budget: Budget) -> None:
        """Goes on for as long as it may. Unless a tree grows, all choices have the same number of
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
        """The lead at the end of each playout, in tenths of a point. Unless a tree grows, the
        choices take turns, and each of them was played in the same deals.
        """
        return self.playouts.ends

    def estimates(self) -> list[Estimate]:
        """What has been found out about each choice, in order."""
        found = self.playouts.visits(), self.playouts.sums(), self.playouts.proven()
        each = zip(self.observation.choices, *found, strict=True)
        return [Estimate(id_, n, sum_ / n / 10, proven) for id_, n, sum_, proven in each]

    def best(self, among: Collection[str]) -> list[str]:
        """The best of some choices, which nothing tells apart."""
        found = [one for one in self.estimates() if one.id in among]
        most = max(one.merit for one in found)
        return [one.id for one in found if one.merit == most]

    def deal(self, number: int) -> State:
        """A position that the seat may be in, always the same for a number."""
        return _deal(self.observation, self._seed, number)

    def _begin(self, task: Task, first: State) -> Playouts:
        seen, game = self.observation, self.observation.game
        rows = rows_of(game)
        if rows is not None and (row := first.row(rows)) is not None:
            known = seen.vector, seen.unknown, seen.hidden
            deal = partial(_deal, seen, self._seed)  # nothing that leads back here, or trees stay
            found: Playouts = _late().CompiledPlayouts(
                rows, known, task, row, lambda number: deal(number).row(rows)
            )
            return found
        if task.grows:
            raise Problems([_not_compiled(game)])
        return ReferencePlayouts(Engine(game), task, self.deal)


def _deal(observation: Observation, seed: int, number: int) -> State:
    return sample(observation, Stream(whole_number(seed, number + 1)))


def task_of(deal: State, seed: int, settings: Settings) -> Task:
    """The search of the choices in a deal, for an engine."""
    game = deal.game
    return Task(
        seed,
        game.players.index(str(deal.seat)),
        deal.options,
        settings.evaluation or evaluation_of(game),
        0 if game.scores and not settings.to_end else ENDLESS,
        ENOUGH,
        MOST_DECISIONS if settings.to_end else FARTHEST,
        settings.draws or (DRAWS if game.scores else 1),
        settings.grows,
        settings.exploration,
        settings.grows and _proves(game),
    )


def _proves(game: Game) -> bool:
    """Whether it is certain what a choice comes to: of two players, without scores, chance and
    secrets.
    """
    engines = game.program.engines
    if _PROVES not in engines:
        known = traits(game)
        uncertain = known.chance or known.hidden or known.simultaneous
        engines[_PROVES] = known.players == 2 and not (uncertain or game.scores)
    return bool(engines[_PROVES])


def rows_of(game: Game) -> Rows | None:
    """The verbs of a game in C, which is compiled at once; None if that is impossible."""
    engines: dict[str, Any] = game.program.engines
    if SEARCH not in engines:
        engines[SEARCH] = engine_of(game).warmed(WARM) or _late().rows_for_search(game)
    found: Rows | None = engines[SEARCH]
    return found


def _late() -> ModuleType:
    """Search in generated C, which is loaded when there is something to search."""
    return import_module("targi_dsl.codegen.c.search")


def _not_compiled(game: Game) -> Problem:
    return Problem(
        "E618",
        "a tree needs a compiler",
        None,
        f"The player `search` needs C, and here nothing compiles {game.title} to it.",
        "Install it by `pip install 'targi-dsl[fast]'`, or let `lookahead` play.",
    )
