"""Moves and turns cards, nobody listening."""

from __future__ import annotations

from targi_dsl.engine.cards import Piles
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.run import Calls, Run, Vector
from targi_dsl.engine.table import NOT_ACTIVE, Table
from targi_dsl.ir.constants import NOTHING


class Moves(Piles):
    """Moves by tables of what depends on the place alone. shown: the face and knowledge of a card
    that lies on a place face down and face up; without a place it has only its face.
    """

    def __init__(self, table: Table, happenings: Happenings) -> None:
        super().__init__(table, happenings)
        places = self.program.places
        self.place_of, self.known = self.slots.card_place, self.slots.card_known
        self.shown = [[one[up] for one in table.masks] + [up] for up in (0, 1)]
        self.arriving = {
            facing: [
                self.shown[(facing or one.facing) == "up"][at] for at, one in enumerate(places)
            ]
            for facing in ("", "up", "down")
        }
        self.kept = [0 if one.closed else ~1 for one in places]
        self.refilling = frozenset(at for at, one in enumerate(places) if one.refill_at_once)

    def move(self, v: Vector, run: Run, card: int, place: int, under: bool, facing: str) -> Calls:
        """Moves one card and returns the calls that follow, as for the reference."""
        calls, below, owners = [], self.below, self.table.owner_of
        source = v[self.place_of + card]
        if source >= 0:
            first = above = self.tops + source
            while (other := v[above]) != card:
                above = below + other
            v[above] = v[below + card]
            if source in self.refilling and v[first] == NOTHING:
                calls = self.refill(v, run, source)
        above = self.tops + place
        if under:
            while (other := v[above]) != NOTHING:
                above = below + other
        v[below + card], v[above] = v[above], card
        v[self.place_of + card] = place
        known = self.known + card
        v[known] = v[known] & self.kept[place] | self.arriving[facing][place]
        if not self.kept[place]:
            self._untold(v, card)
        if owners[source] == owners[place]:
            return calls
        if owners[source] != NOT_ACTIVE:
            for slot in self.table.resets[card]:
                v[slot] = 0
        return calls + self._arrived(v, run, card, place)

    def turn(self, v: Vector, card: int, up: bool) -> None:
        """Turns a card; face up, everybody who sees the place knows it."""
        known = self.known + card
        v[known] = v[known] & ~1 | self.shown[up][v[self.place_of + card]]
