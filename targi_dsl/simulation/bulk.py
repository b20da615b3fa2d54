"""Plays a chunk inside generated C, which plays whole games."""

from __future__ import annotations

from array import array

from targi_dsl.codegen.c.bulk import Bulk, bulk
from targi_dsl.codegen.c.compilers import BRISK, CAREFUL, QUICK
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.ir.game import Game
from targi_dsl.players import Busy
from targi_dsl.players.random import own_stream
from targi_dsl.simulation.chunk import Played, cut_short, summed
from targi_dsl.simulation.plan import Chunk, Plan

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
    and a stream.
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
            tally = array("q", bytes(8 * self.layout.size))
            mine, done = self._games(rotation, numbers, tally)
            failed += numbers[done : done + 1]
            tallies.append(tally)
            for at, number in enumerate(numbers):
                first = (number - chunk.first) * width
                rows[first : first + width] = mine[at * width : (at + 1) * width]
        if failed:
            return cut_short(self, chunk, min(failed))
        return summed(self.plan, self.layout, chunk, rows, tallies)

    def _games(self, rotation: int, numbers: range, tally: array[int]) -> tuple[array[int], int]:
        """The rows of the games of one rotation, and how many of the games ended."""
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
        return rows, self.bulk.run(seeds, streams, busy, rows, tally)
