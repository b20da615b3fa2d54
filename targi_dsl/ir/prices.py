"""Prices and the modifiers of payments.

An *item* is anything an amount can count: resource r is item r, group g is item len(resources) +
g.
"""

from __future__ import annotations

from targi_dsl.ir.expressions import Expr
from targi_dsl.text.structs import Frozen

Amounts = tuple[tuple[int, int], ...]
"""(item, number) pairs, in the order of the items."""


class Price(Frozen):
    """Alternatives to pay, an optional extra payment, and its reward."""

    alternatives: tuple[Amounts, ...]
    extra: Amounts = ()
    reward: Amounts = ()


class Reduction(Frozen):
    """Saves items while the ability is active and the condition holds (in the frame of the
    payment).
    """

    ability: int
    item: int
    number: Expr
    condition: Expr


class Substitute(Frozen):
    """Lets `paid` replace `owed`, once per payment."""

    ability: int
    paid: Amounts
    owed: Amounts
    condition: Expr


class Stored(Frozen):
    """What lies on the ability's card (a position slot) pays first."""

    ability: int
    resource: int
    slot: int


class Terms(Frozen):
    """Everything that can modify the payments of one rule."""

    rule: str
    reductions: tuple[Reduction, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    stored: tuple[Stored, ...] = ()
