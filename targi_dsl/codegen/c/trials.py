"""Paired trials in generated C."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from targi_dsl.codegen.c.compilers import QUICK
from targi_dsl.codegen.c.library import library
from targi_dsl.codegen.c.rows import Rows
from targi_dsl.codegen.c.source import source
from targi_dsl.codegen.c.trust import in_memory
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.codegen.trials import Horizon, Tried, Worth
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game


def rows_for_trials(game: Game) -> Rows | None:
    """The verbs of a game in C, also where it must be compiled by another compiler; None if there
    is none, or C cannot play the game.
    """
    with suppress(NotInC):
        return Rows(in_memory(game), game)
    with suppress(NotInC):
        return Rows(library(source(Engine(game)), QUICK), game)
    return None


def beginning(rows: Rows | None, vector: Sequence[int], worth: Worth) -> InC | None:
    """A position at which trials begin; None if C does not play on from it."""
    row = None if rows is None else rows.enter(vector, 0)
    return InC(rows, row, worth) if rows is not None and isinstance(row, bytes) else None


class InC:
    """A position at which generated C tries options."""

    def __init__(self, rows: Rows, row: bytes, worth: Worth) -> None:
        self._rows, self._row, self._worth = rows, row, worth

    def run(self, options: Sequence[int], seat: int, seed: int, horizon: Horizon) -> Tried:
        """Tries each of these options of the open question, all with this seed."""
        return self._rows.trials(self._row, options, seat, seed, horizon, self._worth)
