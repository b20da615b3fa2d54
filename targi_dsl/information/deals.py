"""Fills in what a seat does not know, at random or by searching for consistent deals.

A deal assigns a location to every hidden card. Other things are hidden with it: which values the
cards that nobody knows have, what is stored on a hidden card, and whether the window of its ability
has been used.

`search` covers all deals without trying each one. Whether a deal is consistent depends only on the
slots of its position that are read. After an inconsistent deal, only deals that differ in something
that was read are therefore tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import SupportsIndex, overload

from targi_dsl.api.position import Position
from targi_dsl.api.renumbering import agrees, belongings_of, renumber, slots_of
from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Stream

HiddenValue = tuple[str, int, int]
"""Something hidden: ("card", 0, n), which card lies where the observation has card n; ("value", V,
n), which value of the variable with base V that card has, if nobody knows it; ("kept", M, slot),
the amount from 0 to M that a hidden card stores there.
"""
Deal = Mapping[HiddenValue, int]

TRIES = 1_000
"""Random deals before all deals are searched, or one is constructed."""
SWAPS = 20
"""Swaps for each location of a constructed deal."""

MOST_STORED = 99
"""The largest amount tried for a store on a hidden card: no written price asks for more of one
resource.
"""


class RecordingVector(list[int]):
    """A vector that records which of its slots are read, in order. A copy of the whole shares the
    record.
    """

    def __init__(self, numbers: Sequence[int], noted: dict[int, None]) -> None:
        super().__init__(numbers)
        self.noted = noted

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> int | list[int]:
        if isinstance(at, slice):
            if at == slice(None):
                return RecordingVector(super().__getitem__(at), self.noted)
            self.noted |= dict.fromkeys(range(*at.indices(len(self))))
        else:
            self.noted[at.__index__()] = None
        return super().__getitem__(at)


def deal(engine: Engine, v: Sequence[int], unknown: Sequence[int], rng: Stream) -> dict[int, int]:
    """Assigns the unknown cards to the locations of unknown cards in a canonical position: cards of
    one back in random order, but only cards of a box to that box, and where players have been told
    something about a card, only cards of which that is true. Every assignment is equally likely;
    see `_agreeing` for the exception.
    """
    numbers: dict[int, int] = {}
    game, position, left = engine.game, Position(engine.game, v), set(unknown)
    for box in (number for number, place in enumerate(game.places) if place.is_box):
        boxed = [card for card in position.cards_on(box) if card in unknown]
        own = sorted(card for card in left if game.cards[card].start == box)
        numbers |= {card: _taken_out(own, rng) for card in boxed}
        left.difference_update(numbers[card] for card in boxed)
    elsewhere = [card for card in unknown if card not in numbers]
    numbers |= _agreeing(engine, v, elsewhere, sorted(left), rng)
    left.difference_update(numbers.values())
    backs: dict[int, list[int]] = {}
    for card in sorted(left):
        backs.setdefault(game.cards[card].kind, []).append(card)
    for card in unknown:
        if card not in numbers:
            numbers[card] = _taken_out(backs[game.cards[card].kind], rng)
    return numbers


def _taken_out(cards: list[int], rng: Stream) -> int:
    """Removes a random card; the last one takes its place."""
    at = rng.below(len(cards))
    cards[at], cards[-1] = cards[-1], cards[at]
    return cards.pop()


def _agreeing(
    engine: Engine, v: Sequence[int], places: Sequence[int], cards: Sequence[int], rng: Stream
) -> dict[int, int]:
    """Assigns cards to the locations among these about which players have been told something: each
    is drawn independently, until no card is drawn twice. After TRIES failures, some valid
    assignment is shuffled by many swaps, so one assignment may be slightly likelier than another.
    """
    bases, kinds = belongings_of(engine).told, [card.kind for card in engine.game.cards]
    fitting = {
        at: [card for card in cards if kinds[card] == kinds[at] and agrees(engine, v, at, card)]
        for at in places
        if any(v[base + at] for base in bases)
    }
    for _ in range(TRIES if fitting else 0):
        assigned = {at: those[rng.below(len(those))] for at, those in fitting.items()}
        if len(set(assigned.values())) == len(assigned):
            return assigned
    assigned = _matched(fitting)
    for _ in range(len(assigned) * SWAPS):
        place = list(assigned)[rng.below(len(assigned))]
        _swap(assigned, fitting, place, fitting[place][rng.below(len(fitting[place]))])
    return assigned


def _matched(fitting: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """A matching of places and cards by augmenting paths."""
    holder: dict[int, int] = {}

    def settle(at: int, tried: set[int]) -> bool:
        for card in fitting[at]:
            if card not in tried:
                tried.add(card)
                if card not in holder or settle(holder[card], tried):
                    holder[card] = at
                    return True
        return False

    for at in fitting:
        settle(at, set())
    return {at: card for card, at in holder.items()}


def _swap(
    assigned: dict[int, int], fitting: Mapping[int, Sequence[int]], at: int, card: int
) -> None:
    """Puts another card at a location; if possible, the two locations swap their cards."""
    other = next((place for place, its in assigned.items() if its == card), at)
    if assigned[at] in fitting[other]:
        assigned[other], assigned[at] = assigned[at], card


class Deals:
    """All deals of the cards unknown to a seat, in a position that is canonical for it."""

    def __init__(self, engine: Engine, v: Sequence[int], unknown: Sequence[int]) -> None:
        self.engine, self.v = engine, list(v)
        cards, position = engine.game.cards, Position(engine.game, v)
        self.unknown = unknown
        nobody = [card for card in unknown if not position.known_to(card)]
        belongings = belongings_of(engine)
        self.each = [
            (base, members)
            for base, members in belongings.each
            if base not in belongings.told and any(card in members for card in nobody)
        ]
        self.first: dict[HiddenValue, int] = {("card", 0, card): card for card in unknown}
        self.groups: dict[HiddenValue, tuple[str, int]] = {
            ("card", 0, card): ("card", cards[card].kind) for card in unknown
        }
        for base, members in self.each:
            for card in nobody:
                if card in members:
                    self.first["value", base, card] = v[base + members.index(card)]
                    self.groups["value", base, card] = ("value", base)
        for card in unknown:
            amounts = [(MOST_STORED, slot) for _, slot in belongings.stored.get(card, ())]
            amounts += [(1, slot) for slot in belongings.windows.get(card, ())]
            self.first |= {("kept", most, slot): 0 for most, slot in amounts}
        self.kept = {hole[2]: hole for hole in self.first if hole[0] == "kept"}
        self.by_card = dict(self._by_card())
        self.holding = frozenset(belongings.holding)

    def may_lie(self, at: int, number: int) -> bool:
        """Whether a card may lie where the observation has card `at`."""
        game = self.engine.game
        place = Position(game, self.v).place_of_card(at)
        in_box = place >= 0 and game.places[place].is_box
        return (not in_box or game.cards[number].start == place) and agrees(
            self.engine, self.v, at, number
        )

    def position(self, deal: Deal) -> list[int]:
        """The position in which the cards are dealt this way."""
        v = self.v[:]
        for base, members in self.each:
            for card in self.unknown:
                if ("value", base, card) in deal:
                    v[base + members.index(card)] = deal["value", base, card]
        w = renumber(self.engine, v, {card: deal["card", 0, card] for card in self.unknown})
        for slot, hole in self.kept.items():
            w[slot] = deal[hole]
        return w

    def search(
        self, numbers: Mapping[int, int], fits: Callable[[list[int]], bool], rng: Stream
    ) -> list[int] | None:
        """A consistent position, searching outwards from these cards; None if there is none."""
        first = self.first | {("card", 0, card): number for card, number in numbers.items()}
        for changes in range(len(first) + 1):
            walk = _Walk(self, fits, rng)
            if (deal := walk.look(first, frozenset(), changes)) is not None:
                return self.position(deal)
            if not walk.cut:
                break
        return None

    def read(
        self, deal: Deal, w: Sequence[int], noted: Iterable[int]
    ) -> Iterator[tuple[HiddenValue, bool]]:
        """The hidden values of a deal that were read in its position, and whether the location of a
        card was asked for rather than the card at a location.
        """
        location = {deal["card", 0, card]: card for card in self.unknown}
        for slot in noted:
            if slot in self.by_card:
                card, base = self.by_card[slot]
                yield ("card", 0, location[card]), True
                if ("value", base, location[card]) in deal:
                    yield ("value", base, location[card]), False
            if slot in self.kept:
                yield self.kept[slot], False
            if (
                slot < len(w)
                and w[slot] in location
                and (slot in self.holding or slot >= self.engine.game.slots.stack)
            ):
                yield ("card", 0, location[w[slot]]), False

    def _by_card(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """The slots that belong to a hidden card, each with the card and the base of such slots."""
        for card in self.unknown:
            for slot, base in slots_of(self.engine, card):
                yield slot, (card, base)


class _Walk:
    """A depth-limited traversal of the deals that differ from the first in a number of things; cut:
    whether the limit was reached.
    """

    def __init__(self, deals: Deals, fits: Callable[[list[int]], bool], rng: Stream) -> None:
        self.deals, self.fits, self.rng, self.cut = deals, fits, rng, False

    def look(self, deal: Deal, decided: frozenset[HiddenValue], changes: int) -> Deal | None:
        """A consistent deal that agrees with this one in everything decided."""
        noted: dict[int, None] = {}
        w = self.deals.position(deal)
        if self.fits(RecordingVector(w, noted)):
            return deal
        for hole, where in self.deals.read(deal, w, noted):
            if hole in decided:
                continue
            if not changes:
                self.cut = True
                return None
            for other, settled in self._others(deal, decided, hole, where):
                if (consistent := self.look(other, decided | {settled}, changes - 1)) is not None:
                    return consistent
            decided |= {hole}
        return None

    def _may_swap(self, deal: Deal, hole: HiddenValue, other: HiddenValue) -> bool:
        """Whether two hidden values may be swapped: a box holds only its own cards."""
        return hole[0] != "card" or (
            self.deals.may_lie(hole[2], deal[other]) and self.deals.may_lie(other[2], deal[hole])
        )

    def _others(
        self, deal: Deal, decided: frozenset[HiddenValue], hole: HiddenValue, where: bool
    ) -> Iterator[tuple[Deal, HiddenValue]]:
        """The deals with another value in a hole, or with its value in another hole; and the hole
        that this decides.
        """
        if hole[0] == "kept":
            yield from (
                ({**deal, hole: amount}, hole)
                for amount in range(hole[1] + 1)
                if amount != deal[hole]
            )
            return
        group = self.deals.groups[hole]
        left = [
            hole for hole, its in self.deals.groups.items() if its == group and hole not in decided
        ]
        while left:
            other = left.pop(self.rng.below(len(left)))
            if deal[other] != deal[hole] and self._may_swap(deal, other, hole):
                yield {**deal, hole: deal[other], other: deal[hole]}, other if where else hole
