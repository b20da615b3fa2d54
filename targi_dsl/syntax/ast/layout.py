"""The layout of the table, and the look of what is on it."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Node, Word
from targi_dsl.syntax.ast.expressions import Expr


class LayoutCell(Node):
    """A space of a region, or a gap when region is None."""

    region: Word | None
    element: Word | None


class LayoutTable(Node):
    """Rows of cells; or, with `region` and no rows, the whole region in its own shape."""

    region: Word | None
    rows: tuple[tuple[LayoutCell, ...], ...]


class LayoutItems(Node):
    items: tuple[Expr, ...]


class LayoutPlayers(Node):
    lines: tuple[LayoutLine, ...]


LayoutLine = LayoutTable | LayoutItems | LayoutPlayers


class Layout(Node):
    lines: tuple[LayoutLine, ...]


class LookTrait(Node):
    """`what` is one of symbol, letter, colour, shape and shows. What is said of a symbol and of a
    letter has its quotation marks; only `shows` names fields.
    """

    what: Literal["symbol", "letter", "colour", "shape", "shows"]
    said: str
    fields: tuple[Word, ...]


class LookLine(Node):
    """`NAME: symbol "...", letter "...", colour NAME, shape NAME, shows FIELD, FIELD`"""

    name: Word
    traits: tuple[LookTrait, ...]


class Look(Node):
    lines: tuple[LookLine, ...]
