"""All choices that a game can ever offer, as a fixed table, and the traits of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from itertools import chain, combinations, product

from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.ir import types as t
from targi_dsl.ir.expressions import Const, Counted
from targi_dsl.ir.game import Game
from targi_dsl.ir.prices import Amounts, Price, Substitute
from targi_dsl.ir.statements import Ask, Binding, Block, Pay, Placed, Random, Refresh, Roll, Shuffle
from targi_dsl.ir.walk import parts
from targi_dsl.text.light import dataclass

MOST_COMPUTED = 40
"""The most units of a computed price that the table contains."""

_KEPT = 16


@dataclass(frozen=True, slots=True)
class ActionTable:
    """The ids of all choices that a game can offer, in an order that depends only on its rules.

    players: how many of them players are offered; these come first in `ids`, followed by the
    outcomes of chance.
    """

    ids: tuple[str, ...]
    players: int
    numbers: Mapping[str, int] = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, choice_id: str) -> int:
        """The number of a choice. Raises KeyError for one that the game never offers."""
        return self.numbers[choice_id]


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of a game.

    chance: whether anything is shuffled, rolled or chosen at random; hidden: whether a zone can
    hide its cards from somebody, or a variable its value. simultaneous: whether all players ever
    choose in secret, which they are asked to do one after the other. most_choices: the maximum
    number of choices of a question. The rules imply no bound for scores or for the length of a
    game.
    """

    players: int
    chance: bool
    hidden: bool
    simultaneous: bool
    most_choices: int


def actions(game: Game) -> ActionTable:
    """The table of all choices of a game. Equal rules give equal tables, in every process."""
    return _actions(engine_of(game))


def traits(game: Game) -> Traits:
    """The traits of a game, derived from its rules."""
    chance = any(True for _ in parts(_bodies(game), (Shuffle, Roll, Random, Refresh)))
    refilled = any(place.refill >= 0 for place in game.places)
    hidden = any(
        place.is_zone and (place.seen != "all" or place.facing == "down") for place in game.places
    )
    most = min(OPTIONS, max(1, len(actions(game))))
    hidden = hidden or any(variable.seen != "all" for variable in game.variables)
    at_once = any(node.secret for node in parts(_bodies(game), Ask))
    return Traits(len(game.players), chance or refilled, hidden, at_once, most)


@lru_cache(_KEPT)
def _actions(engine: Engine) -> ActionTable:
    game, domains = engine.game, engine.code.domains
    names: dict[str, int] = {}
    for exchange in engine.code.market.exchanges:
        names[exchange.id] = 1
    for node in parts(_bodies(game), (Ask, Pay)):
        for name, count in Counter(_offered(engine, node)).items():
            names[name] = max(names.get(name, 0), count)
    own = [
        name if again == 1 else f"{name} ({again})"
        for name, count in names.items()
        for again in range(1, count + 1)
    ]
    cards = domains.of(t.Card())
    outcomes = [f"shuffle {cards.id(number)}" for number in cards.members]
    outcomes += chain.from_iterable(_rolls(node) for node in parts(_bodies(game), Roll))
    drawn = parts(_bodies(game), Random)
    outcomes += chain.from_iterable(
        _answers(engine, question.label, question.choice) for question in drawn
    )
    ids = tuple(dict.fromkeys([*own, *outcomes]))
    return ActionTable(ids, len(own), {name: number for number, name in enumerate(ids)})


def _bodies(game: Game) -> tuple[Block, ...]:
    return tuple(rule.body for rule in game.rules)


def _offered(engine: Engine, node: Placed) -> Iterator[str]:
    """The ids of all options of a question or a payment."""
    match node:
        case Ask(_, alternatives):
            for alternative in alternatives:
                yield from _answers(engine, alternative.label, alternative.choice)
        case Pay():
            yield from _payments(engine, node)


def _answers(engine: Engine, label: str, choice: Binding | None) -> Iterator[str]:
    if choice is None:
        yield label
        return
    domain = engine.code.domains.of(choice.type)
    members = choice.domain
    if not members and not isinstance(choice.type, t.Number):
        members = tuple(domain.members)
    if not members and isinstance(choice.type, t.Number):
        low, high = max(choice.type.low, 0), min(choice.type.high, OPTIONS)
        members = tuple(range(low, high + 1))
    for member in members:
        yield f"{label} {domain.name(member)}".strip()


def _rolls(node: Roll) -> Iterator[str]:
    low = node.low.value if isinstance(node.low, Const) else 0
    high = node.high.value if isinstance(node.high, Const) else OPTIONS
    if isinstance(low, int) and isinstance(high, int):
        for number in range(low, min(high, low + OPTIONS) + 1):
            yield f"roll {number}"


def _payments(engine: Engine, node: Pay) -> Iterator[str]:
    """Every possible payment: each price with anything saved or replaced, and then the units for
    which wildcards stand.
    """
    game, domains = engine.game, engine.code.domains
    prices: Iterable[Price] = game.prices
    if isinstance(node.price, Counted):
        prices = (Price((tuple((item, _most(number)) for item, number in node.price.amounts),)),)
    terms = game.terms[node.terms] if node.terms >= 0 else None
    substitutes = terms.substitutes if terms is not None else ()
    payments: dict[str, None] = {}
    for price in prices:
        for alternative in price.alternatives:
            for paid in _paid(game, alternative, substitutes):
                payments[f"pay {domains.amounts(paid)}"] = None
                if price.extra:
                    with_extra = _sum(paid, price.extra)
                    reward = domains.amounts(price.reward)
                    payments[f"pay {domains.amounts(with_extra)}, for {reward}"] = None
    for resource in game.resources:
        payments[f"pay {resource}"] = None
    yield from payments


def _most(number: object) -> int:
    value = number.value if isinstance(number, Const) else MOST_COMPUTED
    return value if isinstance(value, int) else MOST_COMPUTED


def _paid(game: Game, base: Amounts, substitutes: tuple[Substitute, ...]) -> Iterator[Amounts]:
    """A part of the amounts, possibly none, with whatever stands for the rest."""
    for part in product(*(range(number + 1) for _, number in base)):
        left = tuple((item, n) for (item, _), n in zip(base, part, strict=True) if n)
        yield _sum(left)
        for count in range(1, len(substitutes) + 1):
            for chosen in combinations(substitutes, count):
                yield _sum(left, *(substitute.paid for substitute in chosen))


def _sum(*amounts: Amounts) -> Amounts:
    """Amounts added up, each item once, in the order of resources and then groups."""
    total: dict[int, int] = {}
    for item, number in chain.from_iterable(amounts):
        total[item] = total.get(item, 0) + number
    return tuple(sorted((item, number) for item, number in total.items() if number))
