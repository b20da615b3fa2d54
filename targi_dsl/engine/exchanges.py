"""Free exchanges: each with its groups settled, what it needs, and what can be reached by any
number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from targi_dsl.engine.plans import Amounts, Plan
from targi_dsl.ir.model import FreeExchange, Game

REACH = 2_000  # purses looked at for one payment

Purse = tuple[int, ...]  # how much of each resource


@dataclass(frozen=True, slots=True)
class Exchange:
    """A free exchange of certain resources."""

    id: str
    number: int
    give: Amounts
    take: Amounts


def settled(game: Game) -> tuple[Exchange, ...]:
    """Every exchange for every resource that a group in it may stand for; none that gives nothing
    new.
    """
    return tuple(
        one
        for number, exchange in enumerate(game.exchanges)
        for one in _settled(game, number, exchange)
    )


def _settled(game: Game, number: int, exchange: FreeExchange) -> Iterator[Exchange]:
    resources, items = len(game.resources), [item for item, _ in (*exchange.give, *exchange.take)]
    ways = [(item,) if item < resources else game.groups[item - resources][1] for item in items]
    for way in product(*ways):
        give = _added(zip(way, (n for _, n in exchange.give), strict=False))
        take = _added(zip(way[len(exchange.give) :], (n for _, n in exchange.take), strict=True))
        if all(n <= dict(give).get(item, 0) for item, n in take):
            continue
        chosen = [
            game.resources[one] for one, item in zip(way, items, strict=True) if item >= resources
        ]
        yield Exchange(" ".join([exchange.name, *chosen]), number, give, take)


def _added(pairs: Iterator[tuple[int, int]]) -> Amounts:
    total: dict[int, int] = {}
    for item, number in pairs:
        total[item] = total.get(item, 0) + number
    return tuple(sorted(total.items()))


def covers(purse: Purse | list[int], plan: Plan, groups: list[tuple[int, ...]]) -> bool:
    """Whether a purse pays a plan."""
    for resource, number in plan.needs:
        if purse[resource] < number:
            return False
    return not plan.wild or all(
        sum([purse[resource] for resource in groups[group]]) >= number
        for group, _, number in plan.wild
    )


class Market:
    """The free exchanges of a game, for one purse or another."""

    def __init__(self, game: Game) -> None:
        self.exchanges = settled(game)
        self.groups = [members for _, members in game.groups]
        self.amounts, self.players = game.slots.amounts, len(game.players)
        self.end = self.amounts + len(game.resources) * self.players
        self.highs = game.slots.highs[self.amounts : self.end : self.players]
        self.reaches: Callable[[Purse, Purse, Plan], bool] = lru_cache(50_000)(self._reaches)

    def purse(self, v: list[int], player: int) -> list[int]:
        """What a player has of each resource, nothing stored counted."""
        return v[self.amounts + player : self.end : self.players]

    def offered(self, purse: Purse | list[int]) -> list[int]:
        """The numbers of the exchanges that this purse allows."""
        return [
            number
            for number, one in enumerate(self.exchanges)
            if self.after(purse, one) is not None
        ]

    def after(self, purse: Purse | list[int], exchange: Exchange) -> Purse | None:
        """The purse after an exchange, or None if it does not allow it or could not hold it."""
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

    def _reaches(self, purse: Purse, stored: Purse, plan: Plan) -> bool:
        """Whether exchanges, any number of them, lead to a purse that pays the plan together with
        what is stored.
        """
        waiting, seen = [purse], {purse}
        for now in waiting:  # grows while it is walked
            if covers([a + b for a, b in zip(now, stored, strict=True)], plan, self.groups):
                return True
            for exchange in self.exchanges:
                after = self.after(now, exchange)
                if after is not None and after not in seen and len(seen) < REACH:
                    seen.add(after)
                    waiting.append(after)
        return False
