"""Optional libraries, which are loaded only when needed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import click

_EXTRAS = {"html": "matplotlib", "parquet": "pyarrow", "ray": "ray"}
"""The extras of the package, each with the library that it installs."""


def with_extra(module: str, extra: str) -> ModuleType:
    """A module that needs the library of an extra; raises wrong usage if it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = _EXTRAS[extra]
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        text = f"this needs the library {library}: pip install 'targi_dsl[{extra}]'"
        raise click.UsageError(text) from None
