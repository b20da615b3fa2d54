"""The language as written: read into nodes, every node with its place."""

from targi_dsl.syntax.lexing import comments
from targi_dsl.syntax.parse import (
    VERSION,
    parse_ability,
    parse_action,
    parse_cost,
    parse_deck,
    parse_file,
)

__all__ = [
    "VERSION",
    "comments",
    "parse_ability",
    "parse_action",
    "parse_cost",
    "parse_deck",
    "parse_file",
]
