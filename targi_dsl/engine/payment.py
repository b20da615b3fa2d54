"""Payments: what you are asked to pay now, and whether you can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from targi_dsl.engine import expressions
from targi_dsl.engine.code import Code, Value, Vector
from targi_dsl.engine.exchanges import covers
from targi_dsl.engine.folding import folded
from targi_dsl.engine.plans import Asked, Plan
from targi_dsl.ir.model import NOTHING, Const, Counted, Listed, PriceExpr, Terms


@dataclass(frozen=True, slots=True)
class Bill:
    """One payment of the rules, asked of you in a frame.

    stored: (resource, slot) pairs that pay first. purse: how much you can pay with of each
    resource, what is stored included.
    """

    asked: Callable[[Vector, int], Asked]
    plans: Callable[[Vector, int], tuple[Plan, ...]]
    stored: Callable[[Vector, int], list[tuple[int, int]]]
    purse: Callable[[Vector, int], list[int]]


def bill(code: Code, price: PriceExpr, terms: int) -> Bill:
    """The closures of a payment."""
    of = _asked(code, price)
    return Bill(of, _plans(code, price, of, terms), _stored(code, terms), _purse(code, terms))


def reachable(
    code: Code, of: Bill, plans: tuple[Plan, ...], v: Vector, fp: int
) -> tuple[list[int], list[int]]:
    """Of the plans of this bill those that you can pay as you stand, and those that you can pay at
    once or after exchanges; by number.
    """
    market, have = code.market, of.purse(v, fp)
    payable = [number for number, plan in enumerate(plans) if covers(have, plan, market.groups)]
    if len(payable) == len(plans) or not market.exchanges:
        return payable, payable
    own = tuple(market.purse(v, v[fp]))
    stored = tuple([a - b for a, b in zip(have, own, strict=True)])
    return payable, [
        n for n, plan in enumerate(plans) if n in payable or market.reaches(own, stored, plan)
    ]


def can_pay(code: Code, price: PriceExpr, terms: int) -> Value:
    """Whether some plan can be paid, exchanges included."""
    of, groups, exchanges = bill(code, price, terms), code.market.groups, code.market.exchanges
    match _fixed(code, price, terms):
        case (Plan(((resource, number),), ()),) if not exchanges and not _terms(code, terms).stored:
            slot = code.slots.amounts + resource * code.players
            return lambda v, fp: v[slot + v[fp]] >= number

    def payable(v: Vector, fp: int) -> bool:
        plans, have = of.plans(v, fp), of.purse(v, fp)
        for plan in plans:
            if covers(have, plan, groups):
                return True
        return bool(exchanges) and bool(reachable(code, of, plans, v, fp)[1])

    return payable


def _asked(code: Code, price: PriceExpr) -> Callable[[Vector, int], Asked]:
    match price:
        case Listed(number):
            return expressions.expression(code, number)
        case Counted(amounts):
            counts = [(item, expressions.expression(code, number)) for item, number in amounts]

            def counted(v: Vector, fp: int) -> Asked:
                found = [(item, number) for item, count in counts if (number := count(v, fp)) > 0]
                return _added(found) if len(found) > 1 else tuple(found)

            return counted
        case _:
            assert_never(price)


def _added(amounts: list[tuple[int, int]]) -> Asked:
    total = dict.fromkeys(sorted(item for item, _ in amounts), 0)
    for item, number in amounts:
        total[item] += number
    return tuple(total.items())


def _fixed(code: Code, price: PriceExpr, terms: int) -> tuple[Plan, ...] | None:
    """The plans of a price that is always the same."""
    of, number = (
        _terms(code, terms),
        folded(code, price.number) if isinstance(price, Listed) else None,
    )
    if not isinstance(number, Const) or of.reductions or of.substitutes:
        return None
    assert isinstance(number.value, int)
    return code.planner.plans(number.value)


def _plans(
    code: Code, price: PriceExpr, asked: Callable[[Vector, int], Asked], terms: int
) -> Callable[[Vector, int], tuple[Plan, ...]]:
    planner, of, fixed = code.planner, _terms(code, terms), _fixed(code, price, terms)
    if fixed is not None:
        return lambda v, fp: fixed
    cuts = [
        (
            one,
            code.activity(one.ability),
            expressions.expression(code, one.number),
            expressions.condition(code, one.condition),
        )
        for one in of.reductions
    ]
    substitutes = [
        (one, code.activity(one.ability), expressions.condition(code, one.condition))
        for one in of.substitutes
    ]
    if not cuts and not substitutes:
        return lambda v, fp: planner.plans(asked(v, fp))

    def plans(v: Vector, fp: int) -> tuple[Plan, ...]:
        you = v[fp]
        working = [
            (one.ability, one.item, number(v, fp))
            for one, active, number, test in cuts
            if active(v, you) and (test is None or test(v, fp))
        ]
        standing = [
            one
            for one, active, test in substitutes
            if active(v, you) and (test is None or test(v, fp))
        ]
        return planner.plans(asked(v, fp), tuple(working), tuple(standing))

    return plans


def _stored(code: Code, terms: int) -> Callable[[Vector, int], list[tuple[int, int]]]:
    stored = _terms(code, terms).stored
    if not stored:
        return lambda v, fp: []
    kept = [(one.resource, one.slot, code.activity(one.ability)) for one in stored]
    return lambda v, fp: [
        (resource, slot) for resource, slot, active in kept if v[slot] and active(v, v[fp])
    ]


def _purse(code: Code, terms: int) -> Callable[[Vector, int], list[int]]:
    first, end, step = code.market.amounts, code.market.end, code.market.players
    stored = _stored(code, terms)

    def purse(v: Vector, fp: int) -> list[int]:
        have = v[first + v[fp] : end : step]
        for resource, slot in stored(v, fp):
            have[resource] += v[slot]
        return have

    return purse if _terms(code, terms).stored else lambda v, fp: v[first + v[fp] : end : step]


def _terms(code: Code, terms: int) -> Terms:
    return code.game.terms[terms] if terms != NOTHING else Terms("")
