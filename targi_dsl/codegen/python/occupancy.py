"""The places that pieces stand on, as masks that every move keeps up to date. They lie behind the
slots of a position while a game is played, and can be made from these at any time.
"""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.engine.run import Vector
from targi_dsl.ir import expressions as e
from targi_dsl.ir.program import Program
from targi_dsl.ir.walk import parts

FEW = 8  # pieces whose places are looked up when they are asked for
MOST = 16  # sets; a move changes each that has the piece


class Occupancy:
    """The sets of pieces whose places are kept."""

    def __init__(self, program: Program) -> None:
        self.base, self.first = program.slots.piece_place, program.slots.stack
        where = program.code, program.defines, program.procedures, program.questions
        asked: list[e.Lying | e.Places] = [*parts(where, e.Lying), *parts(where, e.Places)]
        found = dict.fromkeys(
            one for part in asked for one in self._worth_it(part.base, part.things)
        )
        self.sets = tuple(found)[:MOST]

    def slots(self, base: int, things: e.Expr) -> tuple[int, ...]:
        """The slots of the masks that an expression chooses from; none if they are not kept."""
        sets = self._worth_it(base, things)
        if not all(one in self.sets for one in sets):
            return ()
        return tuple(self.first + self.sets.index(one) for one in sets)

    def _worth_it(self, base: int, things: e.Expr) -> tuple[tuple[int, ...], ...]:
        """The sets that an expression chooses from, if their places are better kept."""
        match things:
            case e.Const(tuple(members)):
                sets: tuple[tuple[int, ...], ...] = (members,)
            case e.Pick(sets, _):
                pass
            case _:
                return ()
        is_many = base == self.base and sum(map(len, sets)) > FEW
        return sets if is_many and all(one == () or is_run(one) for one in sets) else ()


class Board:
    """The pieces of one program; `sets` are those whose places are kept."""

    def __init__(
        self, program: Program, sets: Sequence[tuple[int, ...]], bit: Sequence[int]
    ) -> None:
        self.base, self.bit = program.slots.piece_place, bit
        self.cuts = [
            slice(self.base + one[0], self.base + one[-1] + 1) if one else slice(0) for one in sets
        ]
        kept = [*zip(sets, enumerate(self.cuts, program.slots.stack), strict=True)]
        self.including = [
            [slot_and_cut for members, slot_and_cut in kept if piece in members]
            for piece in range(len(program.pieces))
        ]

    def masks(self, v: Vector) -> list[int]:
        """The masks of a position."""
        return [sum({self.bit[place] for place in v[cut]}) for cut in self.cuts]

    def put(self, v: Vector, piece: int, place: int) -> None:
        """Puts a piece on a place."""
        at, bit = self.base + piece, self.bit
        before = v[at]
        v[at] = place
        for slot, cut in self.including[piece]:
            mask = v[slot] | bit[place]
            v[slot] = mask if before in v[cut] else mask & ~bit[before]


def is_run(members: tuple[int, ...]) -> bool:
    """Whether these numbers stand side by side."""
    return bool(members) and members == tuple(range(members[0], members[-1] + 1))
