"""What is looked at, by whom, and how: all that drawing needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from targi_dsl.display.ink import Ink, seat_colours
from targi_dsl.display.words import Words, initials
from targi_dsl.engine.state import State
from targi_dsl.ir.model import NOTHING, Game

_PAIRS = ("[]", "()", "<>", "{}", "||", "//", "!!", "##")


@dataclass(frozen=True, slots=True)
class View:
    """A position as some seats may see it together; if there are none, all of it. later: what is
    known by then too.
    """

    state: State
    words: Words
    seats: tuple[str, ...] = ()
    columns: int = 80
    later: State | None = None
    _viewers: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        viewers = tuple(self.game.players.index(seat) for seat in self.seats)
        object.__setattr__(self, "_viewers", viewers)

    @property
    def game(self) -> Game:
        return self.state.game

    def knows(self, card: int) -> bool:
        """Whether all who look know this card."""
        slot = self.game.slots.card_known + card
        known = self.state.vector[slot] | (self.later.vector[slot] if self.later else 0)
        return all(known >> (1 + seat) & 1 for seat in self._viewers)

    def face_up(self, card: int) -> bool:
        return bool(self.state.vector[self.game.slots.card_known + card] & 1)

    def card(self, card: int) -> str:
        """A card's name, or its back."""
        return self.words.card(card) if self.knows(card) else f"?{self.words.back(card)}"

    def cards(self, place: int) -> Iterator[int]:
        """The cards on a place, top to bottom."""
        slots, vector = self.game.slots, self.state.vector
        card = vector[slots.place_top + place]
        while card != NOTHING:
            yield card
            card = vector[slots.card_next + card]

    def pieces(self, place: int) -> list[int]:
        """The pieces on a place, or with -1 those that are off the board."""
        slot = self.game.slots.piece_place
        return [
            number
            for number in range(len(self.game.pieces))
            if self.state.vector[slot + number] == place
        ]

    def colour(self, player: int) -> str:
        return seat_colours(self.game.players)[player] if player != NOTHING else "strong"


def marks(game: Game) -> dict[tuple[str, int], str]:
    """The mark of each kind of piece and owner: the first letters of the owner, or of the kind, in
    its own brackets.
    """
    owned = list(dict.fromkeys(piece.kind for piece in game.pieces if piece.owner != NOTHING))
    kinds = list(dict.fromkeys([*owned, *(piece.kind for piece in game.pieces)]))
    seats, things = initials(game.players), initials(kinds)
    found = {}
    for piece in game.pieces:
        pair = _PAIRS[kinds.index(piece.kind) % len(_PAIRS)]
        inner = things[piece.kind] if piece.owner == NOTHING else seats[game.players[piece.owner]]
        found[piece.kind, piece.owner] = f"{pair[0]}{inner}{pair[-1]}"
    return found


def legend(view: View) -> list[Ink]:
    """What the marks of pieces mean, and the star of cards."""
    game, found = view.game, marks(view.game)
    inks = [
        Ink(
            f"{mark} {kind}" + (f" of {game.players[owner]}" if owner != NOTHING else ""),
            view.colour(owner),
        )
        for (kind, owner), mark in found.items()
    ]
    able = any(ability.card != NOTHING for ability in game.abilities)
    return [*inks, *[Ink("* has an ability", "faint")] * able]
