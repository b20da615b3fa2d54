"""What moving cards has to know of a game's places and cards, worked out once."""

from __future__ import annotations

from targi_dsl.ir.model import NOTHING, Game, PlaceInfo


class Table:
    """By number. masks: face and knowledge of a card that comes to a place, face down and face up.
    resets: slots of a card's abilities that become 0 when it leaves. arrivals: its rules of
    arrival. recalled: its triggers that remember. same: with equal numbers cards are
    interchangeable; alone: no other card is.
    """

    def __init__(self, game: Game) -> None:
        self.everybody = (2 << len(game.players)) - 2
        self.masks = [
            (self._knowing(place, False), self._knowing(place, True)) for place in game.places
        ]
        self.resets: list[list[int]] = [[] for _ in game.cards]
        for ability in game.abilities:
            if ability.card != NOTHING and ability.window != NOTHING:
                self.resets[ability.card].append(ability.window)
        for stored in {one for terms in game.terms for one in terms.stored}:
            card = game.abilities[stored.ability].card
            if card != NOTHING:
                self.resets[card].append(stored.slot)
        self.arrivals = [
            [one.arrival for one in game.abilities if one.card == card and one.arrival != NOTHING]
            for card in range(len(game.cards))
        ]
        self.recalled = [
            [
                one
                for one in game.triggers
                if one.memory != NOTHING and game.abilities[one.ability].card == card
            ]
            for card in range(len(game.cards))
        ]
        self.same = [card.same for card in game.cards]
        self.alone = [self.same.count(one) == 1 for one in self.same]

    def _knowing(self, place: PlaceInfo, up: bool) -> int:
        """Face and knowledge of a card that comes to lie there."""
        everybody = self.everybody if up and (place.seen == "all" or not place.is_zone) else 0
        owner = 2 << place.owner if place.seen == "owner" and place.owner != NOTHING else 0
        return everybody | owner | up
