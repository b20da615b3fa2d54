"""Plays many whole games in few calls."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Sequence

from targi_dsl.codegen.c.compilers import CAREFUL, IN_MEMORY
from targi_dsl.codegen.c.emit.source import source_of
from targi_dsl.codegen.c.library import Library, library
from targi_dsl.codegen.c.search import Seats
from targi_dsl.codegen.c.trust import in_memory
from targi_dsl.codegen.tally import Layout
from targi_dsl.ir.game import Game
from targi_dsl.text.structs import Frozen

GIVES_UP = "stop(g, TOO_LARGE)"
"""What generated C does when a set does not fit; not a fault of the rules."""

SECONDS = 0.05
"""About how long a call takes, before signals are handled and it is resumed."""

_FIRST = 1_000_000  # budget of the first call, in elements visited


class Seating(Frozen):
    """The players by seat: the family of their random streams, and whether they are busy."""

    families: tuple[int, ...]
    busy: tuple[bool, ...]


class Games(Frozen):
    """The results of games: their rows, concatenated, and a tally for each seating. If there are
    fewer rows than games, the next game stopped, and the tallies include part of it.
    """

    rows: array[int]
    tallies: list[array[int]]


class Bulk:
    """Plays games of players that are random or search. Calls release Python's lock, and every run
    has a state of its own, so threads run in parallel. may_give_up: a game may stop for lack of
    room.
    """

    def __init__(self, game: Game, compiled: Library, may_give_up: bool) -> None:
        self.layout, self.may_give_up, self.library = Layout.of(game), may_give_up, compiled
        self.library.targi_make.restype = ctypes.c_void_p
        self.library.targi_free.argtypes = [ctypes.c_void_p]
        self.library.targi_batch.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
        self._budget = _FIRST

    def run(
        self,
        seed: int,
        games: range,
        seatings: Sequence[Seating],
        is_counted: bool = True,
        seats: Seats | None = None,
        budget: int = 0,
    ) -> Games:
        """Plays these games: game n with seed `seed + n // len(seatings)` and the players of
        seating n % len(seatings). An interrupt ends it.

        Unless they are counted, there are no tallies, and lead changes are not tracked. seats: of
        players that search. budget: if not 0, ends when so many elements have been visited since
        a deal had to be drawn here.
        """
        layout, every = self.layout, range(len(seatings))
        families = array("Q", [one for seating in seatings for one in seating.families])
        busy = array("B", [one for seating in seatings for one in seating.busy])
        rows = array("q", bytes(8 * layout.width * len(games)))
        tallies = array("q", bytes(8 * layout.size * len(seatings)))
        batch = (ctypes.c_uint64 * (_BATCH + layout.players))(
            *(seed, len(seatings), games.start, games.start, games.stop),
            *(one.buffer_info()[0] for one in (families, busy, rows)),
            *(tallies.buffer_info()[0] if is_counted else 0, 0),
            0 if seats is None else ctypes.addressof(seats.searches),
        )
        position = self.library.targi_make()
        if not position:
            raise MemoryError
        try:
            while batch[_NEXT] < games.stop and self._call(position, batch, seats, budget):
                pass
        finally:
            self.library.targi_free(position)
        del rows[(batch[_NEXT] - games.start) * layout.width :]
        size = layout.size
        return Games(rows, [tallies[at * size : (at + 1) * size] for at in every if is_counted])

    def _call(
        self, position: int, batch: ctypes.Array[ctypes.c_uint64], seats: Seats | None, budget: int
    ) -> bool:
        """Continues for about SECONDS or a given budget, or until a deal has to be drawn here;
        returns whether another call is to follow.
        """
        began, adapts = time.perf_counter(), not budget
        budget = budget or self._budget
        status = self.library.targi_batch(position, batch, budget)
        took = time.perf_counter() - began
        if status or (seats is not None and seats.supply()):
            return not status
        if adapts and batch[_NEXT] < batch[_END]:
            self._budget = int(budget * min(4, max(1 / 4, SECONDS / max(took, 1e-6))))
        return adapts


_NEXT, _END = 3, 4  # in a batch, the indices of the next game and of the end
_BATCH = 11  # its numbers before the random streams of the players


def bulk(game: Game, level: int = CAREFUL) -> Bulk:
    """The bulk player of a game, built once. Raises NotInC if there is none."""
    engines, key = game.program.engines, f"bulk {level}"
    found = engines.get(key)
    if not isinstance(found, Bulk):
        text = source_of(game)
        compiled = in_memory(game) if level == IN_MEMORY else library(text, level)
        found = engines[key] = Bulk(game, compiled, GIVES_UP in text)
    return found
