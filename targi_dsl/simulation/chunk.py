"""Plays a chunk of a simulation: the piece of work that a worker does at a time."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

from targi_dsl.codegen.tally import Layout, Row
from targi_dsl.engine import Engine
from targi_dsl.simulation.plan import Chunk, Plan
from targi_dsl.simulation.seats import Answer, answerer
from targi_dsl.simulation.summary import Summary
from targi_dsl.simulation.table import Table
from targi_dsl.text.diagnostics import Problems


@dataclass(slots=True)
class Played:
    """What came of a chunk. summaries: one for each rotation. pairs: how many seeds were won how
    often by the player of the first seat, wherever it sat. rows: those of all games, one behind the
    other. failed: the game that could not be played to its end; the chunk then ends before it.
    """

    chunk: Chunk
    summaries: list[Summary]
    pairs: Counter[int] = field(default_factory=Counter)
    rows: array[int] = field(default_factory=lambda: array("q"))
    failed: int | None = None


class Worker:
    """Plays chunks of one plan on an engine."""

    def __init__(self, plan: Plan, engine: Engine) -> None:
        self.plan, self.engine = plan, engine
        self.layout = Layout.of(engine.game)

    def play(self, chunk: Chunk) -> Played:
        """Plays the games of a chunk, up to the first that goes wrong."""
        tables = [Table(self.engine) for _ in range(self.plan.rotations)]
        rows = array("q")
        for number in chunk.games:
            try:
                rows += self._game(tables[self.plan.rotation_of(number)], number)
            except Problems:
                good = self.play(Chunk(chunk.first, number))
                good.failed = number
                return good
        return self._summed(chunk, rows, [table.tally for table in tables])

    def _game(self, table: Table, number: int) -> array[int]:
        return table.play(self.plan.seed_of(number), seated(self.engine, self.plan, number))

    def _summed(self, chunk: Chunk, rows: array[int], tallies: list[array[int]]) -> Played:
        """A chunk of finished games, from their rows and the tally of each rotation."""
        width, played = self.layout.width, Played(chunk, [], rows=rows)
        played.summaries = [Summary(self.layout, tally=tally) for tally in tallies]
        for at, number in enumerate(chunk.games):
            row = rows[at * width : (at + 1) * width]
            played.summaries[self.plan.rotation_of(number)].add(row)
        if self.plan.rotations > 1:
            played.pairs = self._pairs(chunk, rows)
        return played

    def _pairs(self, chunk: Chunk, rows: array[int]) -> Counter[int]:
        """Of every seed of the chunk, how often the first seat's player has won."""
        won = Counter[int]()
        for at, number in enumerate(chunk.games):
            seat = self.plan.rotation_of(number)
            won[self.plan.seed_of(number)] += (
                rows[at * self.layout.width + Row.WINNERS] == 1 << seat
            )
        return Counter(won.values())


def seated(engine: Engine, plan: Plan, number: int) -> list[Answer]:
    """The players of a game, seat by seat."""
    kinds = zip(plan.seating(plan.rotation_of(number)), engine.game.players, strict=True)
    return [answerer(engine, kind, plan.seed_of(number), seat) for kind, seat in kinds]
