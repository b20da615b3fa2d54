"""The language as written: from the text of a rule file, or of a sentence on a card, to syntax
trees or diagnostics; and from trees back to text.

`parser` ties it together: `lexer` makes lexemes, the Lark table of `grammar` makes parse trees, and
`builder` makes the nodes of `ast`. `errors`, `error_productions` and `recovery` explain what does
not parse; `printer` prints trees; `completion` tells what may come next.
"""

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
