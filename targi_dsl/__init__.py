"""Board games as rules that a designer can read, a machine can check and an engine can play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from targi_dsl.api import Choice, choices, play, result, start
    from targi_dsl.compiler.load import load
    from targi_dsl.engine.chance import Asked, Listed, Seed, Stream
    from targi_dsl.engine.state import State
    from targi_dsl.explain.reasons import why_not
    from targi_dsl.information.observation import observe, sample
    from targi_dsl.text.diagnostics import Problems

_HOMES = {
    "Asked": "targi_dsl.engine.chance",
    "Choice": "targi_dsl.api",
    "Listed": "targi_dsl.engine.chance",
    "Problems": "targi_dsl.text.diagnostics",
    "Seed": "targi_dsl.engine.chance",
    "State": "targi_dsl.engine.state",
    "Stream": "targi_dsl.engine.chance",
    "choices": "targi_dsl.api",
    "load": "targi_dsl.compiler.load",
    "observe": "targi_dsl.information.observation",
    "play": "targi_dsl.api",
    "result": "targi_dsl.api",
    "sample": "targi_dsl.information.observation",
    "start": "targi_dsl.api",
    "why_not": "targi_dsl.explain.reasons",
}


def __getattr__(name: str) -> Any:
    # Loaded when first asked for, so that starting up costs nothing.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Asked",
    "Choice",
    "Listed",
    "Problems",
    "Seed",
    "State",
    "Stream",
    "choices",
    "load",
    "observe",
    "play",
    "result",
    "sample",
    "start",
    "why_not",
]
