"""Moving cards: piles as linked lists, knowledge of cards, and what arrivals and departures
trigger; see docs/program.md, *Cards*.

A place stores its top card, and each card the one below it. In a card's knowledge, bit 0 means face
up, bit 1 + p that player p knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.engine.abilities import NOT_ACTIVE
from targi_dsl.engine.amounts import Amounts
from targi_dsl.engine.run import Calls, Run, cards_on, pile
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Trigger


class Cards(Amounts):
    """Moves, turns and shuffles the cards of a game."""

    def move(self, run: Run, card: int, place: int, under: bool, facing: str) -> Calls:
        """Moves one card and returns the calls that follow: a refill first, then what its arrival
        triggers.
        """
        v, info, known = run.v, self.program.places[place], self.slots.card_known + card
        source = v[self.slots.card_place + card]
        calls = self._lift(run, card, source) if source != NOTHING else []
        cards = cards_on(self.slots, v, place)
        pile(self.slots, v, place, [*cards, card] if under else [card, *cards])
        mask = self.mask(place, (facing or info.facing) == "up")
        v[known] = v[known] & ~1 | mask
        run.tell("move", run.frame[YOU], card, 1, source, place)
        if info.closed:  # after all have seen what goes there
            v[known] = mask
            self.reset(run, self.clue_slots(card))
        left, owner = self.owner(source), self.owner(place)
        if left != owner and left != NOT_ACTIVE:
            self.reset(run, self.resets(card))
        if left != owner and owner != NOT_ACTIVE:
            you = run.frame[YOU] if owner == NOTHING else owner
            calls += [(rule, you, self.carried(rule, card)) for rule in self.arrivals(card)]
            for trigger in self.recalled(card) if owner != NOTHING else ():
                if v[trigger.memory + owner]:
                    calls += self.fire(run, trigger, owner)
        return calls

    def _lift(self, run: Run, card: int, source: int) -> Calls:
        """Removes a card from its pile; an empty place is refilled at once if so declared."""
        cards = [one for one in cards_on(self.slots, run.v, source) if one != card]
        pile(self.slots, run.v, source, cards)
        is_refilled = not cards and self.program.places[source].refill_at_once
        return self.refill(run, source) if is_refilled else []

    def refill(self, run: Run, place: int) -> Calls:
        """Moves the cards of a place's refill to it when it is empty; they are shuffled next."""
        v, info = run.v, self.program.places[place]
        cards = sorted(cards_on(self.slots, v, info.refill)) if info.refill != NOTHING else []
        if not cards:
            return []
        pile(self.slots, v, info.refill, [])
        pile(self.slots, v, place, cards)
        for card in cards:
            known = self.slots.card_known + card
            v[known] = v[known] & ~1 | (info.facing == "up")
        run.tell("refill", run.frame[YOU], NOTHING, len(cards), info.refill, place)
        return [(self.program.refill, run.frame[YOU], (place,))]

    def turn(self, run: Run, card: int, up: bool) -> None:
        """Turns a card; face up, everybody who sees the place knows it."""
        known, place = self.slots.card_known + card, run.v[self.slots.card_place + card]
        before = run.v[known]
        run.v[known] = before & ~1 | (self.mask(place, up) if place != NOTHING else up)
        if before & 1 != up:
            run.tell("turn", run.frame[YOU], card, up)

    def begin_shuffle(self, run: Run, place: int) -> None:
        """Puts the cards of a place in ascending order, known only as far as the place shows."""
        v, cards = run.v, sorted(cards_on(self.slots, run.v, place))
        for card in cards:
            known = self.slots.card_known + card
            v[known] = self.mask(place, bool(v[known] & 1))
            self.reset(run, self.clue_slots(card))
        pile(self.slots, v, place, cards)
        run.tell("shuffle", run.frame[YOU], NOTHING, len(cards), NOTHING, place)

    def shuffle(self, run: Run, place: int) -> None:
        """Shuffles from a seed: from the top, each position gets one of the remaining cards,
        indexed in ascending order; of interchangeable cards, the lowest.
        """
        left, order = cards_on(self.slots, run.v, place), list[int]()
        while left:
            drawn = self.program.cards[left[run.stream.below(len(left))]].same
            order.append(next(card for card in left if self.program.cards[card].same == drawn))
            left.remove(order[-1])
        pile(self.slots, run.v, place, order)

    def reset(self, run: Run, slots: Iterable[int]) -> None:
        """Sets slots of the position to 0."""
        for slot in slots:
            run.v[slot] = 0

    # ---- what belongs to a card ----

    def clue_slots(self, card: int) -> Iterator[int]:
        """The slots that record what players have been told about a card."""
        return (variable.base + card for variable in self.program.variables if variable.bits)

    def resets(self, card: int) -> list[int]:
        """The slots of a card's abilities that are reset when it leaves."""
        abilities, terms = self.program.abilities, self.program.terms
        windows = {one.window for one in abilities if one.card == card} - {NOTHING}
        stored = {one for of in terms for one in of.stored if abilities[one.ability].card == card}
        return [*windows, *(one.slot for one in stored)]

    def arrivals(self, card: int) -> list[int]:
        """A card's arrival rules."""
        every = (one.arrival for one in self.program.abilities if one.card == card)
        return [rule for rule in every if rule != NOTHING]

    def recalled(self, card: int) -> list[Trigger]:
        """A card's triggers with a memory."""
        abilities = self.program.abilities
        return [
            one
            for one in self.program.triggers
            if one.memory != NOTHING and abilities[one.ability].card == card
        ]
