"""Game sheets and the decks they name."""

from __future__ import annotations

from targi_dsl.syntax.ast.base import Node, Word
from targi_dsl.syntax.ast.declarations import Component, Language, Layer, Module
from targi_dsl.syntax.ast.expressions import Expr
from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class DeckSet(Node):
    """A whole card set."""

    name: Word


@dataclass(frozen=True, slots=True)
class DeckSum(Node):
    parts: tuple[DeckExpr, ...]


@dataclass(frozen=True, slots=True)
class DeckWithout(Node):
    deck: DeckExpr
    names: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class DeckOverlay(Node):
    """`DECK overlaid by DECK`: a card replaces the one that has its number."""

    deck: DeckExpr
    over: DeckExpr


@dataclass(frozen=True, slots=True)
class DeckWhere(Node):
    """`DECK where CONDITION`: the fields of its cards are named as they are."""

    deck: DeckExpr
    condition: Expr


@dataclass(frozen=True, slots=True)
class DeckCopies(Node):
    """`2 x CARD of SET`."""

    count: int
    name: Word
    of: Word


@dataclass(frozen=True, slots=True)
class DeckCards(Node):
    """`cards A, B of SET`."""

    names: tuple[Word, ...]
    of: Word


@dataclass(frozen=True, slots=True)
class DeckDraw(Node):
    """`draw 9 of each symbol from DECK`; `each` is None in `draw 9 from DECK`."""

    count: int
    each: Word | None
    deck: DeckExpr


@dataclass(frozen=True, slots=True)
class DeckRest(Node):
    """`the rest of ZONE`: what is left when its deck has been drawn."""

    zone: Word


DeckExpr = (
    DeckSet | DeckSum | DeckWithout | DeckOverlay | DeckWhere | DeckCopies |
    DeckCards | DeckDraw | DeckRest
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModuleUse(Node):
    """A module, or of its files only these, by their names without number."""

    module: Word
    chapters: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class SheetRules(Node):
    uses: tuple[ModuleUse, ...]

    @property
    def modules(self) -> tuple[Word, ...]:
        """The modules that it names."""
        return tuple(use.module for use in self.uses)


@dataclass(frozen=True, slots=True)
class SheetDeck(Node):
    zone: Word
    deck: DeckExpr


@dataclass(frozen=True, slots=True)
class SheetOption(Node):
    option: Word
    value: Word


@dataclass(frozen=True, slots=True)
class SheetSettle(Node):
    name: Word
    modules: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Sheet(Node):
    """`game NAME "Title" based on SHEET`, with its lines."""

    name: Word
    title: str | None
    based_on: Word | None
    lines: tuple[SheetRules | SheetDeck | SheetOption | SheetSettle, ...]


Declaration = Language | Module | Sheet | Component | Layer
