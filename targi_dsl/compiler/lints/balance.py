"""Warns of imbalances that show only after many games: cards that others dominate, and decks with
one card too many or too few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product
from math import prod

from targi_dsl.compiler.cards.decks import DeckCard, Words, names_in_field
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.symbols.decks import with_prices
from targi_dsl.ir.declarations import Amounts, CardInfo, Price
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem


def worse_cards(game: Compilation) -> Iterator[Problem]:
    """Cards (W925) that equal another of their set in everything except that they cost more."""
    prices = game.context.tables.prices
    groups: dict[object, dict[str, CardInfo]] = {}
    for card in with_prices(game.context.cards):
        rest = tuple(one for one in card.fields.items() if one[0] not in card.prices)
        key = (card.set, tuple(card.prices), rest)
        groups.setdefault(repr(key), {}).setdefault(card.entry, card)
    pairs = (pair for cards in groups.values() for pair in permutations(cards.values(), 2))
    worse = {one.entry: (one, better) for one, better in pairs if _costs_more(prices, one, better)}
    for one, better in worse.values():
        if one.span is not None and better.span is not None:
            title = f"`{one.entry}` is worse than `{better.entry}` in every way"
            text = "It says the same and costs more. If that is meant, allow it:"
            hint, label = "# allow W925: WHY", (Label(better.span, "this one is better"),)
            yield Problem("W925", title, one.span, text, hint, labels=label)


def _costs_more(prices: Sequence[Price], worse: CardInfo, better: CardInfo) -> bool:
    """Whether each price of a card is at least that of the other, and some price is higher."""
    both = [(prices[worse.prices[name]], prices[better.prices[name]]) for name in worse.prices]
    return any(a != b for a, b in both) and all(a == b or _is_more(a, b) for a, b in both)


def _is_more(price: Price, other: Price) -> bool:
    """Whether whoever pays a price in any way could pay the other too. False if a price has an
    extra.
    """
    if price.extra or other.extra:
        return False
    return all(
        any(_pays(way, cheaper) for cheaper in other.alternatives) for way in price.alternatives
    )


def _pays(way: Amounts, cheaper: Amounts) -> bool:
    have = dict(way)
    return all(have.get(item, 0) >= number for item, number in cheaper)


# ---- decks with a card too many or too few ----

LEAST_PAIRS, LEAST_VALUES, LEAST_ALIKE = 12, 4, 4
"""The sizes from which a deck is taken to be meant even: the number of pairs of values of two
fields; or the number of values of one field, and of cards with each.
"""


def uneven_decks(game: Compilation) -> Iterator[Problem]:
    """Card sets (W929) that have each value of a field, or each pair of values of two fields,
    equally often, with one exception: a card too many, too few, or in place of another.
    """
    checked = set[str]()
    for zone, line in game.written.decks.items():
        if zone in game.decks and all(isinstance(one, _WHOLE) for one in _parts(line.deck)):
            cards = game.decks[zone].cards
            for name in dict.fromkeys(card.set for card in cards if card.set not in checked):
                checked.add(name)
                found = _uneven([card for card in cards if card.set == name], game.words)
                yield from islice(found, 1)


_WHOLE = (n.DeckSet, n.DeckSum)


def _parts(deck: n.DeckExpr) -> Iterator[n.DeckExpr]:
    """A deck expression and the summands in it."""
    yield deck
    for part in deck.parts if isinstance(deck, n.DeckSum) else ():
        yield from _parts(part)


def _uneven(cards: Sequence[DeckCard], words: Words) -> Iterator[Problem]:
    """The warnings about a set; those about pairs of fields come first."""
    fields = _fields(cards, words)
    for names in (*combinations(fields, 2), *((name,) for name in fields)):
        columns = [fields[name] for name in names]
        sides = [dict.fromkeys(column) for column in columns]
        if prod(map(len, sides)) > len(cards) + 1:
            continue  # more than one is missing
        counts = Counter(zip(*columns, strict=True))
        usual = Counter(counts[key] for key in product(*sides)).most_common(1)[0][0]
        odd = {key: counts[key] - usual for key in product(*sides) if counts[key] != usual}
        if _is_even(sides, usual) and _is_slip(odd):
            extra = [
                card for card, *key in zip(cards, *columns, strict=True) if odd.get((*key,)) == 1
            ]
            span = extra[-1].entry.span if extra and len(names) > 1 else cards[0].set_span
            counted = " and ".join(_text_of(counts[key], names, key) for key in odd)
            title = f"`{cards[0].set}` has {counted}"
            text = f"It has {usual} with every other. If that is meant, allow it:"
            yield Problem("W929", title, span, text, "# allow W929: WHY")


def _fields(cards: Sequence[DeckCard], words: Words) -> dict[str, list[str]]:
    """The fields with exactly one value from a finite list on every card, as columns."""
    found = dict[str, list[str]]()
    for field, type_ in words.kinds.get(cards[0].kind, {}).items():
        if type_.form == "range" or (type_.form != "list" and type_.name in words.names):
            values = [names_in_field(one.entry, field, type_, words) for one in cards]
            if all(len(one) == 1 for one in values):
                found[field] = [min(one) for one in values]
    return found


def _is_even(sides: Sequence[Collection[str]], usual: int) -> bool:
    """Whether a distribution of these dimensions is regular enough not to be a coincidence."""
    if len(sides) == 1:
        return len(sides[0]) >= LEAST_VALUES and usual >= LEAST_ALIKE
    return usual > 0 and min(map(len, sides)) > 2 and prod(map(len, sides)) >= LEAST_PAIRS


def _is_slip(odd: Mapping[tuple[str, ...], int]) -> bool:
    """Whether the deviation is one card missing, one too many, or one in place of another that
    differs in one field.
    """
    match sorted(odd.values()):
        case [-1] | [1]:
            return True
        case [-1, 1]:
            one, other = odd
            return len(one) == 1 or any(a == b for a, b in zip(one, other, strict=True))
        case _:
            return False


def _text_of(count: int, names: Sequence[str], key: Sequence[str]) -> str:
    """`1 card with suit red and rank 3`"""
    what = " and ".join(f"{name} {value}" for name, value in zip(names, key, strict=True))
    return f"{count or 'no'} {'card' if count < 2 else 'cards'} with {what}"
