"""What pages need to draw a game: colours, and the marks of its things, each as SVG of 24 by 24."""

from __future__ import annotations

from targi_dsl.display.picture.marks import has_token, paint, piece, token
from targi_dsl.view.looks import COLOURS
from targi_dsl.view.shape import Equipment

SIZE = 24.0


def drawing(equipment: Equipment) -> dict[str, object]:
    """The colours by name, each as its fill, its edge and the ink on it; and the marks
    by the ids of their things.
    """
    return {"colours": {name: paint(name) for name in COLOURS}, "marks": _marks(equipment)}


def _marks(equipment: Equipment) -> dict[str, str]:
    things = (*equipment.resources, *equipment.values)
    found = {one.id: token(one, SIZE).body for one in things if has_token(one)}
    for kind, owner in dict.fromkeys((one.kind, one.owner) for one in equipment.pieces.values()):
        drawn = piece(equipment, kind, owner, SIZE)
        found[f"piece {kind} {owner}".strip()] = drawn.body
    return found
