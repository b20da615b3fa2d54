"""Plays the chunks of a plan on a Ray cluster."""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Iterator

import ray

from targi_dsl.simulation.chunk import Chunk, ChunkResult, Chunks, Plan
from targi_dsl.simulation.engines import play_chunk
from targi_dsl.simulation.workers import dying
from targi_dsl.text.diagnostics import Problem, Problems

_AHEAD = 4
"""Chunks for each processor that are running or wait for an earlier one."""

_RETRIES = 5
"""How often a chunk is restarted after its worker has died."""


def on_ray(plan: Plan, address: str | None, workers: int) -> Iterator[ChunkResult]:
    """Plays all chunks on a cluster, or without an address on a local one with this many workers;
    yields the results in order, up to a game that fails. If a worker dies, its chunk is played
    again.
    """
    processors = None if address else workers
    try:
        with warnings.catch_warnings(action="ignore"):  # Ray warns that it waits for an answer
            ray.init(address, num_cpus=processors, log_to_driver=False, include_dashboard=False)
    except Exception as error:  # noqa: BLE001  Ray's errors when a part of it is late or missing
        text = f"{error}".strip().partition("\n")[0]
        raise Problems([Problem("E026", "no Ray cluster", None, text)]) from None
    try:
        yield from _in_order(plan, _AHEAD * int(ray.cluster_resources().get("CPU", 1)))
    except ray.exceptions.WorkerCrashedError:
        raise Problems([dying(_RETRIES)]) from None
    finally:
        ray.shutdown()


def _in_order(plan: Plan, at_once: int) -> Iterator[ChunkResult]:
    task = ray.remote(max_retries=_RETRIES)(_play)
    chunks, under_way = Chunks(plan.games, plan.rotations), deque[ray.ObjectRef]()
    for chunk in chunks:
        under_way.append(task.remote(plan, chunk))
        if len(under_way) == at_once:
            yield from _next(under_way, chunks)
        if chunks.is_over:
            return
    while under_way and not chunks.is_over:
        yield from _next(under_way, chunks)


def _next(under_way: deque[ray.ObjectRef], chunks: Chunks) -> Iterator[ChunkResult]:
    """Waits for the first of the running chunks."""
    played, seconds = ray.get(under_way.popleft())
    if isinstance(played, Problems):
        raise played
    chunks.took(played.chunk, seconds)
    chunks.is_over = played.failed is not None
    yield played


def _play(plan: Plan, chunk: Chunk) -> tuple[ChunkResult | Problems, float]:
    """Plays a chunk and measures its seconds."""
    began = time.perf_counter()
    try:
        return play_chunk(plan, chunk), time.perf_counter() - began
    except Problems as error:
        return error, 0.0
