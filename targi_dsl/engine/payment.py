"""Payments: the price due now, the ways to pay it, and whether the player can."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.plans import Asked, Plan
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.trading import covers
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import Const, Counted, Listed, PriceExpr
from targi_dsl.ir.prices import Terms
from targi_dsl.text.light import dataclass

FREE: tuple[Asked, ...] = ((), NOTHING)


@dataclass(frozen=True, slots=True)
class Invoice:
    """One payment, evaluated for you in a frame.

    stored: (resource, slot) pairs that pay first. purse: what you can pay with, by resource,
    including what is stored.
    """

    asked: Callable[[Vector, Frame], Asked]
    plans: Callable[[Vector, Frame], tuple[Plan, ...]]
    stored: Callable[[Vector, Frame], list[tuple[int, int]]]
    purse: Callable[[Vector, Frame], list[int]]


class Payments:
    """Compiles payments."""

    def __init__(self, code: Code, expressions: Expressions) -> None:
        self.code, self.expressions = code, expressions

    def invoice(self, price: PriceExpr, terms: int) -> Invoice:
        """The closures of one payment."""
        of, changes = self._asked(price), self._terms(terms)
        stored = self._stored(changes)
        return Invoice(of, self._plans(price, of, changes), stored, self._purse(changes, stored))

    def can_pay(self, price: PriceExpr, terms: int) -> Value:
        """Whether any plan can be paid, if necessary after exchanges."""
        of, market = self.invoice(price, terms), self.code.market

        def payable(v: Vector, f: Frame) -> int:
            plans, have = of.plans(v, f), of.purse(v, f)
            for plan in plans:
                if covers(have, plan, market.groups):
                    return 1
            return int(bool(market.exchanges) and bool(self.reachable(of, plans, v, f)[1]))

        return payable

    def reachable(
        self, of: Invoice, plans: tuple[Plan, ...], v: Vector, f: Frame
    ) -> tuple[list[int], list[int]]:
        """The numbers of the plans that you can pay as you are, and of those that you can pay now
        or after exchanges.
        """
        market = self.code.market
        return market.reachable(plans, of.purse(v, f), market.purse(v, f[0]))

    def useful_exchanges(
        self, of: Invoice, v: Vector, f: Frame, plans: tuple[Plan, ...]
    ) -> list[int]:
        """The exchanges after which one of these plans can still be paid."""
        market = self.code.market
        return market.useful(plans, of.purse(v, f), market.purse(v, f[0]))

    def _asked(self, price: PriceExpr) -> Callable[[Vector, Frame], Asked]:
        match price:
            case Listed(number):
                return self.expressions.value(number)
            case Counted(amounts):
                counts = [(item, self.expressions.value(number)) for item, number in amounts]

                def counted(v: Vector, f: Frame) -> Asked:
                    positive = [
                        (item, number) for item, count in counts if (number := count(v, f)) > 0
                    ]
                    return _added(positive) if len(positive) > 1 else tuple(positive)

                return counted
            case _:
                assert_never(price)

    def _plans(
        self, price: PriceExpr, owed: Callable[[Vector, Frame], Asked], of: Terms
    ) -> Callable[[Vector, Frame], tuple[Plan, ...]]:
        planner, value = self.code.planner, self.expressions.value
        if not of.reductions and not of.substitutes:
            if isinstance(price, Listed) and isinstance(price.number, Const):
                assert isinstance(price.number.value, int)
                fixed = planner.plans(price.number.value)
                return lambda v, f: fixed
            return lambda v, f: planner.plans(owed(v, f))
        activity = self.code.activity
        cuts = [
            (
                reduction,
                activity(reduction.ability),
                value(reduction.number),
                value(reduction.condition),
            )
            for reduction in of.reductions
        ]
        substitutes = [
            (substitute, activity(substitute.ability), value(substitute.condition))
            for substitute in of.substitutes
        ]

        def plans(v: Vector, f: Frame) -> tuple[Plan, ...]:
            working = [
                (reduction.ability, reduction.item, number(v, f))
                for reduction, active, number, test in cuts
                if active(v, f[0]) and test(v, f)
            ]
            standing = [
                substitute
                for substitute, active, test in substitutes
                if active(v, f[0]) and test(v, f)
            ]
            return planner.plans(owed(v, f), tuple(working), tuple(standing))

        return plans

    def _stored(self, of: Terms) -> Callable[[Vector, Frame], list[tuple[int, int]]]:
        if not of.stored:
            return lambda v, f: []
        stores = [
            (store.resource, store.slot, self.code.activity(store.ability)) for store in of.stored
        ]
        return lambda v, f: [
            (resource, slot) for resource, slot, active in stores if v[slot] and active(v, f[0])
        ]

    def _purse(
        self, of: Terms, stored: Callable[[Vector, Frame], list[tuple[int, int]]]
    ) -> Callable[[Vector, Frame], list[int]]:
        market = self.code.market
        first, end, step = market.amounts, market.end, market.players

        def purse(v: Vector, f: Frame) -> list[int]:
            have = v[first + f[0] : end : step]
            for resource, slot in stored(v, f):
                have[resource] += v[slot]
            return have

        return purse if of.stored else lambda v, f: v[first + f[0] : end : step]

    def _terms(self, terms: int) -> Terms:
        return self.code.program.terms[terms] if terms != NOTHING else Terms("")


def _added(amounts: list[tuple[int, int]]) -> Asked:
    total = dict.fromkeys(sorted(item for item, _ in amounts), 0)
    for item, number in amounts:
        total[item] += number
    return tuple(total.items())
