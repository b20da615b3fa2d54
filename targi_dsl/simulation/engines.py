"""Which engine plays a simulation."""

from __future__ import annotations

from targi_dsl.codegen.choice import engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import TableWorker, Worker
from targi_dsl.simulation.plan import Plan

ENGINES = ("auto", "reference", "python")


def worker_for(plan: Plan, game: Game) -> Worker:
    """Who plays the chunks of a plan by the engine that it names."""
    return TableWorker(plan, Engine(game) if plan.engine == "reference" else engine_of(game))
