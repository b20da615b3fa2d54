"""Board games as rules that a designer can read, a machine can check and an engine can play."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from targi_dsl.text.version import __version__

if TYPE_CHECKING:
    from targi_dsl.api import (
        PUBLIC,
        ActionTable,
        Choice,
        Event,
        Policy,
        Result,
        Thing,
        Traits,
        actions,
        begin,
        choices,
        play,
        result,
        rollout,
        start,
        step,
        traits,
        uniform,
    )
    from targi_dsl.api.state import State
    from targi_dsl.codegen.c.errors import NotInC
    from targi_dsl.codegen.tiered import use_c
    from targi_dsl.compiler.load import load
    from targi_dsl.display.picture import picture
    from targi_dsl.engine.chance import Asked, Listed, Seed, Stream
    from targi_dsl.explain.why_not import Reason, why_not
    from targi_dsl.information.determinization import sample
    from targi_dsl.information.encoding import encode, encoding
    from targi_dsl.information.history import History, history
    from targi_dsl.information.observation import Observation, observe
    from targi_dsl.ir.game import Game
    from targi_dsl.players import PLAYERS, Player
    from targi_dsl.players.busy import Busy
    from targi_dsl.players.lookahead import Lookahead
    from targi_dsl.players.random import Random
    from targi_dsl.simulation.simulate import simulate
    from targi_dsl.text.diagnostics import Problem, Problems

_HOMES = {
    "targi_dsl.api": (
        "PUBLIC",
        "ActionTable",
        "Choice",
        "Event",
        "Policy",
        "Result",
        "Thing",
        "Traits",
        "actions",
        "begin",
        "choices",
        "play",
        "result",
        "rollout",
        "start",
        "step",
        "traits",
        "uniform",
    ),
    "targi_dsl.codegen.c.errors": ("NotInC",),
    "targi_dsl.codegen.tiered": ("use_c",),
    "targi_dsl.compiler.load": ("load",),
    "targi_dsl.display.picture": ("picture",),
    "targi_dsl.engine.chance": ("Asked", "Listed", "Seed", "Stream"),
    "targi_dsl.api.state": ("State",),
    "targi_dsl.explain.why_not": ("Reason", "why_not"),
    "targi_dsl.information.determinization": ("sample",),
    "targi_dsl.information.observation": ("Observation", "observe"),
    "targi_dsl.information.encoding": ("encode", "encoding"),
    "targi_dsl.information.history": ("History", "history"),
    "targi_dsl.ir.game": ("Game",),
    "targi_dsl.players": ("PLAYERS", "Player"),
    "targi_dsl.players.busy": ("Busy",),
    "targi_dsl.players.lookahead": ("Lookahead",),
    "targi_dsl.players.random": ("Random",),
    "targi_dsl.simulation.simulate": ("simulate",),
    "targi_dsl.text.diagnostics": ("Problem", "Problems"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    # Loaded when first asked for, so that starting up costs nothing.
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])


__all__ = [
    "PLAYERS",
    "PUBLIC",
    "ActionTable",
    "Asked",
    "Busy",
    "Choice",
    "Event",
    "Game",
    "History",
    "Listed",
    "Lookahead",
    "NotInC",
    "Observation",
    "Player",
    "Policy",
    "Problem",
    "Problems",
    "Random",
    "Reason",
    "Result",
    "Seed",
    "State",
    "Stream",
    "Thing",
    "Traits",
    "__version__",
    "actions",
    "begin",
    "choices",
    "encode",
    "encoding",
    "history",
    "load",
    "observe",
    "picture",
    "play",
    "result",
    "rollout",
    "sample",
    "simulate",
    "start",
    "step",
    "traits",
    "uniform",
    "use_c",
    "why_not",
]
