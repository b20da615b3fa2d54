"""Plays chunks in generated C, whole games at a time."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from operator import add
from threading import Event, Thread

from targi_dsl.codegen.c.bulk import GIVES_UP, Bulk, Games, Seating, bulk
from targi_dsl.codegen.c.compilers import BRISK, CAREFUL, IN_MEMORY
from targi_dsl.codegen.c.emit.source import source_of
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.library import library, paths
from targi_dsl.codegen.c.search import Seats
from targi_dsl.codegen.c.trust import check_trial, in_memory
from targi_dsl.codegen.tiered import CC, TCC, engine_of
from targi_dsl.ir.game import Game
from targi_dsl.players import player_of
from targi_dsl.players.busy import Busy
from targi_dsl.players.lookahead import Lookahead
from targi_dsl.players.random import family
from targi_dsl.search import deal_for
from targi_dsl.simulation.chunk import (
    Chunk,
    ChunkResult,
    LoopWorker,
    Plan,
    Worker,
    answers,
    chunk_result,
    games_before,
)
from targi_dsl.simulation.game_loop import GameLoop
from targi_dsl.text.diagnostics import Problems

_COST = {BRISK: 10e-6, CAREFUL: 20e-6}
"""The approximate compile time of a byte of C, in seconds."""

_LONG = 200_000  # games from which on an optimizing compiler is used, if one is asked for
_PAYS = {BRISK: 3, CAREFUL: 10}
"""For compiling to pay, the games left must take this many times as long, at the speed so far."""


def why_not(plan: Plan, game: Game) -> str:
    """Why the engine that a plan names cannot play it; empty if it can."""
    try:
        worker(plan, game)
    except NotInC as error:
        return str(error) or f"C compiled in memory plays {game.name} wrongly"
    return ""


def worker(plan: Plan, game: Game) -> Worker:
    """The worker that plays the chunks of a plan: with generated C, unless there is none and it was
    not asked for, in which case NotInC is raised.
    """
    if plan.engine == CC:
        return BulkWorker(plan, game, bulk(game, BRISK if plan.games < _LONG else CAREFUL))
    if plan.engine == TCC:
        in_memory(game, is_asked=True)
        return BulkWorker(plan, game, bulk(game, IN_MEMORY))
    try:
        first: Worker = BulkWorker(plan, game, bulk(game, IN_MEMORY))
    except NotInC:
        first = LoopWorker(plan, engine_of(game))
    return UpgradingWorker(plan, game, first)


def _text(game: Game) -> str:
    """The C of a game; empty if C cannot play it."""
    try:
        return source_of(game)
    except NotInC:
        return ""


class UpgradingWorker:
    """Plays with what is available, until a compiler has built and cached something faster."""

    def __init__(self, plan: Plan, game: Game, first: Worker) -> None:
        self.plan, self.game, self.worker = plan, game, first
        self._text = _text(game)
        self._left = [*paths(self._text, (CAREFUL, BRISK))] if self._text else []

    def play(self, chunk: Chunk) -> ChunkResult:
        """Plays the games of a chunk, up to the first that fails."""
        for path, found in self._left:
            if path.exists() and (compiled := found()):
                faster = Bulk(self.game, compiled, GIVES_UP in self._text)
                self.worker, self._left = BulkWorker(self.plan, self.game, faster), []
                break
        return self.worker.play(chunk)


class BackgroundCompiler:
    """Starts an optimizing compiler, in a thread, as soon as the remaining games make it pay.
    Raises RuntimeError if C compiled in memory has meanwhile been found to play wrongly.
    """

    def __init__(self, plan: Plan, game: Game) -> None:
        self.plan, self.game = plan, game
        self._began, self._played, self._stop = time.perf_counter(), 0, Event()
        self._thread: Thread | None = None
        self._is_settled = bool(plan.engine)

    def count(self, games: int) -> None:
        """Records that so many more games have been played."""
        self._played += games
        check_trial(self.game)
        if self._played and not self._is_settled:
            seconds = time.perf_counter() - self._began
            self._compile_for(seconds / self._played * (self.plan.games - self._played))

    def _compile_for(self, seconds: float) -> None:
        text = _text(self.game) if seconds > _LEAST else ""
        for level in (CAREFUL, BRISK):
            if text and seconds > _PAYS[level] * _COST[level] * len(text):
                self._is_settled = True
                self._thread = Thread(target=self._compile, args=(text, level))
                self._thread.start()
                return

    def _compile(self, text: str, level: int) -> None:
        with suppress(NotInC):
            library(text, level, self._stop)

    def close(self) -> None:
        """Stops a compiler that is still running."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()


_LEAST = 2.0  # seconds: nothing shorter makes a compiler pay


def seating(game: Game, kinds: Sequence[str]) -> Seating:
    """The seating of players of these kinds, seat by seat."""
    names = [kind.partition(":")[0] for kind in kinds]
    families = (family(name, seat) for name, seat in zip(names, game.players, strict=True))
    return Seating(tuple(families), tuple(name == Busy.kind for name in names))


class BulkWorker:
    """Plays chunks in an engine that plays whole games, with players that are random or search. A
    game that generated C gives up is played decision by decision in the default
    engine: a set may be too large for C though nothing is wrong with the rules.
    """

    def __init__(self, plan: Plan, game: Game, bulk: Bulk) -> None:
        self.plan, self.game, self.bulk = plan, game, bulk
        self.layout = bulk.layout
        self.kinds = [plan.seating(number) for number in range(plan.rotations)]
        self.seatings = [seating(game, one) for one in self.kinds]

    def play(self, chunk: Chunk) -> ChunkResult:
        """Plays the games of a chunk, up to the first that fails."""
        rows, at = array("q"), chunk.first
        sums = [array("q", bytes(8 * self.layout.size)) for _ in self.seatings]
        while at < chunk.end:
            found = self._run(at, chunk.end)
            done = at + len(found.rows) // self.layout.width
            if done == at:
                try:
                    found, done = self._in_python(at), at + 1
                except Problems:
                    return games_before(self, chunk, at)
            elif done < chunk.end:
                found = self._run(at, done)  # without the next game, which was counted only in part
            rows += found.rows
            sums = [array("q", map(add, *both)) for both in zip(sums, found.tallies, strict=True)]
            at = done
        return chunk_result(self.plan, self.layout, chunk, rows, sums)

    def _run(self, first: int, end: int) -> Games:
        plan, games = self.plan, range(first, end)
        players = [player_of(kind, 0, "") for kinds in self.kinds for kind in kinds]
        tasks = [one.task(self.game) if isinstance(one, Lookahead) else None for one in players]
        if not any(tasks):
            return self.bulk.run(plan.seed, games, self.seatings)
        deal = partial(deal_for, self.game)
        with closing(Seats(self.bulk.library, self.game, tasks, deal)) as seats:
            return self.bulk.run(plan.seed, games, self.seatings, seats=seats)

    def _in_python(self, number: int) -> Games:
        """One game decision by decision; raises Problems if it fails."""
        engine = engine_of(self.game)
        loops = [GameLoop(engine) for _ in self.seatings]
        loop = loops[self.plan.rotation_of(number)]
        row = loop.play(self.plan.seed_of(number), answers(engine, self.plan, number))
        if not self.bulk.may_give_up:
            raise RuntimeError(f"{self.game.name}: only generated C finds a fault in game {number}")
        return Games(row, [one.tally for one in loops])
