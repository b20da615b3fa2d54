"""Which engine plays a game."""

from __future__ import annotations

from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.game import Game


def engine_of(game: Game) -> PythonEngine:
    """The fastest engine for single games, built on first use and kept with its program."""
    engine = game.program.engines.get(ENGINE)
    if not isinstance(engine, PythonEngine):
        engine = game.program.engines[ENGINE] = PythonEngine(game)
    return engine
