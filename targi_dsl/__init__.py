"""Board games as rules that a designer can read, a machine can check and an engine can play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from targi_dsl.build.load import load

_HOMES = {"load": "targi_dsl.build.load"}


def __getattr__(name: str) -> Any:
    # Loaded when first asked for, so that starting up costs nothing.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["load"]
