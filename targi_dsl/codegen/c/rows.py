"""Positions as rows of bytes, which generated C reads and writes: a function for each verb.

A row holds all that C needs to continue at once, and never leaves the process. A call that fails
returns its status instead of a row; the interpreter then repeats the turn to say what is wrong.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from struct import Struct, error
from typing import Any

from targi_dsl.codegen.c.library import Library
from targi_dsl.codegen.row import (
    NOBODY_DECIDES,
    NUMBERS,
    SEAT,
    Seen,
    rounds_of,
    seen_in,
    told_after,
)
from targi_dsl.engine.chance import Stream
from targi_dsl.ir.game import Game

FINE, FAULT, TOO_LARGE, NOT_A_POSITION, NO_MEMORY, NOTHING_FITS = range(6)

Answer = bytes | int
"""A row, or the status with which C stopped."""

Told = bytes
"""An encoded event; see `event_of`."""

_BUDGET = 2_000_000  # elements that a call may visit before signals are handled


class Rows:
    """The verbs of one game in compiled C. Each call has a state of its own to work in, so threads
    do not interfere. A step keeps Python's lock; playouts and searches release it.
    """

    def __init__(self, compiled: Library, game: Game) -> None:
        self.library, self.game = compiled, game
        at, i32, i64, u64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
        row = ctypes.c_char_p
        compiled.targi_make.restype, compiled.targi_free.argtypes = at, [at]
        compiled.targi_room.restype = i64
        compiled.targi_rollout.argtypes = [at, row, at, i32, at, i64, i64, at]
        compiled.targi_search.argtypes = [at, at, i64]
        self._begin = self._locked_function("targi_begin", at, u64, i32, i32, at)
        self._enter = self._locked_function("targi_enter", at, row, i32, u64, i32, at)
        self._step = self._locked_function("targi_step", at, row, i64, i32, at)
        self._vector = self._locked_function("targi_vector", at, row, at)
        self._scores = self._locked_function("targi_scores", at, row, at)
        self._key = self._locked_function("targi_key", at, row, at)
        self._observe = self._locked_function("targi_observe", at, row, i32, at)
        self._sample = self._locked_function("targi_sample", at, row, i32, i32, at, at)

        values = len(game.players) * (1 + len(game.ties) + len(game.scores))
        self._values = Struct(f"@{values}q").unpack_from
        self._room: int = compiled.targi_room()
        self._pool = list[_Scratch]()

    def _locked_function(self, name: str, *types: Any) -> Any:
        """A function called with Python's lock held, which is faster."""
        address = ctypes.cast(getattr(self.library, name), ctypes.c_void_p).value or 0
        return ctypes.PYFUNCTYPE(ctypes.c_int, *types)(address)

    def _scratch(self) -> _Scratch:
        try:
            return self._pool.pop()
        except IndexError:
            return _Scratch(self.library, self._room)

    # ---- rows ----

    def begin(self, seed: int | None, events: list[Told] | None = None) -> Answer:
        """A new game at its first question, or its end; without a seed, chance is asked for."""
        scratch = self._scratch()
        listens = events is not None
        status = self._begin(scratch.game, seed or 0, seed is None, listens, scratch.at)
        return self._finish(scratch, status, events)

    def enter(self, vector: Sequence[int], seed: int | None) -> Answer:
        """The row of a position vector, every number of which is checked."""
        try:
            numbers = NUMBERS[len(vector)].pack(*vector)
        except error:  # a number has more than 32 bits
            return NOT_A_POSITION
        scratch = self._scratch()
        given = (numbers, len(vector), seed or 0, seed is None, scratch.at)
        return self._finish(scratch, self._enter(scratch.game, *given), None)

    def step(self, row: bytes, option: int, events: list[Told] | None = None) -> Answer:
        """Takes an option and plays on to the next question."""
        try:  # inlines `_scratch` and `_finish`, which would cost a quarter more
            scratch = self._pool.pop()
        except IndexError:
            scratch = _Scratch(self.library, self._room)
        status = self._step(scratch.game, row, option, events is not None, scratch.at)
        if events is not None and not status:
            events += told_after(scratch.room, scratch.numbers[0])
        answer = status or scratch.room[: scratch.numbers[0]].tobytes()
        self._pool.append(scratch)
        return answer

    def _finish(self, scratch: _Scratch, status: int, events: list[Told] | None) -> Answer:
        if events is not None and status == FINE:
            events += told_after(scratch.room, scratch.numbers[0])
        answer: Answer = status or scratch.row()
        self._pool.append(scratch)
        return answer

    def vector(self, row: bytes) -> tuple[int, ...]:
        """The position vector of a row."""
        scratch = self._scratch()
        size = self._vector(scratch.game, row, scratch.at)
        vector = NUMBERS[size].unpack_from(scratch.room)
        self._pool.append(scratch)
        return vector

    def rollout(
        self, row: bytes, stream: Stream, busy: bool, limit: int, rounds: int
    ) -> tuple[Answer, int]:
        """Plays on with random choices for `limit` decisions (negative: to the end) or until a
        number of rounds have begun; also returns the rounds that have.
        """
        scratch, begun, drawn = self._scratch(), 0, array("Q", [stream.number])
        left, answer = array("q", [limit]), row
        at, numbers = scratch.at, (drawn.buffer_info()[0], busy, left.buffer_info()[0])
        while answer[SEAT] != NOBODY_DECIDES and left[0] and begun < rounds:
            given = (answer, *numbers, rounds - begun, _BUDGET, at)
            if status := self.library.targi_rollout(scratch.game, *given):
                self._pool.append(scratch)
                return status, begun
            answer = scratch.row()
            begun += rounds_of(answer)
        self._pool.append(scratch)
        stream.number = drawn[0]
        return answer, begun

    def scores(self, row: bytes) -> tuple[int, ...] | None:
        """The score and the tie-break values of each player, as numbers of which the highest wins,
        then the score parts of each player; None if one fails.
        """
        try:  # as in `step`
            scratch = self._pool.pop()
        except IndexError:
            scratch = _Scratch(self.library, self._room)
        status = self._scores(scratch.game, row, scratch.at)
        found = self._values(scratch.room)
        self._pool.append(scratch)
        return None if status else found

    # ---- what seats know ----

    def key(self, row: bytes) -> bytes:
        """Equal for rows that differ only in which of interchangeable things is where."""
        scratch = self._scratch()
        size = self._key(scratch.game, row, scratch.at)
        key = scratch.room[:size].tobytes()
        self._pool.append(scratch)
        return key

    def observe(self, row: bytes, seat: int) -> Seen:
        """What a player knows; for the number after the last player, what everybody knows."""
        scratch = self._scratch()
        self._observe(scratch.game, row, seat, scratch.at)
        seen = seen_in(scratch.room)
        self._pool.append(scratch)
        return seen

    def sample(
        self, seen: bytes, options: int, asked: bool, draws: array[int]
    ) -> Answer | list[int]:
        """Draws a determinization of a packed observation with so many options (0: any number); if
        no deal fits, returns the numbers that the last one gives to the cards. draws: the random
        stream, the chance of the position and the number of deals to try, all updated.
        """
        scratch, at = self._scratch(), draws.buffer_info()[0]
        status = self._sample(scratch.game, seen, options, asked, at, scratch.at)
        if status == NOTHING_FITS:
            deal = scratch.numbers[: len(self.game.cards)].tolist()
            self._pool.append(scratch)
            return deal
        return self._finish(scratch, status, None)

    # ---- search ----

    @property
    def room(self) -> int:
        """The largest size of a row, in bytes."""
        return self._room

    def search(self, search: ctypes.Structure) -> int:
        """Continues a search until its budget is spent; see runtime/search.h."""
        scratch = self._scratch()
        status = int(self.library.targi_search(scratch.game, ctypes.byref(search), _BUDGET))
        self._pool.append(scratch)
        return status


class _Scratch:
    """A state to work in, and a buffer for the row or numbers that a call returns."""

    __slots__ = ("_free", "at", "game", "numbers", "room")

    def __init__(self, compiled: Library, room: int) -> None:
        self._free = compiled.targi_free
        self.game: int | None = compiled.targi_make()
        if not self.game:
            raise MemoryError
        buffer = (ctypes.c_int64 * (room // 8 + 1))()
        self.at, self.room = ctypes.addressof(buffer), memoryview(buffer).cast("B")
        self.numbers = self.room.cast("i")

    def row(self) -> bytes:
        """The row that the last call wrote."""
        return self.room[: self.numbers[0]].tobytes()

    def __del__(self) -> None:
        if getattr(self, "game", None):
            self._free(self.game)
