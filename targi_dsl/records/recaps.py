"""What one seat has learned of a game, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from targi_dsl.api import PUBLIC, Event
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import rounds_of
from targi_dsl.records.format import Record
from targi_dsl.records.replaying import opening, steps
from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in a round, as a seat knew it at each moment; round 0 is the setup."""

    number: int
    events: tuple[Event, ...]

    def data(self) -> dict[str, Any]:
        """The round as plain data for JSON."""
        return {"round": self.number, "events": [event.data() for event in self.events]}


def recap(game: Game, record: Record, seat: str = PUBLIC) -> tuple[Round, ...]:
    """The rounds of a record for one seat. Raises Problems as `steps` does, ValueError if there is
    no such seat.
    """
    if seat not in (*game.players, PUBLIC):
        raise ValueError(f"no player `{seat}` in {game.name}")
    slot = rounds_of(game.program)
    counter = next((one.name for one in game.variables if one.base == slot), "")
    return tuple(_rounds(_events(game, record), counter, seat))


def _events(game: Game, record: Record) -> Iterator[Event]:
    yield from opening(game, record)[1]
    for step in steps(game, record):
        yield from step.events


def _rounds(events: Iterable[Event], counter: str, seat: str) -> Iterator[Round]:
    """The rounds, as the variable of this name counts them; if there is none, every `round`."""
    number, current = 0, list[Event]()
    for event in events:
        if event.kind == "round" and not counter:
            yield Round(number, tuple(current))
            number, current = number + 1, []
        elif event.kind == "set" and event.what == counter:
            begun = _begun(current)
            yield Round(number, tuple(current[:begun]))
            number, current = event.number, current[begun:]
        current.append(event.seen_by(seat))
    yield Round(number, tuple(current))


def _begun(events: list[Event]) -> int:
    """The index of the last beginning of a round, or of the end."""
    return next(
        (at for at in reversed(range(len(events))) if events[at].kind == "round"), len(events)
    )
