"""How a game went and ended, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from targi_dsl.api import Event, Result, result
from targi_dsl.display.words import spoken
from targi_dsl.engine.state import State
from targi_dsl.records import Record, Step


class Rounds:
    """Counts the rounds in which somebody was asked a question.

    A round in which the game ends before anybody can act does not count.
    """

    def __init__(self, opening: Iterable[Event]) -> None:
        self.number = 0
        self._begun = 0
        self._listen(opening)

    def count(self, step: Step) -> None:
        """Takes one more step into account."""
        if step.was_asked:
            self.number = self._begun
        self._listen(step.events)

    def _listen(self, events: Iterable[Event]) -> None:
        self._begun += sum(event.kind == "round" for event in events)


def ending(state: State) -> Iterator[str]:
    """How a game ended, for people; scores only if the game has any."""
    ended = result(state)
    yield ""
    seats = zip(state.game.players, ended.scores, ended.breakdown, strict=True)
    for seat, score, parts in seats if state.game.scores else ():
        yield counted(
            seat, str(score), {part: str(number) for part, number in parts.items() if number}
        )
    by = f" by {ended.tiebreak}" if ended.tiebreak else ""
    yield f"{ended.winner} wins{by}." if ended.winner else _shared(ended)


def _shared(ended: Result) -> str:
    """What is said when nobody alone has won."""
    said = set(ended.outcomes)
    if "won" in said:
        return f"{' and '.join(ended.winners)} win."
    return "Everybody loses." if said == {"lost"} else "Nobody wins."


def counted(seat: str, score: str, parts: Mapping[str, str]) -> str:
    """A score with its parts."""
    said = ", ".join(f"{spoken(part)}: {number}" for part, number in parts.items())
    return f"{seat}: {score}" + (f" ({said})" if said else "")


def document(record: Record, state: State, decisions: int, rounds: int) -> dict[str, object]:
    """How a game went, as data that conforms to schema/result.json."""
    game, ended = state.game, result(state)
    return {
        "game": game.name,
        "rules": game.hash,
        "options": dict(game.options),
        "seed": record.seed,
        "seats": dict(record.seats),
        "rounds": rounds,
        "decisions": decisions,
        "ended_by": ended.ended_by,
        "scores": dict(zip(game.players, ended.scores, strict=True)),
        "breakdown": dict(zip(game.players, ended.breakdown, strict=True)),
        "winner": ended.winner,
        "tiebreak": ended.tiebreak,
    }
