"""Moving cards: piles as linked lists, knowledge of cards, and what arrivals and departures
trigger; see docs/program.md, *Cards*.

A place holds its top card, and a card the one below it. Bit 0 of a card's knowledge: it is face
up; bit 1 + p: player p knows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.engine.chance import Stream
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.run import Calls, Run, Vector
from targi_dsl.engine.table import NOT_ACTIVE, Table
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import Slots


def lying(slots: Slots, v: Sequence[int], place: int) -> list[int]:
    """The cards on a place, top to bottom."""
    cards, card = [], v[slots.place_top + place]
    while card >= 0:
        cards.append(card)
        card = v[slots.card_next + card]
    return cards


def pile(slots: Slots, v: Vector, place: int, cards: list[int]) -> None:
    """Puts these cards on a place, top to bottom."""
    below, place_of, before = slots.card_next, slots.card_place, slots.place_top + place
    for card in cards:
        v[before] = card
        before = below + card
        v[place_of + card] = place
    v[before] = NOTHING


def shuffled(table: Table, cards: list[int], stream: Stream) -> list[int]:
    """A shuffle from a seed: from the top, every position gets one of the remaining cards,
    counted in ascending order; of interchangeable cards the lowest.
    """
    left, order, same, alone = list(cards), [], table.same, table.alone
    for at in stream.falling(len(left)):
        card = left[at]
        if not alone[card]:
            at = [same[other] for other in left].index(same[card])
        order.append(left.pop(at))
    return order


class Piles:
    """Moves, turns and shuffles the cards of a game."""

    def __init__(self, table: Table, happenings: Happenings) -> None:
        self.table, self.happenings = table, happenings
        self.program, self.slots = table.program, table.program.slots
        self.tops, self.below = self.slots.place_top, self.slots.card_next

    def move(self, v: Vector, run: Run, card: int, place: int, under: bool, facing: str) -> Calls:
        """Moves one card and returns the calls that follow: a refill first, then what its arrival
        triggers.
        """
        source, info = v[self.slots.card_place + card], self.program.places[place]
        calls = self._lift(v, run, card, source) if source != NOTHING else []
        self._put(v, card, place, under)
        known, shown = self.slots.card_known + card, self.table.masks[place]
        mask = shown[(facing or info.facing) == "up"]
        v[known] = v[known] & ~1 | mask
        run.tell(v, "move", run.frame[0], card, 1, source, place)
        if info.closed:  # after all have seen what goes there
            v[known] = mask
            self._untold(v, card)
        if self.table.owner_of[source] == self.table.owner_of[place]:
            return calls
        if self.table.owner_of[source] != NOT_ACTIVE:
            for slot in self.table.resets[card]:
                v[slot] = 0
        return calls + self._arrived(v, run, card, place)

    def _lift(self, v: Vector, run: Run, card: int, source: int) -> Calls:
        """Removes a card from its pile; an empty place is refilled at once if so declared."""
        above = self.tops + source
        while v[above] != card:
            above = self.below + v[above]
        v[above] = v[self.below + card]
        if v[self.tops + source] == NOTHING and self.program.places[source].refill_at_once:
            return self.refill(v, run, source)
        return []

    def _put(self, v: Vector, card: int, place: int, under: bool) -> None:
        """Puts a card on top of a pile, or to the bottom."""
        above = self.tops + place
        while under and v[above] != NOTHING:
            above = self.below + v[above]
        v[self.below + card], v[above] = v[above], card
        v[self.slots.card_place + card] = place

    def _arrived(self, v: Vector, run: Run, card: int, place: int) -> Calls:
        """The calls that a card's arrival on a place with active abilities triggers: its arrival
        rules, then triggers with a memory.
        """
        owner = self.table.owner_of[place]
        if owner == NOT_ACTIVE:
            return []
        you = run.frame[0] if owner == NOTHING else owner
        calls: Calls = [
            (rule, you, self.table.carried(rule, card)) for rule in self.table.arrivals[card]
        ]
        for trigger in self.table.recalled[card]:
            if owner != NOTHING and v[trigger.memory + owner]:
                calls += self.happenings.fire(v, run, trigger, owner)
        return calls

    def refill(self, v: Vector, run: Run, place: int) -> Calls:
        """Moves the cards of its refill to an empty place, to be shuffled next."""
        refilled = self.program.places[place].refill
        cards = sorted(lying(self.slots, v, refilled)) if refilled != NOTHING else []
        if not cards:
            return []
        pile(self.slots, v, refilled, [])
        pile(self.slots, v, place, cards)
        facing_up = self.program.places[place].facing == "up"
        for card in cards:
            known = self.slots.card_known + card
            v[known] = v[known] & ~1 | facing_up
        run.tell(v, "refill", run.frame[0], NOTHING, len(cards), refilled, place)
        return [(self.program.refill, run.frame[0], (place,))]

    def turn(self, v: Vector, card: int, up: bool) -> None:
        """Turns a card; face up, everybody who sees the place knows it."""
        known = self.slots.card_known + card
        place = v[self.slots.card_place + card]
        v[known] = v[known] & ~1 | (self.table.masks[place][up] if place != NOTHING else up)

    def forget(self, v: Vector, place: int, cards: list[int]) -> None:
        """Begins a shuffle of these cards: resets knowledge to what their place shows."""
        known, shown, hints = self.slots.card_known, self.table.masks[place], self.table.told
        for card in cards:
            v[known + card] = shown[v[known + card] & 1]
            for slot in hints[card]:
                v[slot] = 0

    def _untold(self, v: Vector, card: int) -> None:
        """Clears what players have been told about a card."""
        for slot in self.table.told[card]:
            v[slot] = 0
