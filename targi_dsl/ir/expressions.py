"""The expressions of a checked game.

An expression is evaluated in a frame and changes nothing. Every value is an integer: players,
resources, cards, pieces, places and the members of a `values` list are numbered from 0, -1 is
nothing, and truth is 0 or 1. A set is an ascending tuple of integers without duplicates.

A table may be indexed with -1: its last entry answers for nothing, so every question has an answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from targi_dsl.ir.types import Type


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
class Reached:
    """The places of `within` to which steps lead from those of `start` over places of `within`; one
    of `start` that is in `within` is reached without a step. Where a step from the place in the
    slot leads to is `step`.
    """

    slot: int
    start: Expr
    step: Expr
    within: Expr


@dataclass(frozen=True, slots=True)
class LongestLine:
    """The most places of a set that lie one behind the other in one of the ways, each a table of
    the next place.
    """

    ways: tuple[tuple[int, ...], ...]
    within: Expr


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


@dataclass(frozen=True, slots=True)
class Listed:
    """A price of the game's list, by number; nothing is free."""

    number: Expr


@dataclass(frozen=True, slots=True)
class Counted:
    """One alternative with computed amounts; a number below 0 counts as 0."""

    amounts: tuple[tuple[int, Expr], ...]


PriceExpr = Listed | Counted


Lookup = Const | Local | Var | Table | Pick | Image | Call
SetExpr = MakeSet | Range | SetOp | Filter | Map | CardsOn | Lying | Places | Reached
Arithmetic = Fold | Size | Arith | LongestLine
Element = First | TopCard | BottomCard
Condition = (
    Exists | Compare | Member | Not | All | AnyOf | FaceUp | During | Active | CanDo | CanPay
)
Expr = Lookup | SetExpr | Arithmetic | Element | Condition | Cond
