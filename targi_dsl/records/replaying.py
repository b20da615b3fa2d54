"""Replays records: step by step, to the end, as far as changed rules allow, or as rounds for one
seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.api import PUBLIC, Choice, Event, begin, choices, play, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Asked, Seed
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import rounds_of
from targi_dsl.records.format import Record, changed_since, count_text, pairs_line
from targi_dsl.records.notation import read as read_position
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

_SHOWN = 12
"""The most choices that a message lists."""


class Step(Frozen):
    """A replayed choice: the positions before and after it, and its events."""

    before: State
    choice: Choice
    events: tuple[Event, ...]
    after: State

    @property
    def is_chance(self) -> bool:
        """Whether this is an outcome of chance that the record lists."""
        return self.before.seat not in self.before.game.players


class Replay(Frozen):
    """A record replayed under rules that may have changed. made: the number of choices that could
    be replayed. problem: why the next one could not; None if all could.
    """

    state: State
    made: int
    problem: Problem | None


def step_by(before: State, choice: Choice) -> Step:
    """The step of a choice. Raises Problems if the rules fail."""
    after, events = play(before, choice)
    return Step(before, choice, tuple(events), after)


def opening(game: Game, record: Record) -> tuple[State, tuple[Event, ...]]:
    """The position before the first choice, and the events before it. Raises Problems if the record
    belongs to another game.
    """
    if record.rules != game.hash:
        raise Problems([_outdated(game, record)])
    if tuple(record.seats) != game.players:
        raise Problems([_other_seats(game, record)])
    return _begin(game, record)


def steps(game: Game, record: Record) -> Iterator[Step]:
    """Replays the choices one by one. Raises Problems at the first that is impossible; or after the
    last one, if choices were changed since the record was written.
    """
    yield from _steps(opening(game, record)[0], record)
    if record.expected:  # last, since every other problem is more specific
        raise Problems([changed_since(record, record.expected, "among the choices")])


def replay(game: Game, record: Record) -> State:
    """The final position. Raises Problems if the record is not of this game."""
    state, _ = opening(game, record)
    for step in steps(game, record):
        state = step.after
    return state


def replay_changed(game: Game, record: Record) -> Replay:
    """Replays the record as far as the rules of this game allow, whatever rules it was recorded
    with.
    """
    state, replayed = start(game, Seed(0)), 0
    try:
        state, _ = _begin(game, record)
        for step in _steps(state, record):
            state, replayed = step.after, replayed + 1
    except Problems as error:
        return Replay(state, replayed, error.problems[0])
    return Replay(state, replayed, None)


def _begin(game: Game, record: Record) -> tuple[State, tuple[Event, ...]]:
    chance = Asked() if record.seed is None else Seed(record.seed)
    if record.position:
        return read_position(game, record.position, chance), ()
    return begin(game, chance)


def _steps(before: State, record: Record) -> Iterator[Step]:
    for number, wanted in enumerate(record.choices):
        if before.seat is None:
            raise Problems([_too_long(record, number)])
        offered = {choice.id: choice for choice in choices(before)}
        if wanted not in offered:
            raise Problems([_impossible(record, number, tuple(offered))])
        step = step_by(before, offered[wanted])
        yield step
        before = step.after


# ---- problems of a replay ----


def _outdated(game: Game, record: Record) -> Problem:
    text = f"The rules of {game.name} or its options have changed since: they are now {game.hash}."
    hint = (
        "Play it with its original rules, or see whether it can be played with these: "
        f"`rules: {game.hash}`"
    )
    return Problem("E704", "record of other rules", record.spans.get("rules"), text, hint)


def _other_seats(game: Game, record: Record) -> Problem:
    text = f"The seats of {game.name} are {', '.join(game.players)}, in this order."
    strangers = iter([who for seat, who in record.seats.items() if seat not in game.players])
    seats = {
        player: record.seats.get(player) or next(strangers, "random") for player in game.players
    }
    hint = f"Write `{pairs_line('seats', seats)}`."
    return Problem("E705", "other seats", record.spans.get("seats"), text, hint)


def _impossible(record: Record, number: int, offered: tuple[str, ...]) -> Problem:
    wanted = record.choices[number]
    shown = ", ".join(f"`{choice}`" for choice in offered[:_SHOWN])
    more = ", ..." if len(offered) > _SHOWN else ""
    text = f"After {count_text(number)} these are possible: {shown}{more}."
    hint = suggestion(wanted, offered)
    return Problem("E706", f"impossible choice `{wanted}`", record.spans.get(number), text, hint)


def _too_long(record: Record, number: int) -> Problem:
    text = f"The game is over after {count_text(number)}, but the record continues."
    hint = "Delete this choice and those after it."
    return Problem("E707", "choice after the end", record.spans.get(number), text, hint)


class Round(Frozen):
    """The events of a round, as a seat knew them; round 0 is setup."""

    number: int
    events: tuple[Event, ...]

    def data(self) -> dict[str, object]:
        """The round as plain data for JSON."""
        return {"round": self.number, "events": [event.data() for event in self.events]}


def recap(game: Game, record: Record, seat: str = PUBLIC) -> tuple[Round, ...]:
    """The rounds of a record for one seat. Raises Problems as `steps` does, ValueError for an
    unknown seat.
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
    """The rounds, as counted by the variable with this name; without one, by `round` events."""
    number, current = 0, list[Event]()
    for event in events:
        if event.kind == "round" and not counter:
            yield Round(number, tuple(current))
            number, current = number + 1, []
        elif event.kind == "set" and event.what == counter:
            at = _last_beginning(current)
            yield Round(number, tuple(current[:at]))
            number, current = event.number, current[at:]
        current.append(event.seen_by(seat))
    yield Round(number, tuple(current))


def _last_beginning(events: list[Event]) -> int:
    """The index of the last `round` event, or of the end."""
    return next(
        (at for at in reversed(range(len(events))) if events[at].kind == "round"), len(events)
    )
