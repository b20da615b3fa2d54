"""The program of a game: all that an engine needs, and nothing that it must work out again.

Rules are procedures in one flat list of instructions. Addresses are places in that list and mean
nothing outside one program; what positions, records and people name are *points*: a rule and a
label, where a frame can wait. Expressions are those of `ir.model`. docs/program.md specifies what
every part means.

*Guards.* Whether a block can be begun is a tuple of conjuncts, read in order in the present
position before anything is done, up to where the block first changes or asks something. Each
conjunct says where it comes from, so that what is offered and why something is not offered are the
same thing read twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass

from targi_dsl.ir.model import (
    NOTHING,
    AbilityInfo,
    Announce,
    Assign,
    Binding,
    DefineInfo,
    Do,
    DoAction,
    EndGame,
    Expr,
    Forbid,
    Gain,
    Let,
    MoveCards,
    MovePieces,
    PieceInfo,
    PlaceInfo,
    Price,
    PriceExpr,
    Refresh,
    Reveal,
    ScorePart,
    Slots,
    Store,
    Terms,
    Tie,
    Trigger,
    Turn,
    Use,
    Variable,
)
from targi_dsl.ir.types import Type
from targi_dsl.text.source import Span

OVER, NEXT_ROUND, RETURN = 0, 1, 2
"""The first three addresses of every program: the game is over, a round begins, a rule ends."""

# ---- guards ----


@dataclass(frozen=True, slots=True)
class Bind:
    """Binds a slot for what follows."""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Need:
    """A prohibition: its condition must not hold, unless a permission lifts it."""

    rule: int
    forbid: int
    condition: Expr


@dataclass(frozen=True, slots=True)
class Payable:
    """You can pay the price, free exchanges included."""

    rule: int
    price: PriceExpr
    terms: int


@dataclass(frozen=True, slots=True)
class Split:
    """Goes on into one of two guards, and after it with what follows, unless it was decided."""

    test: Expr
    then: Guard
    otherwise: Guard


@dataclass(frozen=True, slots=True)
class Perform:
    """The guard of a rule, in a frame of that rule."""

    rule: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PerformAction:
    """The guard of the rule that a card carries; nothing to ask when it carries none."""

    card: Expr


@dataclass(frozen=True, slots=True)
class Answer:
    """At least one of these ways of a question is possible; that decides."""

    rule: int
    question: int
    ways: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """A loop may be begun: its limit is above 0 and, with the slot at 1, its body's guard holds;
    that decides.
    """

    rule: int
    slot: int
    limit: Expr
    body: Guard


@dataclass(frozen=True, slots=True)
class Decided:
    """The guard holds; what follows is not looked at."""


Conjunct = Bind | Need | Payable | Split | Perform | PerformAction | Answer | FirstTurn | Decided
Guard = tuple[Conjunct, ...]

# ---- questions ----


@dataclass(frozen=True, slots=True)
class Way:
    """One way to answer: with a choice, one option for each element of its set. `when` is asked
    once, before the elements; the guard with each element bound. It goes on at `target`.
    """

    label: str
    choice: Binding | None
    when: Expr
    guard: Guard
    target: int
    declines: bool


@dataclass(frozen=True, slots=True)
class Bill:
    """A payment: what is asked, what may change it, and the slots of the frame that hold what is
    still open: whether the bracket is paid; for each group the wildcard units owed; for each
    resource whether it has been paid.
    """

    price: PriceExpr
    terms: int
    bracket: int
    owed: int
    paid: int


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is asked. kind: ask | pay | unit | shuffle | roll. `ways` are those of an
    ask, `bill` is that of a payment or of its units.
    """

    name: str
    kind: str
    rule: int
    point: int
    ways: tuple[Way, ...] = ()
    bill: Bill | None = None


# ---- instructions ----


@dataclass(frozen=True, slots=True)
class Nop:
    """Nothing; it goes on."""


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round begins."""


@dataclass(frozen=True, slots=True)
class Return:
    """The rule ends; what waits below goes on."""


@dataclass(frozen=True, slots=True)
class Open:
    """These slots of the position become 0: windows and memories of a period that begins."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Goes on when the condition holds, and else at `otherwise`."""

    condition: Expr
    otherwise: int


@dataclass(frozen=True, slots=True)
class Test:
    """Goes on when the guard holds, and else at `otherwise`."""

    guard: Guard
    otherwise: int


@dataclass(frozen=True, slots=True)
class NextElement:
    """The slot becomes the lowest element of the set above what it holds; when there is none, it
    goes on at `done`.
    """

    slot: int
    within: Expr
    done: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks a question of ways; when none is possible, it goes on at `otherwise` (nothing: that is
    a fault).
    """

    question: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Pay:
    """Asks which plan is paid; when none can be, it goes on at `otherwise` (nothing: a fault)."""

    question: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class PayUnit:
    """Asks unit by unit what wildcards stand for, until none is owed."""

    question: int


@dataclass(frozen=True, slots=True)
class Settle:
    """A payment ends: its reward is gained, and triggers on what was paid follow."""

    question: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Chance orders the cards of a place; `work` counts the positions settled so far."""

    question: int
    place: Expr
    work: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance gives a number from low to high."""

    question: int
    slot: int
    low: Expr
    high: Expr


Effect = (
    Gain
    | Store
    | MoveCards
    | MovePieces
    | Turn
    | Reveal
    | Refresh
    | Assign
    | DoAction
    | Announce
    | Use
    | EndGame
)
Flow = Nop | Over | NextRound | Return | Open | Branch | Test | NextElement | Forbid | Let | Do
Asking = Ask | Pay | PayUnit | Settle | Shuffle | Roll
Operation = Effect | Flow | Asking


@dataclass(frozen=True, slots=True)
class Instruction:
    """One thing to be done, the address that it goes on at, the rule it belongs to, and where that
    stands.
    """

    operation: Operation
    next: int
    rule: int
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Point:
    """Where a frame can wait: a label of its rule, the address at which it goes on, and the slots
    that are read from there on before they are written. All others are 0 while it waits.
    """

    rule: int
    label: str
    address: int
    live: tuple[int, ...]
    question: int = NOTHING


@dataclass(frozen=True, slots=True)
class Procedure:
    """A rule: the first `params` slots after the player are its arguments; `slots` has the type of
    every slot of its frame. `begin` is the point at which it begins. `declared` is the rule that it
    is, or that is left of it inside what abilities have laid around it.
    """

    name: str
    declared: str
    params: int
    slots: tuple[Type, ...]
    entry: int
    begin: int
    guard: Guard
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Prohibition:
    """What lifts it: abilities, each with a condition, those without a window first."""

    name: str
    rule: int
    permits: tuple[tuple[int, Expr], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One card: cards with the same `same` are interchangeable; `start` is its place before the
    setup.
    """

    id: str
    kind: int
    same: int
    start: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A free exchange of certain resources; (resource, number) pairs."""

    id: str
    give: tuple[tuple[int, int], ...]
    take: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A game as every engine takes it. Everything refers to everything else by number."""

    name: str
    players: tuple[str, ...]
    resources: tuple[str, ...]
    groups: tuple[tuple[str, tuple[int, ...]], ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]
    kinds: tuple[str, ...]
    places: tuple[PlaceInfo, ...]
    cards: tuple[Card, ...]
    pieces: tuple[PieceInfo, ...]
    variables: tuple[Variable, ...]
    slots: Slots
    code: tuple[Instruction, ...]
    points: tuple[Point, ...]
    questions: tuple[Question, ...]
    procedures: tuple[Procedure, ...]
    defines: tuple[DefineInfo, ...]
    prohibitions: tuple[Prohibition, ...]
    abilities: tuple[AbilityInfo, ...]
    triggers: tuple[Trigger, ...]
    terms: tuple[Terms, ...]
    prices: tuple[Price, ...]
    actions: tuple[int, ...]
    exchanges: tuple[Exchange, ...]
    scores: tuple[ScorePart, ...]
    ties: tuple[Tie, ...]
    setup: int
    round: int
    refill: int
    engines: dict[str, object] = field(default_factory=dict, compare=False, repr=False)
    """What engines have made of it, by their name."""


def as_data(node: object) -> object:
    """A program, or a part of it, as plain data for JSON: what has fields becomes an object with
    the name of its class under "is", in which spans and what engines have made are left out.
    """
    if isinstance(node, tuple):
        return [as_data(one) for one in node]
    if is_dataclass(node) and not isinstance(node, type):
        parts = {
            one.name: as_data(getattr(node, one.name))
            for one in fields(node)
            if one.name not in ("span", "origins", "engines", "text")
        }
        return {"is": type(node).__name__, **parts}
    return node
