"""Chooses the engine for a simulation."""

from __future__ import annotations

from targi_dsl.codegen.c.bulk import bulk
from targi_dsl.codegen.c.compilers import BRISK, CAREFUL, QUICK
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.codegen.choice import engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.bulk import BulkWorker
from targi_dsl.simulation.chunk import TableWorker, Worker
from targi_dsl.simulation.plan import Plan
from targi_dsl.simulation.seats import INLINED

ENGINES = ("auto", "reference", "python", "c")

_MANY = 1_000
"""The number of games from which `auto` compiles C."""

_SOME, _LONG = 5_000, 200_000
"""Games for which that is compiled a little better, and with care: what compiling takes longer,
playing has made up for."""


def level(games: int) -> int:
    """The optimization level of the C compiler for this number of games."""
    return QUICK if games < _SOME else BRISK if games < _LONG else CAREFUL


def worker_for(plan: Plan, game: Game) -> Worker:
    """The worker that plays the chunks of a plan with the engine that the plan names."""
    if plan.engine == "reference":
        return TableWorker(plan, Engine(game))
    if plan.engine == "c":
        return BulkWorker(plan, game, bulk(game, level(plan.games)))
    return TableWorker(plan, engine_of(game))


def chosen(plan: Plan, game: Game) -> tuple[str, str]:
    """The engine for a plan: the one it names, or else the fastest; and the reason if it is not the
    one requested.
    """
    if plan.engine in ("reference", "python"):
        return plan.engine, ""
    if others := [kind for kind in plan.seats if kind not in INLINED]:
        return "python", f"{others[0]} is played by generated Python" * (plan.engine == "c")
    if plan.engine == "auto" and plan.games < _MANY:
        return "python", ""
    try:
        bulk(game, level(plan.games))
    except NotInC as error:
        return "python", f"{error}: the games are played by generated Python"
    return "c", ""
