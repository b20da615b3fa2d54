"""Payments: the price due now, the plans that can pay it, and whether you can; see docs/program.md,
*Payments*.
"""

from __future__ import annotations

from typing import assert_never

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.options import EXCHANGE
from targi_dsl.engine.plans import Asked, Plan
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.trading import covers
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Amounts, Terms
from targi_dsl.ir.expressions import Counted, Listed, PriceExpr

FREE: tuple[Asked, ...] = ((), NOTHING)
PLAIN = Terms("")


class Invoice:
    """One payment, evaluated for you in a frame. asked: the price that is due."""

    def __init__(self, code: Code, expressions: Expressions, price: PriceExpr, terms: int) -> None:
        self.code, self.market = code, code.market
        of = code.program.terms[terms] if terms != NOTHING else PLAIN
        value, activity = expressions.value, code.activity
        self.asked = _asked(price, expressions)
        self._reductions = [
            (activity(one.ability), value(one.condition), one, value(one.number))
            for one in of.reductions
        ]
        self._substitutes = [
            (activity(one.ability), value(one.condition), one) for one in of.substitutes
        ]
        self._stored = [(activity(one.ability), (one.resource, one.slot)) for one in of.stored]

    def plans(self, v: Vector, f: Frame) -> tuple[Plan, ...]:
        """The plans that settle the price, in order."""
        you, asked = f[YOU], self.asked(v, f)
        reductions = tuple(
            [
                (one.ability, one.item, number(v, f))
                for active, condition, one, number in self._reductions
                if active(v, you) and condition(v, f)
            ]
        )
        substitutes = tuple(
            [
                one
                for active, condition, one in self._substitutes
                if active(v, you) and condition(v, f)
            ]
        )
        return self.code.planner.plans(asked, reductions, substitutes)

    def stored(self, v: Vector, f: Frame) -> list[tuple[int, int]]:
        """The (resource, slot) pairs that pay first."""
        return [store for active, store in self._stored if active(v, f[YOU])]

    def purse(self, v: Vector, f: Frame) -> list[int]:
        """What you have, with what is stored."""
        have = self.market.purse(v, f[YOU])
        for resource, slot in self.stored(v, f) if self._stored else ():
            have[resource] += v[slot]
        return have

    def reward(self, v: Vector, f: Frame) -> Amounts:
        """What you gain if you pay the extra."""
        return self.code.planner.price(self.asked(v, f)).reward

    def can_pay(self, v: Vector, f: Frame) -> bool:
        """Whether any plan can be paid, if necessary after exchanges."""
        plans, have = self.plans(v, f), self.purse(v, f)
        for plan in plans:
            if covers(have, plan, self.market.groups):
                return True
        return bool(self.market.exchanges) and bool(self.reachable(plans, v, f)[1])

    def reachable(
        self, plans: tuple[Plan, ...], v: Vector, f: Frame
    ) -> tuple[list[int], list[int]]:
        """The numbers of the plans that you can pay as you are, and of those that you can pay now
        or after exchanges.
        """
        return self.market.reachable(plans, self.purse(v, f), self.market.purse(v, f[YOU]))

    def useful(self, plans: tuple[Plan, ...], v: Vector, f: Frame) -> list[int]:
        """The options of exchanges after which one of these plans can still be paid."""
        own = self.market.purse(v, f[YOU])
        return [EXCHANGE + one for one in self.market.useful(plans, self.purse(v, f), own)]


def _asked(price: PriceExpr, expressions: Expressions) -> Value:
    """The price that is due: its number, or amounts."""
    match price:
        case Listed(number):
            return expressions.value(number)
        case Counted(amounts):
            items = [(item, expressions.value(number)) for item, number in amounts]
            return lambda v, f: counted(tuple([(item, number(v, f)) for item, number in items]))
        case _:
            assert_never(price)


def counted(amounts: Amounts) -> Amounts:
    """The amounts above 0, those of equal items added."""
    total: dict[int, int] = {}
    for item, number in amounts:
        if number > 0:
            total[item] = total.get(item, 0) + number
    return tuple(sorted(total.items()))
