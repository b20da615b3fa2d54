"""What screens write for the things of a game: marks of pieces, addresses, and the legend."""

from __future__ import annotations

from targi_dsl.display.ink import Ink, Line, nearest_style
from targi_dsl.display.scene import Scene


def address(scene: Scene, place: str) -> Ink:
    """The address of a place and the gap after it, with a mark there if the place can be
    chosen now.
    """
    label = scene.game.places[place].address
    return Ink(f"{label}>", "cyan") if place in scene.open else Ink(f"{label} ", "faint")


def marks_on(scene: Scene, place: str) -> Line:
    """The marks of the pieces on a place; equal ones as one mark with a count."""
    inks: list[Ink] = []
    for alike, count in scene.pieces(place).items():
        text = f"{count if count > 1 else ''}{scene.marks[alike]}"
        inks += [Ink(" ")] * bool(inks) + [Ink(text, _ink(scene, *alike))]
    return tuple(inks)


def _ink(scene: Scene, kind: str, owner: str) -> str:
    """The style of a piece: that of its owner, if it has one."""
    return scene.colours[owner] if owner else nearest_style(scene.piece_kinds[kind].look.colour)


def legend(scene: Scene) -> list[Ink]:
    """A legend for the marks of pieces and the star of cards."""
    names = {(one.kind, one.owner): one.name for one in scene.game.pieces.values()}
    inks = [Ink(f"{scene.marks[of]} {name}", _ink(scene, *of)) for of, name in names.items()]
    able = any(face.marks[-1].endswith("*") for face in scene.game.cards.values())
    return [*inks, *[Ink(scene.say("* has an ability"), "faint")] * able]
