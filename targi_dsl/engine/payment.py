"""Payments: the price due now, the plans that can pay it, and whether you can; see docs/program.md,
*Payments*.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from targi_dsl.engine.code import Code, Value
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.options import EXCHANGE
from targi_dsl.engine.plans import Asked, Plan
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.trading import covers
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import Counted, Listed, PriceExpr
from targi_dsl.ir.prices import Amounts, Terms

FREE: tuple[Asked, ...] = ((), NOTHING)
PLAIN = Terms("")


class Invoice:
    """One payment, evaluated for you in a frame. asked: the price due. plans: the plans that settle
    it. stored: (resource, slot) pairs that pay first.
    """

    def __init__(self, code: Code, expressions: Expressions, price: PriceExpr, terms: int) -> None:
        self.code, self.market, self.expressions = code, code.market, expressions
        of = code.program.terms[terms] if terms != NOTHING else PLAIN
        asked, text = self._asked(price), expressions.text
        self.asked = expressions.written(asked)
        reductions = self._active(
            (one.ability, text(one.condition), f"({one.ability}, {one.item}, {text(one.number)})")
            for one in of.reductions
        )
        substitutes = self._active(
            (one.ability, text(one.condition), expressions.bound(one)) for one in of.substitutes
        )
        plans = expressions.bound(code.planner.plans)
        self.plans: Value = expressions.written(f"{plans}({asked}, {reductions}, {substitutes})")
        stored = self._active(
            (one.ability, f"v[{one.slot}]", f"({one.resource}, {one.slot})") for one in of.stored
        )
        self.stored: Value = expressions.written(stored)
        first, end, step = self.market.amounts, self.market.end, self.market.players
        purse = f"v[{first} + f[{YOU}] : {end} : {step}]"
        if of.stored:
            purse = f"{expressions.bound(_with_stored)}({purse}, v, {stored})"
        self.purse: Value = expressions.written(purse)

    def _asked(self, price: PriceExpr) -> str:
        match price:
            case Listed(number):
                return self.expressions.text(number)
            case Counted(amounts):
                items = "".join(f"({item}, {self.expressions.text(n)}), " for item, n in amounts)
                return f"{self.expressions.bound(counted)}(({items}))"
            case _:
                assert_never(price)

    def _active(self, those: Iterable[tuple[int, str, str]]) -> str:
        """The values whose abilities are active and whose conditions hold, as a tuple."""
        active = self.expressions.active
        values = (
            f"*(({value},) if {active(ability)} and {condition} else ()), "
            for ability, condition, value in those
        )
        return f"({''.join(values)})"

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


def counted(amounts: Amounts) -> Amounts:
    """The amounts above 0, those of equal items added."""
    total: dict[int, int] = {}
    for item, number in amounts:
        if number > 0:
            total[item] = total.get(item, 0) + number
    return tuple(sorted(total.items()))


def _with_stored(have: list[int], v: Vector, stored: Amounts) -> list[int]:
    for resource, slot in stored:
        have[resource] += v[slot]
    return have
