"""Chooses the engine that plays a game."""

from __future__ import annotations

import os
from importlib import import_module

from targi_dsl.codegen.python.engine import PythonEngine
from targi_dsl.engine import Engine
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.game import Game
from targi_dsl.ir.types import SetOf

INTERPRETER, TCC, CC = ENGINES = ("interpreter", "tcc", "cc")
"""What plays: an interpreter, C compiled in memory, or C by an optimizing compiler. The results are
the same.
"""

VARIABLE = "TARGI_ENGINE"
"""The environment variable that names the engine."""

RECORDING = "recording"  # the key of an engine that is used for recording alone


def named_engine() -> str:
    """The engine that the environment asks for; empty if it is left to the program."""
    named = os.environ.get(VARIABLE, "")
    return named if named in ENGINES else ""


def engine_of(game: Game) -> Engine:
    """The engine for single games: the one that is asked for, or generated Python. It is built on
    first use and kept with its program.
    """
    engine = game.program.engines.get(ENGINE)
    if type(engine) is PythonEngine:  # the most common case, and cheaper to test than the next
        return engine
    if not isinstance(engine, Engine) or (type(engine) is Engine and not named_engine()):
        engine = game.program.engines[ENGINE] = _built(game)
    return engine


def _built(game: Game) -> Engine:
    match named_engine():
        case "interpreter":
            return Engine(game)
        case "tcc" | "cc" as kind:
            found = import_module("targi_dsl.codegen.c.engine").in_c(game, kind == CC)
            return found or Engine(game)
        case _ if any(SetOf in map(type, rule.slots) for rule in game.program.procedures):
            return Engine(game)  # which alone can give a set to a rule
        case _:
            return PythonEngine(game)


def recording_engine_of(game: Game) -> Engine:
    """The engine for a step whose events are wanted. They are named in the positions in which they
    happen, which generated C does not hand over. `PythonEngine` leaves such steps to the reference.
    """
    engine = engine_of(game)
    if isinstance(engine, PythonEngine) or type(engine) is Engine:
        return engine
    recording = game.program.engines.get(RECORDING)
    if not isinstance(recording, PythonEngine):
        recording = game.program.engines[RECORDING] = PythonEngine(game)
    return recording
