"""What screens write for the things of a game: marks of pieces, addresses, and the legend."""

from __future__ import annotations

from collections import Counter

from targi_dsl.display.ink import Ink, Line, nearest_style
from targi_dsl.display.scene import Scene
from targi_dsl.view.shape import PieceInfo


def address(scene: Scene, place: str) -> Ink:
    """The address of a place and the gap after it, with a mark there if the place can be
    chosen now.
    """
    label = scene.game.places[place].address
    return Ink(f"{label}>", "cyan") if place in scene.open else Ink(f"{label} ", "faint")


def marks_on(scene: Scene, place: str) -> Line:
    """The marks of the pieces on a place; equal ones as one mark with a count."""
    marks, pieces = scene.marks, [scene.game.pieces[one] for one in scene.on(place).pieces]
    first = {(piece.kind, piece.owner): piece for piece in pieces}
    inks: list[Ink] = []
    for kind, count in Counter((piece.kind, piece.owner) for piece in pieces).items():
        text = marks[kind] if count == 1 else f"{count}{marks[kind]}"
        inks += [Ink(" ")] * bool(inks) + [Ink(text, _ink(scene, first[kind]))]
    return tuple(inks)


def _ink(scene: Scene, piece: PieceInfo) -> str:
    """The style of a piece: that of its owner, if it has one."""
    if piece.owner:
        return scene.colours[piece.owner]
    return nearest_style(scene.piece_kinds[piece.kind].look.colour)


def legend(scene: Scene) -> list[Ink]:
    """A legend for the marks of pieces and the star of cards."""
    of = {(piece.kind, piece.owner): piece for piece in scene.game.pieces.values()}
    inks = [
        Ink(f"{mark} {of[kind].name}", _ink(scene, of[kind])) for kind, mark in scene.marks.items()
    ]
    able = any(face.marks[-1].endswith("*") for face in scene.game.cards.values())
    return [*inks, *[Ink(scene.say("* has an ability"), "faint")] * able]
