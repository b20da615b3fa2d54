"""Prints syntax trees in their canonical form: expressions, statements, declarations, whole
files.
"""

from targi_dsl.syntax.printer.constructs import (
    print_ability,
    print_amounts,
    print_body,
    print_deck,
    print_expression,
    print_price,
)
from targi_dsl.syntax.printer.declarations import print_declaration, print_file, print_statement

__all__ = [
    "print_ability",
    "print_amounts",
    "print_body",
    "print_deck",
    "print_declaration",
    "print_expression",
    "print_file",
    "print_price",
    "print_statement",
]
