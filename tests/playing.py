"""Games played by hand: chance takes the first possible outcome, and players choose by id."""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.api import choices, play
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Asked
from targi_dsl.records.notation import read
from tests.games import compiled


@dataclass(slots=True)
class Playing:
    """A game in progress."""

    state: State

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the choices."""
        return tuple(choice.id for choice in choices(self.state))

    def choose(self, *ids: str) -> None:
        """Makes these choices."""
        for wanted in ids:
            self.state, _ = play(self.state, wanted)
            self.wait()

    def wait(self) -> None:
        """Resolves chance until a player is asked."""
        while self.state.seat == "chance":
            self.state, _ = play(self.state, self.ids[0])


def drawn(name: str, *lines: str) -> Playing:
    """A position of a shipped game in the notation of `targi_dsl.records.notation`, at the first decision
    that follows.
    """
    text = "\n".join([f"position of {name}", *lines, ""])
    game = Playing(read(compiled(name), text, Asked()))
    game.wait()
    return game
