"""An observation in words: what views are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from targi_dsl.api.clues import clues_about
from targi_dsl.information.observation import Observation
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.view.shape import Amount, Ref, Sort
from targi_dsl.view.words import Words


class Seen:
    """An observation, with lookups in words."""

    def __init__(self, observation: Observation, words: Words) -> None:
        self.observation, self.words = observation, words
        self.game = observation.game
        self.numbers = {place.name: number for number, place in enumerate(self.game.places)}
        """Numbers of places by id."""

    def knows(self, card: int) -> bool:
        """Whether the observer knows a card."""
        return card not in self.observation.unknown

    def card(self, card: int) -> str:
        """The name of a card, or its back with public clues."""
        if self.knows(card):
            return self.words.card(card)
        clues = clues_about(self.words, self.observation.vector, card)
        return f"?{self.words.back(card)}{f' ({clues})' if clues else ''}"

    def cards(self, place: int) -> Iterator[int]:
        """The cards on a place, top to bottom."""
        return self.observation.position.cards_on(place)

    @property
    def owner(self) -> int:
        """The number of the observing player; NOTHING for any other observer."""
        players = self.game.players
        return players.index(self.observation.seat) if self.observation.seat in players else NOTHING

    def place_of(self, card: int) -> int:
        """The place of a known card, or NOTHING."""
        return self.observation.position.place_of_card(card)

    def amounts_on(self, sort: type[t.Place | t.Card], number: int) -> list[Amount]:
        """The amounts of resources on a space or a card."""
        return self._amounts.get((sort, number), [])

    @cached_property
    def _amounts(self) -> dict[tuple[type[t.Type], int], list[Amount]]:
        """The amounts of resources on all spaces and cards."""
        found: dict[tuple[type[t.Type], int], list[Amount]] = {}
        for one in self.game.variables:
            if one.holds and one.each is not None:
                numbers = self.observation.position.values(one)
                members = self.words.domains.of(one.each).members
                for member, have in zip(members, numbers, strict=True):
                    if have:
                        amount = Amount(one.holds, have, self.words.amount(one.holds, have))
                        found.setdefault((type(one.each), member), []).append(amount)
        return found

    def card_words(self, card: int) -> str:
        """A card with its cost and marks, if it is known."""
        held = (one.text for one in self.amounts_on(t.Card, card))
        return self.words.face(card).with_cost(held) if self.knows(card) else self.card(card)

    def short(self, card: int) -> str:
        """A card by its short name and cost."""
        return self.words.face(card).in_short if self.knows(card) else self.card(card)

    def thing(self, kind: t.Type, element: int, brief: bool = False) -> str:
        """A thing in words; a space with the top card on it. brief: with costs and effects."""
        called = self.card_words if brief else self.card
        match kind:
            case t.Card() if element != NOTHING:
                return called(element)
            case t.Place() if element != NOTHING:
                on = [called(card) for card in self.cards(element)][:1]
                if brief:
                    on += [one.text for one in self.amounts_on(t.Place, element)]
                is_own = self.game.places[element].owner == self.owner
                name = self.words.own_place if is_own else self.words.place
                return ": ".join([name(element), *on])
            case t.Price():
                return self.words.price(element)
            case _:
                return self.words.of(kind, element)

    def refs(self, things: Iterable[tuple[t.Type, int]]) -> Iterator[Ref]:
        """References to those things that have one."""
        refs = (self.ref(*one) for one in things)
        return (ref for ref in refs if ref is not None)

    def ref(self, kind: t.Type, element: int) -> Ref | None:
        """A reference to a thing, or None. An unknown card is referred to by its position."""
        match kind:
            case t.Number():
                return Ref("number", number=element)
            case t.Card() if element != NOTHING and not self.knows(element):
                place = self.place_of(element)
                if place == NOTHING:
                    return None
                at = [*self.cards(place)].index(element)
                return Ref("card", place=self.game.places[place].name, at=at)
            case t.Price() | t.Nothing() | t.SetOf():
                return None
            case _ if element == NOTHING:
                return None
            case _:
                return Ref(_SORTS[type(kind)], self.words.domains.of(kind).id(element))


_SORTS: dict[type[t.Type], Sort] = {
    t.Card: "card", t.Piece: "piece", t.Place: "place", t.Player: "player",
    t.Resource: "resource", t.Truth: "truth", t.Value: "value",
}  # fmt: skip
