"""The cards of a game: the entries its decks contain, numbered, with their fields as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from targi_dsl.cardfiles import CardEntry, Scalar, Sequence
from targi_dsl.compiler.cards.decks import Deck, DeckCard
from targi_dsl.compiler.symbols.table import SymbolTable
from targi_dsl.ir import declarations as d
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.frozen import FrozenMap
from targi_dsl.text.light import dataclass, replace

FieldColumn = tuple[tuple[int | tuple[int, ...], ...], t.Type]


@dataclass(slots=True)
class CardsInPlay:
    """All cards, and for each field of their kinds its value on every card (nothing on a card
    without the field).
    """

    cards: list[d.CardInfo] = field(default_factory=list)
    entries: list[DeckCard] = field(default_factory=list)
    fields: dict[str, FieldColumn] = field(default_factory=dict)

    def action_card(self, name: str) -> int:
        """The first card with that id, which must exist."""
        return next(i for i, card in enumerate(self.entries) if card.entry.id == name)


def lay_out(symbols: SymbolTable, decks: Mapping[str, Deck]) -> CardsInPlay:
    """Numbers the cards of all decks, each in its zone."""
    play = CardsInPlay()
    kinds = list(symbols.kinds)
    seen: dict[str, int] = {}
    same: dict[tuple[str, str], int] = {}
    for zone, deck in decks.items():
        for card in deck.cards:
            entry = card.entry
            seen[entry.id] = seen.get(entry.id, 0) + 1
            copy = seen[entry.id]
            play.entries.append(card)
            play.cards.append(
                d.CardInfo(
                    id=entry.id if copy == 1 else f"{entry.id}.{copy}",
                    entry=entry.id,
                    kind=kinds.index(card.kind) if card.kind in kinds else NOTHING,
                    same=same.setdefault((card.set, entry.id), len(same)),
                    set=card.set,
                    shorts=FrozenMap(entry.shorts),
                    names=FrozenMap(entry.names),
                    texts=FrozenMap(entry.texts),
                    fields=_fields_as_written(entry),
                    prices=FrozenMap(),
                    start=symbols.regions[zone].base,
                    span=entry.span,
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
    """The cards with the number of each of their prices, for display."""
    costs = {
        name: values for name, (values, type_) in play.fields.items() if isinstance(type_, t.Price)
    }
    found = []
    for number, card in enumerate(play.cards):
        written = {name: costs[name][number] for name in card.fields if name in costs}
        prices = {name: price for name, price in written.items() if isinstance(price, int)}
        found.append(replace(card, prices=FrozenMap(prices)) if prices else card)
    return tuple(found)
