"""Guards: the preconditions of blocks.

A guard is a tuple of conjuncts that are evaluated in order, in the current position, before
anything is done. It covers a block up to the first statement that changes or asks something.
Every conjunct records its origin in the rules, so the same guard decides what is offered and
explains why something is not.
"""

from __future__ import annotations

from targi_dsl.ir.expressions import Expr, PriceExpr
from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class Bind:
    """Binds a slot for the conjuncts that follow."""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Need:
    """A prohibition: its condition must not hold unless a permission lifts it."""

    rule: int
    forbid: int
    condition: Expr


@dataclass(frozen=True, slots=True)
class Payable:
    """The price must be payable, if necessary after free exchanges."""

    rule: int
    price: PriceExpr
    terms: int


@dataclass(frozen=True, slots=True)
class Split:
    """Continues with one of two guards and then, unless that one has decided, with what follows."""

    test: Expr
    then: Guard
    otherwise: Guard


@dataclass(frozen=True, slots=True)
class Perform:
    """The guard of a rule, evaluated in a frame of that rule."""

    rule: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PerformAction:
    """The guard of the rule on a card; holds if the card has none."""

    card: Expr


@dataclass(frozen=True, slots=True)
class Answer:
    """At least one way to answer a question must be possible. Decides the guard."""

    rule: int
    question: int
    ways: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """The first turn of a loop must be possible: its limit is above 0 and, with the slot at 1,
    the guard of its body holds. Decides the guard.
    """

    rule: int
    slot: int
    limit: Expr
    body: Guard


@dataclass(frozen=True, slots=True)
class Decided:
    """The guard holds; what follows is not evaluated."""


Conjunct = Bind | Need | Payable | Split | Perform | PerformAction | Answer | FirstTurn | Decided


Guard = tuple[Conjunct, ...]
