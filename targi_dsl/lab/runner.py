"""Plays several versions on the same deals, in processes, until there are enough."""

from __future__ import annotations

import signal
import time
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Protocol

from msgspec.structs import replace

from targi_dsl.codegen.c.compilers import BRISK
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.search import Evaluation
from targi_dsl.codegen.tiered import named_engine, use_c
from targi_dsl.ir.game import Game
from targi_dsl.lab.version import Version, game_of
from targi_dsl.players import thinks
from targi_dsl.search.values import judged_by, unused
from targi_dsl.simulation.chunk import Chunk, Chunks, Plan, Worker
from targi_dsl.simulation.engines import worker_for
from targi_dsl.simulation.simulate import replay_failure
from targi_dsl.simulation.workers import carried_out
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

BATCH = 20
"""Games of a batch."""

LARGEST = 4_000  # games of one report
MOST_FAILURES = 20  # that are reported


class Batch(Frozen):
    """Games of a job: the numbers of the deals that ended, their rows, concatenated, the tally of
    each rotation, and the numbers of those that failed, with the reason.
    """

    numbers: tuple[int, ...]
    rows: array[Any]
    tallies: tuple[array[int], ...]
    failed: tuple[tuple[int, str], ...] = ()


class Job(Protocol):
    """What to play with every deal. shift: the offset of the numbers of its deals; size: the number
    of deals in a batch; thinks: whether a player searches by the rules of the version.
    """

    @property
    def version(self) -> Version: ...
    @property
    def shift(self) -> int: ...
    @property
    def size(self) -> int: ...

    @property
    def thinks(self) -> bool: ...

    def prepare(self) -> None:
        """Loads and compiles what the processes share. Raises Problems for wrong rules."""

    def batch(self, start: int, first: int, end: int) -> Batch:
        """Plays the deals from `first` to before `end`, whose seeds follow `start`. Raises whatever
        goes wrong with one of them.
        """


class Arm(Frozen):
    """A version and its players, seat by seat: a kind of player, perhaps with its playouts, as in
    `lookahead:100`. rotates: every deal is played once for each rotation of the players. apart:
    every game has a tally of its own. evaluation: of searching players, if not the version's own.
    """

    version: Version
    players: tuple[str, ...]
    rotates: bool = False
    shift: int = 0
    apart: bool = False
    evaluation: Evaluation | None = None

    @property
    def thinks(self) -> bool:
        """Whether a player searches by the rules of the version."""
        return any(map(thinks, self.players))

    @property
    def size(self) -> int:
        """The deals of a batch: a single one for searching players."""
        return 1 if self.thinks or self.apart else BATCH

    def prepare(self) -> None:
        """Loads and compiles the version: for searching players by an optimizing compiler, if there
        is one and no engine is named.
        """
        _worker(self)
        if self.thinks and not named_engine():
            with suppress(NotInC):
                use_c(game_of(self.version), BRISK)

    def batch(self, start: int, first: int, end: int) -> Batch:
        """Plays games to their ends. Raises Problems if one of them fails."""
        game, deals = game_of(self.version), range(start + first, start + end)
        with judged_by(game, self.evaluation):
            plan = _plan(self, game)
            turns = plan.rotations
            played = _worker(self).play(Chunk(deals.start * turns, deals.stop * turns))
            if played.failed is not None:
                replay_failure(plan, game, played.failed)
        tallies = tuple(one.tally for one in played.summaries)
        return Batch(tuple(range(first, end)), played.rows, tallies)


def in_all_seats(version: Version, kind: str, shift: int = 0) -> Arm:
    """A version played by one kind of player in all seats."""
    return Arm(version, (kind,) * len(game_of(version).players), shift=shift)


class Measurement(Frozen):
    """A measurement of single deals. measure: yields the row of a deal of a version, by its number;
    a function of a module, or a partial one, since processes share it.
    """

    version: Version
    measure: Callable[[Version, int], Iterable[float]]
    shift: int = 0
    size: int = 1
    thinks: bool = False

    def prepare(self) -> None:
        """Loads the version."""
        game_of(self.version)

    def batch(self, start: int, first: int, end: int) -> Batch:
        """The rows. Raises Problems if a deal fails."""
        rows = array("d")
        for number in range(start + first, start + end):
            rows.extend(self.measure(self.version, number))
        return Batch(tuple(range(first, end)), rows, ())


class Failure(Frozen):
    """A game that failed: its version, its seed, and what was wrong."""

    version: str
    seed: int
    why: str

    @property
    def told(self) -> str:
        """The failure in words."""
        return f"{self.version}, seed {self.seed}: {self.why}"


class Runner:
    """Plays experiments. games: the most deals; seconds: the time limit, or 0.

    played: the games so far; failures: some of the `failed` ones; unused: why players do not use
    learned values. interrupted: an interrupt ends an experiment, which keeps its results so far.
    """

    def __init__(
        self,
        games: int = 1000,
        seconds: float = 0,
        seed: int = 0,
        workers: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        if games < 1 or workers < 1:
            raise ValueError("there must be at least one game and one worker")
        self.games, self.seconds, self.seed, self.workers = games, seconds, seed, workers
        self.played = self.failed = 0
        self.failures, self.unused = list[Failure](), list[Problem]()
        self.interrupted = self._is_playing = False
        self._progress = progress or (lambda played: None)

    def part(self, games: int) -> Runner:
        """A runner for at most so many of this one's deals, without a time limit."""
        before = self.played
        return Runner(
            games, 0, self.seed, self.workers, lambda played: self._progress(before + played)
        )

    def play(
        self, jobs: Sequence[Job], games: int = 0, seconds: float = 0
    ) -> Iterator[list[Batch]]:
        """Plays the same deals in all jobs; yields the batches of each deal in order, one for each
        job. games, seconds: limits below the runner's. Raises Problems if a version has errors.
        """
        if self.interrupted:
            return
        for job in jobs:
            job.prepare()  # before processes start
            self.unused += unused(game_of(job.version)) if job.thinks else ()
        most = min(games or self.games, self.games)
        end = time.monotonic() + (seconds or self.seconds or float("inf"))
        rounds = self._alone(jobs, most) if self.workers == 1 else self._shared(jobs, most)
        try:
            with self._interrupts():
                for batches in rounds:
                    self._count(jobs, batches)
                    self._is_playing = False
                    yield batches
                    self._is_playing = True
                    if self._is_over(end):
                        return
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            rounds.close()

    def _is_over(self, end: float) -> bool:
        return self.interrupted or time.monotonic() > end

    @contextmanager
    def _interrupts(self) -> Iterator[None]:
        """While results are processed elsewhere, Ctrl-C ends the experiment when the next deals are
        requested; a second one at once.
        """

        def interrupt(number: int, frame: FrameType | None) -> None:
            if self._is_playing or self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        before, self._is_playing = signal.getsignal(signal.SIGINT), True
        if current_thread() is not main_thread() or not callable(before):
            yield
            return
        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _count(self, jobs: Sequence[Job], batches: list[Batch]) -> None:
        for job, batch in zip(jobs, batches, strict=True):
            self.played += len(batch.numbers)
            self.failed += len(batch.failed)
            for number, why in batch.failed[: MOST_FAILURES - len(self.failures)]:
                seed = self.seed + job.shift + number
                self.failures.append(Failure(job.version.arguments, seed, why))
        self._progress(self.played)

    def _alone(self, jobs: Sequence[Job], most: int) -> Generator[list[Batch], None, None]:
        size = _size(jobs)
        for first in range(0, most, size):
            end = min(first + size, most)
            yield [_play(job, self.seed, first, end) for job in jobs]

    def _shared(self, jobs: Sequence[Job], most: int) -> Generator[list[Batch], None, None]:
        """Runs tasks of some batches of all jobs each; results come in the order of the deals."""
        size = _size(jobs)
        chunks = Chunks(most, size, self.workers, LARGEST)
        work = partial(_task, jobs, self.seed, size)
        with closing(carried_out(chunks, work, self.workers, chunks.took)) as tasks:
            for batches in tasks:
                yield from batches


def _size(jobs: Sequence[Job]) -> int:
    return min(job.size for job in jobs)


def _task(jobs: Sequence[Job], seed: int, size: int, deals: Chunk) -> list[list[Batch]]:
    return [
        [_play(job, seed, at, min(at + size, deals.end)) for job in jobs]
        for at in range(deals.first, deals.end, size)
    ]


@cache
def _worker(arm: Arm) -> Worker:
    """The worker that plays an arm; the seed of its first game is 0."""
    game = game_of(arm.version)
    return worker_for(_plan(arm, game), game)


def _plan(arm: Arm, game: Game) -> Plan:
    engine = named_engine()
    plan = Plan.of(game, arm.players, 0, _MANY, pairs=arm.rotates, engine=engine)
    return replace(plan, with_rows=True)


_MANY = 1 << 40  # more games than there may ever be


def _play(job: Job, seed: int, first: int, end: int) -> Batch:
    """Plays the deals from `first` to before `end`; one by one if one of them fails."""
    try:
        return job.batch(seed + job.shift, first, end)
    except (Problems, ValueError) as error:
        if end - first == 1:
            return Batch((), array("q"), (), ((first, str(error)),))
    except Exception as error:  # noqa: BLE001  a player may fail in any way
        if end - first == 1:
            return Batch((), array("q"), (), ((first, f"{type(error).__name__}: {error}"),))
    return _join([_play(job, seed, number, number + 1) for number in range(first, end)])


def _join(batches: Sequence[Batch]) -> Batch:
    """Joins batches."""
    numbers, failed = list[int](), list[tuple[int, str]]()
    rows = batches[0].rows[:0]
    tallies: list[tuple[array[int], ...]] = []
    for one in batches:
        numbers += one.numbers
        rows = rows + one.rows if one.numbers else rows
        failed += one.failed
        tallies += [one.tallies] if one.tallies else []
    sums = (array("q", map(sum, zip(*those, strict=True))) for those in zip(*tallies, strict=True))
    return Batch(tuple(numbers), rows, tuple(sums), tuple(failed))
