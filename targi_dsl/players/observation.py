"""What a player is told before it answers."""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.model import Game


@dataclass(frozen=True, slots=True)
class Observation:
    """The rules, which everybody knows, and whose eyes these are. No player here looks at the position yet."""

    game: Game
    seat: str
