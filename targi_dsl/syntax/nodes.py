"""The language as written: one class a sentence frame, every node with its place."""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.text.source import Span

# Lists are tuples; `Word` is a name with its place; a part that may be left out is None.


@dataclass(frozen=True, slots=True)
class Word:
    """A name as written."""

    text: str
    span: Span


# ---- expressions ----


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Keyword:
    """you, opponent, this, nothing, yes, no, players."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: a variable, a value, a zone, a set ..."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Your:
    """`your NAME`: the same as `NAME of you`."""

    name: Word
    span: Span


@dataclass(frozen=True, slots=True)
class Of:
    """`NAME of X`, or with an index `NAME 2 of X`."""

    name: Word
    index: Expr | None
    subject: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """`NAME of (A, B)`: a definition of several things."""

    name: Word
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class On:
    """`PIECES on SPACES`, `card on SPACE`, `cards on SPACES`."""

    things: Expr
    places: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and a word: + - * / plus except within .. is is_not in not_in at_least at_most
    more_than less_than.
    """

    op: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Logic:
    """`and` / `or` over two or more conditions."""

    op: str
    parts: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """One operand and a word: not any no top bottom count first."""

    op: str
    operand: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class IsKind:
    """`X is a NAME`: the card's kind."""

    subject: Expr
    kind: Word
    span: Span


@dataclass(frozen=True, slots=True)
class IsFacing:
    """`X is face up`, `X is face down`."""

    subject: Expr
    facing: str
    span: Span


@dataclass(frozen=True, slots=True)
class OptionIs:
    """`option NAME is VALUE`."""

    option: Word
    value: Word
    span: Span


@dataclass(frozen=True, slots=True)
class During:
    """`during NAME`: that rule or action is under way."""

    rule: Word
    span: Span


@dataclass(frozen=True, slots=True)
class CanPay:
    price: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class CanDo:
    rule: Word
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Those:
    """`(x in SET where CONDITION)`: a set narrowed down."""

    name: Word
    within: Expr
    condition: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Every:
    """`every (x in SET ...) satisfies CONDITION`."""

    those: Those
    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Fold:
    """`sum of E for (...)`, and the same with highest, lowest, different."""

    op: str
    value: Expr
    those: Those
    span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """`A if C otherwise B`; without `otherwise` it is 0."""

    value: Expr
    condition: Expr
    otherwise: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class PriceValue:
    """`{1 coin}`: a price as a value."""

    price: Price
    span: Span


Expr = (
    Number
    | Keyword
    | Name
    | Your
    | Of
    | Apply
    | On
    | Binary
    | Logic
    | Unary
    | IsKind
    | IsFacing
    | OptionIs
    | During
    | CanPay
    | CanDo
    | Those
    | Every
    | Fold
    | Conditional
    | PriceValue
)


# ---- amounts ----


@dataclass(frozen=True, slots=True)
class Amount:
    """`2 apples`; how is "" | one (`2 of one wares`) | other (`1 other wares`)."""

    quantity: Expr
    resource: Word
    how: str
    span: Span


@dataclass(frozen=True, slots=True)
class Price:
    """Alternatives, each a tuple of amounts; and the bracket: amounts paid in addition, amounts
    gained for it.
    """

    alternatives: tuple[tuple[Amount, ...], ...]
    extra: tuple[Amount, ...]
    reward: tuple[Amount, ...]
    span: Span


# ---- statements ----

Block = tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class Gain:
    """who is None for `gain` (you), else `WHO gains`."""

    who: Expr | None
    price: Price | Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Pay:
    price: Price | Expr
    otherwise: Statement | None
    span: Span


@dataclass(frozen=True, slots=True)
class Exchange:
    """`2 of one wares -> 1 other wares`."""

    give: tuple[Amount, ...]
    take: Price
    span: Span


@dataclass(frozen=True, slots=True)
class Store:
    """`store 1 coins on this`."""

    amounts: tuple[Amount, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Place:
    """`place PIECE on SPACE`: one of your pieces of that kind from off the board."""

    piece: Word
    space: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class TakeBack:
    piece: Word
    space: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Move:
    """`move PIECE to SPACE`."""

    piece: Expr
    space: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Put:
    """`put CARD on|under PLACE, face up|down`; facing "" leaves it to the place."""

    card: Expr
    where: str
    place: Expr
    facing: str
    span: Span


@dataclass(frozen=True, slots=True)
class Turn:
    cards: Expr
    facing: str
    span: Span


@dataclass(frozen=True, slots=True)
class Shuffle:
    zone: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Reveal:
    cards: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    target: Expr
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    name: Word
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Choose:
    """`choose x in SET where CONDITION`; the rest of its block sees x."""

    name: Word
    within: Expr
    condition: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Roll:
    name: Word
    low: Expr
    high: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Forbid:
    name: Word
    condition: Expr
    reason: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Do:
    rule: Word
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DoAction:
    """`do action of CARD`; field is the name before `of`."""

    card: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class EndGame:
    span: Span


@dataclass(frozen=True, slots=True)
class Stop:
    span: Span


@dataclass(frozen=True, slots=True)
class PassBy:
    """`nothing`: an alternative that does nothing."""

    span: Span


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Block
    otherwise: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Each:
    name: Word
    within: Expr
    condition: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class EachPlayer:
    """`each player from P`: `you` is each in turn; start is None for the seat order."""

    start: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Times:
    """`up to N times`, or `any number of times` when limit is None."""

    limit: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way in a question: a block, or with name and set one for each element."""

    label: Word | None
    name: Word | None
    within: Expr | None
    condition: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class YourAbilities:
    """`your abilities`: every ability of yours that may be used now."""

    span: Span


@dataclass(frozen=True, slots=True)
class OneOf:
    """`one of`; otherwise is done when no alternative is possible. `may` is one of with decline."""

    alternatives: tuple[Alternative | YourAbilities, ...]
    otherwise: Block
    span: Span


@dataclass(frozen=True, slots=True)
class May:
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class AnyOrder:
    alternatives: tuple[Alternative | YourAbilities, ...]
    span: Span


Statement = (
    Gain
    | Pay
    | Exchange
    | Store
    | Place
    | TakeBack
    | Move
    | Put
    | Turn
    | Shuffle
    | Reveal
    | Assign
    | Let
    | Choose
    | Roll
    | Forbid
    | Do
    | DoAction
    | EndGame
    | Stop
    | PassBy
    | If
    | Each
    | EachPlayer
    | Times
    | OneOf
    | May
    | AnyOrder
)


# ---- abilities ----


@dataclass(frozen=True, slots=True)
class OnArrival:
    """`once`"""

    span: Span


@dataclass(frozen=True, slots=True)
class Always:
    span: Span


@dataclass(frozen=True, slots=True)
class AtEnd:
    span: Span


@dataclass(frozen=True, slots=True)
class OncePer:
    period: Word
    span: Span


@dataclass(frozen=True, slots=True)
class InsteadOf:
    rule: Word
    span: Span


@dataclass(frozen=True, slots=True)
class When:
    """actor: you | opponent | anyone; verb: gain | pay | do; kind: the card kind it comes from."""

    actor: str
    verb: str
    name: Word
    kind: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class EvenEarlier:
    period: Word
    span: Span


Scope = OnArrival | Always | AtEnd | OncePer | InsteadOf | When | EvenEarlier


@dataclass(frozen=True, slots=True)
class Ignore:
    forbid: Word
    condition: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Reduce:
    rule: Word
    amounts: tuple[Amount, ...]
    condition: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Becomes:
    define: Word
    value: Expr
    condition: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class AlsoOffers:
    rule: Word
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Substitute:
    """`in RULE, PAID may replace OWED`."""

    rule: Word
    paid: tuple[Amount, ...]
    owed: tuple[Amount, ...]
    condition: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class StoredPays:
    resource: Word
    rule: Word
    span: Span


@dataclass(frozen=True, slots=True)
class EffectBody:
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class ScoreBody:
    value: Expr
    span: Span


AbilityBody = (
    EffectBody | ScoreBody | Ignore | Reduce | Becomes | AlsoOffers | Substitute | StoredPays
)


@dataclass(frozen=True, slots=True)
class Ability:
    scopes: tuple[Scope, ...]
    body: AbilityBody
    span: Span


# ---- declarations ----


@dataclass(frozen=True, slots=True)
class Language:
    version: int
    span: Span


@dataclass(frozen=True, slots=True)
class Module:
    name: Word
    title: str | None
    based_on: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Type:
    """form: name | range | list; for a range low and high."""

    form: str
    name: str
    low: int
    high: int
    span: Span


@dataclass(frozen=True, slots=True)
class Players:
    names: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Resources:
    """group is None for `resource coins, points`, else `resource wares: apples, nuts`."""

    group: Word | None
    names: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Values:
    name: Word
    members: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Field:
    name: Word
    type: Type
    optional: bool
    span: Span


@dataclass(frozen=True, slots=True)
class CardKind:
    name: Word
    fields: tuple[Field, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Space:
    """shape: ring | row | grid; a ring or row has rows == 1. each: the word after `for each`, if
    any.
    """

    name: Word
    each: Word | None
    shape: str
    rows: int
    columns: int
    active: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Zone:
    """facing: up | down | ""; seen: all | owner | nobody | ""; refill: at_once | when_needed | "".

    numbered: its cards have each number from the first to the second once; least: so many are laid
    there at least.
    """

    name: Word
    each: Word | None
    kind: Word
    facing: str
    seen: str
    refilled_from: Word | None
    refill: str
    active: bool
    numbered: tuple[int, int] | None
    least: int
    span: Span


@dataclass(frozen=True, slots=True)
class Piece:
    name: Word
    number: int
    each: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class Variable:
    name: Word
    each: Word | None
    type: Type
    start: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Pair:
    left: tuple[Word, ...]
    right: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SpaceSet:
    name: Word
    region: Word
    elements: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Relation:
    name: Word
    source: Word
    target: Word
    both_ways: bool
    pairs: tuple[Pair, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Option:
    """The first value is the default."""

    name: Word
    values: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class FreeExchange:
    name: Word
    give: tuple[Amount, ...]
    take: tuple[Amount, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ScorePart:
    name: Word
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Rank:
    """order: most | least."""

    order: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Tie:
    ranks: tuple[Rank, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Standing:
    name: Word
    ability: Ability
    span: Span


@dataclass(frozen=True, slots=True)
class LayoutCell:
    """A space of a region, or a gap when region is None."""

    region: Word | None
    element: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class LayoutTable:
    """rows of cells; or, with region, that whole region as it is shaped (rows is then empty)."""

    region: Word | None
    rows: tuple[tuple[LayoutCell, ...], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class LayoutItems:
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class LayoutPlayers:
    lines: tuple[LayoutLine, ...]
    span: Span


LayoutLine = LayoutTable | LayoutItems | LayoutPlayers


@dataclass(frozen=True, slots=True)
class Layout:
    lines: tuple[LayoutLine, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Param:
    name: Word
    type: Type | None
    span: Span


@dataclass(frozen=True, slots=True)
class Rule:
    name: Word
    params: tuple[Param, ...]
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Define:
    name: Word
    params: tuple[Param, ...]
    value: Expr
    span: Span


Component = (
    Players
    | Resources
    | Values
    | CardKind
    | Space
    | Zone
    | Piece
    | Variable
    | SpaceSet
    | Relation
    | Option
    | FreeExchange
    | ScorePart
    | Tie
    | Standing
    | Layout
    | Rule
    | Define
)


@dataclass(frozen=True, slots=True)
class Replace:
    what: Component
    span: Span


@dataclass(frozen=True, slots=True)
class ExtendRule:
    """beside: "" (at the end) | before | after the part named anchor. The body is answers where
    answers stand.
    """

    rule: Word
    beside: str
    anchor: Word | None
    body: Block | tuple[Alternative | YourAbilities, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ExtendNames:
    """`extend resource wares: ivory`, `extend values symbol: ...`, `extend set ...`."""

    what: Word
    name: Word
    members: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Remove:
    what: Word
    name: Word
    span: Span


@dataclass(frozen=True, slots=True)
class ExtendLayout:
    """More lines at the end; those under `each player` stand under the one that is there."""

    lines: tuple[LayoutLine, ...]
    span: Span


Layer = Replace | ExtendRule | ExtendNames | ExtendLayout | Remove


# ---- game sheets ----


@dataclass(frozen=True, slots=True)
class DeckSet:
    """A whole card set."""

    name: Word
    span: Span


@dataclass(frozen=True, slots=True)
class DeckSum:
    parts: tuple[DeckExpr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DeckWithout:
    deck: DeckExpr
    names: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DeckOverlay:
    """The same number replaces."""

    deck: DeckExpr
    over: DeckExpr
    span: Span


@dataclass(frozen=True, slots=True)
class DeckWhere:
    """op: is | is_not | has | has_no."""

    deck: DeckExpr
    field: Word
    op: str
    value: Word
    span: Span


@dataclass(frozen=True, slots=True)
class DeckCopies:
    """`2 x CARD of SET`."""

    count: int
    name: Word
    of: Word | None
    span: Span


@dataclass(frozen=True, slots=True)
class DeckCards:
    """`cards A, B of SET`."""

    names: tuple[Word, ...]
    of: Word
    span: Span


@dataclass(frozen=True, slots=True)
class DeckDraw:
    """`draw 9 of each symbol from DECK`; each is None for `draw 9 from`."""

    count: int
    each: Word | None
    deck: DeckExpr
    span: Span


DeckExpr = (
    DeckSet | DeckSum | DeckWithout | DeckOverlay | DeckWhere | DeckCopies | DeckCards | DeckDraw
)


@dataclass(frozen=True, slots=True)
class SheetRules:
    modules: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SheetDeck:
    zone: Word
    deck: DeckExpr
    span: Span


@dataclass(frozen=True, slots=True)
class SheetOption:
    option: Word
    value: Word
    span: Span


@dataclass(frozen=True, slots=True)
class SheetSettle:
    name: Word
    modules: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Sheet:
    """`game NAME "Title" based on SHEET`, with its lines."""

    name: Word
    title: str | None
    based_on: Word | None
    lines: tuple[SheetRules | SheetDeck | SheetOption | SheetSettle, ...]
    span: Span


Declaration = Language | Module | Sheet | Component | Layer
