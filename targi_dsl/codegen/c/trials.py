"""Paired trials in generated C."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from contextlib import suppress

from targi_dsl.codegen.c.compilers import QUICK
from targi_dsl.codegen.c.library import Library, library
from targi_dsl.codegen.c.source import source
from targi_dsl.codegen.c.trust import in_memory
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.codegen.trials import Horizon, Tried, Worth
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game

_LARGEST = 1 << 63


def loaded(game: Game) -> Library | None:
    """The compiled game; None if there is no compiler, or C cannot play it."""
    with suppress(NotInC):
        return _declared(in_memory(game))
    with suppress(NotInC):
        return _declared(library(source(Engine(game)), QUICK))
    return None


def _declared(loaded: Library) -> Library:
    at, number = ctypes.c_void_p, ctypes.c_int64
    loaded.targi_make.restype = at
    loaded.targi_free.argtypes = [at]
    loaded.targi_open.argtypes = [at, at, ctypes.c_int, ctypes.c_uint64, ctypes.c_int]
    loaded.targi_trials.argtypes = [at, at, number]
    return loaded


class InC:
    """A position at which generated C tries options."""

    _BUDGET = 2_000_000  # elements that a call may look at, before signals are handled

    def __init__(self, compiled: Library, game: Game, vector: Sequence[int], worth: Worth) -> None:
        self._library, self._worth = compiled, worth
        self._room = [0] * (2 * len(game.players))
        self._cards = array("q", [number for pair in worth.cards for number in pair] or [0])
        self._position = compiled.targi_make()
        if not self._position:
            raise MemoryError
        numbers = array("i", vector)
        at = numbers.buffer_info()[0]
        if compiled.targi_open(self._position, at, len(numbers), 0, False):
            raise ValueError(f"not a position of {game.name}")

    def __del__(self) -> None:
        if getattr(self, "_position", None):
            self._library.targi_free(self._position)

    def run(self, options: Sequence[int], seat: int, seed: int, horizon: Horizon) -> Tried:
        """Tries each of these options of the open question, all with this seed."""
        codes, worth = array("q", options), self._worth
        values = array("q", bytes(8 * len(codes)))
        limits = (horizon.rounds, horizon.ahead, horizon.further, horizon.farthest)
        numbers = (seed, seat, horizon.declines, *limits, worth.few, worth.each, worth.more)
        where = [one.buffer_info()[0] for one in (codes, self._cards, values)]
        trials = array("Q", (*numbers, len(codes), 0, 0, *where, *self._room))
        at = trials.buffer_info()[0]
        while trials[_NEXT] < len(codes):
            if self._library.targi_trials(self._position, at, self._BUDGET):
                raise MemoryError
        found = (None if value == -_LARGEST else value for value in values)
        return Tried(tuple(found), trials[_ROUNDS], trials[_EFFORT])


_ROUNDS, _NEXT, _EFFORT = 3, 11, 12  # where the numbers of trials are; see runtime/trials.h
