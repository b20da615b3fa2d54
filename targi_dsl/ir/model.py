"""What a checked game is: typed, slot-resolved, frozen. Read this first.

Everything is an integer. Players, resources, cards, pieces, places and the members of a `values`
list are numbered from 0; -1 is nothing; truth is 0 or 1. A *place* is a space of the board or a
zone: cards and pieces lie on places. A set is a tuple of integers, ascending, without repeats. A
position is one list of integers (see `Slots`) whose tail is a stack of frames.

An expression is evaluated in a frame and changes nothing. A table is looked up with an index that
may be -1: its last entry is the answer for nothing, so that a question about nothing has an answer.
A block is a tuple of statements.

*Possible.* A block can be begun when its head holds. The head is read from the top, in the present
position, and judged before anything is done: `Let` binds, `Forbid` must not hold, `Pay` must be
payable (unless it has an otherwise), an `If` of which the condition holds goes on into its branch,
`Do` and `DoAction` go on into the rule called, an `Ask` must have a possible alternative (or an
otherwise) and ends the head; a `Loop` must have a possible first turn other than `Leave`, and ends
the head; `Use` is passed over; every other statement ends the head. An alternative is offered when
its guard holds, its element is in its set, and its body is possible with that element bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from targi_dsl.ir.frozen import FrozenMap
from targi_dsl.ir.types import Type
from targi_dsl.text.source import Span

if TYPE_CHECKING:
    from targi_dsl.ir.program import Program

NOTHING = -1
YOU = 0  # the slot of every frame that holds whose turn of phrase it is
CHANCE = -2  # the seat that answers for chance when it is asked

# ---- expressions ----


@dataclass(frozen=True, slots=True)
class Const:
    """A number, or a set."""

    value: int | tuple[int, ...]
    type: Type | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Local:
    """A slot of the frame; slot YOU is the player."""

    slot: int


@dataclass(frozen=True, slots=True)
class Var:
    """The position's slot at base + index; `missing` when the index is nothing."""

    base: int
    index: Expr
    missing: int


@dataclass(frozen=True, slots=True)
class Table:
    """A fixed number for each index."""

    values: tuple[int, ...]
    index: Expr
    type: Type | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pick:
    """A fixed set for each index; an index out of range picks the last entry, which is empty."""

    sets: tuple[tuple[int, ...], ...]
    index: Expr
    type: Type | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Image:
    """A relation applied to a set: the union of what it gives for each element."""

    sets: tuple[tuple[int, ...], ...]
    of: Expr
    type: Type | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MakeSet:
    """The set of these values, nothing left out."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers from low to high; empty when high is below low; at most 256."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class SetOp:
    """plus (union), except (difference), within (intersection)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Filter:
    """The elements of which the condition holds, each bound to the slot in turn."""

    slot: int
    within: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Map:
    """The set of the values of an expression over a set, nothing left out."""

    slot: int
    within: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Fold:
    """sum (0 for none), highest, lowest (0 for none), different (how many different values, nothing
    left out).
    """

    op: str
    slot: int
    within: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Size:
    """How many elements."""

    of: Expr


@dataclass(frozen=True, slots=True)
class First:
    """The lowest element, or nothing."""

    of: Expr


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether some element satisfies the condition; with Const(1) whether there is an element at
    all.
    """

    slot: int
    within: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Arith:
    """+ - * / on 32-bit signed numbers; / rounds towards minus infinity, x / 0 is 0; leaving 32
    bits is a located error.
    """

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """is, is_not, less_than, at_most, more_than, at_least. `is` also compares sets."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Member:
    item: Expr
    within: Expr


@dataclass(frozen=True, slots=True)
class Not:
    of: Expr


@dataclass(frozen=True, slots=True)
class All:
    """and, left to right, stopping early."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """or, left to right, stopping early."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Cond:
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class CardsOn:
    """The cards that lie on any place of a set."""

    places: Expr


@dataclass(frozen=True, slots=True)
class TopCard:
    """The top card of a place, or nothing."""

    place: Expr


@dataclass(frozen=True, slots=True)
class BottomCard:
    place: Expr


@dataclass(frozen=True, slots=True)
class Lying:
    """Those elements e of a set whose slot at base + e is a member of places (pieces or cards on
    those places).
    """

    base: int
    things: Expr
    places: Expr


@dataclass(frozen=True, slots=True)
class Places:
    """The places on which the elements of a set lie: the values of the slots base + e, nothing left
    out.
    """

    base: int
    things: Expr


@dataclass(frozen=True, slots=True)
class FaceUp:
    card: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A definition, evaluated in a frame of its own; the first argument is `you` there, then come
    its parameters.
    """

    define: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class During:
    """Whether a frame of that rule is on the stack."""

    rule: int


@dataclass(frozen=True, slots=True)
class Active:
    """Whether the ability is at work for you: its card lies on a place with active abilities that
    is yours (an ability without a card is everyone's) and its window, if it has one, is open.
    """

    ability: int


@dataclass(frozen=True, slots=True)
class CanDo:
    """Whether the rule, done by you with these arguments, is possible."""

    rule: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CanPay:
    """Whether you could pay, free exchanges included."""

    price: PriceExpr
    terms: int


Expr = (
    Const
    | Local
    | Var
    | Table
    | Pick
    | Image
    | MakeSet
    | Range
    | SetOp
    | Filter
    | Map
    | Fold
    | Size
    | First
    | Exists
    | Arith
    | Compare
    | Member
    | Not
    | All
    | AnyOf
    | Cond
    | CardsOn
    | TopCard
    | BottomCard
    | Lying
    | Places
    | FaceUp
    | Call
    | During
    | Active
    | CanDo
    | CanPay
)


# ---- prices ----
# An *item* is what an amount counts: a resource r as r, a group g as len(resources) + g.


@dataclass(frozen=True, slots=True)
class Price:
    """Alternatives, each (item, number) pairs by item; what may be paid in addition, and what is
    gained for that.
    """

    alternatives: tuple[tuple[tuple[int, int], ...], ...]
    extra: tuple[tuple[int, int], ...] = ()
    reward: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """A price of the game's list, by number; nothing is free."""

    number: Expr


@dataclass(frozen=True, slots=True)
class Counted:
    """One alternative with computed amounts; a number below 0 counts as 0."""

    amounts: tuple[tuple[int, Expr], ...]


PriceExpr = Listed | Counted


@dataclass(frozen=True, slots=True)
class Reduction:
    """While the ability is active and the condition holds (in the frame of the payment), items are
    saved.
    """

    ability: int
    item: int
    number: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Substitute:
    """Once a payment, `paid` may stand for `owed`; both (item, number) pairs."""

    ability: int
    paid: tuple[tuple[int, int], ...]
    owed: tuple[tuple[int, int], ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Stored:
    """What lies on the ability's card (position slot) pays first."""

    ability: int
    resource: int
    slot: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What may change a payment of one rule."""

    rule: str
    reductions: tuple[Reduction, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    stored: tuple[Stored, ...] = ()


# ---- statements ----


@dataclass(frozen=True, slots=True)
class Placed:
    """What stands somewhere in the rules. `span` is that place: no part of its value; None for what
    nobody wrote.
    """

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)

    def at(self, span: Span) -> Self:
        """The same, standing there, unless its place is known already."""
        return self if self.span is not None else replace(self, span=span)


@dataclass(frozen=True, slots=True)
class Gain(Placed):
    """A player gains (the resource may be computed); source is the card whose text says so, or
    nothing. Below 1: no effect.
    """

    who: Expr
    resource: Expr
    number: Expr
    source: Expr


@dataclass(frozen=True, slots=True)
class Pay(Placed):
    """You pay; when you cannot, `otherwise` is done. Without otherwise that is a fault."""

    price: PriceExpr
    terms: int
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class Store(Placed):
    """Amounts from the supply into a slot of the position (on a card)."""

    slot: int
    resource: int
    number: Expr


@dataclass(frozen=True, slots=True)
class MoveCards(Placed):
    """Every card of a set to a place, on top or at the bottom, in order; facing: up, down or "" (as
    the place has it).
    """

    cards: Expr
    place: Expr
    under: bool
    facing: str


@dataclass(frozen=True, slots=True)
class MovePieces(Placed):
    """Pieces to a place; nothing takes them off the board."""

    pieces: Expr
    place: Expr


@dataclass(frozen=True, slots=True)
class Turn(Placed):
    """Cards face up or face down; Reveal is face up for knowledge only."""

    cards: Expr
    up: bool


@dataclass(frozen=True, slots=True)
class Reveal(Placed):
    cards: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Placed):
    """The cards of a zone into an order given by chance; `work` is a frame slot: positions settled
    so far.
    """

    place: Expr
    work: int


@dataclass(frozen=True, slots=True)
class Refresh(Placed):
    """If the place is empty and its refill has cards, these are shuffled into it."""

    place: Expr


@dataclass(frozen=True, slots=True)
class Assign(Placed):
    """A variable (number in Game.variables) at an index."""

    variable: int
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Let(Placed):
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Roll(Placed):
    """A number from low to high, by chance, equally likely."""

    slot: int
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Forbid(Placed):
    """In a head: must not hold, unless lifted. Carried out: when it holds only thanks to a
    permission with a window, that window is used; when it holds and nothing lifts it, the rest of
    the block is left out.
    """

    forbid: int
    condition: Expr


@dataclass(frozen=True, slots=True)
class Do(Placed):
    rule: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DoAction(Placed):
    """The rule that a card carries (Game.actions), with that card as `this`; nothing when it
    carries none.
    """

    card: Expr


@dataclass(frozen=True, slots=True)
class Announce(Placed):
    """This rule has been done by you: triggers on it follow."""

    rule: int


@dataclass(frozen=True, slots=True)
class Use(Placed):
    """The ability's window is used once."""

    ability: int


@dataclass(frozen=True, slots=True)
class EndGame(Placed):
    """The game is over, by this rule."""

    rule: int


@dataclass(frozen=True, slots=True)
class Stop(Placed):
    """The rest of this rule is left out."""


@dataclass(frozen=True, slots=True)
class If(Placed):
    condition: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Each(Placed):
    """Goes through a set upwards, looking at the set anew at each step and never back. The slot is
    both element and memory (nothing before the first).
    """

    slot: int
    within: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class EachPlayer(Placed):
    """Every player once in seat order from start; slot holds the player, slot + 1 how many are
    done. The body's Local(slot) is its `you`: within it the frame's YOU is that player too, and
    afterwards again the one before (kept in slot + 2).
    """

    slot: int
    start: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Loop(Placed):
    """The body at most `limit` times (slot counts); ended by Leave, or when the body is not
    possible.
    """

    slot: int
    limit: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Leave(Placed):
    """Ends the innermost loop."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to answer: with a slot, one option for each element of the set. The guard is checked
    before the element.
    """

    label: str
    choice: Binding | None
    guard: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Binding:
    """What is chosen: the slot it is put in, the set that is offered, its type, and everything that
    could ever be offered.
    """

    slot: int
    within: Expr
    type: Type
    domain: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ask(Placed):
    """A question to you. No possible alternative: otherwise is done. One: it is taken without
    asking.
    """

    name: str
    alternatives: tuple[Alternative, ...]
    otherwise: Block


Statement = (
    Gain
    | Pay
    | Store
    | MoveCards
    | MovePieces
    | Turn
    | Reveal
    | Shuffle
    | Refresh
    | Assign
    | Let
    | Roll
    | Forbid
    | Do
    | DoAction
    | Announce
    | Use
    | EndGame
    | Stop
    | If
    | Each
    | EachPlayer
    | Loop
    | Leave
    | Ask
)
Block = tuple[Statement, ...]


# ---- the things of a game ----


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something of a name stands: its module and place, and what that module did to it."""

    module: str
    span: Span | None
    how: str = "declared"
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration of the rules (sort: rule, define, zone, ...) as the layers have left it, with
    all its origins.

    One that has been removed has the origin of its removal first.
    """

    sort: str
    name: str
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class PlaceInfo:
    """One space or zone. region is its declared name; number counts within it, and label is what it
    is called there (a zone by its whole name); owner is a player or nothing.

    seen: all | owner | nobody (zones); spaces are seen by all. facing: up | down: how cards lie
    when nothing else is said. refill: the place whose cards come back shuffled when this runs out
    (nothing: none), at once or when needed. drawn_for: the zone, of a box that cards are drawn
    from before setup: none comes into it.
    """

    name: str
    region: str
    label: str
    number: int
    owner: int
    is_zone: bool
    active: bool
    seen: str
    facing: str
    refill: int
    refill_at_once: bool
    row: int
    column: int
    drawn_for: str = ""

    @property
    def is_box(self) -> bool:
        """Whether it only holds what is drawn from before setup; then `drawn_for` is the zone."""
        return bool(self.drawn_for)


@dataclass(frozen=True, slots=True)
class CardInfo:
    """One card. id is unique in the game, entry is that of the card file, which copies share; its
    kind is its back; cards with the same `same` are interchangeable.
    """

    id: str
    entry: str
    kind: int
    same: int
    set: str
    shorts: FrozenMap[str]
    names: FrozenMap[str]
    texts: FrozenMap[str]
    fields: FrozenMap[int | str]
    start: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class PieceInfo:
    name: str
    kind: str
    owner: int


@dataclass(frozen=True, slots=True)
class Variable:
    """Slots base .. base + count - 1: one for each value of a domain, or one."""

    name: str
    base: int
    count: int
    each: Type | None
    type: Type
    low: int
    high: int
    start: int


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """params counts the slots after YOU that are arguments; slots gives the type of every frame
    slot, YOU included.

    opens: position slots set to 0 when the rule begins (windows and memories of this period).
    part_of: the rule of which this is what is left inside what abilities have laid around it.
    """

    name: str
    params: int
    slots: tuple[Type, ...]
    body: Block
    opens: tuple[int, ...]
    origins: tuple[Origin, ...]
    part_of: str = ""

    @property
    def declared(self) -> str:
        """The name of the rule that it is, or that it is a part of."""
        return self.part_of or self.name


@dataclass(frozen=True, slots=True)
class DefineInfo:
    name: str
    slots: tuple[Type, ...]
    value: Expr
    type: Type
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class ForbidInfo:
    """permits: abilities that lift it, each with its condition, those without a window first."""

    name: str
    rule: int
    reason: str
    permits: tuple[tuple[int, Expr], ...]
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class AbilityInfo:
    """One ability of one card (card is nothing for a standing one: window then has a slot for each
    player).

    window: the position slot that counts its uses, or nothing. arrival: the rule done when the card
    comes to an active place. missing: a name it speaks of that this game does not have ("" for
    none): then it does nothing.
    """

    name: str
    card: int
    window: int
    arrival: int
    text: str
    span: Span | None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Trigger:
    """After an event: verb gain | pay | do; subject: the resource or rule; actor: you | opponent |
    anyone, seen from the owner.

    kind: the card kind of the source, or nothing for any. body: the rule done, with the owner as
    you. memory: the first of the slots, one for each player, that remember that it happened this
    period, or nothing.
    """

    ability: int
    verb: str
    subject: int
    actor: str
    kind: int
    body: int
    memory: int
    condition: Expr


@dataclass(frozen=True, slots=True)
class FreeExchange:
    """At any question of theirs a player may give these items for those; (item, number) pairs."""

    name: str
    give: tuple[tuple[int, int], ...]
    take: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A named part of every player's score; slots as in a rule. ability: only while it is active
    (nothing: always).
    """

    name: str
    value: Expr
    slots: tuple[Type, ...]
    ability: int
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    most: bool
    value: Expr
    slots: tuple[Type, ...]
    text: str


@dataclass(frozen=True, slots=True)
class LayoutTable:
    """Rows of places; nothing is a gap."""

    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class LayoutItem:
    """What one entry of a line shows: what is resource | places | variable | pieces; of: its
    numbers, for each player or once.
    """

    name: str
    what: str
    of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LayoutLine:
    items: tuple[LayoutItem, ...]


@dataclass(frozen=True, slots=True)
class LayoutPlayer:
    """What belongs to one player."""

    player: int
    lines: tuple[LayoutTable | LayoutLine, ...]


@dataclass(frozen=True, slots=True)
class Slots:
    """Where everything lies in the position.

    0 POINT (that waits, or nothing when the game is over), 1 METER (elements looked at since the
    last question: 0 while one waits), 2 ENDED (a rule or nothing), then: amounts (resource *
    players + player), card_place, card_next (the card below it), card_known (bit 0 face up, bit 1 +
    p known to player p), piece_place, place_top (top card), windows and memories, stored amounts,
    variables; then the stack from `stack`. lows and highs give the domain of every slot below it.
    """

    amounts: int
    card_place: int
    card_next: int
    card_known: int
    piece_place: int
    place_top: int
    windows: int
    stack: int
    lows: tuple[int, ...] = field(repr=False)
    highs: tuple[int, ...] = field(repr=False)


POINT, METER, ENDED = 0, 1, 2
FRAME_HEAD = 2  # before slot 0 of a frame: its rule, and the point at which it waits


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Game:
    """A checked game. Everything refers to everything else by number in these tuples.

    sheet: the name or path it was loaded by; "" for texts in memory.
    """

    name: str
    title: str
    options: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    resources: tuple[str, ...]
    groups: tuple[tuple[str, tuple[int, ...]], ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]
    kinds: tuple[str, ...]
    places: tuple[PlaceInfo, ...]
    cards: tuple[CardInfo, ...]
    pieces: tuple[PieceInfo, ...]
    variables: tuple[Variable, ...]
    rules: tuple[RuleInfo, ...]
    defines: tuple[DefineInfo, ...]
    forbids: tuple[ForbidInfo, ...]
    abilities: tuple[AbilityInfo, ...]
    triggers: tuple[Trigger, ...]
    terms: tuple[Terms, ...]
    prices: tuple[Price, ...]
    actions: tuple[int, ...]  # for each card the rule of its action, or nothing
    exchanges: tuple[FreeExchange, ...]
    scores: tuple[ScorePart, ...]
    ties: tuple[Tie, ...]
    layout: tuple[LayoutTable | LayoutLine | LayoutPlayer, ...]
    setup: int
    round: int
    slots: Slots
    declared: tuple[Declared, ...] = ()
    hash: str = ""
    sheet: str = field(default="", compare=False)
    lowered: Program | None = field(default=None, compare=False, repr=False)

    @property
    def program(self) -> Program:
        """What engines play."""
        assert self.lowered is not None, "a game that has not been made whole"
        return self.lowered

    def __deepcopy__(self, memo: object) -> Game:
        return self
