"""Bitboards of the places where pieces and cards lie, updated as they move."""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.codegen.c.emit.shapes import Shape, shape_of
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Program

MOST = 16  # sets
MOST_COVERS = 32  # sets of cards, which are bits


class Occupancy:
    """The sets of one program with maintained bitboards: sets of pieces, with the places where one
    lies, and sets of cards, with the places where one is on top. The first one is all cards.
    """

    def __init__(self, program: Program) -> None:
        self.base, self.pieces = program.slots.piece_place, len(program.pieces)
        self.of_pieces = shape_of((0, self.pieces - 1))
        self.of_places = shape_of((0, len(program.places) - 1))
        self.sets: list[tuple[int, ...]] = []
        self.covers = [frozenset(range(len(program.cards)))]

    def are_pieces(self, base: int) -> bool:
        """Whether slots hold the places of pieces, and a mask has room for all pieces."""
        return base == self.base and bool(self.of_pieces.words)

    def numbers(self, base: int, things: e.Expr) -> tuple[int, ...]:
        """The numbers of the sets that an expression chooses from; empty unless maintained."""
        match things:
            case e.Const(tuple(members)):
                return self._number_of(base, [members])
            case e.Pick(sets, _):
                return self._number_of(base, sets)
            case _:
                return ()

    def _number_of(self, base: int, sets: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        fits = self.are_pieces(base) and self.of_places.words
        if not fits or any(len(one) == 1 for one in sets):
            return ()
        every = list(dict.fromkeys([*self.sets, *sets]))
        if len(every) > MOST:
            return ()
        self.sets = every
        return tuple(map(every.index, sets))

    def including(self) -> list[list[int]]:
        """The sets that each piece belongs to."""
        return [
            [number for number, one in enumerate(self.sets) if piece in one]
            for piece in range(self.pieces)
        ]

    def places(self, number: str) -> str:
        """The places where the pieces of a set lie."""
        return _read(self.of_places, f"g->board.places[{number}]")

    def places_with_cards(self) -> str:
        """The places where a card lies."""
        return self.under(self.covers[0])

    def under(self, cards: frozenset[int]) -> str:
        """The places with one of some cards on top; empty if they are not maintained."""
        if not cards and self.of_places.words:
            return self.of_places.constant(())
        if cards not in self.covers and len(self.covers) < MOST_COVERS:
            self.covers.append(cards)
        if cards not in self.covers or not self.of_places.words:
            return ""
        return _read(self.of_places, f"g->board.under[{self.covers.index(cards)}]")

    def covering(self) -> list[int]:
        """The mask of the sets to which nothing and each card belong."""
        every = range(NOTHING, len(self.covers[0]))
        return [sum((card in one) << at for at, one in enumerate(self.covers)) for card in every]

    def pieces_on(self, place: str) -> str:
        """The pieces on a place; those on no place if there is none."""
        return _read(self.of_pieces, f"g->board.pieces[{place} + 1]")


def _read(shape: Shape, words: str) -> str:
    return f"(*({shape.name} *){words})"
