"""The engine of single games: the interpreter, until compiling C pays.

Both play identically: only the time they take differs.
"""

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from targi_dsl.codegen.row import CHANCE_DECIDES, NOBODY_DECIDES, slot_of
from targi_dsl.engine import Engine
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.game import Game
from targi_dsl.optimize import PASSES, Pass

Repeated = TypeVar("Repeated")

if TYPE_CHECKING:
    from targi_dsl.codegen.c.rows import Rows

INTERPRETER, TCC, CC = ENGINES = ("interpreter", "tcc", "cc")
"""What plays: an interpreter, C compiled in memory, or C by an optimizing compiler. The results are
the same.
"""

VARIABLE = "TARGI_ENGINE"
"""The environment variable that names the engine."""

WARM = 200
"""Turns of the interpreter before C is compiled, which takes about as long as these."""

SEARCH = "search"  # the key of the verbs for searches in `Program.engines`

ROLLOUT = 20
"""The turns that a rollout counts for."""

FAULT = 1  # the status of a fault of the rules, as in codegen/c/rows.py
CAREFUL = 3  # how well `use_c` compiles, as in codegen/c/compilers.py


def named_engine() -> str:
    """The engine that the environment asks for; empty if the program is to choose."""
    named = os.environ.get(VARIABLE, "")
    return named if named in ENGINES else ""


class TieredEngine(Engine):
    """The interpreter, and C once it is compiled.

    compiled: the verbs in C, if they are used. Where they give up, the interpreter repeats the
    turn, in the program after these passes.
    """

    def __init__(self, game: Game, named: str = "", passes: tuple[Pass, ...] = PASSES) -> None:
        super().__init__(game, passes)
        self.compiled: Rows | None = None
        self.rows: Rows | None = None  # reads rows, even when C is no longer trusted
        nobody = [None] * (NOBODY_DECIDES - len(game.players) + 1)
        self.seats: list[str | None] = [*game.players, *nobody]  # who decides, by byte of a row
        self.seats[CHANCE_DECIDES] = "chance"
        self._named, self._is_on_trial = named, False
        self._cold = {INTERPRETER: None, "": WARM}.get(named, 0)

    def warmed(self, turns: int) -> Rows | None:
        """The verbs in C, if they are used, for what takes at least so many turns."""
        if self.compiled is None and self._cold is not None:
            self._cold -= turns
            if self._cold <= 0:
                self._cold = None
                self._compile()
        return self.compiled

    def _compile(self) -> None:
        errors, trust = _late("errors"), _late("trust")
        if self._named == CC:
            with suppress(errors.NotInC):
                self.use(CAREFUL)
                return
        try:
            self._play_by(trust.in_memory(self.game, self._named != "", self._stop))
            self._is_on_trial = True
        except errors.Faulty as why:
            warnings.warn(f"{why}: the interpreter plays", RuntimeWarning, stacklevel=2)
        except errors.NotInC:
            pass

    def knowing(self, row: bytes, card: int) -> int:
        """The mask of the players who know a card in a row."""
        return slot_of(row, self.program.slots.card_known + card) >> 1

    def without_fault(self, status: object, repeated: Repeated) -> Repeated:
        """The result of the interpreter for a turn in which C stopped with this status;
        RuntimeError if C found a fault that the interpreter does not.
        """
        if status == FAULT:
            raise RuntimeError(f"{self.game.name}: only generated C finds a fault")
        return repeated

    def use(self, level: int) -> None:
        """Switches to C by an optimizing compiler. Raises NotInC if there is none."""
        source = _late("emit.source").source(self)
        self._play_by(_late("library").library(source, level))

    def _play_by(self, library: Any) -> None:
        self._is_on_trial = False
        self.compiled = self.rows = _late("rows").Rows(library, self.game)

    def _stop(self) -> None:
        """Switches back to the interpreter, also for searches: a trial has found a difference."""
        if self._is_on_trial:
            self.compiled = None
            self.game.program.engines.pop(SEARCH, None)

    def still_trusted(self, turns: int) -> Rows | None:
        """Like `warmed`; warns if a concurrent trial has found that C plays wrongly."""
        self.warmed(turns)
        if self._is_on_trial:
            try:
                _late("trust").check_trial(self.game)
            except RuntimeError as why:
                self._stop()
                self._is_on_trial = False
                warnings.warn(str(why), RuntimeWarning, stacklevel=2)
        return self.compiled


def _late(module: str) -> Any:
    """Loads a module about C, which few programs need."""
    return import_module(f"targi_dsl.codegen.c.{module}")


def engine_of(game: Game) -> TieredEngine:
    """The engine of a game, built on first use and kept with its program."""
    engine = game.program.engines.get(ENGINE)
    if not isinstance(engine, TieredEngine):
        engine = game.program.engines[ENGINE] = TieredEngine(game, named_engine())
    return engine


def use_c(game: Game, level: int = CAREFUL) -> None:
    """Makes C by an optimizing compiler play this game from now on, which pays for long runs.
    Raises NotInC if there is no compiler.
    """
    engine_of(game).use(level)
