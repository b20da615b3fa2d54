"""Cards that move: piles as linked lists, who comes to know them, and what their arrival or
departure sets off.

A place holds its top card, a card the one below it. Bit 0 of a card's knowledge: it is face up; bit
1 + p: player p knows it.
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
    found, card = [], v[slots.place_top + place]
    while card >= 0:
        found.append(card)
        card = v[slots.card_next + card]
    return found


def pile(slots: Slots, v: Vector, place: int, cards: list[int]) -> None:
    """Makes these the cards on a place, top to bottom."""
    below = slots.card_next
    v[slots.place_top + place] = cards[0] if cards else NOTHING
    for at, card in enumerate(cards):
        v[below + card] = cards[at + 1] if at + 1 < len(cards) else NOTHING
        v[slots.card_place + card] = place


def shuffled(table: Table, cards: list[int], stream: Stream) -> list[int]:
    """A shuffle from a seed: from the top, each position gets one of the cards left, counted
    upwards; of interchangeable cards the lowest.
    """
    left, order, same = list(cards), [], table.same
    while left:
        at = stream.below(len(left))
        if not table.alone[left[at]]:
            at = next(i for i, card in enumerate(left) if same[card] == same[left[at]])
        order.append(left.pop(at))
    return order


class Piles:
    """Moves, turns and shuffles the cards of a game."""

    def __init__(self, table: Table, happenings: Happenings) -> None:
        self.table, self.happenings = table, happenings
        self.program, self.slots = table.program, table.program.slots

    def move(self, v: Vector, run: Run, card: int, place: int, under: bool, facing: str) -> Calls:
        """Moves one card; what is to be done because of it, first a refill, then what its arrival
        sets off.
        """
        source = v[self.slots.card_place + card]
        calls = self._take(v, run, card, source) if source != NOTHING else []
        self._put(v, card, place, under)
        up = (facing or self.program.places[place].facing) == "up"
        known = self.slots.card_known + card
        v[known] = v[known] & ~1 | self.table.masks[place][up]
        if run.events is not None:
            run.tell(v, "move", run.frame[0], card, 1, source, place)
        if self.program.places[place].closed:
            v[known] = self.table.masks[place][up]
        if self.table.owner_of[source] == self.table.owner_of[place]:
            return calls
        if self.table.owner_of[source] != NOT_ACTIVE:
            for slot in self.table.resets[card]:
                v[slot] = 0
        return calls + self._arrived(v, run, card, place)

    def _take(self, v: Vector, run: Run, card: int, source: int) -> Calls:
        """Lifts a card from where it lies; an emptied place is refilled if it is of that kind."""
        top, below = self.slots.place_top + source, self.slots.card_next
        if v[top] == card:
            v[top] = v[below + card]
        else:
            above = v[top]
            while v[below + above] != card:
                above = v[below + above]
            v[below + above] = v[below + card]
        if v[top] == NOTHING and self.program.places[source].refill_at_once:
            return self.refill(v, run, source)
        return []

    def _put(self, v: Vector, card: int, place: int, under: bool) -> None:
        top, below = self.slots.place_top + place, self.slots.card_next
        v[self.slots.card_place + card] = place
        if not under or v[top] == NOTHING:
            v[below + card] = v[top]
            v[top] = card
            return
        last = v[top]
        while v[below + last] != NOTHING:
            last = v[below + last]
        v[below + last] = card
        v[below + card] = NOTHING

    def _arrived(self, v: Vector, run: Run, card: int, place: int) -> Calls:
        """What a card's arrival sets off on a place with active abilities: its arrivals, then
        triggers that remember.
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
        """Puts the cards of its refill onto an empty place, to be shuffled next."""
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
        if run.events is not None:
            run.tell(v, "refill", run.frame[0], NOTHING, len(cards), refilled, place)
        return [(self.program.refill, run.frame[0], (place,))]

    def turn(self, v: Vector, card: int, up: bool) -> None:
        """Turns a card; face up, all who see the place know it."""
        known = self.slots.card_known + card
        place = v[self.slots.card_place + card]
        v[known] = v[known] & ~1 | (self.table.masks[place][up] if place != NOTHING else up)

    def forget(self, v: Vector, place: int) -> None:
        """Begins a shuffle: the cards lie ascending, and nobody knows more than where they lie
        tells.
        """
        cards = sorted(lying(self.slots, v, place))
        pile(self.slots, v, place, cards)
        for card in cards:
            known = self.slots.card_known + card
            v[known] = self.table.masks[place][v[known] & 1]
