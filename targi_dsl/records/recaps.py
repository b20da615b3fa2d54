"""What one seat has learned of a game, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from targi_dsl.api import PUBLIC, Event
from targi_dsl.ir.game import Game
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
    return tuple(_rounds(event.seen_by(seat) for event in _events(game, record)))


def _events(game: Game, record: Record) -> Iterator[Event]:
    yield from opening(game, record)[1]
    for step in steps(game, record):
        yield from step.events


def _rounds(events: Iterable[Event]) -> Iterator[Round]:
    number, current = 0, list[Event]()
    for event in events:
        if event.kind == "round":
            yield Round(number, tuple(current))
            number, current = number + 1, []
        current.append(event)
    yield Round(number, tuple(current))
