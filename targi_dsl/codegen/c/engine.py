"""The engine in C of one game, decision by decision."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import get_args

from targi_dsl.codegen.c.compilers import BRISK, CAREFUL
from targi_dsl.codegen.c.library import Library, library
from targi_dsl.codegen.c.source import source
from targi_dsl.codegen.c.trust import in_memory
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.engine.chance import Asked, Listed, Seed, Stream
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.engine.machine import ENGINE, Engine
from targi_dsl.engine.run import Counting, Run, Vector, Waiting
from targi_dsl.ir.constants import NOTHING, EventKind
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import FRAME_HEAD
from targi_dsl.ir.types import HIGHEST, LOWEST

_KINDS: tuple[EventKind, ...] = get_args(EventKind)
_EVENT = 7  # numbers of an event
_FRAMES = 200
FINE, FAULT, TOO_LARGE, NOT_A_POSITION, NO_MEMORY = range(5)


class CEngine(Engine):
    """A game whose rules are executed by generated C. Queries on a position are answered by the
    engine that this one derives from, which also repeats a turn in which something goes wrong, so
    that a fault has one text and one location.
    """

    def __init__(self, game: Game, level: int = BRISK, compiled: Library | None = None) -> None:
        super().__init__(game)
        self._library = _declared(compiled or library(source(self), level))
        made = self._library.targi_make()
        if not made:
            raise MemoryError
        self._position = ctypes.c_void_p(made)
        widest = FRAME_HEAD + max(self.frames.sizes)
        room = self.program.slots.stack + _FRAMES * widest
        self._vector = (ctypes.c_int32 * room)()
        self._options = (ctypes.c_int64 * OPTIONS)()

    def __del__(self) -> None:
        if hasattr(self, "_position"):
            self._library.targi_free(self._position)

    def start(self, run: Run) -> Waiting:
        """A new game at its first question, or its end."""
        if not _is_plain(run):
            return super().start(run)
        self._library.targi_listen(self._position, run.listener is not None)
        seed = run.stream.number
        status = self._library.targi_start(self._position, seed, isinstance(run.chance, Asked))
        if status != FINE:
            return self._wrong(status, super().start(run))
        return self._result(run)

    def turn(self, before: Waiting, option: int, run: Run) -> None:
        if not _is_plain(run):
            super().turn(before, option, run)
            return
        self._open(self.packed(before), run)
        self._library.targi_listen(self._position, run.listener is not None)
        status = self._library.targi_answer(self._position, option)
        if status != FINE:
            super().turn(before, option, run)
            self._wrong(status, run)
        else:
            self._result(run)

    def rollout(
        self, left: Waiting, run: Counting, stream: Stream, busy: bool, limit: int, rounds: int
    ) -> Waiting:
        """Plays on with random choices, all in one call."""
        if isinstance(run.chance, Listed):
            return super().rollout(left, run, stream, busy, limit, rounds)
        self._open(self.packed(left), run)
        self._library.targi_listen(self._position, False)
        number = ctypes.c_uint64(stream.number)
        given = [self._position, ctypes.byref(number), busy, limit, rounds]
        if self._library.targi_rollout(*given) != FINE:
            return super().rollout(left, run, stream, busy, limit, rounds)
        stream.number, run.rounds = number.value, self._library.targi_rounds(self._position)
        return self._result(run)

    def check(self, vector: Vector) -> None:
        """Raises ValueError if these numbers are not a position of the game."""
        self._open(vector, Run(Seed(0)))

    def _open(self, vector: Vector, run: Run) -> None:
        """Opens a position after checking every number of it."""
        size = len(vector)
        is_asked = isinstance(run.chance, Asked)
        status = NOT_A_POSITION
        if all(LOWEST <= one <= HIGHEST for one in vector):
            numbers = (ctypes.c_int32 * size)(*vector)
            status = self._library.targi_open(
                self._position, numbers, size, run.stream.number, is_asked
            )
        if status == NOT_A_POSITION:
            raise ValueError(f"not a position of {self.game.name}")

    def _result(self, run: Run) -> Waiting:
        """The position that the library has reached."""
        size = self._library.targi_pack(self._position, self._vector)
        left = super().opened(self._vector[:size])
        run.v, run.point = left.v, left.point
        run.stack, run.frame, run.rule = left.stack, left.frame, left.rule
        offered = self._library.targi_offered(self._position, self._options)
        run.options = self._options[:offered]
        run.stream.number = self._library.targi_chance(self._position)
        if run.listener is not None:
            self._tell(run)
        return left

    def _tell(self, run: Run) -> None:
        """Reports the events."""
        count = self._library.targi_events(self._position, None)
        numbers = (ctypes.c_int32 * max(count, 1))()
        self._library.targi_events(self._position, numbers)
        rule = run.rule
        for at in range(0, count, _EVENT):
            kind, run.rule, seat, what, number, origin, to = numbers[at : at + _EVENT]
            run.tell([], _KINDS[kind], seat, what, number, origin, to)
        run.rule = rule

    def _wrong(self, status: int, again: Waiting) -> Waiting:
        """The result of the reference where the library has stopped; if the library did not stop
        for lack of space, the two differ, which is a bug.
        """
        if status == FAULT:
            at = again.point if again.point != NOTHING else "the end"
            raise RuntimeError(f"{self.game.name}: only generated C finds a fault before {at}")
        return again


def use_c(game: Game, level: int = CAREFUL) -> None:
    """Makes generated C play this game from now on, which pays off for rollouts. Raises NotInC if
    there is no compiler.
    """
    game.program.engines[ENGINE] = CEngine(game, level)


def in_c(game: Game, is_optimized: bool) -> CEngine | None:
    """The engine in C, if there is one: by an optimizing compiler, or else compiled in memory."""
    with suppress(NotInC):
        if is_optimized:
            return CEngine(game)
    with suppress(NotInC):
        return CEngine(game, compiled=in_memory(game, is_asked=True))
    return None


def _is_plain(run: Run) -> bool:
    """Whether nobody observes intermediate positions, and chance is not read from a list."""
    return type(run) is Run and run.called is None and not isinstance(run.chance, Listed)


def _declared(found: Library) -> Library:
    """The library, with the types of its functions."""
    game, i32, i64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
    numbers = ctypes.POINTER(i32)
    found.targi_make.restype, found.targi_make.argtypes = game, []
    found.targi_free.restype, found.targi_free.argtypes = None, [game]
    found.targi_listen.argtypes = [game, ctypes.c_int]
    found.targi_start.argtypes = [game, ctypes.c_uint64, ctypes.c_int]
    found.targi_open.argtypes = [game, numbers, ctypes.c_int, ctypes.c_uint64, ctypes.c_int]
    found.targi_answer.argtypes = [game, i64]
    found.targi_rollout.argtypes = [game, ctypes.c_void_p, ctypes.c_int, i64, i64]
    found.targi_rounds.restype, found.targi_rounds.argtypes = i64, [game]
    found.targi_pack.argtypes = [game, numbers]
    found.targi_offered.argtypes = [game, ctypes.POINTER(i64)]
    found.targi_chance.restype, found.targi_chance.argtypes = ctypes.c_uint64, [game]
    found.targi_events.restype, found.targi_events.argtypes = i64, [game, numbers]
    found.targi_scores.argtypes = [game, numbers, numbers]
    return found


__all__ = ["CEngine", "NotInC", "use_c"]
