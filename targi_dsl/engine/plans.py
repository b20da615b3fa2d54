"""Plans of a price: every way to reduce, substitute and settle it, whatever the purse holds; see
docs/program.md, *Payments*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from operator import itemgetter

from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts, Price, Substitute
from targi_dsl.ir.program import Program
from targi_dsl.text.structs import Frozen

Cut = tuple[int, int, int]  # an active reduction: ability, item, number

Asked = int | Amounts  # a price: its number in the game's list, or nothing; or amounts
_KEPT = 10_000
FREE = Price(((),))


class Plan(Frozen):
    """One way to settle a price: concrete units, and wildcard units by group.

    `wild` has for each group its number, its wildcard units, and the total number of its units
    paid. `used` are the abilities that changed the price; with `bracket` the extra is paid and
    the reward gained.
    """

    needs: Amounts
    wild: tuple[tuple[int, int, int], ...]
    bracket: bool
    used: tuple[int, ...]


class Planner:
    """Computes the plans of prices, with memoization."""

    def __init__(self, program: Program) -> None:
        self.prices = program.prices
        self.groups = [members for _, members in program.groups]
        self.resources = len(program.resources)
        self.plans = lru_cache(_KEPT)(self._plans)

    def price(self, asked: Asked) -> Price:
        """The price asked."""
        if isinstance(asked, int):
            return FREE if asked == NOTHING else self.prices[asked]
        return Price((asked,))

    def _plans(
        self, asked: Asked, cuts: tuple[Cut, ...] = (), substitutes: tuple[Substitute, ...] = ()
    ) -> tuple[Plan, ...]:
        """All plans in order: by alternative; without and with the extra; by number of
        substitutes; then by what is saved.
        """
        return tuple(self._worked_out(self.price(asked), cuts, substitutes))

    def _worked_out(
        self, price: Price, cuts: tuple[Cut, ...], substitutes: tuple[Substitute, ...]
    ) -> Iterator[Plan]:
        seen = set()
        in_order = sorted(cuts, key=itemgetter(1))  # resources before groups: nothing saved is lost
        for alternative in price.alternatives:
            for bracket in (False, True) if price.extra else (False,):
                for base, fixed, replaced in self._replaced(dict(alternative), substitutes):
                    total = _sum(fixed, price.extra) if bracket else fixed
                    for rest, saved in self._reduced([(base, ())], in_order):
                        plan = self._plan(_sum(rest, total.items()), bracket, replaced + saved)
                        if (plan.needs, plan.wild, bracket) not in seen:
                            seen.add((plan.needs, plan.wild, bracket))
                            yield plan

    def _reduced(
        self, ways: list[tuple[dict[int, int], tuple[int, ...]]], cuts: Iterable[Cut]
    ) -> list[tuple[dict[int, int], tuple[int, ...]]]:
        """Every possible remainder of a base part after reductions, with the abilities that saved
        something.
        """
        for ability, item, number in cuts:
            reduced = []
            for base, used in ways:
                scope = self._scope(item)
                units = min(number, sum(base.get(unit, 0) for unit in scope))
                by = (*used, ability) if units > 0 else used
                reduced += [(left, by) for left in _saved(base, scope, units)]
            ways = reduced
        return ways

    def _replaced(
        self, base: dict[int, int], substitutes: tuple[Substitute, ...]
    ) -> Iterator[tuple[dict[int, int], dict[int, int], tuple[int, ...]]]:
        """The base part after substitution, what is substituted, and by which abilities: for each
        set of substitutes that can all be applied.
        """
        for count in range(len(substitutes) + 1):
            for chosen in combinations(substitutes, count):
                ways, fixed = [base], dict[int, int]()
                for substitute in chosen:
                    fixed = _sum(fixed, substitute.paid)
                    for item, number in substitute.owed:
                        ways = [
                            left for way in ways for left in _saved(way, self._scope(item), number)
                        ]
                for left in ways:
                    yield left, fixed, tuple(substitute.ability for substitute in chosen)

    def _scope(self, item: int) -> tuple[int, ...]:
        """The items that a reduction or substitute of an item applies to; for a group also its
        wildcard units, last.
        """
        return (item,) if item < self.resources else (*self.groups[item - self.resources], item)

    def _plan(self, total: dict[int, int], bracket: bool, used: tuple[int, ...]) -> Plan:
        needs = tuple(
            sorted(
                (item, number)
                for item, number in total.items()
                if item < self.resources and number > 0
            )
        )
        wild = []
        for item, number in sorted(total.items()):
            if item >= self.resources and number > 0:
                group = item - self.resources
                members = self.groups[group]
                wild.append(
                    (group, number, number + sum(n for resource, n in needs if resource in members))
                )
        return Plan(needs, tuple(wild), bracket, used)


def _saved(base: dict[int, int], scope: tuple[int, ...], units: int) -> Iterator[dict[int, int]]:
    """Every way to remove this number of units of these items."""
    if not scope:
        if units == 0:
            yield base
        return
    item, *others = scope
    for used in range(min(units, base.get(item, 0)), -1, -1):
        yield from _saved(
            _sum(base, [(item, -used)]) if used else base, tuple(others), units - used
        )


def _sum(first: dict[int, int], other: Iterable[tuple[int, int]]) -> dict[int, int]:
    total = dict(first)
    for item, number in other:
        total[item] = total.get(item, 0) + number
    return total
