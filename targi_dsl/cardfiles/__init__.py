"""Card files as written: from YAML text to nodes with spans and, validated against
schema/cards.json, to card entries, or diagnostics. Which kinds and fields exist is not known here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from targi_dsl.cardfiles.cards import CardCache, CardEntry, CardFile, Entries
from targi_dsl.cardfiles.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    plain,
    scalar_at,
    single_values,
)

if TYPE_CHECKING:
    from targi_dsl.cardfiles.card_files import entry_of, read_cards
    from targi_dsl.cardfiles.schema import shipped_schema, validate
    from targi_dsl.cardfiles.yaml_files import read_yaml

_HOME = {
    "entry_of": "card_files",
    "read_cards": "card_files",
    "read_yaml": "yaml_files",
    "shipped_schema": "schema",
    "validate": "schema",
}


def __getattr__(name: str) -> object:
    # The readers load libraries that users of parsed files do not need.
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "CardCache",
    "CardEntry",
    "CardFile",
    "Entries",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "entry_of",
    "plain",
    "read_cards",
    "read_yaml",
    "scalar_at",
    "shipped_schema",
    "single_values",
    "validate",
]
