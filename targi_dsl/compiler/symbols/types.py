"""Types in the compiler: with their expressions, and in a designer's words."""

from __future__ import annotations

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t

Typed = tuple[e.Expr, t.Type]
"""The lowered form of an expression, and its type."""


def describe(type_: t.Type) -> str:
    """A type in a designer's words."""
    if isinstance(type_, t.SetOf):
        return f"a set of {_plural(type_.of)}"
    match type_:
        case t.Number():
            return "a number"
        case t.Truth():
            return "yes or no"
        case t.Place(is_zone=is_zone):
            return "a zone" if is_zone else "a space"
        case t.Card():
            return "a card"
        case t.Piece():
            return "a piece"
        case t.Nothing():
            return "nothing"
        case t.Unknown():
            return "something unknown"
        case _:
            article = "an" if type_.name[0] in "aeiou" else "a"
            return f"{article} {type_.name}"


def _plural(type_: t.Single) -> str:
    match type_:
        case t.Place():
            return "spaces"
        case t.Card():
            return "cards"
        case t.Piece():
            return "pieces"
        case t.Value():
            return "values"
        case _:
            return f"{type_.name}s"
