"""Writes a position as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.api.state import State
from targi_dsl.engine.run import cards_on
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import ENDED
from targi_dsl.records.notation.names import NOWHERE, Known

CONTROL = "in "
"""The prefix of a line about a rule in progress."""


class Writer:
    def __init__(self, state: State) -> None:
        self.state, self.game, self.v = state, state.game, list(state.vector)
        self.known = Known(state.game)
        self.code = self.known.engine.code
        self.first = self.code.first()
        self.generic = {
            kind for kind, pieces in self.known.alike.items() if self._in_order(pieces)
        }  # kinds whose pieces need no number

    def lines(self) -> Iterator[str]:
        known, v = self.known, self.v
        yield f"position of {self.game.name}"
        for name, (slot, kind, start) in known.variables.items():
            if v[slot] != start:
                yield f"{name}: {known.value_text(kind, v[slot])}"
        for name, slot in known.secrets.items():
            if v[slot]:
                yield f"secret {v[slot]} {name}"
        for player in self.game.players:
            amounts = [(v[known.amounts[player, one]], one) for one in self.game.resources]
            if has := [f"{number} {resource}" for number, resource in amounts if number]:
                yield f"{player}: {', '.join(has)}"
        yield from self._regions()
        for name, slot in known.stored.items():
            if v[slot]:
                yield f"stored {v[slot]} {name}"
        for name, slot in known.windows.items():
            if v[slot]:
                yield f"used {name}" + (f" {v[slot]} times" if v[slot] > 1 else "")
        for name, slot in known.memories.items():
            if v[slot]:
                yield f"remembered {name}"
        yield from self._control()

    def _regions(self) -> Iterator[str]:
        """The lines of places: spaces by region, zones individually."""
        for region, spaces in self.known.regions.items():
            taken = [(name, on) for name, place in spaces.items() if (on := self._things_on(place))]
            if taken:
                yield f"{region}: " + "; ".join(f"{name} {', '.join(on)}" for name, on in taken)
        for number, place in enumerate(self.game.places):
            if place.is_zone and (on := self._things_on(number)):
                yield f"{place.name}: {', '.join(on)}"
        at = self.game.slots.card_place
        cards = self.known.cards.items()
        if lost := [card for card, number in cards if self.v[at + number] == NOTHING]:
            yield f"{NOWHERE}: {', '.join(lost)}"

    def _things_on(self, place: int) -> list[str]:
        known, base = self.known, self.game.slots.piece_place
        kinds = (
            (n, known.kind_of(at)) for n, at in known.pieces.items() if self.v[base + at] == place
        )
        return [*self._cards(place), *(kind if kind in self.generic else n for n, kind in kinds)]

    def _in_order(self, pieces: list[int]) -> bool:
        """Whether the pieces on the board are the first of their kind, in order."""
        on = {piece: self.v[self.game.slots.piece_place + piece] for piece in pieces}
        placed = sorted((place, piece) for piece, place in on.items() if place != NOTHING)
        return [piece for _, piece in placed] == pieces[: len(placed)]

    def _cards(self, place: int) -> list[str]:
        """The cards on a place; none if they are exactly those that started there and have not
        left, in the same order.
        """
        lie, known = cards_on(self.game.slots, self.v, place), self.game.slots.card_known
        at = self.game.slots.card_place
        masks = self.code.mask(place, False), self.code.mask(place, True)
        first = cards_on(self.game.slots, self.first, place)
        began = [card for card in first if self.v[at + card] == place]
        usual = self.game.places[place].facing == "up"
        if lie == began and all(self.v[known + card] == masks[usual] for card in lie):
            return []
        cards = self.game.cards
        return [cards[n].id + self._visibility(self.v[known + n], usual, masks) for n in lie]

    def _visibility(self, seen: int, usual: bool, masks: tuple[int, int]) -> str:
        """The facing of a card and who knows it, where that is not the default of its place."""
        up = bool(seen & 1)
        face = "" if up == usual else " face up" if up else " face down"
        who, expected = seen >> 1, masks[up] >> 1
        if who == expected:
            return face
        if not who:
            return f"{face} (known to nobody)"
        only = bool(expected & ~who)
        named = who if only else who & ~expected
        players = " and ".join(name for p, name in enumerate(self.game.players) if named >> p & 1)
        return f"{face} (known only to {players})" if only else f"{face} (known to {players})"

    def _control(self) -> Iterator[str]:
        v, names = self.v, list(self.known.rules)
        if v[ENDED] != NOTHING:
            yield f"ended by {names[v[ENDED]]}"
            return
        program = self.code.program
        for start, rule, at in self.code.frames(v):
            point, kinds = program.points[at], program.procedures[rule].slots
            values = (self.known.value_text(kinds[slot], v[start + slot]) for slot in point.kept)
            yield f"{CONTROL}{names[rule]} at {point.label}: {', '.join(values)}"
