"""The plan of a simulation and its chunks, the units of work, whose results are integers that can
be added up.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Protocol

from msgspec import Struct, field

from targi_dsl.codegen.tally import Layout, Row
from targi_dsl.compiler.load import load
from targi_dsl.engine import Engine
from targi_dsl.ir.game import Game
from targi_dsl.simulation.game_loop import Answer, GameLoop, answerer
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

Pairs = tuple[tuple[str, str], ...]


class Plan(Frozen):
    """A simulation. Its results depend on this value alone, however it is distributed.

    sheet, options, decks: what to load; rules: the hash it must have. seats: the kind of player of
    each seat. seed: that of the first game. rotations: 1; or more, so that every seed is played
    once for each rotation of the players around the table that differs. with_rows: whether the rows
    of the games are wanted, and not only their sums.
    """

    sheet: str
    rules: str
    seats: tuple[str, ...]
    seed: int
    games: int
    rotations: int = 1
    engine: str = ""
    options: Pairs = ()
    decks: Pairs = ()
    with_rows: bool = True

    @classmethod
    def of(
        cls, game: Game, seats: tuple[str, ...], seed: int, games: int, *, pairs: bool, engine: str
    ) -> Plan:
        """A plan for a game as it was loaded. pairs: whether every seed is played once for each
        rotation; then there are at least that many games. Where rotated players are of the same
        kinds as before, it would be the same game again.
        """
        turns = range(1, len(seats) + 1)
        rotations = next(one for one in turns if seats[one:] + seats[:one] == seats) if pairs else 1
        games = -(-games // rotations) * rotations
        return cls(
            game.sheet,
            game.hash,
            seats,
            seed,
            games,
            rotations,
            engine,
            game.options,
            with_rows=False,
        )

    def seed_of(self, number: int) -> int:
        """The seed of a game, counted from 0."""
        return self.seed + number // self.rotations

    def rotation_of(self, number: int) -> int:
        """By how many seats the players of a game are rotated."""
        return number % self.rotations

    def seating(self, rotation: int) -> tuple[str, ...]:
        """The players of a rotated game, seat by seat."""
        return self.seats[-rotation:] + self.seats[:-rotation] if rotation else self.seats

    def load(self) -> Game:
        """The game as it was when the simulation began."""
        game = load(self.sheet, options=dict(self.options), decks=dict(self.decks))
        if game.hash != self.rules:
            text = "The files of this game were changed after the simulation had begun."
            raise Problems(
                [Problem("E025", "files changed meanwhile", None, text, file=self.sheet)]
            )
        return game


class Chunk(Frozen):
    """A range of games of a plan: from `first` to before `end`."""

    first: int
    end: int

    @property
    def games(self) -> range:
        """The numbers of the games."""
        return range(self.first, self.end)


class Chunks:
    """Divides games into chunks that each take about the time wanted, and into smaller ones at the
    end, so that all workers finish at about the same time. The results do not depend on the
    division. unit: the games that stay together; largest: the most games of a chunk. is_over: no
    more chunks are needed, since a game has failed.
    """

    SECONDS = 0.5

    def __init__(self, games: int, unit: int, workers: int = 1, largest: int = 65_536) -> None:
        self.games, self.unit, self.workers, self.largest = games, unit, workers, largest
        self.next, self.size, self.is_over = 0, unit, False

    def __iter__(self) -> Iterator[Chunk]:
        while self.next < self.games and not self.is_over:
            chunk = Chunk(self.next, min(self.next + self._next_size(), self.games))
            self.next = chunk.end
            yield chunk

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Records how long a chunk took."""
        wanted = int(len(chunk.games) * self.SECONDS / max(seconds, 1e-6))
        self.size = self._whole(min(wanted, 4 * self.size, self.largest))

    def _next_size(self) -> int:
        if self.workers == 1:
            return self.size
        share = (self.games - self.next) // (2 * self.workers)
        return self._whole(min(self.size, max(share, self.size // 8)))

    def _whole(self, games: int) -> int:
        """This many games, rounded up to whole units."""
        return -(-max(1, games) // self.unit) * self.unit


class ChunkResult(Struct):
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

    def play(self, chunk: Chunk) -> ChunkResult:
        """Plays the games of a chunk, up to the first that fails."""


class LoopWorker:
    """Plays chunks decision by decision, with any players."""

    def __init__(self, plan: Plan, engine: Engine) -> None:
        self.plan, self.engine = plan, engine
        self.layout = Layout.of(engine.game)

    def play(self, chunk: Chunk) -> ChunkResult:
        """Plays the games of a chunk, up to the first that fails."""
        loops = [GameLoop(self.engine) for _ in range(self.plan.rotations)]
        rows = array("q")
        for number in chunk.games:
            try:
                rows += self._game(loops[self.plan.rotation_of(number)], number)
            except Problems:
                return games_before(self, chunk, number)
        return chunk_result(self.plan, self.layout, chunk, rows, [loop.tally for loop in loops])

    def _game(self, loop: GameLoop, number: int) -> array[int]:
        return loop.play(self.plan.seed_of(number), answers(self.engine, self.plan, number))


def games_before(worker: Worker, chunk: Chunk, failed: int) -> ChunkResult:
    """The result of a chunk in which a game fails: the games before that one."""
    good = worker.play(Chunk(chunk.first, failed))
    good.failed = failed
    return good


def chunk_result(
    plan: Plan, layout: Layout, chunk: Chunk, rows: array[int], tallies: list[array[int]]
) -> ChunkResult:
    """The result of finished games, from their rows and the tally of each rotation."""
    width, rotations = layout.width, plan.rotations
    played = ChunkResult(chunk, [], rows=rows if plan.with_rows else array("q"))
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


def answers(engine: Engine, plan: Plan, number: int) -> list[Answer]:
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
        """Adds the games of every `step`-th row from the first; `count` adds their tally."""
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
