"""Game sheets and the decks they name."""

from __future__ import annotations

from targi_dsl.syntax.ast.base import Node, Word
from targi_dsl.syntax.ast.declarations import Component, Language, Layer, Module
from targi_dsl.syntax.ast.expressions import Expr


class DeckSet(Node):
    """A whole card set."""

    name: Word


class DeckSum(Node):
    parts: tuple[DeckExpr, ...]


class DeckWithout(Node):
    deck: DeckExpr
    names: tuple[Word, ...]


class DeckOverlay(Node):
    """`DECK overlaid by DECK`: a card replaces the one that has its number."""

    deck: DeckExpr
    over: DeckExpr


class DeckWhere(Node):
    """`DECK where CONDITION`: the fields of its cards are named as they are."""

    deck: DeckExpr
    condition: Expr


class DeckCopies(Node):
    """`2 x CARD of SET`."""

    count: int
    name: Word
    of: Word


class DeckCards(Node):
    """`cards A, B of SET`."""

    names: tuple[Word, ...]
    of: Word


class DeckDraw(Node):
    """`draw 9 of each symbol from DECK`; `each` is None in `draw 9 from DECK`."""

    count: int
    each: Word | None
    deck: DeckExpr


class DeckRest(Node):
    """`the rest of ZONE`: what is left when its deck has been drawn."""

    zone: Word


DeckExpr = (
    DeckSet | DeckSum | DeckWithout | DeckOverlay | DeckWhere | DeckCopies |
    DeckCards | DeckDraw | DeckRest
)  # fmt: skip


class ModuleUse(Node):
    """A module, or of its files only these, by their names without number."""

    module: Word
    chapters: tuple[Word, ...]


class SheetRules(Node):
    uses: tuple[ModuleUse, ...]

    @property
    def modules(self) -> tuple[Word, ...]:
        """The modules that it names."""
        return tuple(use.module for use in self.uses)


class SheetDeck(Node):
    zone: Word
    deck: DeckExpr


class SheetOption(Node):
    option: Word
    value: Word


class SheetSettle(Node):
    name: Word
    modules: tuple[Word, ...]


class Sheet(Node):
    """`game NAME "Title" based on SHEET`, with its lines."""

    name: Word
    title: str | None
    based_on: Word | None
    lines: tuple[SheetRules | SheetDeck | SheetOption | SheetSettle, ...]


Declaration = Language | Module | Sheet | Component | Layer
