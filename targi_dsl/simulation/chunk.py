"""Plays a chunk of a simulation: the unit of work for a worker."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import field
from itertools import zip_longest
from typing import Protocol

from targi_dsl.codegen.tally import Layout, Row
from targi_dsl.engine import Engine
from targi_dsl.simulation.plan import Chunk, Plan
from targi_dsl.simulation.seats import Answer, answerer
from targi_dsl.simulation.summary import Summary
from targi_dsl.simulation.table import Table
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.light import dataclass


@dataclass(slots=True)
class Played:
    """The result of a chunk. summaries: one for each rotation. pairs: by the number of wins of the
    first seat's player, wherever it sat, how many seeds had it. rows: those of all games,
    concatenated. failed: the game that could not be finished; the chunk then ends before it.
    """

    chunk: Chunk
    summaries: list[Summary]
    pairs: Counter[int] = field(default_factory=Counter)
    rows: array[int] = field(default_factory=lambda: array("q"))
    failed: int | None = None


class Worker(Protocol):
    """Plays chunks of one plan."""

    def play(self, chunk: Chunk) -> Played:
        """Plays the games of a chunk, up to the first that fails."""


class TableWorker:
    """Plays chunks decision by decision, with any players."""

    def __init__(self, plan: Plan, engine: Engine) -> None:
        self.plan, self.engine = plan, engine
        self.layout = Layout.of(engine.game)

    def play(self, chunk: Chunk) -> Played:
        """Plays the games of a chunk, up to the first that fails."""
        tables = [Table(self.engine) for _ in range(self.plan.rotations)]
        rows = array("q")
        for number in chunk.games:
            try:
                rows += self._game(tables[self.plan.rotation_of(number)], number)
            except Problems:
                return cut_short(self, chunk, number)
        return summed(self.plan, self.layout, chunk, rows, [table.tally for table in tables])

    def _game(self, table: Table, number: int) -> array[int]:
        return table.play(self.plan.seed_of(number), seated(self.engine, self.plan, number))


def cut_short(worker: Worker, chunk: Chunk, failed: int) -> Played:
    """The result of a chunk in which a game fails: the games before that one."""
    good = worker.play(Chunk(chunk.first, failed))
    good.failed = failed
    return good


def summed(
    plan: Plan, layout: Layout, chunk: Chunk, rows: array[int], tallies: list[array[int]]
) -> Played:
    """The result of finished games, from their rows and the tally of each rotation."""
    width, rotations = layout.width, plan.rotations
    played = Played(chunk, [], rows=rows if plan.with_rows else array("q"))
    won = list[list[bool]]()
    for rotation, tally in enumerate(tallies):
        first = (rotation - chunk.first) % rotations
        summary = Summary(layout)
        summary.add(rows, first, rotations)
        summary.count(tally)
        played.summaries.append(summary)
        winners = rows[first * width + Row.WINNERS :: rotations * width]
        won.append([mask == 1 << rotation for mask in winners] if rotations > 1 else [])
    played.pairs = Counter(map(sum, zip_longest(*won, fillvalue=False)))
    return played


def seated(engine: Engine, plan: Plan, number: int) -> list[Answer]:
    """The players of a game, seat by seat."""
    kinds = zip(plan.seating(plan.rotation_of(number)), engine.game.players, strict=True)
    return [answerer(engine, kind, plan.seed_of(number), seat) for kind, seat in kinds]
