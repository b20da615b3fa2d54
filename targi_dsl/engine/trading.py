"""Purses: what they can pay, directly or after free exchanges; see docs/program.md, *Amounts* and
*Payments*.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from targi_dsl.engine.plans import Plan
from targi_dsl.ir.program import Exchange, Program

REACH = 2_000  # purses examined for one payment

Purse = tuple[int, ...]  # how much of each resource


def covers(purse: Purse | list[int], plan: Plan, groups: list[tuple[int, ...]]) -> bool:
    """Whether a purse covers a plan."""
    for resource, number in plan.needs:
        if purse[resource] < number:
            return False
    return not plan.wild or all(
        sum([purse[resource] for resource in groups[group]]) >= number
        for group, _, number in plan.wild
    )


class Market:
    """The free exchanges of a game."""

    def __init__(self, program: Program) -> None:
        self.exchanges = program.exchanges
        self.groups = [members for _, members in program.groups]
        self.amounts, self.players = program.slots.amounts, len(program.players)
        self.end = self.amounts + len(program.resources) * self.players
        self.highs = program.slots.highs[self.amounts : self.end : self.players]
        self.reaches: Callable[[Purse, Purse, Plan], bool] = lru_cache(50_000)(self._reaches)

    def purse(self, v: list[int], player: int) -> list[int]:
        """A player's resources, without what is stored."""
        return v[self.amounts + player : self.end : self.players]

    def offered(self, purse: Purse | list[int]) -> list[tuple[int, Purse]]:
        """The numbers of the exchanges that this purse allows, each with the purse after it."""
        found = [(number, self.after(purse, one)) for number, one in enumerate(self.exchanges)]
        return [(number, after) for number, after in found if after is not None]

    def after(self, purse: Purse | list[int], exchange: Exchange) -> Purse | None:
        """The purse after an exchange; None if it is not allowed or would not fit."""
        left = list(purse)
        for resource, number in exchange.give:
            left[resource] -= number
            if left[resource] < 0:
                return None
        for resource, number in exchange.take:
            left[resource] += number
            if left[resource] > self.highs[resource]:
                return None
        return tuple(left)

    def reachable(
        self, plans: tuple[Plan, ...], have: list[int], own: list[int]
    ) -> tuple[list[int], list[int]]:
        """The numbers of the plans that can be paid with what you have, and of those that can be
        paid now or after exchanges of what is your own.
        """
        payable = [at for at, plan in enumerate(plans) if covers(have, plan, self.groups)]
        if len(payable) == len(plans) or not self.exchanges:
            return payable, payable
        purse, stored = tuple(own), _stored(have, own)
        return payable, [
            at
            for at, plan in enumerate(plans)
            if at in payable or self.reaches(purse, stored, plan)
        ]

    def useful(self, plans: tuple[Plan, ...], have: list[int], own: list[int]) -> list[int]:
        """The exchanges after which one of these plans can still be paid."""
        stored = _stored(have, own)
        return [
            number
            for number, after in self.offered(own)
            if any(self.reaches(after, stored, plan) for plan in plans)
        ]

    def _reaches(self, purse: Purse, stored: Purse, plan: Plan) -> bool:
        """Whether any number of exchanges leads to a purse that, with what is stored, covers the
        plan.
        """
        queue, seen = [purse], {purse}
        for now in queue:  # grows while it is walked
            if covers([a + b for a, b in zip(now, stored, strict=True)], plan, self.groups):
                return True
            for _, after in self.offered(now):
                if after not in seen and len(seen) < REACH:
                    seen.add(after)
                    queue.append(after)
        return False


def _stored(have: list[int], own: list[int]) -> Purse:
    """The part of a purse that is stored."""
    return tuple([a - b for a, b in zip(have, own, strict=True)])
