"""Card files as written: YAML nodes with their places, held against a schema."""

from targi_dsl.cards.card_files import CardEntry, CardFile, read_cards
from targi_dsl.cards.nodes import Mapping, Node, Scalar, Sequence, plain
from targi_dsl.cards.schema import validate
from targi_dsl.cards.yaml_files import read_yaml

__all__ = [
    "CardEntry",
    "CardFile",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "plain",
    "read_cards",
    "read_yaml",
    "validate",
]
