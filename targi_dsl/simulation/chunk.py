"""Plays a chunk of a simulation, the unit of work for a worker, and sums it up in integers that can
be added.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Protocol

from msgspec import Struct, field

from targi_dsl.codegen.tally import Layout, Row
from targi_dsl.engine import Engine
from targi_dsl.simulation.plan import Chunk, Plan
from targi_dsl.simulation.table import Answer, Table, answerer
from targi_dsl.text.diagnostics import Problems


class Played(Struct):
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


class Summary(Struct):
    """The totals of games of one seating. A counter has the number of games for each value.

    winners: by the bit mask of those who share the first rank. scores: for each seat. tally: what
    was offered, taken, called and held.
    """

    layout: Layout
    games: int = 0
    decisions: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    endings: Counter[int] = field(default_factory=Counter)
    ties: Counter[int] = field(default_factory=Counter)
    winners: Counter[int] = field(default_factory=Counter)
    lead_changes: Counter[int] = field(default_factory=Counter)
    scores: list[Counter[int]] = field(default_factory=list)
    tally: array[int] = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        self.scores = self.scores or [Counter() for _ in range(self.layout.players)]
        self.tally = self.tally or array("q", bytes(8 * self.layout.size))

    def add(self, rows: array[int], first: int, step: int) -> None:
        """Adds the games of every so manieth row, beginning with the first; `count` adds their
        tally.
        """
        width = self.layout.width

        def column(number: int) -> array[int]:
            return rows[first * width + number :: step * width]

        self.games += len(column(0))
        for counter, number in self._counters():
            counter.update(column(number))

    def _counters(self) -> Iterator[tuple[Counter[int], int]]:
        """Each counter, and the column of a row that it counts."""
        yield self.decisions, Row.DECISIONS
        yield self.rounds, Row.ROUNDS
        yield self.endings, Row.ENDED_BY
        yield self.ties, Row.TIE
        yield self.winners, Row.WINNERS
        yield self.lead_changes, Row.LEAD_CHANGES
        for seat, counter in enumerate(self.scores):
            yield counter, Row.SCORES + seat

    @property
    def branching(self) -> int:
        """All options that were offered."""
        return self.tally[self.layout.branching]

    def parts(self, seat: int) -> Sequence[int]:
        """The points of each part of a seat's score."""
        first = self.layout.part_sums + seat * self.layout.parts
        return self.tally[first : first + self.layout.parts]

    def count(self, tally: Sequence[int]) -> None:
        """Adds the tally of some games."""
        self.tally = array("q", map(int.__add__, self.tally, tally))

    def merge(self, other: Summary) -> None:
        """Adds the games of another summary."""
        self.games += other.games
        for (mine, _), (its, _) in zip(self._counters(), other._counters(), strict=True):
            mine.update(its)
        self.count(other.tally)

    def wins(self, seat: int) -> int:
        """The number of games won by a seat alone."""
        return self.winners[1 << seat]

    def among_winners(self, seat: int) -> int:
        """The number of games in which a seat shared the first rank."""
        return sum(
            count for mask, count in self.winners.items() if mask >> seat & 1 and mask != 1 << seat
        )
