"""Chooses the engine that plays a game."""

from __future__ import annotations

from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.engine import Engine
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.game import Game

RECORDING = "recording"  # the key of an engine that is used for recording alone


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


def recording_engine_of(game: Game) -> Engine:
    """The engine for a step whose events are wanted. They are named in the positions in which they
    happen, which generated C does not hand over. `PythonEngine` leaves such steps to the reference.
    """
    engine = engine_of(game)
    if isinstance(engine, PythonEngine):
        return engine
    recording = game.program.engines.get(RECORDING)
    if not isinstance(recording, PythonEngine):
        recording = game.program.engines[RECORDING] = PythonEngine(game)
    return recording
