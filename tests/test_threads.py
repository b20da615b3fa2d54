"""Threads and processes play the same games as one thread does, also in generated C."""

from __future__ import annotations

from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context

import pytest

from targi_dsl import Game, Seed, Stream, choices, load, result, rollout, start, step, uniform
from targi_dsl.codegen.tiered import TCC, TieredEngine
from targi_dsl.engine.machine import ENGINE

GAMES = 24


@cache
def game() -> Game:
    """Base, played by C from the first step on."""
    found = load("base")
    found.program.engines[ENGINE] = TieredEngine(found, TCC)
    return found


def played(seed: int) -> tuple[bytes, tuple[int, ...], bytes]:
    """The end of a game that is played step by step, its scores, and the end of a playout."""
    stream, state = Stream(~seed), start(game(), Seed(seed))
    while offered := choices(state):
        state = step(state, offered[stream.below(len(offered))])
    out = rollout(start(game(), Seed(seed)), uniform(stream))
    return state.to_bytes(), result(state).scores, out.to_bytes()


@pytest.mark.parametrize(
    "pool",
    [
        lambda: ThreadPoolExecutor(8),
        lambda: ProcessPoolExecutor(4, mp_context=get_context("spawn")),
    ],
    ids=["8 threads", "4 processes"],
)
def test_a_game_goes_alike_in_one_thread_and_in_many(pool: type[Executor]) -> None:
    alone = [played(seed) for seed in range(GAMES)]
    with pool() as executor:
        assert list(executor.map(played, range(GAMES))) == alone
