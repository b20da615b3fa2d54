"""The statements of a checked game. A block is a tuple of statements.

*Possible.* A block can be begun when its head holds. The head is read from the top, in the present
position, and judged before anything is done: `Let` binds, `Forbid` must not hold, `Pay` must be
payable (unless it has an otherwise), an `If` whose condition holds goes on into its branch, a
`TurnOf` into its block with that player as `you`, `Do` and `DoAction` into the rule called, an
`Ask` must have a possible alternative (or an otherwise) and ends the head; a `Loop` must have a
possible first turn other than `Leave`, and ends the head; `Use` is passed over; every other
statement ends the head. An alternative is offered when its guard holds, its element is in its set,
and its body is possible with that element bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import Compare, Const, Expr, PriceExpr
from targi_dsl.ir.types import Nothing, Type
from targi_dsl.text.source import Span


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
    """A player comes to know cards; without one all do."""

    cards: Expr
    to: Expr | None = None


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
    """A variable (number in Game.variables) at an index. secret: who may know the value, see
    `Variable`; of a variable that all see it is 0.
    """

    variable: int
    index: Expr
    value: Expr
    secret: int = 0


@dataclass(frozen=True, slots=True)
class Let(Placed):
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Roll(Placed):
    """A number from low to high, by chance, equally likely. secret: it is told to nobody."""

    slot: int
    low: Expr
    high: Expr
    secret: bool = False


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
class TurnOf(Placed):
    """The block with that player as the frame's YOU, which `slot` keeps and gets back afterwards;
    left out when the player is nothing.
    """

    slot: int
    player: Expr
    body: Block

    @property
    def there(self) -> Expr:
        """Whether there is such a player."""
        return Compare("is_not", self.player, Const(NOTHING, Nothing()))


@dataclass(frozen=True, slots=True)
class Until(Placed):
    """The body again and again; before every turn it is asked whether the condition holds, and then
    it ends. `slot`, one of the frame, is its name for `NextTurn`.
    """

    slot: int
    condition: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class NextTurn(Placed):
    """Goes on with the next turn of the `Until` around it that has this slot."""

    slot: int


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
    asking. secret: nobody else is told the answer.
    """

    name: str
    alternatives: tuple[Alternative, ...]
    otherwise: Block
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Random(Placed):
    """Chance chooses one of a set, each equally likely; from an empty set nothing can be chosen."""

    label: str
    choice: Binding


Effect = (
    Gain | Store | MoveCards | MovePieces | Turn | Reveal | Refresh | Assign | DoAction | Announce
    | Use | EndGame
)  # fmt: skip
"""What changes the position, and is an instruction of the program as it stands."""

Chance = Shuffle | Roll | Random
Step = Let | Forbid | Do | Stop | Leave | NextTurn
Compound = If | Each | EachPlayer | TurnOf | Until | Loop | Ask | Pay
Statement = Effect | Chance | Step | Compound
Block = tuple[Statement, ...]
