"""What pages need to draw a game: colours, and the marks of its things, each as SVG of 24 by 24."""

from __future__ import annotations

from targi_dsl.display.picture.marks import paint, shape
from targi_dsl.ir.look import SHAPES, Shape
from targi_dsl.view.looks import COLOURS
from targi_dsl.view.shape import Equipment, Look, Named

SIZE = 24.0
_USUAL = ("blue", "orange", "green", "violet", "red", "teal", "pink", "lime", "brown", "grey")
"""The colours of players that have none of their own."""


def drawing(equipment: Equipment) -> dict[str, object]:
    """The colours by name, each as its fill, its edge and the ink on it; the colour of each seat;
    and the marks by the ids of their things.
    """
    colours = {
        name: {"fill": paint(name).fill, "edge": paint(name).edge, "ink": paint(name).ink}
        for name in COLOURS
    }
    seats = seat_colours(equipment)
    return {"colours": colours, "seat_colours": seats, "marks": _marks(equipment, seats)}


def seat_colours(equipment: Equipment) -> dict[str, str]:
    """The colour of each player: the declared one, or one that no other player has."""
    own = {one.id: one.look.colour for one in equipment.players}
    others = iter([one for one in _USUAL if one not in own.values()] * len(own))
    return {seat: colour or next(others) for seat, colour in own.items()}


def _marks(equipment: Equipment, seats: dict[str, str]) -> dict[str, str]:
    things = [one for one in (*equipment.resources, *equipment.values) if _has_mark(one.look)]
    found = {one.id: _drawn(one.look, one.look.colour, _letter(one)) for one in things}
    kinds = {one.id: one for one in equipment.piece_kinds}
    looks = {one.id: one.look for one in equipment.players}
    for piece in equipment.pieces.values():
        kind = kinds[piece.kind]
        colour = kind.look.colour or seats.get(piece.owner, "")
        symbol = kind.look.symbol or (looks[piece.owner].symbol if piece.owner else "")
        if not (symbol or piece.owner or kind.look.shape):
            symbol = kind.name[:1].upper()
        found[f"piece {piece.kind} {piece.owner}".strip()] = _drawn(kind.look, colour, symbol)
    return found


def _has_mark(look: Look) -> bool:
    return bool(look.symbol or look.letter or look.shape)


def _letter(named: Named) -> str:
    return named.look.symbol or named.look.letter or named.name[:1].upper()


def _drawn(look: Look, colour: str, mark: str) -> str:
    return shape(_shape(look.shape), paint(colour), SIZE, mark).body


def _shape(name: str) -> Shape:
    return next((one for one in SHAPES if one == name), "disc")
