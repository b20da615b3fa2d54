"""Playing a game: from its opening, choice by choice, to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from msgspec.structs import replace

from targi_dsl.api.events import Event, Recorder, back_of, rule_name
from targi_dsl.api.offers import Choice, choices, option_of
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.codegen.tiered import ROLLOUT
from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Asked, Chance, Listed, Seed, Stream
from targi_dsl.engine.machine import ENDLESS
from targi_dsl.engine.run import Counting, Part
from targi_dsl.ir import types as t
from targi_dsl.ir.game import Game, register
from targi_dsl.text.structs import Frozen

_GAMES = 16  # games whose events of choices are cached,
_CHOICES = 5_000  # and at most so many of each, since most recur

Policy = Callable[[State, Sequence[Choice]], Choice]
"""A policy for a rollout: picks one of the choices, of which there is at least one."""


def start(game: Game, chance: Chance = Seed(0)) -> State:  # noqa: B008 -- a frozen value
    """A new game at its first decision. Raises Problems if the rules cannot continue."""
    run, engine = _run(chance), engine_of(register(game))
    rows = engine.still_trusted(1)
    if rows is None or isinstance(chance, Listed):
        return State.from_run(engine, engine.start(run), run)
    row = rows.begin(chance.number if isinstance(chance, Seed) else None)
    if isinstance(row, bytes):
        return State.from_row(game, row)
    return engine.without_fault(row, State.from_run(engine, engine.start(run), run))


def begin(game: Game, chance: Chance = Seed(0)) -> tuple[State, tuple[Event, ...]]:  # noqa: B008
    """Like `start`, together with the events before the first decision."""
    engine = engine_of(register(game))
    recorder = Recorder(engine)
    run = _run(chance, recorder)
    return State.from_run(engine, engine.start(run), run), tuple(recorder.events)


def _run(chance: Chance, recorder: Recorder | None = None) -> Counting:
    if not isinstance(chance, Seed | Listed | Asked):
        given = type(chance).__name__
        raise TypeError(f"chance is a `Seed`, `Listed` or `Asked`, not {given}; write `Seed(5)`")
    return Counting(chance, recorder)


def play(state: State, choice: Choice | str) -> tuple[State, tuple[Event, ...]]:
    """The position at the next decision after a choice, which is given as a `Choice` or by its id,
    and what happened in between. The state does not change.

    Raises Problems: E601 if the choice is not offered, others if the rules cannot continue.
    """
    engine, option = state._engine, option_of(state, choice)
    first, recorder = _choice_event(engine, state, option), Recorder(engine)
    return state.after(option, recorder), (first, *recorder.events)


def rollout(
    state: State, policy: Policy, limit: int | None = None, rounds: int | None = None
) -> State:
    """Plays on by a policy for everybody: to the end of the game, for a number of decisions, or to
    the first decision after a number of rounds have begun.
    """
    if isinstance(policy, Uniform):
        return _uniformly(state, policy, -1 if limit is None else limit, rounds)
    left, begun = limit, 0
    while left != 0 and (rounds is None or begun < rounds) and (available := choices(state)):
        state = state.after(option_of(state, policy(state, available)))
        begun += state.rounds_begun
        left = None if left is None else left - 1
    return state


class Uniform(Frozen):
    """A policy that picks any choice with equal probability or, with `busy`, any of those that do
    something, if there is one. The engine plays games by it without building choices.
    """

    stream: Stream
    busy: bool = False

    def __call__(self, state: State, offered: Sequence[Choice]) -> Choice:
        wanted = [choice for choice in offered if not choice.declines] if self.busy else offered
        wanted = wanted or offered
        return wanted[self.stream.below(len(wanted))]


def _uniformly(state: State, policy: Uniform, limit: int, rounds: int | None) -> State:
    if state.seat is None or not limit or rounds == 0:
        return state
    engine, most = engine_of(state.game), ENDLESS if rounds is None else rounds
    rows, answer = engine.still_trusted(ROLLOUT), None
    if rows is not None and (row := state.row(rows)) is not None:
        answer = rows.rollout(row, policy.stream, policy.busy, limit, min(most, ENDLESS))[0]
        if isinstance(answer, bytes):
            return State.from_row(state.game, answer)
    run = Counting(state.chance)
    run.options = [*state.options]
    left = engine.open(state.vector)
    left = engine.rollout(left, run, policy.stream, policy.busy, limit, most)
    return engine.without_fault(answer, State.from_run(engine, left, run))


def uniform(stream: Stream, busy: bool = False) -> Uniform:
    """A policy that picks any choice with equal probability; with `busy` nobody declines who can do
    something.
    """
    return Uniform(stream, busy)


def _choice_event(engine: Engine, state: State, option: int) -> Event:
    """The choice of a seat as an event: its card is hidden from seats that do not know it."""
    game, question = state.game, state.question
    if found := _choices_of(engine)(question, option, state.seat or ""):
        event, (label, type_, number) = found
    else:
        label, type_, number = part = engine.parts_of(state.vector, option)
        event = _choice(engine, question, part, state.seat or "")
    if event.known_to is not None or not isinstance(type_, t.Card):
        return event
    known = state.knowing(number)
    knowing = [player for seat, player in enumerate(game.players) if known >> seat & 1]
    if len(knowing) == len(game.players):
        return event
    seats = tuple(player for player in game.players if player in knowing or player == state.seat)
    hidden = (("what", f"{label} {back_of(game, number)}".strip()),)
    return replace(event, known_to=seats, secrets=hidden)


@lru_cache(_GAMES)
def _choices_of(engine: Engine) -> Callable[[int, int, str], tuple[Event, Part] | None]:
    return lru_cache(_CHOICES)(partial(_steady_choice, engine))


def _steady_choice(
    engine: Engine, question: int, option: int, seat: str
) -> tuple[Event, Part] | None:
    """A choice with the same name in every position, and its parts; None if its name varies."""
    if engine.program.questions[question].kind not in ("ask", "unit"):
        return None
    part = engine.code.question(question).part([], [], option)
    return _choice(engine, question, part, seat), part


def _choice(engine: Engine, question: int, part: Part, seat: str) -> Event:
    asked, text = engine.program.questions[question], engine.code.name_of(part, telling=True)
    event = Event("choose", rule_name(engine, asked.rule), seat, text)
    if asked.secret:
        return replace(event, known_to=(seat,), secrets=(("what", f"{part[0]} ?"),))
    return event
