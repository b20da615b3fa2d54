"""Board games as rules that a designer can read, a machine can check and an engine can play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from targi_dsl.build.load import load
    from targi_dsl.chance import Asked, Listed, Seed, Stream
    from targi_dsl.face import Choice, choices, play, result, start
    from targi_dsl.knowledge import observe, sample
    from targi_dsl.problems import Problems
    from targi_dsl.reasons import why_not
    from targi_dsl.state import State

_HOMES = {
    "Asked": "targi_dsl.chance",
    "Choice": "targi_dsl.face",
    "Listed": "targi_dsl.chance",
    "Problems": "targi_dsl.problems",
    "Seed": "targi_dsl.chance",
    "State": "targi_dsl.state",
    "Stream": "targi_dsl.chance",
    "choices": "targi_dsl.face",
    "load": "targi_dsl.build.load",
    "observe": "targi_dsl.knowledge",
    "play": "targi_dsl.face",
    "result": "targi_dsl.face",
    "sample": "targi_dsl.knowledge",
    "start": "targi_dsl.face",
    "why_not": "targi_dsl.reasons",
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
