"""What people and programs are told of how a game went and ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from targi_dsl.api import result
from targi_dsl.display.words import spoken
from targi_dsl.engine.state import State
from targi_dsl.ir.model import FP, NOTHING
from targi_dsl.records import Record, Step


class Rounds:
    """Counts rounds: those in which a piece of a player was moved; where players have no pieces,
    those in which somebody was asked. A round that the game ends before anybody can do anything
    does not count.
    """

    def __init__(self, start: State) -> None:
        self._own = {piece.name for piece in start.game.pieces if piece.owner != NOTHING}
        self._round = int(_is_in_round(start))
        self._counted: set[int] = set()

    @property
    def number(self) -> int:
        return len(self._counted)

    def count(self, step: Step) -> None:
        """Counts on by one step."""
        if not self._own and self._round and step.was_asked:
            self._counted.add(self._round)
        for event in step.events:
            self._round += event.kind == "round"
            if self._round and event.kind == "piece" and event.to and event.what in self._own:
                self._counted.add(self._round)


def _is_in_round(state: State) -> bool:
    vector, fp = state.vector, state.vector[FP]
    while fp > 0:
        if vector[fp - 1] == state.game.round:
            return True
        fp = vector[fp - 2]
    return False


def ending(state: State) -> Iterator[str]:
    """How a game ended, for people."""
    ended = result(state)
    yield ""
    for seat, score, parts in zip(state.game.players, ended.scores, ended.breakdown, strict=True):
        yield counted(
            seat, str(score), {part: str(number) for part, number in parts.items() if number}
        )
    by = f" by {ended.tiebreak}" if ended.tiebreak else ""
    yield f"{ended.winner} wins{by}." if ended.winner else "Nobody wins."


def counted(seat: str, score: str, parts: Mapping[str, str]) -> str:
    """A score with its parts."""
    said = ", ".join(f"{spoken(part)}: {number}" for part, number in parts.items())
    return f"{seat}: {score}" + (f" ({said})" if said else "")


def document(record: Record, state: State, decisions: int, rounds: int) -> dict[str, object]:
    """How a game went, as data that fits schema/result.json."""
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
