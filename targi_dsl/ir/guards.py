"""Guards: the preconditions of blocks.

A guard is a tuple of conjuncts that are evaluated in order, in the current position, before
anything is done. It covers a block up to the first statement that changes or asks something.
Every conjunct records its origin in the rules, so the same guard decides what is offered and
explains why something is not.
"""

from __future__ import annotations

from targi_dsl.ir.expressions import Expr, PriceExpr
from targi_dsl.text.structs import Frozen


class Bind(Frozen):
    """Binds a slot for the conjuncts that follow."""

    slot: int
    value: Expr


class Need(Frozen):
    """A prohibition: its condition must not hold unless a permission lifts it."""

    rule: int
    forbid: int
    condition: Expr


class Payable(Frozen):
    """The price must be payable, if necessary after free exchanges."""

    rule: int
    price: PriceExpr
    terms: int


class Split(Frozen):
    """Continues with one of two guards and then, unless that one has decided, with what follows."""

    test: Expr
    then: Guard
    otherwise: Guard


class Perform(Frozen):
    """The guard of a rule, evaluated in a frame of that rule."""

    rule: int
    arguments: tuple[Expr, ...]


class PerformAction(Frozen):
    """The guard of the rule on a card; holds if the card has none."""

    card: Expr


class Answer(Frozen):
    """At least one way to answer a question must be possible. Decides the guard."""

    rule: int
    question: int
    ways: tuple[int, ...]


class FirstTurn(Frozen):
    """The first turn of a loop must be possible: its limit is above 0 and, with the slot at 1,
    the guard of its body holds. Decides the guard.
    """

    rule: int
    slot: int
    limit: Expr
    body: Guard


class Decided(Frozen):
    """The guard holds; what follows is not evaluated."""


Conjunct = Bind | Need | Payable | Split | Perform | PerformAction | Answer | FirstTurn | Decided


Guard = tuple[Conjunct, ...]
