"""Pictures of positions, written to files."""

from __future__ import annotations

from pathlib import Path

from targi_dsl.api import PUBLIC
from targi_dsl.api.state import State
from targi_dsl.cli.failures import unknown
from targi_dsl.display.picture import picture
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.text.files import write_file
from targi_dsl.text.languages import Language


def check_seat(game: Game, seat: str) -> None:
    """Refuses a seat that the game does not have."""
    seats = (*game.players, PUBLIC)
    if seat not in seats:
        raise unknown(f"{game.title} has no seat '{seat}'", seat, seats)


def draw(state: State, seat: str, language: Language, file: Path) -> None:
    """Writes a picture of the position as a seat sees it."""
    write_file(file, picture(observe(state, seat), language))
