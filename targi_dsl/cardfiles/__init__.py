"""Card files as written: YAML nodes with their places, validated against a schema."""

from targi_dsl.cardfiles.card_files import (
    CardCache,
    CardEntry,
    CardFile,
    Entries,
    entry_of,
    read_cards,
)
from targi_dsl.cardfiles.nodes import Mapping, Node, Scalar, Sequence, plain, scalar_at
from targi_dsl.cardfiles.schema import shipped_schema, validate
from targi_dsl.cardfiles.yaml_files import read_yaml

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
    "validate",
]
