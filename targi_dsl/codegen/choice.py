"""Chooses the engine that plays a game."""

from __future__ import annotations

from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.engine import Engine
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.game import Game


def engine_of(game: Game) -> Engine:
    """The engine for single games: generated Python, unless another one was chosen. It is built on
    first use and kept with its program.
    """
    engine = game.program.engines.get(ENGINE)
    if type(engine) is PythonEngine:  # the most common case, and cheaper to test than the next
        return engine
    if not isinstance(engine, Engine) or type(engine) is Engine:
        engine = game.program.engines[ENGINE] = PythonEngine(game)
    return engine
