"""Where paired trials begin, and how the reference carries them out."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from targi_dsl.api.results import result
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.codegen.tiered import TRIALS, WARM
from targi_dsl.codegen.trials import DECISION, Beginning, Horizon, Tried, Worth
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.machine import Engine, useful
from targi_dsl.engine.run import Counting, Waiting
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.text.diagnostics import Problems


def beginning(state: State, worth: Worth) -> Beginning:
    """A position at which trials begin: in generated C if there is a compiler, or else in the
    reference, with the same results.
    """
    game, in_c = state.game, import_module("targi_dsl.codegen.c.trials")
    engine, engines = engine_of(game), game.program.engines
    if TRIALS not in engines:
        engines[TRIALS] = engine.warmed(WARM) or in_c.rows_for_trials(game)
    begun: Beginning | None = in_c.beginning(engines[TRIALS], state.vector, worth)
    return begun or InReference(engine, state, worth)


class InReference:
    """A position at which the reference tries options."""

    def __init__(self, engine: Engine, state: State, worth: Worth) -> None:
        self._engine, self._at, self._worth = engine, engine.open(state.vector), worth

    def run(self, options: Sequence[int], seat: int, seed: int, horizon: Horizon) -> Tried:
        """Tries each of these options of the open question, all with this seed."""
        values, rounds, effort = list[int | None](), horizon.rounds, 0
        for option in options:
            value = None
            try:
                trial = _Trial(self._engine, self._at, option, seat, seed, horizon)
                rounds = trial.play(rounds)
                effort += trial.effort
                value = _lead(trial.end(), seat, self._worth)
            except Problems:  # the rules cannot go on
                pass
            values.append(value)
        return Tried(tuple(values), rounds, effort)


class _Trial:
    """A game played on from an option. Each seat draws from a stream of its own, so that one
    decision more of a seat does not change what the others do.
    """

    def __init__(
        self, engine: Engine, at: Waiting, option: int, seat: int, seed: int, horizon: Horizon
    ) -> None:
        self._engine, self._seat, self._horizon = engine, seat, horizon
        self._run, self._made, self.effort = Counting(Seed(seed)), 0, 0
        self._streams = [Stream(~seed - (at_ << 32)) for at_ in range(len(engine.game.players))]
        self._take(at, option)

    def play(self, rounds: int) -> int:
        """Plays on until so many rounds have begun, or as many as are found."""
        horizon, begun, enough = self._horizon, max(1, rounds), self._horizon.ahead
        while horizon.declines and self._is_open(1) and self.left.frame[YOU] == self._seat:
            declining = self._engine.declining(self.left.point).intersection(self._run.options)
            option = min(declining) if declining else self._any()
            self._made += 1
            self._take(self.left, option)
        self._act_until(begun)
        while not rounds and self._made < enough and self.left.point != NOTHING:
            begun, enough = begun * 2, horizon.further
            self._act_until(begun)
        return begun

    def end(self) -> State:
        """The position that the trial has reached."""
        return State.from_run(self._engine, self.left, self._run)

    def _act_until(self, rounds: int) -> None:
        while self._is_open(rounds):
            self.effort += len(self._run.options) + DECISION
            option = self._any()
            self._made += 1
            self._take(self.left, option)

    def _is_open(self, rounds: int) -> bool:
        open_ = self.left.point != NOTHING and self._made < self._horizon.farthest
        return open_ and self._run.rounds < rounds

    def _any(self) -> int:
        """An option at random, one that does something if there is one."""
        options = useful(self._run.options, self._engine.declining(self.left.point))
        return options[self._streams[self.left.frame[YOU]].below(len(options))]

    def _take(self, at: Waiting, option: int) -> None:
        run = self._run
        run.metered = 0
        self.left = self._engine.answer(at, option, run)
        self.effort += run.metered


def _lead(state: State, seat: int, worth: Worth) -> int:
    """How far a seat is ahead of the best of the others, in tenths of a point."""
    totals = [round(10 * number) for number in result(state).returns]
    if state.seat is not None:
        game, position = state.game, state.position
        for player in range(len(totals)):
            for resource in range(len(game.resources)):
                amount = position.amount(resource, player)
                totals[player] += worth.each * min(amount, worth.few)
                totals[player] += worth.more * max(0, amount - worth.few)
        for place, (owner, counted) in enumerate(worth.cards):
            if owner != NOTHING:
                totals[owner] += counted * sum(1 for _ in position.cards_on(place))
    own = totals.pop(seat)
    return own - max(totals, default=0)
