"""The look: how named things are drawn. It does not affect play."""

from __future__ import annotations

from typing import Literal, get_args

from targi_dsl.text.structs import Frozen

Round = Literal["disc", "ring", "pit"]
Outlined = Literal["square", "diamond", "triangle", "hexagon", "star", "cross", "drop", "pawn"]
Shape = Round | Outlined
NoShape = Literal[""]
NO_SHAPE: NoShape = ""
COLOURS = (
    *("red", "orange", "amber", "yellow", "lime", "green", "teal", "blue", "violet", "pink"),
    *("brown", "sand", "grey", "black", "white"),
)
SHAPES: tuple[Shape, ...] = (*get_args(Round), *get_args(Outlined))


class Look(Frozen, omit_defaults=True, forbid_unknown_fields=True):
    """How one thing looks; empty fields leave it to the drawing.

    symbol: a mark where any character can be shown; letter: one where only letters can. shows: the
    fields on the face of a card, in order.
    """

    symbol: str = ""
    letter: str = ""
    colour: str = ""
    shape: Shape | NoShape = NO_SHAPE
    shows: tuple[str, ...] = ()


PLAIN = Look()
"""The default look."""
