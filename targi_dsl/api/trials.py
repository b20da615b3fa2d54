"""Paired trials: several options of one question, each played out with the same luck."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from targi_dsl.api.results import result
from targi_dsl.api.state import State
from targi_dsl.codegen.c.compilers import IN_MEMORY, QUICK
from targi_dsl.codegen.c.library import Library, library
from targi_dsl.codegen.c.source import source
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.machine import Engine, useful
from targi_dsl.engine.run import Counting, Waiting
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.light import dataclass

DECISION = 8
"""What a decision counts beside its options and the elements that were looked at."""

_LARGEST = 1 << 63
_KEY = "trials"


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far a trial goes. After an option everybody plays at random, but prefers to do something,
    until a number of rounds have begun, and at most `farthest` decisions.

    rounds: that number; or 0, and the first option that can be tried finds it: one round, or twice
    as many until it has made `ahead` decisions with the first, or else `further`. declines: the
    seat itself does nothing, where it can, until somebody else is asked.
    """

    rounds: int
    ahead: int
    further: int
    farthest: int
    declines: bool = False


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth beside the score, in tenths of a point, while a game goes on.

    Each of the first `few` units of a resource counts `each`, any more of it `more`. cards: by
    place, its owner and what a card there counts.
    """

    few: int
    each: int
    more: int
    cards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of trials. values: of each option, how far the seat was ahead of the best other
    seat at the end, in tenths of a point; None if the rules could not go on. rounds: those that
    began. effort: all decisions, their options, and the elements that were looked at; it is the
    same on every machine.
    """

    values: tuple[int | None, ...]
    rounds: int
    effort: int


class Beginning(Protocol):
    """A position at which trials begin."""

    def run(self, options: Sequence[int], seat: int, seed: int, horizon: Horizon) -> Tried:
        """Tries each of these options of the open question, all with this seed."""


def beginning(state: State, worth: Worth) -> Beginning:
    """A position at which trials begin: in generated C if there is a compiler, or else in the
    reference, with the same results.
    """
    game = state.game
    found = game.program.engines.get(_KEY)
    if not isinstance(found, _Engines):
        found = game.program.engines[_KEY] = _Engines(game)
    if found.in_c is None:
        return InReference(found.engine, state, worth)
    return InC(found.in_c, state, worth)


class _Engines:
    """What tries options of a game."""

    def __init__(self, game: Game) -> None:
        self.engine, self.in_c = Engine(game), None
        for level in (IN_MEMORY, QUICK):
            with suppress(NotInC):
                self.in_c = _declared(library(source(self.engine), level))
                break


def _declared(loaded: Library) -> Library:
    at, number = ctypes.c_void_p, ctypes.c_int64
    loaded.targi_make.restype = at
    loaded.targi_free.argtypes = [at]
    loaded.targi_open.argtypes = [at, at, ctypes.c_int, ctypes.c_uint64, ctypes.c_int]
    loaded.targi_trials.argtypes = [at, at, number]
    return loaded


class InC:
    """A position at which generated C tries options."""

    _BUDGET = 2_000_000  # elements that a call may look at, before signals are handled

    def __init__(self, loaded: Library, state: State, worth: Worth) -> None:
        self._library, self._worth = loaded, worth
        self._room = [0] * (2 * len(state.game.players))
        self._cards = array("q", [number for pair in worth.cards for number in pair] or [0])
        self._position = loaded.targi_make()
        if not self._position:
            raise MemoryError
        vector = array("i", state.vector)
        at = vector.buffer_info()[0]
        if loaded.targi_open(self._position, at, len(vector), 0, False):
            raise ValueError(f"not a position of {state.game.name}")

    def __del__(self) -> None:
        if getattr(self, "_position", None):
            self._library.targi_free(self._position)

    def run(self, options: Sequence[int], seat: int, seed: int, horizon: Horizon) -> Tried:
        """Tries each of these options of the open question, all with this seed."""
        codes, worth = array("q", options), self._worth
        values = array("q", bytes(8 * len(codes)))
        limits = (horizon.rounds, horizon.ahead, horizon.further, horizon.farthest)
        numbers = (seed, seat, horizon.declines, *limits, worth.few, worth.each, worth.more)
        where = [one.buffer_info()[0] for one in (codes, self._cards, values)]
        trials = array("Q", (*numbers, len(codes), 0, 0, *where, *self._room))
        at = trials.buffer_info()[0]
        while trials[_NEXT] < len(codes):
            if self._library.targi_trials(self._position, at, self._BUDGET):
                raise MemoryError
        found = (None if value == -_LARGEST else value for value in values)
        return Tried(tuple(found), trials[_ROUNDS], trials[_EFFORT])


_ROUNDS, _NEXT, _EFFORT = 3, 11, 12  # where the numbers of trials are; see runtime/trials.h


class InReference:
    """A position at which the reference tries options."""

    def __init__(self, engine: Engine, state: State, worth: Worth) -> None:
        self._engine, self._at, self._worth = engine, engine.opened(state.vector), worth

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
        return State.left(self._engine, self.left, self._run)

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
        run.spent = 0
        self.left = self._engine.answer(at, option, run)
        self.effort += run.spent


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
