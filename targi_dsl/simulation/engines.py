"""Chooses the engine for a simulation, and plays it."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from importlib import import_module
from types import ModuleType

from msgspec.structs import replace

from targi_dsl.codegen.tiered import CC, INTERPRETER, TCC, engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import Chunk, ChunkResult, Chunks, LoopWorker, Plan, Worker
from targi_dsl.simulation.game_loop import plays_in_c


def worker_for(plan: Plan, game: Game) -> Worker:
    """The worker that plays the chunks of a plan with the engine that the plan names, or with the
    fastest one available.
    """
    if plan.engine == INTERPRETER:
        return LoopWorker(plan, Engine(game))
    if _others(plan):
        return LoopWorker(plan, engine_of(game))
    worker: Worker = _late("bulk").worker(plan, game)
    return worker


def with_engine(plan: Plan, game: Game) -> tuple[Plan, str]:
    """The plan with an engine that can play it, or none for the fastest one available; and why it
    is not the one that was named.
    """
    if plan.engine not in (TCC, CC):
        return plan, ""
    if others := _others(plan):
        return replace(plan, engine=""), f"{others[0]} is played decision by decision"
    if reason := _late("bulk").why_not(plan, game):
        return replace(plan, engine=""), f"{reason}: another engine plays the games"
    return plan, ""


def _others(plan: Plan) -> list[str]:
    """The players that C cannot play."""
    return [kind for kind in plan.seats if not plays_in_c(kind)]


def play_all(plan: Plan, game: Game, workers: int) -> Iterator[ChunkResult]:
    """Plays all chunks, in order, up to a game that fails; in this process if there is one worker.
    A compiler that pays runs alongside.
    """
    chunks = _alone(plan, game) if workers == 1 else _shared(plan, game, workers)
    if plan.engine == INTERPRETER or _others(plan):
        yield from chunks
        return
    with closing(_late("bulk").BackgroundCompiler(plan, game)) as beside:
        for played in chunks:
            beside.count(len(played.chunk.games))
            yield played


def _alone(plan: Plan, game: Game) -> Iterator[ChunkResult]:
    chunks, worker = Chunks(plan.games, plan.rotations), worker_for(plan, game)
    for chunk in chunks:
        began = time.perf_counter()
        done = worker.play(chunk)
        chunks.took(chunk, time.perf_counter() - began)
        chunks.is_over = done.failed is not None
        yield done


def _shared(plan: Plan, game: Game, workers: int) -> Iterator[ChunkResult]:
    chunks = Chunks(plan.games, plan.rotations, workers)
    _keep(plan, worker_for(plan, game))  # before processes start
    found: Generator[ChunkResult, None, None] = _late("workers").carried_out(
        chunks, partial(play_chunk, plan), workers, chunks.took
    )
    with closing(found):
        for played in found:
            yield played
            if played.failed is not None:
                return


_workers: dict[Plan, Worker] = {}
"""The worker of this process, by its plan: only the latest, which plays chunk after chunk."""


def play_chunk(plan: Plan, chunk: Chunk) -> ChunkResult:
    """Plays a chunk of a plan in this process, reusing its worker. Raises Problems if the files of
    the game have changed.
    """
    if plan not in _workers:
        _keep(plan, worker_for(plan, plan.load()))
    return _workers[plan].play(chunk)


def _keep(plan: Plan, worker: Worker) -> None:
    _workers.clear()
    _workers[plan] = worker


def _late(module: str) -> ModuleType:
    """A module of this package that not every simulation needs: generated C, or processes."""
    return import_module(f"targi_dsl.simulation.{module}")
