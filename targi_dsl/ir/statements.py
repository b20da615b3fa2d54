"""The statements of a checked game. A block is a tuple of statements.

*Possible.* A block is possible if its head holds. The head is evaluated from the top, in the
current position, before anything is done. In it `Let` binds a slot; a `Forbid` must not hold; a
`Pay` must be payable, unless it has an otherwise; an `If` continues with its branch; a `TurnOf`
continues with its block, with that player as `you`; `Do` and `DoAction` continue with the rule
they call; `Use` is skipped. An `Ask` needs a possible alternative or an otherwise, and ends the
head; a `Loop` needs a possible first turn other than `Leave`, and ends the head. Every other
statement ends the head. An alternative is offered if its guard holds, its element is in its set,
and its body is possible with that element bound.
"""

from __future__ import annotations

from typing import Literal, Self

from msgspec.structs import replace

from targi_dsl.ir.constants import NOTHING, Facing
from targi_dsl.ir.expressions import Compare, Const, Expr, PriceExpr
from targi_dsl.ir.types import Nothing, Type
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen, Noted


class Placed(Noted, kw_only=True):
    """A node with a place in the rules. `span` is ignored in comparisons; it is None for nodes that
    are not in any source.
    """

    notes = ("span",)
    span: Span | None = None

    def at(self, span: Span) -> Self:
        """A copy with this place, or the node itself if it already has one."""
        return self if self.span is not None else replace(self, span=span)


class Gain(Placed):
    """A player gains resources (the resource may be computed). source: the card whose text says
    so, or nothing. Amounts below 1 have no effect.
    """

    who: Expr
    resource: Expr
    number: Expr
    source: Expr


class Pay(Placed):
    """You pay; if you cannot, `otherwise` is done. Without an otherwise, that is a fault. paid: the
    first of the frame slots, one for each resource, that tell how much was paid, or nothing.
    is_loss: it is told as a loss.
    """

    price: PriceExpr
    terms: int
    otherwise: Block | None
    paid: int = NOTHING
    is_loss: bool = False


class Store(Placed):
    """Puts resources from the supply into a slot of the position (onto a card)."""

    slot: int
    resource: int
    number: Expr


class MoveCards(Placed):
    """Moves every card of a set to a place, on top or to the bottom; those that lie on one place
    keep their order. facing: up, down, or "" for the usual orientation of the place.
    """

    cards: Expr
    place: Expr
    under: bool
    facing: Facing | Literal[""]


class MovePieces(Placed):
    """Moves pieces to a place; if it is nothing, that is a fault. Takes them off the board if no
    place is given.
    """

    pieces: Expr
    place: Expr | None


class Turn(Placed):
    """Turns cards face up or face down."""

    cards: Expr
    up: bool


class Reveal(Placed):
    """Lets a player know cards, or everybody if no player is given."""

    cards: Expr
    to: Expr | None = None


class Shuffle(Placed):
    """Lets chance put the cards of a zone in order; `work` is a frame slot that counts the
    positions decided so far.
    """

    place: Expr
    work: int


class Refresh(Placed):
    """If the place is empty, shuffles the cards of its refill into it."""

    place: Expr


class Assign(Placed):
    """Sets a variable (its number in Game.variables) at an index. secret: who may know the value,
    as in `Variable`; 0 for a variable that everybody sees. is_told: whether an event reports it.
    """

    variable: int
    index: Expr
    value: Expr
    secret: int = 0
    is_told: bool = True


class Let(Placed):
    slot: int
    value: Expr


class Roll(Placed):
    """Sets a slot to a random number from low to high, uniformly. secret: no player learns it."""

    slot: int
    low: Expr
    high: Expr
    secret: bool = False


class Forbid(Placed):
    """In a head, the condition must not hold unless it is lifted. When carried out: if only a
    permission with a window lifts it, that window is used; if nothing lifts it, that is a fault.
    """

    forbid: int
    condition: Expr


class Do(Placed):
    rule: int
    arguments: tuple[Expr, ...]


class DoAction(Placed):
    """Does the rule on a card (Game.actions), with that card as `this`; nothing if it has none."""

    card: Expr


class Announce(Placed):
    """You have done this rule; fires the triggers on it."""

    rule: int


class Use(Placed):
    """Counts one use of the ability's window."""

    ability: int


class EndGame(Placed):
    """Ends the game; this rule is named as the cause."""

    rule: int


class Stop(Placed):
    """Skips the rest of this rule."""


class If(Placed):
    condition: Expr
    then: Block
    otherwise: Block


class Each(Placed):
    """Goes through a set in ascending order, evaluating the set again at every step and never
    going back. The slot holds the element (nothing before the first).
    """

    slot: int
    within: Expr
    body: Block


class EachPlayer(Placed):
    """Does the body for every player once, in seat order from start. slot holds the player, slot
    + 1 the number done, and slot + 2 the previous YOU, which is restored afterwards; within
    the body the frame's YOU is that player.
    """

    slot: int
    start: Expr
    body: Block


class TurnOf(Placed):
    """Does the block with that player as the frame's YOU, which is saved in `slot` and restored
    afterwards. Skipped if the player is nothing.
    """

    slot: int
    player: Expr
    body: Block

    @property
    def there(self) -> Expr:
        """The condition that there is such a player."""
        return Compare("is_not", self.player, Const(NOTHING, Nothing()))


class Until(Placed):
    """Repeats the body until the condition holds, which is evaluated before every turn. `slot`, a
    frame slot, identifies it for `NextTurn`. left: of turns around the table, the first of the
    slots, one for each player, that hold nothing once that player has passed.
    """

    slot: int
    condition: Expr
    body: Block
    left: int = NOTHING


class NextTurn(Placed):
    """Continues with the next turn of the enclosing `Until` with this slot."""

    slot: int


class Loop(Placed):
    """Repeats the body at most `limit` times (counted in slot), until `Leave` or until it is not
    possible.
    """

    slot: int
    limit: Expr
    body: Block


class Leave(Placed):
    """Ends the innermost loop."""


class Alternative(Frozen):
    """One way to answer; with a slot, one option for each element of the set. The guard is
    evaluated before the elements. wording: the number of its words for people.
    """

    label: str
    choice: Binding | None
    guard: Expr
    body: Block
    wording: int = NOTHING


class Binding(Frozen):
    """What is chosen: the slot it is stored in, the set on offer, its type, and every element that
    the set can ever contain.
    """

    slot: int
    within: Expr
    type: Type
    domain: tuple[int, ...]


class Manner(Frozen):
    """How a question is asked. secret: no other player learns the answer. in_any_case: a single
    answer is asked for, too.
    """

    secret: bool = False
    in_any_case: bool = False


class Ask(Placed):
    """Asks you a question. If no alternative is possible, otherwise is done, which may be empty;
    without an otherwise, that is a fault. If only one is possible, it is taken without asking,
    unless the manner is another.
    """

    name: str
    alternatives: tuple[Alternative, ...]
    otherwise: Block | None = None
    manner: Manner = Manner()


class Random(Placed):
    """Lets chance choose one element of a set, uniformly; an empty set is a fault."""

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
