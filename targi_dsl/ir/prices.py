"""Prices, and what changes a payment.

An *item* is what an amount counts: resource r is item r, group g is item len(resources) + g.
"""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.ir.expressions import Expr

Amounts = tuple[tuple[int, int], ...]
"""(item, number) pairs, in the order of the items."""


@dataclass(frozen=True, slots=True)
class Price:
    """Alternatives; what may be paid in addition, and what is gained for that."""

    alternatives: tuple[Amounts, ...]
    extra: Amounts = ()
    reward: Amounts = ()


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
    """Once a payment, `paid` may stand for `owed`."""

    ability: int
    paid: Amounts
    owed: Amounts
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
