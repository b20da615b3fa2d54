"""The plans that pay a price, independent of any purse, and what a purse can pay, directly or after
free exchanges; see docs/program.md, *Payments*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from operator import itemgetter
from typing import NamedTuple, assert_never

from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.options import EXCHANGE
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Amounts, Price, Stored, Substitute, Terms
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.expressions import Counted, Listed, PriceExpr
from targi_dsl.ir.program import Exchange, Program

REACH = 2_000  # purses examined for one payment
FREE = Price(((),))

Purse = tuple[int, ...]  # how much of each resource
Cut = tuple[int, int, int]  # an active reduction: ability, item, number
Units = dict[int, int]  # by item


class Plan(NamedTuple):
    """One way to settle a price: units of resources, and wildcard units of groups. used: the
    abilities that changed the price; bracket: the extra is paid and the reward gained.
    """

    needs: Amounts = ()
    wild: Amounts = ()
    bracket: bool = False
    used: tuple[int, ...] = ()

    def items(self, resources: int) -> Amounts:
        """What is paid, by item, in a game with so many resources."""
        return (*self.needs, *((resources + group, number) for group, number in self.wild))


class Payments(Expressions):
    """The payments of a program."""

    def __init__(self, program: Program, domains: Domains) -> None:
        super().__init__(program, domains)
        self.plans = lru_cache(10_000)(self._plans)
        offers = [(at, one.when) for at, one in enumerate(program.exchanges)]
        self._certain = [at for at, when in offers if when is None]
        self._offers = [(at, None if when is None else self.value(when)) for at, when in offers]

    def own(self, v: Vector, player: int) -> Purse:
        """A player's own resources, without stores."""
        slots = self.slots
        return tuple(v[slots.amounts + player : slots.card_place : self.players])

    def after(self, purse: Sequence[int], exchange: Exchange) -> Purse | None:
        """The purse after an exchange; None if it is not allowed or would not fit."""
        left = dict(enumerate(purse))
        for resource, number in exchange.give:
            left[resource] -= number
        if min(left.values()) < 0:
            return None
        for resource, number in exchange.take:
            left[resource] += number
            if left[resource] > self.slots.highs[self.slots.amounts + resource * self.players]:
                return None
        return tuple(left.values())

    def offered(self, v: Vector, f: Frame) -> list[int]:
        """The numbers of the exchanges that are offered to you, if you have what they take."""
        return [at for at, when in self._offers if when is None or when(v, f)]

    def traded(self, purse: Purse, numbers: Iterable[int]) -> Iterator[tuple[int, Purse]]:
        """The exchanges among these that the purse allows, each with the purse after it."""
        for number in numbers:
            if (after := self.after(purse, self.program.exchanges[number])) is not None:
                yield number, after

    def covers(self, purse: Purse, plan: Plan) -> bool:
        """Whether a purse covers a plan."""
        left = [*purse]
        for resource, number in plan.needs:
            left[resource] -= number
        groups = self.program.groups
        return min(left, default=0) >= 0 and all(
            sum([left[resource] for resource in groups[group][1]]) >= number
            for group, number in plan.wild
        )

    def reaches(self, own: Purse, stored: Purse, plans: Sequence[Plan]) -> bool:
        """Whether any number of exchanges leads to a purse that, together with stores, covers one
        of these plans.
        """
        queue, seen = [own], {own}
        for now in queue:  # grows during the iteration
            purse = _added(now, stored)
            if any(self.covers(purse, plan) for plan in plans):
                return True
            for _, after in self.traded(now, self._certain):
                if after not in seen and len(seen) < REACH:
                    seen.add(after)
                    queue.append(after)
        return False

    # ---- plans ----

    def _plans(
        self, price: Price, cuts: tuple[Cut, ...] = (), substitutes: tuple[Substitute, ...] = ()
    ) -> list[Plan]:
        """The plans that settle a price, in order; none that needs more than one with fewer
        substitutes.
        """
        found: dict[tuple[object, ...], tuple[set[int], Plan]] = {}
        cuts = tuple(sorted(cuts, key=itemgetter(1)))  # resources before groups: no unit is lost
        sizes = range(len(substitutes) + 1)
        for alternative in price.alternatives:
            for extra in ((), price.extra) if price.extra else ((),):
                for chosen in chain(*(combinations(substitutes, size) for size in sizes)):
                    own = {one.ability for one in chosen}
                    for plan in self._reduced(dict(alternative), extra, cuts, chosen):
                        earlier = found.values()
                        if not any(had < own and _needs_no_more(one, plan) for had, one in earlier):
                            found.setdefault(plan[:3], (own, plan))
        return [plan for _, plan in found.values()]

    def _reduced(
        self, base: Units, extra: Amounts, cuts: Iterable[Cut], chosen: tuple[Substitute, ...]
    ) -> Iterator[Plan]:
        """The plans with these substitutes; `extra` is paid in addition."""
        ways = [base]
        for item, number in chain(*(one.owed for one in chosen)):
            ways = [left for way in ways for left in _less(way, self._scope(item), number)]
        reduced = [(way, tuple(one.ability for one in chosen)) for way in ways]
        for ability, item, number in cuts:
            reduced = [
                (left, (*used, ability) if units > 0 else used)
                for way, used in reduced
                for units in [min(number, sum(way.get(one, 0) for one in self._scope(item)))]
                for left in _less(way, self._scope(item), units)
            ]
        first_group = len(self.program.resources)
        for way, used in reduced:
            left = [*_sum(way, *chain(extra, *(one.paid for one in chosen))).items()]
            due = sorted((item, number) for item, number in left if number > 0)
            needs = tuple(one for one in due if one[0] < first_group)
            wild = tuple((item - first_group, n) for item, n in due if item >= first_group)
            yield Plan(needs, wild, extra != (), used)

    def _scope(self, item: int) -> tuple[int, ...]:
        """The items that a reduction or substitute of an item applies to; for a group the wildcard
        units come last.
        """
        group = item - len(self.program.resources)
        return (*self.program.groups[group][1], item) if group >= 0 else (item,)


def _needs_no_more(one: Plan, other: Plan) -> bool:
    """Whether a plan that is otherwise the same needs no more of any resource."""
    had = dict(other.needs)
    is_less = all(number <= had.get(item, 0) for item, number in one.needs)
    return is_less and one[1:3] == other[1:3]


def _less(base: Units, scope: tuple[int, ...], units: int) -> Iterator[Units]:
    """Every way to remove this number of units of these items."""
    if not scope:
        if units == 0:
            yield base
        return
    item, *others = scope
    for used in range(min(units, base.get(item, 0)), -1, -1):
        yield from _less(_sum(base, (item, -used)), tuple(others), units - used)


def _sum(first: Units, *amounts: tuple[int, int]) -> Units:
    total = dict(first)
    for item, number in amounts:
        total[item] = total.get(item, 0) + number
    return total


class Invoice:
    """One payment, evaluated for you in a frame. due: the price that is due now."""

    def __init__(self, rules: Payments, price: PriceExpr, terms: int) -> None:
        self.rules, self.due = rules, _due(rules, price)
        of = rules.program.terms[terms] if terms != NOTHING else Terms("")
        self._stored = of.stored
        self._reductions = [
            (one, rules.value(one.number), rules.value(one.condition)) for one in of.reductions
        ]
        self._substitutes = [(one, rules.value(one.condition)) for one in of.substitutes]

    def plans(self, v: Vector, f: Frame) -> list[Plan]:
        """The plans that settle the price, in order."""
        is_active, due = self.rules.is_active, self.due(v, f)
        cuts = [
            (one.ability, one.item, number(v, f))
            for one, number, condition in self._reductions
            if is_active(v, one.ability, f[YOU]) and condition(v, f)
        ]
        substitutes = [
            one
            for one, condition in self._substitutes
            if is_active(v, one.ability, f[YOU]) and condition(v, f)
        ]
        return self.rules.plans(due, tuple(cuts), tuple(substitutes))

    def stores(self, v: Vector, f: Frame) -> list[Stored]:
        """The stores, which pay first."""
        return [one for one in self._stored if self.rules.is_active(v, one.ability, f[YOU])]

    def purse(self, v: Vector, f: Frame) -> Purse:
        """Your resources, with stores."""
        return _added(self.rules.own(v, f[YOU]), self._beside(v, f))

    def reaches(self, v: Vector, f: Frame, plans: Sequence[Plan]) -> bool:
        """Whether you can pay one of these plans, if necessary after exchanges."""
        return self.rules.reaches(self.rules.own(v, f[YOU]), self._beside(v, f), plans)

    def can_pay(self, v: Vector, f: Frame) -> bool:
        """Whether you can pay, if necessary after exchanges."""
        return self.reaches(v, f, self.plans(v, f))

    def useful(self, v: Vector, f: Frame, plans: Sequence[Plan]) -> list[int]:
        """The options of the exchanges after which one of these plans can still be paid."""
        beside, reaches = self._beside(v, f), self.rules.reaches
        offered = self.rules.traded(self.rules.own(v, f[YOU]), self.rules.offered(v, f))
        return [EXCHANGE + number for number, own in offered if reaches(own, beside, plans)]

    def _beside(self, v: Vector, f: Frame) -> Purse:
        """The stores, by resource."""
        stored = [0] * len(self.rules.program.resources)
        for one in self.stores(v, f):
            stored[one.resource] += v[one.slot]
        return tuple(stored)


def _due(rules: Payments, price: PriceExpr) -> Callable[[Vector, Frame], Price]:
    match price:
        case Listed(number):
            listed, prices = rules.value(number), [*rules.program.prices, FREE]
            return lambda v, f: prices[listed(v, f)]
        case Counted(amounts):
            counts = [(item, rules.value(number)) for item, number in amounts]
            return lambda v, f: _price_of([(item, number(v, f)) for item, number in counts])
        case _:
            assert_never(price)


def _price_of(amounts: Iterable[tuple[int, int]]) -> Price:
    total = _sum({}, *[(item, number) for item, number in amounts if number > 0])
    return Price((tuple(sorted(total.items())),)) if total else FREE


def _added(own: Purse, stored: Purse) -> Purse:
    return tuple([a + b for a, b in zip(own, stored, strict=True)])
