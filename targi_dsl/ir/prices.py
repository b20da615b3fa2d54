"""Prices and the modifiers of payments.

An *item* is anything an amount can count: resource r is item r, group g is item len(resources) +
g.
"""

from __future__ import annotations

from targi_dsl.ir.expressions import Expr
from targi_dsl.text.light import dataclass

Amounts = tuple[tuple[int, int], ...]
"""(item, number) pairs, in the order of the items."""


@dataclass(frozen=True, slots=True)
class Price:
    """Alternatives to pay, an optional extra payment, and its reward."""

    alternatives: tuple[Amounts, ...]
    extra: Amounts = ()
    reward: Amounts = ()


@dataclass(frozen=True, slots=True)
class Reduction:
    """Saves items while the ability is active and the condition holds (in the frame of the
    payment).
    """

    ability: int
    item: int
    number: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Substitute:
    """Lets `paid` replace `owed`, once per payment."""

    ability: int
    paid: Amounts
    owed: Amounts
    condition: Expr


@dataclass(frozen=True, slots=True)
class Stored:
    """What lies on the ability's card (a position slot) pays first."""

    ability: int
    resource: int
    slot: int


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything that can modify the payments of one rule."""

    rule: str
    reductions: tuple[Reduction, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    stored: tuple[Stored, ...] = ()
