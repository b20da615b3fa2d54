"""A game in progress among people and programs: the authority over its state. A choice is accepted
only for the position in which it was made, and saved before anybody is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from random import SystemRandom

from msgspec.structs import replace

from targi_dsl.api import Choice, choices, weights
from targi_dsl.api.state import State
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.players import Player, player_of
from targi_dsl.records import MOST_CHOICES, Autosave, Record, Step, opening, step_by, steps
from targi_dsl.search import Budget
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.languages import message
from targi_dsl.text.structs import Frozen

HUMAN = "human"
"""The kind of player of a seat for a person."""

NOT_NOW = message("that was for an earlier position")
NOT_YOURS = message("it is not your turn")
NOT_OFFERED = message("that cannot be chosen now")
ENDLESS = message("the game has no end: no more choices are played")
NO_UNDO = message("there is nothing to undo")
KNOWN = message("something became known since")

_AT_ONCE = 200
"""The most outcomes of chance that are drawn and saved together."""


class Request(Frozen):
    """A request to undo back to before a step, to which all people must agree."""

    seat: str
    step: int
    agreed: tuple[str, ...]


class Past(Frozen):
    """A past step, in a compact form from which it can be replayed. seat: who was asked. informed:
    the seats that learned a card. is_drawn: whether chance was drawn.
    """

    before: bytes
    seat: str
    informed: tuple[str, ...]
    is_drawn: bool


class TableGame:
    """One game. number: of the current position, never reused, not even after an undo. request: the
    open request to undo. budget: how long programs think; None for the default.
    """

    def __init__(
        self, game: Game, record: Record, autosave: Autosave, budget: Budget | None = None
    ) -> None:
        self.game, self.record, self.autosave, self.budget = game, record, autosave, budget
        self.state, self.opening = opening(game, record)
        self.steps: list[Past] = []
        self._take_on(steps(game, record))
        self.number = len(self.steps)
        self.request: Request | None = None
        self.halted = ""
        """Why the game has been halted; "" if it has not."""
        self._players: dict[str, Player] = {}
        self.autosave.save(record)

    @property
    def people(self) -> tuple[str, ...]:
        """The seats of people."""
        return tuple(seat for seat in self.game.players if self.record.seats[seat] == HUMAN)

    @property
    def waits(self) -> bool:
        """Whether a person is asked, or the game is over."""
        return self.halted != "" or self.state.seat is None or self.state.seat in self.people

    def position(self, step: int) -> State:
        """The position after this many steps."""
        if step == len(self.steps):
            return self.state
        return State.from_bytes(self.game, self.steps[step].before)

    def step(self, number: int) -> Step:
        """A past step, replayed."""
        before, id_ = self.position(number), self.record.choices[number]
        return step_by(before, next(one for one in choices(before) if one.id == id_))

    # ---- choices ----

    def choose(self, seats: Sequence[str], number: int, id_: str) -> str:
        """Makes a choice for one of these seats, if `number` is that of the current position.
        Returns a refusal, or "".
        """
        if number != self.number:
            return NOT_NOW
        if self.halted or self.state.seat not in seats or self.state.seat not in self.people:
            return NOT_YOURS
        chosen = next((one for one in choices(self.state) if one.id == id_), None)
        return NOT_OFFERED if chosen is None else self.take(chosen)

    def take(self, choice: Choice) -> str:
        """Makes a choice for the player to move. Returns a refusal, or ""."""
        try:
            return self.go_on([step_by(self.state, choice)])
        except Problems as error:
            return self.halt(error)

    def go_on(self, steps: Sequence[Step]) -> str:
        """Continues by steps from the current position. Returns a refusal, or ""."""
        if len(self.steps) + len(steps) > MOST_CHOICES:
            self.halted = ENDLESS
            return ENDLESS
        self._take_on(steps)
        self._continue((*self.record.choices, *(step.choice.id for step in steps)))
        return ""

    def _take_on(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self.steps.append(_past(step))
            self.state = step.after

    def halt(self, error: Exception) -> str:
        """Halts the game after a failure of the rules or of a program. Returns the reason."""
        one = error.problems[0] if isinstance(error, Problems) else None
        self.halted = f"{one.code} {one.title}" if one else f"{type(error).__name__}: {error}"
        self.number += 1
        return self.halted

    def thinking(self) -> Callable[[], Sequence[Step]]:
        """A function that computes the next step of a program, or the next steps of chance; it may
        be called in any thread. Raises Problems if the rules fail.
        """
        state, seat = self.state, self.state.seat or ""
        if seat not in self.game.players:
            return lambda: [*_drawn(state)]
        if seat not in self._players:
            kind = self.record.seats[seat]
            seed = SystemRandom().getrandbits(31) if self.record.seed is None else self.record.seed
            self._players[seat] = player_of(kind, seed, seat, self.budget)
        player = self._players[seat]
        return lambda: [step_by(state, player.choose(observe(state, seat), choices(state)))]

    def seat_player(self, seat: str, kind: str) -> None:
        """Gives a seat to a program or to a person."""
        self._players.pop(seat, None)
        self.halted = ""
        self.record = replace(self.record, seats={**self.record.seats, seat: kind})
        self._continue(self.record.choices)

    def _continue(self, ids: tuple[str, ...]) -> None:
        self.record = replace(self.record, choices=ids)
        self.number += 1
        self.request = None
        self.autosave.save(self.record)

    # ---- undo ----

    def undo(self, seat: str) -> str:
        """Undoes the last choice of a person: at once if nobody else has acted and nothing was
        learned since; otherwise by asking the other people, if there are any. Returns a refusal, or
        "".
        """
        step = self._last_choice(seat)
        if step is None:
            return NO_UNDO
        if self._is_harmless(step, seat):
            self._return(step)
        elif len(self.people) < 2:
            return KNOWN
        else:
            self.request = Request(seat, step, (seat,))
        return ""

    def can_undo(self, seat: str) -> bool:
        """Whether `undo` would do or request anything."""
        step = self._last_choice(seat)
        return step is not None and (len(self.people) > 1 or self._is_harmless(step, seat))

    def answer(self, seat: str, agrees: bool) -> None:
        """A person's answer to the request to undo."""
        if self.request is None:
            return
        agreed = {*self.request.agreed, seat}
        if not agrees:
            self.request = None
        elif agreed.issuperset(self.people):
            self._return(self.request.step)
        else:
            self.request = replace(self.request, agreed=tuple(sorted(agreed)))

    def _last_choice(self, seat: str) -> int | None:
        """The index of the last step of a seat."""
        numbers = reversed(range(len(self.steps)))
        return next((one for one in numbers if self.steps[one].seat == seat), None)

    def _is_harmless(self, step: int, seat: str) -> bool:
        """Whether since a step no other person has acted, nothing was drawn, and nobody learned a
        card.
        """
        others = {*self.people} - {seat}
        return not any(
            one.seat in others or one.is_drawn or {*one.informed} & {*self.people}
            for one in self.steps[step:]
        )

    def _return(self, step: int) -> None:
        self.state = self.position(step)
        del self.steps[step:]
        self.halted = ""
        self._continue(self.record.choices[:step])


def _past(step: Step) -> Past:
    before, after, game = step.before, step.after, step.before.game
    learned = (after.knowing(card) & ~before.knowing(card) for card in range(len(game.cards)))
    by_somebody = reduce(or_, learned, 0)
    informed = (seat for number, seat in enumerate(game.players) if by_somebody >> number & 1)
    is_drawn = step.is_chance or before.chance != after.chance
    return Past(before.to_bytes(), before.seat or "", tuple(informed), is_drawn)


def _drawn(state: State) -> Iterator[Step]:
    """Steps of chance, until somebody is asked or there are _AT_ONCE."""
    for _ in range(_AT_ONCE):
        if state.seat != "chance":
            return
        (outcome,) = SystemRandom().choices(choices(state), weights(state))
        step = step_by(state, outcome)
        yield step
        state = step.after
