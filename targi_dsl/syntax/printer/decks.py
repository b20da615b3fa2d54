"""Deck expressions as text."""

from __future__ import annotations

from typing import assert_never

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer.expressions import Level, print_expression

_WHERE, _SUM, _TERM, _ATOM = range(4)


def print_deck(node: n.DeckExpr, level: int = _WHERE) -> str:
    """A deck as one line; in parentheses if it holds together less tightly than `level`."""
    text, own = _written(node)
    return text if own >= level else f"({text})"


def _written(node: n.DeckExpr) -> tuple[str, int]:
    match node:
        case n.DeckWhere(deck, condition):
            wanted = print_expression(condition, Level.DISJUNCTION)
            return f"{print_deck(deck, _SUM)} where {wanted}", _WHERE
        case n.DeckSum(parts):
            return " + ".join(print_deck(part, _TERM) for part in parts), _SUM
        case n.DeckWithout(deck, names):
            return f"{print_deck(deck, _TERM)} without {_names(names)}", _TERM
        case n.DeckOverlay(deck, over):
            return f"{print_deck(deck, _TERM)} overlaid by {print_deck(over, _ATOM)}", _TERM
        case n.DeckSet(name):
            return name.text, _ATOM
        case n.DeckCopies(count, name, of):
            return f"{count} x {name.text} of {of.text}", _ATOM
        case n.DeckCards(names, of):
            return f"cards {_names(names)} of {of.text}", _ATOM
        case n.DeckDraw(count, each, deck):
            field = "" if each is None else f" of each {each.text}"
            return f"draw {count}{field} from {print_deck(deck, _ATOM)}", _ATOM
        case n.DeckRest(zone):
            return f"the rest of {zone.text}", _ATOM
        case _:
            assert_never(node)


def _names(words: tuple[n.Word, ...]) -> str:
    return ", ".join(word.text for word in words)
