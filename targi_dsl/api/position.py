"""Queries on a position by number, for modules that need not deal with slot offsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import ENDED, POINT


class Position:
    """A view of a vector, without copying. Everything is given by number."""

    __slots__ = ("game", "vector")

    def __init__(self, game: Game, vector: Sequence[int]) -> None:
        self.game = game
        self.vector = vector

    @property
    def question(self) -> int:
        """The point of the open question, or nothing."""
        return self.vector[POINT]

    @property
    def ended_by(self) -> int:
        """The rule that ended the game, or nothing."""
        return self.vector[ENDED]

    def amount(self, resource: int, player: int) -> int:
        """How much of a resource a player has."""
        slots = self.game.slots
        return self.vector[slots.amounts + resource * len(self.game.players) + player]

    def cards_on(self, place: int) -> Iterator[int]:
        """The cards on a place, top to bottom."""
        slots, vector = self.game.slots, self.vector
        card = vector[slots.place_top + place]
        while card != NOTHING:
            yield card
            card = vector[slots.card_next + card]

    def pieces_on(self, place: int) -> Iterator[int]:
        """The pieces on a place, by number."""
        base = self.game.slots.piece_place
        places = self.vector[base : base + len(self.game.pieces)]
        return (piece for piece, where in enumerate(places) if where == place)

    def place_of_card(self, card: int) -> int:
        """The place a card lies on, or nothing."""
        return self.vector[self.game.slots.card_place + card]

    def place_of_piece(self, piece: int) -> int:
        """The place a piece stands on, or nothing."""
        return self.vector[self.game.slots.piece_place + piece]

    def is_face_up(self, card: int) -> bool:
        """Whether a card lies face up."""
        return bool(self.vector[self.game.slots.card_known + card] & 1)

    def knowing(self, card: int) -> int:
        """A bit for each player who knows a card."""
        return self.vector[self.game.slots.card_known + card] >> 1

    def is_known(self, card: int, player: int) -> bool:
        """Whether a player knows a card."""
        return bool(self.knowing(card) >> player & 1)

    def known_to(self, card: int) -> tuple[int, ...]:
        """The players who know a card."""
        return tuple(
            player for player in range(len(self.game.players)) if self.is_known(card, player)
        )

    def parts(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """All slots below the frames, by what they hold: amounts (resource by resource, for each
        player); for each card its place, the card below it, and its knowledge (bit 0: face up,
        bit 1 + p: known to player p); the place of each piece; the top card of each place;
        uses of abilities, memories and stored amounts; then the variables.
        """
        slots, seen = self.game.slots, self.vector
        variables = min((variable.base for variable in self.game.variables), default=slots.stack)
        starts = {
            "amounts": slots.amounts,
            "card_place": slots.card_place,
            "card_below": slots.card_next,
            "card_knowledge": slots.card_known,
            "piece_place": slots.piece_place,
            "top_card": slots.place_top,
            "windows": slots.windows,
            "variables": variables,
        }
        ends = [*starts.values(), slots.stack][1:]
        for (name, start), end in zip(starts.items(), ends, strict=True):
            yield name, tuple(seen[start:end])

    def doing(self) -> tuple[int, ...]:
        """The frames of the rules on the stack, outermost first."""
        return tuple(self.vector[self.game.slots.stack :])

    def values(self, variable: Variable) -> tuple[int, ...]:
        """All values of a variable, in the order of its domain."""
        return tuple(self.vector[variable.base : variable.base + variable.count])

    def uses(self, ability: int) -> tuple[int, ...]:
        """How often an ability has been used: one number for a card's ability, one for each
        player for a standing one; empty if its use is not limited.
        """
        info = self.game.abilities[ability]
        if info.window == NOTHING:
            return ()
        count = len(self.game.players) if info.card == NOTHING else 1
        return tuple(self.vector[info.window : info.window + count])
