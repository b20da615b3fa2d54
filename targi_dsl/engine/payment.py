"""Payments: what you are asked to pay now, and whether you can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from targi_dsl.engine import expressions
from targi_dsl.engine.code import Code, Value, Vector
from targi_dsl.engine.exchanges import covers
from targi_dsl.engine.plans import FREE, Plan
from targi_dsl.model import NOTHING, Counted, Listed, Price, PriceExpr, Terms


@dataclass(frozen=True, slots=True)
class Bill:
    """One payment of the rules, asked of you in a frame. `stored` gives (resource, slot) pairs that pay first."""

    price: Callable[[Vector, int], Price]
    plans: Callable[[Vector, int], tuple[Plan, ...]]
    stored: Callable[[Vector, int], list[tuple[int, int]]]


def bill(code: Code, price: PriceExpr, terms: int) -> Bill:
    """The closures of a payment."""
    of = _price(code, price)
    return Bill(of, _plans(code, of, terms), _stored(code, terms))


def purse(code: Code, of: Bill, v: Vector, fp: int) -> list[int]:
    """What you can pay with: what you have, and what is stored."""
    have = code.market.purse(v, v[fp])
    for resource, slot in of.stored(v, fp):
        have[resource] += v[slot]
    return have


def reachable(code: Code, of: Bill, v: Vector, fp: int) -> tuple[list[int], list[int]]:
    """The plans that you can pay as you stand, and those that you can pay at once or after exchanges; by number."""
    market, plans, have = code.market, of.plans(v, fp), purse(code, of, v, fp)
    payable = [number for number, plan in enumerate(plans) if covers(have, plan, market.groups)]
    own = tuple(market.purse(v, v[fp]))
    if len(payable) == len(plans) or not market.offered(own):
        return payable, payable
    stored = tuple([a - b for a, b in zip(have, own, strict=True)])
    return payable, [n for n, plan in enumerate(plans) if n in payable or market.reaches(own, stored, plan)]


def can_pay(code: Code, price: PriceExpr, terms: int) -> Value:
    """Whether some plan can be paid, exchanges included."""
    of, market = bill(code, price, terms), code.market

    def payable(v: Vector, fp: int) -> bool:
        plans, have = of.plans(v, fp), purse(code, of, v, fp)
        for plan in plans:
            if covers(have, plan, market.groups):
                return True
        return bool(market.exchanges) and bool(reachable(code, of, v, fp)[1])

    return payable


def _price(code: Code, price: PriceExpr) -> Callable[[Vector, int], Price]:
    match price:
        case Listed(number):
            chosen, prices = expressions.expression(code, number), code.game.prices
            return lambda v, fp: prices[at] if (at := chosen(v, fp)) != NOTHING else FREE
        case Counted(amounts):
            counts = sorted((item, expressions.expression(code, number)) for item, number in amounts)

            def counted(v: Vector, fp: int) -> Price:
                found = [(item, count(v, fp)) for item, count in counts]
                return Price((tuple([(item, number) for item, number in found if number > 0]),))

            return counted
        case _:
            assert_never(price)


def _plans(code: Code, price: Callable[[Vector, int], Price], terms: int) -> Callable[[Vector, int], tuple[Plan, ...]]:
    planner, of = code.planner, _terms(code, terms)
    cuts = [
        (one, expressions.expression(code, one.number), expressions.condition(code, one.condition))
        for one in of.reductions
    ]
    substitutes = [(one, expressions.condition(code, one.condition)) for one in of.substitutes]
    if not cuts and not substitutes:
        return lambda v, fp: planner.plans(price(v, fp))

    def plans(v: Vector, fp: int) -> tuple[Plan, ...]:
        working = [
            (one.ability, one.item, number(v, fp))
            for one, number, test in cuts
            if code.is_active(v, one.ability, v[fp]) and (test is None or test(v, fp))
        ]
        standing = [
            one for one, test in substitutes if code.is_active(v, one.ability, v[fp]) and (test is None or test(v, fp))
        ]
        return planner.plans(price(v, fp), tuple(working), tuple(standing))

    return plans


def _stored(code: Code, terms: int) -> Callable[[Vector, int], list[tuple[int, int]]]:
    stored = _terms(code, terms).stored
    if not stored:
        return lambda v, fp: []
    return lambda v, fp: [
        (one.resource, one.slot) for one in stored if v[one.slot] and code.is_active(v, one.ability, v[fp])
    ]


def _terms(code: Code, terms: int) -> Terms:
    return code.game.terms[terms] if terms != NOTHING else Terms("")
