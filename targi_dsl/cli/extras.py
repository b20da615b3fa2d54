"""Loads modules that need optional libraries."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import click

_LIBRARIES = {
    "html": ("matplotlib",),
    "lab": ("numpy", "scipy", "optuna"),
    "lsp": ("pygls", "lsprotocol"),
    "parquet": ("pyarrow",),
    "ray": ("ray",),
    "web": ("segno", "starlette", "uvicorn", "websockets"),
}
"""The extras of the package, with the libraries that they install."""


def with_extra(module: str, extra: str) -> ModuleType:
    """A module that needs an extra; raises wrong usage if it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in _LIBRARIES[extra]:
            raise
        text = f"this needs the library {library}: pip install 'targi_dsl[{extra}]'"
        raise click.UsageError(text) from None
