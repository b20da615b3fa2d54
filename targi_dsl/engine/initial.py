"""The position before the game; see docs/program.md, *The position* and *Cards*."""

from __future__ import annotations

from targi_dsl.engine.cards import lying, pile
from targi_dsl.engine.run import Vector
from targi_dsl.engine.table import Table
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Program
from targi_dsl.ir.slots import ENDED, POINT


def initial_position(program: Program, table: Table) -> Vector:
    """Cards on their places with the highest number on top, pieces off the board."""
    slots, v = program.slots, [0] * program.slots.stack
    v[POINT] = v[ENDED] = NOTHING
    for base, things in (
        (slots.card_place, program.cards),
        (slots.card_next, program.cards),
        (slots.piece_place, program.pieces),
        (slots.place_top, program.places),
    ):
        v[base : base + len(things)] = [NOTHING] * len(things)
    for number, place in enumerate(program.places):
        cards = [n for n, card in reversed([*enumerate(program.cards)]) if card.start == number]
        pile(slots, v, number, cards)
        for card in lying(slots, v, number):
            v[slots.card_known + card] = table.masks[number][place.facing == "up"]
    for variable in program.variables:
        v[variable.base : variable.base + variable.count] = [variable.start] * variable.count
    return v
