"""Games played by hand: chance takes the given outcomes, and players choose by id."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from targi_dsl.api import Event, choices, play, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Asked
from targi_dsl.records.notation import read
from tests.games import compiled


@dataclass(slots=True)
class Playing:
    """A game in progress. dealt: the cards wanted on top, in order, for all piles together; rolled:
    the numbers of the next rolls. Any other outcome is the first possible one. outcomes: those of
    chance so far.
    """

    state: State
    dealt: list[str] = field(default_factory=list)
    rolled: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the choices."""
        return tuple(choice.id for choice in choices(self.state))

    def choose(self, *ids: str) -> tuple[Event, ...]:
        """Makes these choices; returns the events of all of them, and of the chance between them."""
        self.events = []
        for wanted in ids:
            self._take(wanted)
            self.wait()
        return tuple(self.events)

    def wait(self) -> None:
        """Resolves chance until a player is asked."""
        while self.state.seat == "chance":
            outcome = self._outcome()
            self.outcomes.append(outcome)
            self._take(outcome)

    def has(self, player: str, resource: str) -> int:
        """A player's amount of a resource."""
        return self.state.amount(player, resource)

    def _take(self, wanted: str) -> None:
        self.state, events = play(self.state, wanted)
        self.events += events

    def _outcome(self) -> str:
        offered = self.ids
        for card in self.dealt:
            if f"shuffle {card}" in offered:
                self.dealt.remove(card)
                return f"shuffle {card}"
        if self.rolled and f"roll {self.rolled[0]}" in offered:
            return f"roll {self.rolled.pop(0)}"
        return offered[0]


def playing(name: str, dealt: Iterable[str] = (), rolled: Iterable[int] = ()) -> Playing:
    """A shipped game at its first decision."""
    game = Playing(start(compiled(name), Asked()), [*dealt], [*rolled])
    game.wait()
    return game


def drawn(name: str, *lines: str, rolled: Iterable[int] = ()) -> Playing:
    """A position of a shipped game in the notation of `targi_dsl.records.notation`, at the first decision
    that follows.
    """
    text = "\n".join([f"position of {name}", *lines, ""])
    game = Playing(read(compiled(name), text, Asked()), rolled=[*rolled])
    game.wait()
    return game
