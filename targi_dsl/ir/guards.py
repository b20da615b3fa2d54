"""Guards: whether a block can be begun.

A guard is a tuple of conjuncts, read in order in the present position before anything is done, up
to where the block first changes or asks something. Each conjunct says where it comes from, so that
what is offered and why something is not offered are the same thing read twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.ir.expressions import Expr, PriceExpr


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
