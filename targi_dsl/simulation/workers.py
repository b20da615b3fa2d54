"""Carries out tasks in several supervised processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import TypeVar

from targi_dsl.text.diagnostics import Problem, Problems

Task = TypeVar("Task")
Done = TypeVar("Done")

BEGIN = "fork" if sys.platform == "linux" else "spawn"
"""How a process starts: with everything that this one has loaded, where possible."""

_AHEAD = 4
"""How many tasks for each process are running or wait for an earlier one."""

_DEATHS = 5
"""How many deaths of processes in a row are a problem."""


def carried_out(
    tasks: Iterable[Task],
    work: Callable[[Task], Done],
    workers: int,
    took: Callable[[Task, float], None],
) -> Generator[Done, None, None]:
    """The results of the tasks, in order, from a number of processes. work: a function of a module,
    or a partial one. took: is given the seconds that a task took before further tasks are
    requested. If a process dies, all are replaced, and repeat what was not done. Raises Problems if
    they keep dying, and whatever the work raises.
    """
    left, under_way, deaths = iter(tasks), deque[tuple[Task, Future[tuple[Done, float]]]](), 0
    pool = _Pool(workers)
    try:
        while True:
            for task in islice(left, _AHEAD * workers - len(under_way)):
                under_way.append((task, pool.begin(work, task)))
            if not under_way:
                return
            task, future = under_way[0]
            try:
                done, seconds = future.result()
            except BrokenProcessPool:
                deaths += 1
                if deaths > _DEATHS:
                    raise Problems([dying(_DEATHS)]) from None
                pool.end()
                pool = _Pool(workers)
                under_way = deque(
                    (task, future if _is_done(future) else pool.begin(work, task))
                    for task, future in under_way
                )
                continue
            deaths = 0
            under_way.popleft()
            took(task, seconds)
            yield done
    finally:
        pool.end()


def dying(times: int) -> Problem:
    """The problem that this many processes in a row have died."""
    text = f"{times} processes in a row have died while they played games."
    return Problem("E617", "workers keep dying", None, text)


class _Pool:
    """Processes that end when told to, and with this one."""

    def __init__(self, workers: int) -> None:
        processes = get_context(BEGIN)
        over, self._end = processes.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(workers, processes, _begin, (over,))

    def begin(self, work: Callable[[Task], Done], task: Task) -> Future[tuple[Done, float]]:
        """Starts a task."""
        try:
            return self._pool.submit(_timed, work, task)
        except BrokenProcessPool as error:
            future = Future[tuple[Done, float]]()
            future.set_exception(error)
            return future

    def end(self) -> None:
        """Ends the processes, whatever they are doing."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._end.send(None)  # never read, so that every process sees it


def _is_done(future: Future[tuple[Done, float]]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _timed(work: Callable[[Task], Done], task: Task) -> tuple[Done, float]:
    began = time.perf_counter()
    done = work(task)
    return done, time.perf_counter() - began


def _begin(over: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent process
    Thread(target=_end_with_parent, args=(over,), daemon=True).start()


def _end_with_parent(over: Connection) -> None:
    """Ends this process as soon as it is told to, or its parent has ended in any way."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel, over])
    os._exit(1)
