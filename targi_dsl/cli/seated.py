"""What the prompt needs to know about its session, and can do to it."""

from __future__ import annotations

from typing import Protocol

from targi_dsl.api.state import State
from targi_dsl.cli.autosave import Autosave
from targi_dsl.cli.terminal import Terminal
from targi_dsl.display.words import Words
from targi_dsl.ir.game import Game
from targi_dsl.records import Record, Step


class Seated(Protocol):
    """A game with people in it."""

    game: Game
    record: Record
    state: State
    words: Words
    steps: list[Step]
    people: tuple[str, ...]
    terminal: Terminal
    autosave: Autosave

    def undo(self) -> str: ...
