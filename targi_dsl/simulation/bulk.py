"""Plays a chunk inside generated C, which plays whole games."""

from __future__ import annotations

from array import array
from operator import add

from targi_dsl.codegen.c.bulk import Bulk, bulk
from targi_dsl.codegen.c.compilers import BRISK, CAREFUL, QUICK
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.codegen.choice import engine_of
from targi_dsl.ir.game import Game
from targi_dsl.players.busy import Busy
from targi_dsl.players.random import own_stream
from targi_dsl.simulation.chunk import Played, cut_short, seated, summed
from targi_dsl.simulation.plan import Chunk, Plan
from targi_dsl.simulation.table import Table
from targi_dsl.text.diagnostics import Problems

_SOME, _LONG = 5_000, 200_000
"""Games for which C is compiled a little better, and with care: what compiling takes longer,
playing has made up for.
"""


def why_not(plan: Plan, game: Game) -> str:
    """Why generated C cannot play a plan; empty if it can."""
    try:
        bulk(game, _level(plan.games))
    except NotInC as error:
        return str(error)
    return ""


def bulk_worker(plan: Plan, game: Game) -> BulkWorker:
    """The worker that plays the chunks of a plan with generated C."""
    return BulkWorker(plan, game, bulk(game, _level(plan.games)))


def _level(games: int) -> int:
    """The optimization level of the C compiler for this number of games."""
    return QUICK if games < _SOME else BRISK if games < _LONG else CAREFUL


class BulkWorker:
    """Plays chunks inside an engine that plays whole games, with players that need only the options
    and a stream. A game that generated C gives up is played decision by decision by the default
    engine: a set may be too large for C though nothing is wrong with the rules.
    """

    def __init__(self, plan: Plan, game: Game, bulk: Bulk) -> None:
        self.plan, self.game, self.bulk = plan, game, bulk
        self.layout = bulk.layout

    def play(self, chunk: Chunk) -> Played:
        """Plays the games of a chunk, up to the first that fails."""
        rotations, width = self.plan.rotations, self.layout.width
        rows = array("q", bytes(8 * width * len(chunk.games)))
        tallies: list[array[int]] = []
        failed: list[int] = []
        for rotation in range(rotations):
            numbers = chunk.games[rotation::rotations]
            mine, tally = self._games(rotation, numbers)
            failed += numbers[len(mine) // width :][:1]
            tallies.append(tally)
            for at, number in enumerate(numbers[: len(mine) // width]):
                first = (number - chunk.first) * width
                rows[first : first + width] = mine[at * width : (at + 1) * width]
        if failed:
            return cut_short(self, chunk, min(failed))
        return summed(self.plan, self.layout, chunk, rows, tallies)

    def _games(self, rotation: int, numbers: range) -> tuple[array[int], array[int]]:
        """The rows of the games of one rotation, up to the first that fails, and their tally."""
        rows, tally = array("q"), array("q", bytes(8 * self.layout.size))
        at, size = 0, len(numbers)
        while at < len(numbers):
            some = numbers[at : at + size]
            found, counted, done = self._in_c(rotation, some)
            if done == len(some):
                at, size = at + done, 2 * size
            elif done:
                size = done  # again without the next game, of which a part has been counted
                continue
            else:
                try:
                    found, counted = self._in_python(some[0])
                except Problems:
                    break
                at, size = at + 1, 1
            rows += found
            tally = array("q", map(add, tally, counted))
        return rows, tally

    def _in_c(self, rotation: int, numbers: range) -> tuple[array[int], array[int], int]:
        """The rows and the tally of games, and how many of them ended."""
        kinds, seats = self.plan.seating(rotation), self.game.players
        seeds = array("Q", map(self.plan.seed_of, numbers))
        streams = array(
            "Q",
            (
                own_stream(kind, seed, seat).number
                for seed in seeds
                for kind, seat in zip(kinds, seats, strict=True)
            ),
        )
        busy = array("B", [kind == Busy.kind for kind in kinds] * len(seeds))
        rows = array("q", bytes(8 * self.layout.width * len(seeds)))
        tally = array("q", bytes(8 * self.layout.size))
        return rows, tally, self.bulk.run(seeds, streams, busy, rows, tally)

    def _in_python(self, number: int) -> tuple[array[int], array[int]]:
        """The row and the tally of one game; raises Problems if it fails."""
        engine = engine_of(self.game)
        table = Table(engine)
        row = table.play(self.plan.seed_of(number), seated(engine, self.plan, number))
        if not self.bulk.may_give_up:
            raise RuntimeError(f"{self.game.name}: only generated C finds a fault in game {number}")
        return row, table.tally
