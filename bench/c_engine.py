"""Generated C asked as the interpreter is, from one canonical position to the next, so that they
can be compared.
"""

from __future__ import annotations

from typing import get_args

from targi_dsl.codegen.c.compilers import BRISK
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.codegen.c.library import Library, library
from targi_dsl.codegen.c.rows import FAULT, Answer, Rows, Told
from targi_dsl.codegen.row import chance_of, event_of, options_of
from targi_dsl.engine.chance import Listed, Seed, Stream
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Counting, RawEvent, Run, Waiting
from targi_dsl.ir.constants import EventKind
from targi_dsl.ir.game import Game

_KINDS: tuple[EventKind, ...] = get_args(EventKind)


class CEngine(Engine):
    """A game that generated C plays, except where it gives up or chance is read from a list."""

    def __init__(self, game: Game, level: int = BRISK, compiled: Library | None = None) -> None:
        super().__init__(game)
        self.rows = Rows(compiled or library(source(self), level), game)

    def start(self, run: Run) -> Waiting:
        """A new game at its first question, or its end."""
        if isinstance(run.chance, Listed):
            return super().start(run)
        events = None if run.listener is None else list[Told]()
        seed = run.stream.number if isinstance(run.chance, Seed) else None
        answer = self.rows.begin(seed, events)
        if isinstance(answer, int):
            left = super().start(run)
            self._no_fault(answer)
            return left
        return self._result(answer, run, events)

    def turn(self, before: Waiting, option: int, run: Run) -> None:
        """Takes an option and plays on to the next question; `before` does not change."""
        if isinstance(run.chance, Listed):
            super().turn(before, option, run)
            return
        events = None if run.listener is None else list[Told]()
        row = self._row(before, run)
        answer = row if isinstance(row, int) else self.rows.step(row, option, events)
        if isinstance(answer, int):
            super().turn(before, option, run)
            self._no_fault(answer)
        else:
            self._result(answer, run, events)

    def rollout(
        self, left: Waiting, run: Counting, stream: Stream, busy: bool, limit: int, rounds: int
    ) -> Waiting:
        """Plays on with random choices."""
        row = self._row(left, run)
        if isinstance(row, int):
            return super().rollout(left, run, stream, busy, limit, rounds)
        answer, begun = self.rows.rollout(row, stream, busy, limit, rounds)
        if isinstance(answer, int):
            return super().rollout(left, run, stream, busy, limit, rounds)
        run.rounds += begun
        return self._result(answer, run, None)

    def _row(self, left: Waiting, run: Run) -> Answer:
        seed = run.stream.number if isinstance(run.chance, Seed) else None
        return self.rows.enter(self.pack(left), seed)

    def _result(self, row: bytes, run: Run, events: list[Told] | None) -> Waiting:
        left = self.open(self.rows.vector(row))
        run.v, run.point = left.v, left.point
        run.stack, run.frame, run.rule = left.stack, left.frame, left.rule
        run.options, run.stream.number = [*options_of(row)], chance_of(row) or 0
        for kind, *numbers in map(event_of, events or ()):
            assert run.listener is not None
            run.listener([], RawEvent(_KINDS[kind], *numbers[:6]))
        return left

    def _no_fault(self, status: int) -> None:
        """What the interpreter has done after C stopped; if not for lack of space, they differ."""
        if status == FAULT:
            raise RuntimeError(f"{self.game.name}: only generated C finds a fault")
