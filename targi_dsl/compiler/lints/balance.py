"""Warns of what shows only after many games: options that change nothing, and cards that are worse
than others in nothing but their price.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from targi_dsl.compiler.lowering.abilities import sentences
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.symbols.decks import with_prices
from targi_dsl.ir.declarations import Amounts, CardInfo, Price
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem


def idle_options(game: Compilation) -> Iterator[Problem]:
    """Options that nothing asks for, in their own modules or in the game."""
    there = [one.node for one in game.layers.effective.values()]
    written = [node for module in game.written.modules.values() for node in module.declarations]
    trees = (*there, *written, *sentences(game.context))
    asked = {one.option.text for tree in trees for one in tree.every(n.OptionIs)}
    for (sort, name), one in game.layers.effective.items():
        if sort == "option" and isinstance(one.node, n.Option) and name not in asked:
            text = "No rule, definition, score or card asks for it. A rule would ask:"
            hint = f"option {name} is {one.node.values[-1].text}"
            title = f"the option `{name}` changes nothing"
            yield Problem("W924", title, one.node.name.span, text, hint, "warning")


def worse_cards(game: Compilation) -> Iterator[Problem]:
    """Cards that say the same as another of their set and cost more."""
    prices = game.context.tables.prices
    groups: dict[object, dict[str, CardInfo]] = {}
    for card in with_prices(game.context.cards):
        rest = tuple(one for one in card.fields.items() if one[0] not in card.prices)
        said = (card.set, tuple(card.prices), rest)
        groups.setdefault(repr(said), {}).setdefault(card.entry, card)
    pairs = (pair for cards in groups.values() for pair in permutations(cards.values(), 2))
    worse = {one.entry: (one, better) for one, better in pairs if _costs_more(prices, one, better)}
    for one, better in worse.values():
        if one.span is not None and better.span is not None:
            title = f"`{one.entry}` is worse than `{better.entry}` in every way"
            text = "It says the same and costs more. If that is meant, allow it:"
            hint, label = "# allow W925: WHY", (Label(better.span, "this one is better"),)
            yield Problem("W925", title, one.span, text, hint, "warning", labels=label)


def _costs_more(prices: Sequence[Price], worse: CardInfo, better: CardInfo) -> bool:
    """Whether each price of a card is at least that of another, and one is more."""
    both = [(prices[worse.prices[name]], prices[better.prices[name]]) for name in worse.prices]
    return any(a != b for a, b in both) and all(a == b or _is_more(a, b) for a, b in both)


def _is_more(price: Price, other: Price) -> bool:
    """Whether every way to pay a price pays another as well; not if either can be paid more for."""
    if price.extra or other.extra:
        return False
    return all(
        any(_pays(way, cheaper) for cheaper in other.alternatives) for way in price.alternatives
    )


def _pays(way: Amounts, cheaper: Amounts) -> bool:
    have = dict(way)
    return all(have.get(item, 0) >= number for item, number in cheaper)
