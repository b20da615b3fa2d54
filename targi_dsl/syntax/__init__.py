"""The language as written: its grammar, lexer, parser and syntax tree."""

from targi_dsl.syntax.completion import Expected, expected_at
from targi_dsl.syntax.lines import BLANK, Line, blanks, line_at, lines_of
from targi_dsl.syntax.parser import (
    VERSION,
    Comment,
    File,
    ParseCache,
    Parsed,
    parse_ability,
    parse_action,
    parse_cost,
    parse_deck,
    parse_declaration,
    parse_file,
    parse_value,
    read_file,
    sections,
)
from targi_dsl.syntax.recovery import Rest

__all__ = [
    "BLANK",
    "VERSION",
    "Comment",
    "Expected",
    "File",
    "Line",
    "ParseCache",
    "Parsed",
    "Rest",
    "blanks",
    "expected_at",
    "line_at",
    "lines_of",
    "parse_ability",
    "parse_action",
    "parse_cost",
    "parse_deck",
    "parse_declaration",
    "parse_file",
    "parse_value",
    "read_file",
    "sections",
]
