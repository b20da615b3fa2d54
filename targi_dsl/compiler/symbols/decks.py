"""Assigns decks to zones, and numbers the cards in play."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from targi_dsl.cardfiles import CardEntry, Scalar, Sequence
from targi_dsl.compiler.cards.changes import changed_sets, unknown_cards
from targi_dsl.compiler.cards.decks import (
    MOST_CARDS,
    MOST_CARDS_IN_ALL,
    Deck,
    DeckCard,
    Draw,
    Words,
    by_number,
    deck,
)
from targi_dsl.compiler.cards.series import expand_series
from targi_dsl.compiler.layers.changes import Layers
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.project.written import Written
from targi_dsl.compiler.symbols.table import SymbolTable
from targi_dsl.ir import declarations as d
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.text.structs import FrozenMap
from targi_dsl.text.suggestions import suggestion


def decks(written: Written, layers: Layers, words: Words) -> dict[str, Deck]:
    """The deck of each zone for which the sheet has one; problems are added to `written`."""
    found = {}
    rests: dict[str, n.Word] = {}
    read: set[str] = set()
    in_all = 0

    def sets(word: n.Word) -> tuple[DeckCard, ...]:
        cards = expand_series(written.card_set(word), words, written.problems)
        read.update(card.entry.id for card in cards)
        return cards

    changed = changed_sets(sets, words, layers.cards, written.problems)
    for zone, line in written.decks.items():
        if isinstance(line.deck, n.DeckRest):
            rests[zone] = line.deck.zone
            continue
        evaluated = deck(line.deck, changed, words, written.problems)
        if len(evaluated.cards) > MOST_CARDS:
            text = f"A deck has at most {MOST_CARDS} cards."
            written.report("E527", f"{len(evaluated.cards)} cards are too many", line.span, text)
            evaluated = Deck((), wrong=True)
        in_all += len(evaluated.cards)
        if in_all > MOST_CARDS_IN_ALL >= in_all - len(evaluated.cards):
            text = (
                f"With `{zone}` there are {in_all:,}; at most {MOST_CARDS_IN_ALL:,} are possible."
            )
            written.report("E527", "too many cards in all", line.span, text)
        found[zone] = evaluated if in_all <= MOST_CARDS_IN_ALL else Deck((), wrong=True)
    found.update((zone, _rest(found, word, written)) for zone, word in rests.items())
    if not written.errors.no_cards:
        written.problems.extend(unknown_cards(layers.cards, read))
    return found


def _rest(found: Mapping[str, Deck], word: n.Word, written: Written) -> Deck:
    """The deck that consists of what the draws of another zone leave over."""
    of = found.get(word.text)
    if of is None:
        title, text = f"`{word.text}` has no deck", "Only a deck that says `draw` has a rest."
        hint = suggestion(word.text, found)
        written.report("E528", title, word.span, text, hint)
    elif not of.left and not of.wrong:
        title = f"nothing is left of `{word.text}`"
        text = "Its deck does not say `draw`, or all of its cards are drawn."
        written.report("E541", title, word.span, text)
    else:
        return Deck((), rest=word.text)
    return Deck((), wrong=True)


def in_known_zones(
    written: Written, symbols: SymbolTable, decks: dict[str, Deck]
) -> dict[str, Deck]:
    """The decks of zones that exist; the others are reported."""
    known = {
        zone: one
        for zone, one in decks.items()
        if zone not in written.errors and _is_zone(written, symbols, zone)
    }
    kinds = {card.kind for one in known.values() for card in one.cards}
    written.errors.no_cards |= len(known) < len(decks) or not kinds <= set(symbols.kinds)
    return known


def _is_zone(written: Written, symbols: SymbolTable, zone: str) -> bool:
    region = symbols.regions.get(zone)
    if region is not None and region.is_common_zone:
        return True
    word = written.decks[zone].zone
    zones = [name for name, one in symbols.regions.items() if one.is_common_zone]
    text = "A deck can only be put in a zone without an owner."
    title, hint = f"unknown zone `{zone}`", suggestion(zone, zones)
    written.problems.append(Unresolved("E528", title, word.span, text, hint, name=zone))
    return False


def box(zone: str, number: int) -> str:
    """The name of a box: the place of cards from which those for a zone are drawn."""
    return f"box of {zone} {number + 1}"


def boxes(decks: dict[str, Deck]) -> list[tuple[str, str]]:
    """The boxes of all draws, each with its zone."""
    return [(box(zone, i), zone) for zone, one in decks.items() for i in range(len(one.draws))]


def numbered(decks: Mapping[str, Deck]) -> dict[str, dict[int, int]]:
    """For each zone, the numbers of the cards at the positions of its deck. Cards are numbered in
    the order of draws.
    """
    number = count()
    return {
        zone: {
            at: next(number)
            for draw in one.draws or (Draw(0, tuple(range(len(one.cards)))),)
            for at in draw.positions
        }
        for zone, one in decks.items()
    }


def in_boxes(decks: Mapping[str, Deck]) -> dict[str, Deck]:
    """The decks by starting place: their zone, or the boxes from which they are drawn."""
    found: dict[str, Deck] = {}
    for zone, one in decks.items():
        if not one.draws:
            found[zone] = one
        for i, draw in enumerate(one.draws):
            found[box(zone, i)] = Deck(tuple(one.cards[p] for p in draw.positions))
    return found


FieldColumn = tuple[tuple[int | tuple[int, ...], ...], t.Type]


class CardsInPlay(Struct):
    """All cards, and for each field the column of its values; NOTHING or 0 on cards without it."""

    cards: list[d.CardInfo] = []
    entries: list[DeckCard] = []
    fields: dict[str, FieldColumn] = {}
    rivals: dict[int, tuple[str, int | None]] = {}
    """For each card of whose number at most one starts in its zone: the zone and the number. The
    other cards of that number are left over.
    """

    def named(self, name: str) -> tuple[int, ...]:
        """The cards with an id: all its copies."""
        return tuple(i for i, card in enumerate(self.entries) if card.entry.id == name)


def lay_out(
    symbols: SymbolTable, decks: Mapping[str, Deck], with_numbers: Collection[str]
) -> CardsInPlay:
    """Numbers the cards of all decks, each at its starting place. `with_numbers`: the zones that
    must have each number once, which is checked later.
    """
    play = CardsInPlay()
    numbers = numbered(decks)
    for zone, one in decks.items():
        piles = by_number(one.cards).items() if one.draws or zone in with_numbers else ()
        play.rivals.update(
            (numbers[zone][at], (zone, number))
            for number, positions in piles
            if number is not None and (zone in with_numbers or one.bounds(positions)[1] == 1)
            for at in positions
        )
    kinds = list(symbols.kinds)
    seen: dict[str, int] = {}
    same: dict[tuple[str, str], int] = {}
    for zone, one in in_boxes(decks).items():
        for card in one.cards:
            entry = card.entry
            seen[entry.id] = seen.get(entry.id, 0) + 1
            copy = seen[entry.id]
            play.entries.append(card)
            play.cards.append(
                d.CardInfo(
                    id=entry.id if copy == 1 else f"{entry.id}.{copy}",
                    entry=entry.id,
                    kind=kinds.index(card.kind) if card.kind in kinds else NOTHING,
                    same=same.setdefault(card.key, len(same)),
                    set=card.set,
                    shorts=FrozenMap(entry.shorts),
                    names=FrozenMap(entry.names),
                    texts=FrozenMap(entry.texts),
                    fields=_fields_as_written(entry),
                    prices=FrozenMap(),
                    start=symbols.regions[zone].base,
                    span=entry.span,
                    changes=card.changes,
                )
            )
    return play


def _fields_as_written(entry: CardEntry) -> FrozenMap[d.FieldValue]:
    """The fields of a card as written, for display."""
    fields = {name: _field(given) for name, given in entry.fields.items()}
    if entry.number:
        fields["number"] = entry.number
    return FrozenMap(fields)


def _field(given: Scalar | Sequence) -> d.FieldValue:
    match given:
        case Scalar(value=int() | str() as value):
            return value
        case Sequence(items=items):
            return tuple(str(one.value) for one in items if isinstance(one, Scalar))
        case _:
            return given.span.text


def with_prices(play: CardsInPlay) -> tuple[d.CardInfo, ...]:
    """The cards with the numbers of their prices, for display."""
    costs = {
        name: values for name, (values, type_) in play.fields.items() if isinstance(type_, t.Price)
    }
    found = []
    for number, card in enumerate(play.cards):
        written = {name: costs[name][number] for name in card.fields if name in costs}
        prices = {name: price for name, price in written.items() if isinstance(price, int)}
        found.append(replace(card, prices=FrozenMap(prices)) if prices else card)
    return tuple(found)
