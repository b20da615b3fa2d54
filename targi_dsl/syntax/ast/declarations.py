"""Declarations: components, rules, definitions, and the layers that change them."""

from __future__ import annotations

from typing import Literal

from targi_dsl.syntax.ast.base import Audience, Counted, Facing, Node, Word
from targi_dsl.syntax.ast.expressions import Amount, Expr, OptionIs, Those, Worded, Wording
from targi_dsl.syntax.ast.statements import (
    Ability,
    Alternative,
    Block,
    Choose,
    Each,
    Let,
    Roll,
    YourAbilities,
)


class Language(Node):
    version: int


class Module(Node):
    name: Word
    title: str | None
    based_on: tuple[Word, ...]


class About(Node):
    """`about "TEXT"`: the aim and the course of the game, for people."""

    text: str


class Type(Node):
    """`form` is name, range or list; `low` and `high` are those of a range."""

    form: Literal["name", "range", "list"]
    name: str
    low: int
    high: int


class Players(Node):
    """`number` has the least and the greatest number of players; None where all of them play."""

    number: tuple[int, int] | None
    names: tuple[Word, ...]


class Resources(Node):
    """`resource coins, points`, where `group` is None, or `resource wares: apples, nuts`. `on`: the
    spaces and kinds of card that can hold them.
    """

    group: Counted | None
    names: tuple[Counted, ...]
    on: tuple[Word, ...]


class Pool(Node):
    """`pool POT: coins`: a common stock of these resources and groups."""

    name: Word
    resources: tuple[Word, ...]


class Values(Node):
    """`numbers` are those of the members, None for a member without one."""

    name: Word
    members: tuple[Word, ...]
    numbers: tuple[int | None, ...]


class Field(Node):
    name: Word
    type: Type
    optional: bool


class CardKind(Node):
    name: Word
    fields: tuple[Field, ...]


class Space(Worded):
    """`shape` is ring, row, spots, grid, grid with diagonals or hex; the first three have one row,
    and may have `names` for their spaces, or a space for each value of a list (`by`), instead of a
    number of columns. Edges, corners and blocks are `of` a grid; only blocks have rows and columns,
    those of one block. `each`: the owner in `for each`.
    """

    name: Word
    each: Word | None
    shape: Literal[
        "ring", "row", "spots", "grid", "grid with diagonals", "hex", "edges", "corners", "blocks"
    ]
    rows: int
    columns: int
    of: Word | None
    names: tuple[Word, ...]
    by: Word | None
    active: bool


class Zone(Worded):
    """`facing` is up, down or empty; `seen` is all, owner, others, nobody or empty; `refill` is
    at_once, when_needed, the option on which the former depends, or empty. `numbered`: the first
    and last number, each of which one card has. `least`: the least number of cards at the start.
    `closed`: others forget what is put in.
    """

    name: Word
    each: Word | None
    kind: Word
    facing: Facing
    seen: Audience
    refilled_from: Word | None
    refill: Literal["at_once", "when_needed", ""] | OptionIs
    active: bool
    numbered: tuple[int, int] | None
    least: int
    closed: bool


class Piece(Worded):
    name: Word
    number: int
    each: Word | None


class Variable(Worded):
    """`seen` is all, owner, nobody or empty, which is all."""

    name: Word
    each: Word | None
    type: Type
    start: Expr | None
    seen: Audience


class Pair(Node):
    left: tuple[Word, ...]
    right: tuple[Word, ...]


class SpaceSet(Node):
    name: Word
    region: Word
    elements: tuple[Word, ...]


class Relation(Node):
    name: Word
    source: Word
    target: Word
    both_ways: bool
    pairs: tuple[Pair, ...]


class Option(Worded):
    """`option NAME: VALUE or VALUE`; the first value is the default."""

    name: Word
    values: tuple[Word, ...]


class FreeExchange(Worded):
    name: Word
    give: tuple[Amount, ...]
    take: tuple[Amount, ...]
    condition: Expr | None


class ScorePart(Worded):
    name: Word
    value: Expr


class LowestWins(Node):
    """`lowest score wins`"""


class Rank(Node):
    """`most VALUE` or `least VALUE`, among the tie-breaks."""

    order: Literal["most", "least"]
    value: Expr


class Tie(Node):
    ranks: tuple[Rank, ...]


class Never(Node):
    """`never NAME: CONDITION`"""

    name: Word
    condition: Expr


class Standing(Node):
    name: Word
    ability: Ability


class Param(Node):
    name: Word
    type: Type | None


class Rule(Node):
    name: Word
    params: tuple[Param, ...]
    wording: Wording | None
    body: Block


class Define(Node):
    name: Word
    params: tuple[Param, ...]
    value: Expr


# ---- the layout of the table, and the look of what is on it ----


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


# ---- game sheets and the decks they name ----


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
    """A module, or only some of its files, by their names without number."""

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


class DeckNeed(Node):
    """`9 of each symbol`, or `45 cards` if `each` is None."""

    count: int
    each: Word | None


class SheetNeeds(Node):
    """`deck ZONE must have NEED, NEED`"""

    zone: Word
    needs: tuple[DeckNeed, ...]


class SheetOption(Node):
    option: Word
    value: Word


class SheetSettle(Node):
    name: Word
    modules: tuple[Word, ...]


SheetLine = SheetRules | SheetDeck | SheetNeeds | SheetOption | SheetSettle


class Sheet(Node):
    """`game NAME "Title" based on SHEET`, with its lines."""

    name: Word
    title: str | None
    based_on: Word | None
    lines: tuple[SheetLine, ...]


# ---- layers ----


Component = (
    About | Players | Resources | Pool | Values | CardKind | Space | Zone | Piece | Variable |
    SpaceSet | Relation | Option | FreeExchange | ScorePart | LowestWins | Tie | Never | Standing |
    Layout | Look | Rule | Define
)  # fmt: skip


class Replace(Node):
    what: Component


class ExtendRule(Node):
    """`extend rule R before|after|instead of PART`, or at its end if `beside` is empty. The body is
    a block, or the alternatives that a question gets in addition: that of the part, or the rule's
    only one.
    """

    rule: Word
    beside: str
    anchor: Word | None
    body: Block | tuple[Alternative | YourAbilities, ...]


class ExtendNames(Node):
    """`extend resource wares: ivory`, with `Counted` members; `extend values symbol: ...`, `extend
    set ...`.
    """

    what: Word
    name: Word
    members: tuple[Word, ...]


class Remove(Node):
    what: Word
    name: Word


class RemoveNameless(Node):
    """`remove tie`, `remove lowest score wins`: a declaration that has no name."""

    what: str


class ExtendLayout(Node):
    """More lines at the end; those under `each player` join the ones that are there."""

    lines: tuple[LayoutLine, ...]


class ExtendLook(Node):
    """More lines; traits override those that the thing has."""

    lines: tuple[LookLine, ...]


class ExtendAction(Node):
    """The same of the action of a card."""

    card: Word
    beside: str
    anchor: Word | None
    body: Block | tuple[Alternative | YourAbilities, ...]


class ReplaceForbid(Node):
    """Another condition; without a reason the old one stays."""

    name: Word
    condition: Expr
    reason: str | None


class ExtendForbid(Node):
    """One more condition on which it holds."""

    name: Word
    condition: Expr


class FieldChange(Node):
    """A changed field of a card: `points 3`, or in one language `text de "..."`; no values in `no
    ability`.
    """

    name: Word
    language: Word | None
    values: tuple[Word, ...]


class ChangeCard(Node):
    card: Word
    changes: tuple[FieldChange, ...]


Layer = (
    Replace | ReplaceForbid | ExtendRule | ExtendForbid | ExtendNames | ExtendLayout |
    ExtendLook | ExtendAction | ChangeCard | Remove |
    RemoveNameless
)  # fmt: skip

Declaration = Language | Module | Sheet | Component | Layer

Binding = Choose | Let | Roll | Each | Those | Alternative | Param
"""What binds a name, which what follows or stands in it can use."""
