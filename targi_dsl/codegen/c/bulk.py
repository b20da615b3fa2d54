"""Plays thousands of whole games in one call."""

from __future__ import annotations

import ctypes
from array import array

from targi_dsl.codegen.c.compilers import CAREFUL
from targi_dsl.codegen.c.library import library
from targi_dsl.codegen.c.source import source
from targi_dsl.codegen.tally import Layout
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game

GIVES_UP = "stop(g, TOO_LARGE)"
"""What C does about a set for which it has no room; no fault of the rules."""


class Bulk:
    """Plays games of random players. A call does not hold Python's lock, so threads run in
    parallel. may_give_up: a game may stop for lack of room.
    """

    def __init__(self, game: Game, level: int) -> None:
        self.layout, self._players = Layout.of(game), len(game.players)
        text = source(Engine(game))
        self.may_give_up = GIVES_UP in text
        self._run = library(text, level).targi_run
        self._run.restype = ctypes.c_int64
        self._run.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_int64]

    def run(
        self,
        seeds: array[int],
        streams: array[int],
        busy: array[int],
        rows: array[int],
        tally: array[int] | None = None,
    ) -> int:
        """Plays a game from each seed and fills its row; returns how many were played.

        streams, busy: for each game and player the state of their stream, and whether they decline
        only when they must. If fewer games than seeds were played, the next one cannot continue,
        and the tally contains a part of it; the reference reports why, unless C has given it up.
        Without a tally the lead is not followed from round to round either.
        """
        games = len(seeds)
        for values, code, size in (
            (seeds, "Q", games),
            (streams, "Q", games * self._players),
            (busy, "B", games * self._players),
            (rows, "q", games * self.layout.width),
            (tally, "q", self.layout.size),
        ):
            if values is not None and (values.typecode != code or len(values) < size):
                raise ValueError(f"an array of at least {size} numbers of type {code} is needed")
        given = (seeds, streams, busy, rows, tally)
        at = (None if one is None else one.buffer_info()[0] for one in given)
        return int(self._run(*at, games))


def bulk(game: Game, level: int = CAREFUL) -> Bulk:
    """The bulk player of a game, built once. Raises NotInC if there is none."""
    engines, key = game.program.engines, f"bulk {level}"
    found = engines.get(key)
    if not isinstance(found, Bulk):
        found = engines[key] = Bulk(game, level)
    return found
