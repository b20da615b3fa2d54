"""How a game went and ended, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from targi_dsl.api import Event, Result, result
from targi_dsl.display.words import spoken
from targi_dsl.engine.state import State
from targi_dsl.records import Record, Step


class Rounds:
    """Counts the rounds in which somebody was asked a question.

    A round in which the game ends before anybody can act does not count. begun: the rounds that
    have begun at all.
    """

    def __init__(self, opening: Iterable[Event]) -> None:
        self.number = 0
        self.begun = 0
        self._listen(opening)

    def count(self, step: Step) -> None:
        """Takes one more step into account."""
        if step.was_asked:
            self.number = self.begun
        self._listen(step.events)

    def _listen(self, events: Iterable[Event]) -> None:
        self.begun += sum(event.kind == "round" for event in events)


def ending(state: State, columns: int) -> Iterator[str]:
    """How a game ended, for people; scores only if the game has any: a table of their parts, or
    a line for each player where that is too wide.
    """
    ended = result(state)
    yield ""
    if state.game.scores:
        rows = _score_rows(state.game.players, ended)
        table = [*aligned(rows)]
        yield from table if max(map(len, table)) <= columns else _score_lines(state, ended)
    by = f" by {spoken(ended.tiebreak)}" if ended.tiebreak else ""
    yield f"{ended.winner} wins{by}." if ended.winner else _shared(ended)


def _score_rows(players: tuple[str, ...], ended: Result) -> list[tuple[str, ...]]:
    """The parts that count for anybody, each with the points of every player; the sums last."""
    parts = [name for name in ended.breakdown[0] if any(row[name] for row in ended.breakdown)]
    rows = [(spoken(name), *(str(row[name]) for row in ended.breakdown)) for name in parts]
    total = ("in all", *map(str, ended.scores))
    return [("", *players), *(rows if len(rows) > 1 else ()), total]


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows with their first column to the left and the others to the right."""
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    for name, *numbers in rows:
        cells = (f"{one:>{room}}" for one, room in zip(numbers, others, strict=True))
        yield "  ".join([f"{name:<{first}}", *cells])


def _score_lines(state: State, ended: Result) -> Iterator[str]:
    seats = zip(state.game.players, ended.scores, ended.breakdown, strict=True)
    for seat, score, parts in seats:
        yield counted(
            seat, str(score), {part: str(number) for part, number in parts.items() if number}
        )


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
