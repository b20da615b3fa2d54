"""Plays a chunk inside generated C, which plays whole games."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from operator import add

from targi_dsl.codegen.c.bulk import Bulk, Games, Seating, bulk
from targi_dsl.codegen.c.compilers import BRISK, CAREFUL, IN_MEMORY, QUICK
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.codegen.choice import engine_of
from targi_dsl.ir.game import Game
from targi_dsl.players.busy import Busy
from targi_dsl.players.random import family
from targi_dsl.simulation.chunk import Played, cut_short, seated, summed
from targi_dsl.simulation.plan import Chunk, Plan
from targi_dsl.simulation.table import Table
from targi_dsl.text.diagnostics import Problems

_SOME, _LONG = 40_000, 200_000
"""Games for which C is compiled a little better, and with care: what compiling takes longer,
playing has made up for.
"""


def why_not(plan: Plan, game: Game) -> str:
    """Why generated C cannot play a plan; empty if it can."""
    try:
        _player(game, plan.games)
    except NotInC as error:
        return str(error)
    return ""


def bulk_worker(plan: Plan, game: Game) -> BulkWorker:
    """The worker that plays the chunks of a plan with generated C."""
    return BulkWorker(plan, game, _player(game, plan.games))


def _player(game: Game, games: int) -> Bulk:
    """What plays so many games soonest: C compiled at once, or with more care for more games."""
    if games < _SOME:
        with suppress(NotInC):
            return bulk(game, IN_MEMORY)
        return bulk(game, QUICK)
    try:
        return bulk(game, BRISK if games < _LONG else CAREFUL)
    except NotInC:
        return bulk(game, IN_MEMORY)


def seating(game: Game, kinds: Sequence[str]) -> Seating:
    """Players of these kinds, seat by seat."""
    families = (family(kind, seat) for kind, seat in zip(kinds, game.players, strict=True))
    return Seating(tuple(families), tuple(kind == Busy.kind for kind in kinds))


class BulkWorker:
    """Plays chunks inside an engine that plays whole games, with players that need only the options
    and a stream. A game that generated C gives up is played decision by decision by the default
    engine: a set may be too large for C though nothing is wrong with the rules.
    """

    def __init__(self, plan: Plan, game: Game, bulk: Bulk) -> None:
        self.plan, self.game, self.bulk = plan, game, bulk
        self.layout = bulk.layout
        kinds = (plan.seating(number) for number in range(plan.rotations))
        self.seatings = [seating(game, one) for one in kinds]

    def play(self, chunk: Chunk) -> Played:
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
                    return cut_short(self, chunk, at)
            elif done < chunk.end:
                found = self._run(at, done)  # without the next game, which was counted in part
            rows += found.rows
            sums = [array("q", map(add, *both)) for both in zip(sums, found.tallies, strict=True)]
            at = done
        return summed(self.plan, self.layout, chunk, rows, sums)

    def _run(self, first: int, end: int) -> Games:
        return self.bulk.run(self.plan.seed, range(first, end), self.seatings)

    def _in_python(self, number: int) -> Games:
        """One game decision by decision; raises Problems if it fails."""
        engine = engine_of(self.game)
        tables = [Table(engine) for _ in self.seatings]
        table = tables[self.plan.rotation_of(number)]
        row = table.play(self.plan.seed_of(number), seated(engine, self.plan, number))
        if not self.bulk.may_give_up:
            raise RuntimeError(f"{self.game.name}: only generated C finds a fault in game {number}")
        return Games(row, [one.tally for one in tables])
