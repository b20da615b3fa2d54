"""Expands free exchanges: one for each choice of resources that their groups allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from targi_dsl.ir.game import Game
from targi_dsl.ir.prices import Amounts
from targi_dsl.ir.program import Exchange


def exchanges(game: Game) -> Iterator[Exchange]:
    """Every free exchange with its groups replaced by resources, without those that change
    nothing.
    """
    resources = len(game.resources)
    for exchange in game.exchanges:
        items = [item for item, _ in (*exchange.give, *exchange.take)]
        members = [(i,) if i < resources else game.groups[i - resources][1] for i in items]
        for way in product(*members):
            give = _added(way, exchange.give)
            take = _added(way[len(exchange.give) :], exchange.take)
            if all(number <= dict(give).get(item, 0) for item, number in take):
                continue
            chosen = [
                game.resources[one]
                for one, item in zip(way, items, strict=True)
                if item >= resources
            ]
            yield Exchange(" ".join([exchange.name, *chosen]), give, take)


def _added(items: tuple[int, ...], amounts: Amounts) -> Amounts:
    total = Counter[int]()
    for item, (_, number) in zip(items, amounts, strict=False):
        total[item] += number
    return tuple(sorted(total.items()))
