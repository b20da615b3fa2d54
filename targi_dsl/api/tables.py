"""All choices that a game can ever offer, as a fixed table, and the traits of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from targi_dsl.engine.faults import OPTIONS
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Amounts, Price, ScorePart, Terms
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.statements import Ask, Binding, Pay, Placed, Random, Refresh, Roll, Shuffle
from targi_dsl.ir.walk import parts
from targi_dsl.text.structs import Frozen, Noted

MOST_COMPUTED = 40
"""The most units of a computed price that the table contains."""

_KEY = "offers"


class ActionTable(Noted):
    """The ids of all choices that a game can offer, in an order that depends only on its rules.

    players: how many of them players are offered; these come first in `ids`, followed by the
    outcomes of chance.
    """

    notes = ("numbers",)
    ids: tuple[str, ...]
    players: int
    numbers: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, choice_id: str) -> int:
        """The number of a choice. Raises KeyError for one that the game never offers."""
        return self.numbers[choice_id]


class Traits(Frozen):
    """The traits of a game, by its rules and cards.

    chance: whether anything is shuffled, rolled or chosen at random; hidden: whether a zone can
    hide its cards from somebody, or a variable its value. simultaneous: whether all players ever
    choose in secret, which they are asked to do one after the other. most_choices: the maximum
    number of choices that a question can have. cooperative: whether several players have one
    score. The rules imply no bound for scores or for the length of a game.
    """

    players: int
    chance: bool
    hidden: bool
    simultaneous: bool
    most_choices: int
    cooperative: bool


def actions(game: Game) -> ActionTable:
    """The table of all choices of a game. Equal rules give equal tables, in every process."""
    return _Offers.of(game).table


def traits(game: Game) -> Traits:
    """The traits of a game, derived from its rules."""
    bodies = tuple(rule.body for rule in game.rules)
    chance = any(True for _ in parts(bodies, (Shuffle, Roll, Random, Refresh)))
    refilled = any(place.refill >= 0 for place in game.places)
    hidden = any(
        place.is_zone and (place.seen != "all" or place.facing == "down") for place in game.places
    )
    hidden = hidden or any(variable.seen != "all" for variable in game.variables)
    at_once = any(node.manner.secret for node in parts(bodies, Ask))
    several, most = len(game.players), _Offers.of(game).most
    together = several > 1 and bool(game.scores) and not any(map(_is_own, game.scores))
    return Traits(several, chance or refilled, hidden, at_once, most, together)


def _is_own(part: ScorePart) -> bool:
    """Whether a part of the score may differ from player to player."""
    reads_you = any(one.slot == YOU for one in parts(part.value, e.Local))
    return reads_you or part.ability != NOTHING or any(True for _ in parts(part.value, e.Active))


class _Offers:
    """What each question of a game can offer.

    table: the ids of all choices; most: the maximum number of choices of a question.
    """

    @classmethod
    def of(cls, game: Game) -> _Offers:
        """The offers of a game, found once."""
        found = game.program.engines.get(_KEY)
        if not isinstance(found, _Offers):
            found = game.program.engines[_KEY] = cls(game)
        return found

    def __init__(self, game: Game) -> None:
        self.game, self.domains, self.inference = game, Domains.of_game(game), Inference(game)
        names = Counter(exchange.id for exchange in game.program.exchanges)
        self.most = len(names) + 1
        outcomes: list[str] = []
        for rule in game.rules:
            for node in parts(rule.body, (Ask, Pay, Roll, Random)):
                offered = Counter(self._option_ids(node, rule.slots))
                self.most = max(self.most, offered.total())
                if isinstance(node, Ask | Pay):
                    names |= offered
                else:
                    outcomes += offered
        copies = self._shuffled()
        self.most = max(self.most, len({game.program.cards[card].same for card in copies}))
        cards = self.domains.of(t.Card())
        own = [
            name if again == 1 else f"{name} ({again})"
            for name, count in names.items()
            for again in range(1, count + 1)
        ]
        shuffled = [f"shuffle {cards.id(number)}" for number in copies]
        ids = tuple(dict.fromkeys([*own, *shuffled, *outcomes]))
        numbers = {name: number for number, name in enumerate(ids)}
        self.table = ActionTable(ids, len(own), numbers)

    def _shuffled(self) -> Iterable[int]:
        """The cards that a shuffle can put in order."""
        game = self.game
        nodes = parts(tuple(rule.body for rule in game.rules), (Shuffle, Refresh))
        refilled = any(place.refill >= 0 for place in game.places)
        return range(len(game.cards)) if refilled or any(True for _ in nodes) else ()

    def _option_ids(self, node: Placed, slots: Sequence[t.Type]) -> Iterator[str]:
        """The ids of all options of a question, a payment or an outcome of chance."""
        match node:
            case Ask(_, alternatives):
                for alternative in alternatives:
                    yield from self._answers(alternative.label, alternative.choice, slots)
            case Random(label, choice):
                yield from self._answers(label, choice, slots)
            case Roll(_, low, high):
                for number in self._numbers(e.Range(low, high), slots):
                    yield f"roll {number}"
            case Pay():
                yield from self._payments(node, slots)

    def _answers(
        self, label: str, choice: Binding | None, slots: Sequence[t.Type]
    ) -> Iterator[str]:
        if choice is None:
            yield label
            return
        domain = self.domains.of(choice.type)
        members: Iterable[int] = choice.domain or domain.members
        if not choice.domain and isinstance(choice.type, t.Number):
            members = self._numbers(choice.within, slots)
        for member in members:
            yield f"{label} {domain.name(member)}".strip()

    def _numbers(self, within: e.Expr, slots: Sequence[t.Type]) -> range:
        """The numbers that a set can contain; a range has at most OPTIONS of them."""
        match within:
            case e.Call(define):
                called = self.game.defines[define]
                return self._numbers(called.value, called.slots)
            case e.Filter(_, of, _) | e.SetOp("except", of, _):
                return self._numbers(of, slots)
            case e.Range(first, last):
                one, other = (self.inference.number(node, slots) for node in (first, last))
                low, high = max(one.low, 0), min(other.high, one.high + OPTIONS - 1)
            case _:
                found = t.element(self.inference.of(within, slots))
                low, high = (
                    (max(found.low, 0), found.high) if isinstance(found, t.Number) else (0, 0)
                )
        return range(low, min(high, low + OPTIONS - 1) + 1)

    # ---- payments ----

    def _payments(self, node: Pay, slots: Sequence[t.Type]) -> Iterator[str]:
        """Every way to pay a price, if there are several, and the units that replace wildcards."""
        game, amounts = self.game, self.domains.amounts
        terms = game.terms[node.terms] if node.terms >= 0 else Terms("")
        payments: dict[str, None] = {}
        groups = {item for one in terms.substitutes for item, _ in one.paid}
        for price in self._prices(node.price, slots):
            ways = dict.fromkeys(
                paid
                for alternative in price.alternatives
                for paid in _ways_to_pay(game, alternative, terms)
            )
            groups.update(item for paid in (*ways, price.extra) for item, _ in paid)
            if len(ways) > 1 or price.extra:
                payments |= dict.fromkeys(f"pay {amounts(paid)}" for paid in ways)
            if price.extra:
                reward = amounts(price.reward)
                extra = (amounts(_sum(paid, price.extra)) for paid in ways)
                payments |= dict.fromkeys(f"pay {paid}, for {reward}" for paid in extra)
        for number, (_, members) in enumerate(game.groups):
            if len(game.resources) + number in groups:
                payments |= dict.fromkeys(f"pay {game.resources[one]}" for one in members)
        yield from payments

    def _prices(self, price: e.PriceExpr, slots: Sequence[t.Type]) -> Iterable[Price]:
        """The prices that can be due."""
        match price:
            case e.Listed(e.Const(int(number))):
                return self.game.prices[number : number + 1] if number >= 0 else ()
            case e.Listed(e.Table(values)):
                return [self.game.prices[one] for one in sorted(set(values)) if one >= 0]
            case e.Listed():
                return self.game.prices
            case _:
                found = ((item, self.inference.number(one, slots)) for item, one in price.amounts)
                most = [(item, min(max(one.high, 0), MOST_COMPUTED)) for item, one in found]
                ranges = product(*(range(number + 1) for _, number in most))
                items = [item for item, _ in most]
                each = (_sum(tuple(zip(items, numbers, strict=True))) for numbers in ranges)
                return [Price((one,)) for one in each]


def _ways_to_pay(game: Game, base: Amounts, terms: Terms) -> Iterator[Amounts]:
    """Amounts after anything that can be saved, and after anything that replaces a part of them."""

    def scope(item: int) -> tuple[int, ...]:
        group = item - len(game.resources)
        return (item,) if group < 0 else (*game.groups[group][1], item)

    reduced = {item for one in terms.reductions for item in scope(one.item)}
    for count in range(len(terms.substitutes) + 1):
        for chosen in combinations(terms.substitutes, count):
            owed = [pair for one in chosen for pair in one.owed]
            replaced = {one for item, _ in owed for one in scope(item)}
            gone = sum(number for _, number in owed)
            least = [0 if item in reduced | replaced else number for item, number in base]
            ranges = (range(low, number + 1) for low, (_, number) in zip(least, base, strict=True))
            for part in product(*ranges):
                left = tuple((item, n) for (item, _), n in zip(base, part, strict=True))
                removed = sum(number for _, number in base) - sum(part)
                if removed >= gone and (reduced or removed == gone):
                    yield _sum(left, *(one.paid for one in chosen))


def _sum(*amounts: Amounts) -> Amounts:
    """Amounts added up, each item once, in the order of resources and then groups."""
    total: dict[int, int] = {}
    for item, number in chain.from_iterable(amounts):
        total[item] = total.get(item, 0) + number
    return tuple(sorted((item, number) for item, number in total.items() if number))
