"""Chooses the engine for a simulation, and plays it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from targi_dsl.codegen.choice import engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import Played, TableWorker, Worker
from targi_dsl.simulation.plan import Chunks, Plan
from targi_dsl.simulation.seats import INLINED

ENGINES = ("auto", "reference", "python", "c")

_MANY = 100
"""The number of games from which `auto` compiles C."""


def worker_for(plan: Plan, game: Game) -> Worker:
    """The worker that plays the chunks of a plan with the engine that the plan names."""
    if plan.engine == "reference":
        return TableWorker(plan, Engine(game))
    if plan.engine == "c":
        worker: Worker = _late("bulk").bulk_worker(plan, game)
        return worker
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
    if reason := _late("bulk").why_not(plan, game):
        return "python", f"{reason}: the games are played by generated Python"
    return "c", ""


def play_all(plan: Plan, game: Game, workers: int) -> Iterator[Played]:
    """Plays all chunks, in order, up to a game that fails; in this process if there is one
    worker.
    """
    if workers == 1:
        yield from _alone(plan, worker_for(plan, game))
    else:
        yield from _late("workers").shared(plan, game, workers)


def _alone(plan: Plan, worker: Worker) -> Iterator[Played]:
    chunks = Chunks(plan)
    for chunk in chunks:
        began = time.perf_counter()
        done = worker.play(chunk)
        chunks.took(len(chunk.games), time.perf_counter() - began)
        chunks.is_over = done.failed is not None
        yield done


def _late(module: str) -> Any:
    """A module of this package that not every simulation needs: generated C, or processes."""
    return import_module(f"targi_dsl.simulation.{module}")
