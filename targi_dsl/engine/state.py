"""One position of one game, as a flat vector: equal by value, quick to copy, kept as bytes, looked
at by name.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from targi_dsl.engine.chance import Asked, Chance, Listed, Seed
from targi_dsl.ir.model import NOTHING, PC, Game

_NUMBER = "q"  # 64 bits: a payment keeps what is owed of each group in one slot


class State:
    """A position, with the chance that waits beside it. Nobody changes it: `play` gives a new one.

    What is asked by name raises ValueError for a name that the game does not have.

    `seat` is whose decision it is: a player's name, "chance", or None when the game is over.
    """

    __slots__ = ("chance", "game", "seat", "vector")

    def __init__(self, game: Game, vector: list[int], chance: Chance, seat: str | None) -> None:
        self.game = game
        self.vector = vector
        self.chance = chance
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (
            self.game is other.game and self.vector == other.vector and self.chance == other.chance
        )

    def __hash__(self) -> int:
        return hash((tuple(self.vector), self.chance))

    def __repr__(self) -> str:
        return f"<State of {self.game.name}: {self.seat or 'over'}>"

    def copy(self) -> State:
        """The same position with a vector of its own."""
        return State(self.game, self.vector[:], self.chance, self.seat)

    def to_bytes(self) -> bytes:
        """The position for `from_bytes` in any process with the same game. A save is a record, not
        this.
        """
        match self.chance:
            case Seed(number):
                chance = f"seed {number}"
            case Listed(outcomes, used):
                chance = "\n".join([f"listed {used}", *outcomes])
            case Asked():
                chance = "asked"
        head = f"{self.seat or ''}\n{chance}".encode()
        return array(_NUMBER, [len(head), *self.vector]).tobytes() + head

    @staticmethod
    def from_bytes(game: Game, data: bytes) -> State:
        """A position from `to_bytes`; the bytes are trusted. ValueError if they are none of this
        game.
        """
        size = array(_NUMBER)
        size.frombytes(data[: size.itemsize])
        end = len(data) - size[0]
        numbers = array(_NUMBER)
        numbers.frombytes(data[size.itemsize : end])
        seat, chance, *outcomes = data[end:].decode().split("\n")
        if len(numbers) < game.slots.stack or (seat and seat not in (*game.players, "chance")):
            raise ValueError(f"not a position of {game.name}")
        kind, _, number = chance.partition(" ")
        found: Chance = Asked()
        if kind != "asked":
            found = Seed(int(number)) if kind == "seed" else Listed(tuple(outcomes), int(number))
        return State(game, numbers.tolist(), found, seat or None)

    def amount(self, player: str, resource: str) -> int:
        """How much of a resource a player has."""
        game = self.game
        at = _number(game, "resource", resource, game.resources) * len(game.players)
        at += _number(game, "player", player, game.players)
        return self.vector[game.slots.amounts + at]

    def cards(self, place: str) -> tuple[str, ...]:
        """The ids of the cards on a place, top to bottom."""
        game, slots = self.game, self.game.slots
        found, card = list[str](), self.vector[slots.place_top + place_number(game, place)]
        while card != NOTHING:
            found.append(game.cards[card].id)
            card = self.vector[slots.card_next + card]
        return tuple(found)

    def place_of(self, name: str) -> str | None:
        """The name of the place where a card (by id) or a piece (by name) lies, or None if it lies
        nowhere.
        """
        game, slots = self.game, self.game.slots
        pieces = [piece.name for piece in game.pieces]
        if name in pieces:
            slot = slots.piece_place + pieces.index(name)
        else:
            slot = slots.card_place + _number(
                game, "card or piece", name, [card.id for card in game.cards]
            )
        place = self.vector[slot]
        return None if place == NOTHING else game.places[place].name

    def face_up(self, card: str) -> bool:
        """Whether a card lies face up."""
        return bool(self.vector[self.game.slots.card_known + _card(self.game, card)] & 1)

    def knows(self, player: str, card: str) -> bool:
        """Whether a player knows a card."""
        known = self.vector[self.game.slots.card_known + _card(self.game, card)]
        return bool(known >> (1 + _number(self.game, "player", player, self.game.players)) & 1)

    def value(self, variable: str, at: int = 0) -> int:
        """A variable, of the thing with this number. ValueError if it is for no such thing."""
        names = [one.name for one in self.game.variables]
        found = self.game.variables[_number(self.game, "variable", variable, names)]
        if not 0 <= at < found.count:
            raise ValueError(
                f"{variable} of {self.game.name} is for {found.count}, numbered from 0: not {at}"
            )
        return self.vector[found.base + at]

    @property
    def address(self) -> int:
        """The number of the question that waits."""
        return self.vector[PC]


def place_number(game: Game, name: str) -> int:
    """The number of a place; ValueError if there is no such place."""
    return _number(game, "place", name, [place.name for place in game.places])


def _card(game: Game, card_id: str) -> int:
    return _number(game, "card", card_id, [card.id for card in game.cards])


def _number(game: Game, sort: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise ValueError(f"no {sort} `{name}` in {game.name}")
    return names.index(name)
