"""Plays the chunks of a plan in several supervised processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import TYPE_CHECKING

from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import Chunk, Chunks, Plan, Played, Worker
from targi_dsl.simulation.engines import worker_for
from targi_dsl.text.diagnostics import Problem, Problems

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

_FORKS = sys.platform == "linux"
"""Whether a process can start with everything that this one has loaded."""

_PROCESSES: ForkContext | SpawnContext = get_context("fork") if _FORKS else get_context("spawn")
_AHEAD = 4
"""How many chunks of each worker may wait for an earlier one."""

_DEATHS = 5
"""How many workers in a row may die before the simulation ends."""


def shared(plan: Plan, game: Game, number: int) -> Iterator[Played]:
    """Plays all chunks in a number of processes; yields the results in order, up to a game that
    fails. If a process dies, another plays its chunk again.
    """
    crew = _Crew(plan, number, worker_for(plan, game) if _FORKS else plan)
    try:
        yield from crew.play()
    finally:
        crew.dismiss()


class _Hand:
    """A process and the chunk it is working on."""

    def __init__(self, job: Worker | Plan) -> None:
        self.pipe, end = _PROCESSES.Pipe()
        self.process = _PROCESSES.Process(target=_serve, args=(job, end), daemon=True)
        self.process.start()
        end.close()
        self.chunk: Chunk | None = None
        self.began = 0.0

    def give(self, chunk: Chunk) -> None:
        """Sends a chunk; a failure shows when the answer is read."""
        self.chunk, self.began = chunk, time.perf_counter()
        with suppress(OSError):  # it is dead, which the process waiting for it notices
            self.pipe.send(chunk)


class _Crew:
    """Several processes, the chunks not yet started, and results that arrived out of order."""

    def __init__(self, plan: Plan, number: int, job: Worker | Plan) -> None:
        self.plan, self.given, self.deaths = plan, job, 0
        self.chunks = Chunks(plan, number)
        self.fresh = iter(self.chunks)
        self.again = deque[Chunk]()
        self.done: dict[int, Played] = {}
        self.hands = [_Hand(job) for _ in range(number)]

    def play(self) -> Iterator[Played]:
        """The chunks in order."""
        next_ = 0
        while next_ < self.plan.games:
            self._hand_out()
            self._take_in()
            while next_ in self.done:
                played = self.done.pop(next_)
                yield played
                if played.failed is not None:
                    return
                next_ = played.chunk.end

    def dismiss(self) -> None:
        """Ends the processes."""
        for hand in self.hands:
            hand.process.terminate()
            hand.process.join()
            hand.pipe.close()

    def _hand_out(self) -> None:
        for hand in self.hands:
            if hand.chunk is None and (chunk := self._next()) is not None:
                hand.give(chunk)

    def _next(self) -> Chunk | None:
        if self.again:
            return self.again.popleft()
        if len(self.done) >= _AHEAD * len(self.hands):
            return None
        return next(self.fresh, None)

    def _take_in(self) -> None:
        busy = {hand.pipe: hand for hand in self.hands if hand.chunk is not None}
        for pipe in wait([*busy]):
            assert isinstance(pipe, Connection)
            self._answer(busy[pipe])

    def _answer(self, hand: _Hand) -> None:
        """The result of a chunk; a process that has died is replaced."""
        chunk = hand.chunk
        assert chunk is not None
        try:
            result = hand.pipe.recv()
        except (EOFError, OSError):
            self._replace(hand, chunk)
            return
        if isinstance(result, Problems):
            raise result
        self.deaths, hand.chunk = 0, None
        self.done[chunk.first] = result
        self.chunks.took(len(chunk.games), time.perf_counter() - hand.began)

    def _replace(self, hand: _Hand, chunk: Chunk) -> None:
        self.deaths += 1
        if self.deaths > _DEATHS:
            raise Problems([dying(_DEATHS)])
        hand.process.join()
        hand.pipe.close()
        self.hands[self.hands.index(hand)] = _Hand(self.given)
        self.again.append(chunk)


def dying(times: int) -> Problem:
    """The problem if that many processes in a row have died."""
    text = f"{times} processes in a row have died while they played games."
    return Problem("E617", "workers keep dying", None, text)


def _serve(job: Worker | Plan, pipe: Connection) -> None:
    """The main loop of a process: plays the chunks from its pipe until that is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent process
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        try:
            worker = worker_for(job, job.load()) if isinstance(job, Plan) else job
        except Problems as error:
            pipe.recv()
            pipe.send(error)
            return
        while True:
            chunk: Chunk = pipe.recv()
            pipe.send(worker.play(chunk))


def _end_with_parent() -> None:
    """Ends this process as soon as the one that started it has ended, however that was."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
