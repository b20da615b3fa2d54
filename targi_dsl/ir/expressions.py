"""The expressions of a checked game.

An expression is evaluated in a frame and changes nothing. Every value is an integer: players,
resources, cards, pieces, places and the members of a `values` list are numbered from 0, -1 is
nothing, and truth is 0 or 1. A set is an ascending tuple of distinct integers.

An index outside a table yields its last entry, so every lookup has a result.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from targi_dsl.ir.types import Type
from targi_dsl.text.structs import Frozen, Noted

SetOperator = Literal["plus", "except", "within"]
Aggregate = Literal["sum", "highest", "lowest", "different"]
ArithmeticOperator = Literal["+", "-", "*", "/", "remainder"]
Comparison = Literal["is", "is_not", "less_than", "at_most", "more_than", "at_least"]


class Const(Noted):
    """A number, or a set."""

    notes = ("type",)
    value: int | tuple[int, ...]
    type: Type | None = None


class Local(Frozen):
    """A slot of the frame; slot YOU holds the player."""

    slot: int


class Var(Frozen):
    """The slot base + index of the position; `missing` if the index is nothing."""

    base: int
    index: Expr
    missing: int


class Table(Noted):
    """A constant table from an index to a number."""

    notes = ("type",)
    values: tuple[int, ...]
    index: Expr
    type: Type | None = None


class Pick(Noted):
    """A constant table from an index to a set; an index out of range yields the last entry, which
    is empty.
    """

    notes = ("type",)
    sets: tuple[tuple[int, ...], ...]
    index: Expr
    type: Type | None = None


class Image(Noted):
    """The image of a set under a relation: the union of the sets related to its elements."""

    notes = ("type",)
    sets: tuple[tuple[int, ...], ...]
    of: Expr
    type: Type | None = None


class MakeSet(Frozen):
    """The set of these values, without nothing."""

    items: tuple[Expr, ...]


class Range(Frozen):
    """The numbers from low to high; empty if high is less than low; at most 1,024."""

    low: Expr
    high: Expr


class SetOp(Frozen):
    """plus (union), except (difference), within (intersection)."""

    op: SetOperator
    left: Expr
    right: Expr


class Filter(Frozen):
    """The elements for which the condition holds; the slot is bound to each in turn."""

    slot: int
    within: Expr
    condition: Expr


class Map(Frozen):
    """The values of an expression for the elements of a set, as a set without nothing."""

    slot: int
    within: Expr
    value: Expr


class Fold(Frozen):
    """sum, highest or lowest (all 0 for the empty set), or different (the number of distinct
    values other than nothing).
    """

    op: Aggregate
    slot: int
    within: Expr
    value: Expr


class Reached(Frozen):
    """The elements of `within` that can be reached from `start` by steps that stay in `within`.
    Elements of `start` in `within` are included. `step` yields the elements one step from the
    element in the slot.
    """

    slot: int
    start: Expr
    step: Expr
    within: Expr


class LongestLine(Frozen):
    """The length of the longest line in a set of places. Each way is a table from a place to the
    next one.
    """

    ways: tuple[tuple[int, ...], ...]
    within: Expr


class Size(Frozen):
    """The number of elements."""

    of: Expr


class First(Frozen):
    """The lowest element, or nothing."""

    of: Expr


class Exists(Frozen):
    """Whether any element satisfies the condition; with Const(1), whether the set has any
    element.
    """

    slot: int
    within: Expr
    condition: Expr


class Arith(Frozen):
    """+ - * / remainder on signed 32-bit numbers. / rounds towards minus infinity, remainder is
    what it leaves, and both are 0 for a divisor of 0; an overflow is a fault with its place in
    the rules.
    """

    op: ArithmeticOperator
    left: Expr
    right: Expr


class Compare(Frozen):
    """is, is_not, less_than, at_most, more_than, at_least. `is` also compares sets."""

    op: Comparison
    left: Expr
    right: Expr


class Member(Frozen):
    item: Expr
    within: Expr


class Not(Frozen):
    of: Expr


class All(Frozen):
    """Logical and: left to right, stopping at the first that is false."""

    parts: tuple[Expr, ...]


class AnyOf(Frozen):
    """Logical or: left to right, stopping at the first that is true."""

    parts: tuple[Expr, ...]


class Cond(Frozen):
    condition: Expr
    then: Expr
    otherwise: Expr


class CardsOn(Frozen):
    """The cards on any place of a set."""

    places: Expr


class TopCard(Frozen):
    """The top card of a place, or nothing."""

    place: Expr


class BottomCard(Frozen):
    place: Expr


class Lying(Frozen):
    """The elements e of a set for which slot base + e is one of `places`: the cards or pieces on
    those places.
    """

    base: int
    things: Expr
    places: Expr


class Places(Frozen):
    """The places of the elements e of a set: the values of slots base + e, without nothing."""

    base: int
    things: Expr


class FaceUp(Frozen):
    card: Expr


class Call(Frozen):
    """A call of a definition, evaluated in a new frame; the first argument becomes its `you`, the
    others are its parameters.
    """

    define: int
    arguments: tuple[Expr, ...]


class During(Frozen):
    """Whether the stack contains a frame of that rule."""

    rule: int


class Active(Frozen):
    """Whether the ability is active for you: its card lies on one of your places with active
    abilities (an ability without a card belongs to everybody), and its window, if it has one,
    is open.
    """

    ability: int


class CanDo(Frozen):
    """Whether it is possible for you to do the rule with these arguments."""

    rule: int
    arguments: tuple[Expr, ...]


class CanPay(Frozen):
    """Whether you can pay the price, if necessary after free exchanges."""

    price: PriceExpr
    terms: int


class Listed(Frozen):
    """A price by its number in the game's list; nothing means free."""

    number: Expr


class Counted(Frozen):
    """A price of one alternative with computed amounts; negative amounts count as 0."""

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


# ---- the comparisons of the language, and how they relate to each other ----


class Comparing(NamedTuple):
    """What a comparison means. sign: its operator in Python and C. opposite: the comparison that
    holds when this one does not.
    """

    sign: str
    holds: Callable[[Any, Any], bool]
    opposite: Comparison


COMPARISONS: dict[Comparison, Comparing] = {
    "is": Comparing("==", operator.eq, "is_not"),
    "is_not": Comparing("!=", operator.ne, "is"),
    "less_than": Comparing("<", operator.lt, "at_least"),
    "at_most": Comparing("<=", operator.le, "more_than"),
    "more_than": Comparing(">", operator.gt, "at_most"),
    "at_least": Comparing(">=", operator.ge, "less_than"),
}
