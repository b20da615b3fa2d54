"""Tables about cards and abilities, computed once for a program; see docs/program.md, *Cards* and
*Abilities*.
"""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PlaceInfo, Trigger
from targi_dsl.ir.expressions import During
from targi_dsl.ir.program import Program, with_expressions
from targi_dsl.ir.walk import parts

NOT_ACTIVE = -2  # owner of a place without active abilities
Activity = Callable[[list[int], int], bool]  # of a position and a player


class Table:
    """Tables by number. masks: face and knowledge of a card that comes to a place, face down and
    face up. resets: slots of a card's abilities that are reset when it leaves. arrivals: its
    arrival rules. recalled: its triggers with a memory. told: the slots that record what players
    have been told about it. same: cards with equal numbers are interchangeable; alone: cards like
    no other. owner_of: whose abilities are active on a place; the last entry is for a card without
    a place. asked: the rules that anything asks about with `during`; bits: the bit of each rule in
    the context of a frame.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.everybody = (2 << len(program.players)) - 2
        self.masks = [
            (self._knowing(place, False), self._knowing(place, True)) for place in program.places
        ]
        self.resets: list[list[int]] = [[] for _ in program.cards]
        for ability in program.abilities:
            if ability.card != NOTHING and ability.window != NOTHING:
                self.resets[ability.card].append(ability.window)
        for stored in {store for terms in program.terms for store in terms.stored}:
            card = program.abilities[stored.ability].card
            if card != NOTHING:
                self.resets[card].append(stored.slot)
        self.arrivals: list[list[int]] = [[] for _ in program.cards]
        for ability in program.abilities:
            if ability.card != NOTHING and ability.arrival != NOTHING:
                self.arrivals[ability.card].append(ability.arrival)
        self.recalled: list[list[Trigger]] = [[] for _ in program.cards]
        for trigger in program.triggers:
            card = program.abilities[trigger.ability].card
            if card != NOTHING and trigger.memory != NOTHING:
                self.recalled[card].append(trigger)
        clues = [variable for variable in program.variables if variable.bits]
        self.told = [[clue.base + card for clue in clues] for card in range(len(program.cards))]
        self.same = [card.same for card in program.cards]
        self.alone = [self.same.count(number) == 1 for number in self.same]
        self.kind_of = [card.kind for card in program.cards] + [NOTHING]
        self.owner_of = [place.owner if place.active else NOT_ACTIVE for place in program.places]
        self.owner_of.append(NOT_ACTIVE)
        self.activities = [self._activity(ability) for ability in range(len(program.abilities))]
        self.asked = sorted({during.rule for during in parts(with_expressions(program), During)})
        self.bits = [
            1 << self.asked.index(rule) if rule in self.asked else 0
            for rule in range(len(program.procedures))
        ]

    def carried(self, rule: int, card: int) -> tuple[int, ...]:
        """The arguments of the rule on a card: the card itself, if the rule has a parameter for
        it.
        """
        params = self.program.procedures[rule].params
        return (card, *([0] * (params - 1))) if params else ()

    def window(self, ability: int, player: int) -> int:
        """The slot that counts a player's uses of an ability, or nothing."""
        info = self.program.abilities[ability]
        return (
            info.window + player if info.window != NOTHING and info.card == NOTHING else info.window
        )

    def _activity(self, ability: int) -> Activity:
        """A test whether an ability is active for a player and its window is open."""
        info, owner_of = self.program.abilities[ability], self.owner_of
        place, window = self.program.slots.card_place + info.card, info.window
        if info.card == NOTHING:
            if window == NOTHING:
                return lambda v, player: True
            return lambda v, player: not v[window + player]
        if window == NOTHING:
            return lambda v, player: owner_of[v[place]] == player
        return lambda v, player: owner_of[v[place]] == player and not v[window]

    def _knowing(self, place: PlaceInfo, up: bool) -> int:
        """Face and knowledge of a card that comes to this place."""
        seats = range(len(self.program.players))
        return up + sum(2 << seat for seat in seats if place.shows(seat, up=up))
