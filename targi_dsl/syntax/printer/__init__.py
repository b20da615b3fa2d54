"""Prints syntax trees: declarations, statements, expressions and whole files in their one form."""

from targi_dsl.syntax.printer.declarations import (
    print_deck,
    print_declaration,
    print_file,
    print_statement,
)
from targi_dsl.syntax.printer.expressions import print_amounts, print_expression, print_price
from targi_dsl.syntax.printer.statements import print_ability, print_body

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
