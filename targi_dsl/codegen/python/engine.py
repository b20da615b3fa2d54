"""The engine that plays a game with generated Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

from targi_dsl.codegen.facts import Facts
from targi_dsl.codegen.python.compiled import Functions, kept
from targi_dsl.codegen.python.flow import FREE, Flow, function_name
from targi_dsl.codegen.python.graph import REFERENCE
from targi_dsl.codegen.python.occupancy import Board
from targi_dsl.codegen.python.questions import ASKED
from targi_dsl.codegen.python.runtime import FUNCTIONS, Doubt, bit_table, bits_of
from targi_dsl.codegen.python.tables import Tables
from targi_dsl.engine.alike import Alike, Distinct
from targi_dsl.engine.chance import DRAWS, Seed, Stream, draws
from targi_dsl.engine.code import Value, when_called
from targi_dsl.engine.faults import OPTIONS, PARTS, STEPS, Fault
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.machine import ENDLESS, Engine, Pick, useful
from targi_dsl.engine.question import WAITS
from targi_dsl.engine.run import Counting, Run, Step, Vector, Waiting
from targi_dsl.engine.steps import FINISHED
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import METER, POINT

_Found = TypeVar("_Found")
Take = Callable[[Vector, int, Run], int]
"""Takes an option; returns the address to continue at."""

TURNS = 2_000  # the most functions called for one decision
SURE = DRAWS - OPTIONS  # draws below this are never rejected


def _nothing(v: Vector, option: int, run: Run) -> int:
    """Stands for taking an option when the game is over: there is none."""
    raise Doubt


class PythonEngine(Engine):
    """An engine with generated Python. The reference plays for listeners to events, and repeats a
    turn in which something may be wrong: only the reference reports faults. unfounded: how often it
    found nothing wrong.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.unfounded = 0
        self._filters: dict[int, Distinct | None] = {}
        names: dict[str, Any] = dict(FUNCTIONS)
        width = Facts(self.code.program, self.code.domains).width
        table = bit_table(width)
        names |= {"BIT": table, "bit": table.__getitem__, "bits": bits_of(width)}
        self._functions = self._generated(names)
        self._turns = [None] * TURNS
        self._limit()
        self._board = Board(self.code.program, self._functions.pieces.sets, table)
        names["put"] = self._board.put
        names |= Tables(self.code, Happenings(self.code, self._conditions())).functions()
        self._opening = self.first + self._board.masks(self.first)
        self._size = len(self._opening)
        # A question has a negative address; the end has the last one.
        questions = self.program.questions
        self._points = [*(one.point for one in reversed(questions)), NOTHING]
        self._addresses = [WAITS - one.question for one in self.program.points] + [FINISHED]
        self._entered, self._takes = list[Step](), list[Take]()
        for at in range(len(self.steps)):
            self._entered.append(when_called(self._entered, at, partial(self._entry, at)))
        for at, number in enumerate(reversed(range(len(questions)))):
            self._takes.append(when_called(self._takes, at, partial(self._take, number)))
        self._takes.append(_nothing)
        self._offered = dict[int, Value]()
        for number, one in enumerate(questions):
            if one.kind in ASKED:
                take, options = f"take_{number}", partial(self._options, number)
                names.setdefault(take, when_called(names, take, partial(self._take, number)))
                names[f"distinct_{number}"] = partial(self._distinct, number)
                self._offered[number] = when_called(self._offered, number, options)

    def _generated(self, names: dict[str, Any]) -> Functions:
        return kept(self.code, names, self.game.hash)

    def _conditions(self) -> Iterator[Value | None]:
        """The conditions of triggers; none of one that has none."""
        for number, one in enumerate(self.code.program.triggers):
            has_one = one.condition != e.Const(1)
            yield self._function(f"trigger_{number}", Flow.conditions) if has_one else None

    def _entry(self, address: int) -> Step:
        """The function that begins at an address."""
        if isinstance(self.code.program.code[address].operation, REFERENCE):
            return self._step(address)
        name = function_name(self.code.program, address)
        step: Step = self._function(name, lambda flow: flow.function(address))
        return step

    def _take(self, question: int) -> Take:
        """The function that takes an option of a question; for chance, the reference does."""
        if self.program.questions[question].kind not in ASKED:
            return lambda v, option, run: self.questions[question].take(v, option, run)
        take: Take = self._function(f"take_{question}", lambda flow: flow.questions.takes(question))
        return take

    def _options(self, question: int) -> Value:
        """The function that lists the options of a question."""
        name = f"options_{question}"
        options: Value = self._function(name, lambda flow: flow.questions.options_of(question))
        return options

    def _function(self, name: str, generate: Callable[[Flow], object]) -> Any:
        found = self._functions.need(name, generate)
        self._limit()
        return found

    def _limit(self) -> None:
        """Limits how many functions are called for a decision, also for one that is under way."""
        del self._turns[STEPS // self._functions.pieces.module.longest :]
        self._parts = PARTS - FREE * len(self._turns)

    @cached_property
    def _alike(self) -> Alike:
        return Alike(self.code)

    def _distinct(self, number: int, v: Vector, run: Run, found: list[int]) -> list[int]:
        if number not in self._filters:
            self._filters[number] = self._alike.distinct(self.code.program.questions[number])
        distinct = self._filters[number]
        return found if distinct is None else distinct(v, run, found)

    # ---- from question to question ----

    def start(self, run: Run) -> Waiting:
        if run.listener is not None:
            return super().start(run)
        chance = run.after()
        v = self._opening[:]
        run.clear()
        try:
            run.v, run.point = v, self._points[self._goes_on(v, run, self._begin(run))]
            return Waiting(run)
        except (Doubt, Fault):
            run.back_to(chance)
            return self._sound(super().start(run))

    def turn(self, before: Waiting, option: int, run: Run) -> None:
        if run.listener is not None:
            super().turn(before, option, run)
            return
        chance = run.chance if run.drawn is None else run.after()
        run.v = v = before.v.copy()
        if len(v) != self._size:
            v += self._board.masks(v)
        run.stack = before.stack.copy()
        run.frame = before.frame.copy()
        run.rule = before.rule
        try:
            pc = self._takes[self._addresses[before.point]](v, option, run)
            if pc >= 0:
                entered = self._entered
                for _ in self._turns:
                    pc = entered[pc](v, run)
                    if pc < 0:
                        break
                else:
                    raise Doubt
            if v[METER] > self._parts:
                raise Doubt
            v[METER] = 0
            run.point = self._points[pc]
        except (Doubt, Fault):
            run.back_to(chance)
            self._sound(super().turn(before, option, run))

    def _reopened(self, before: Waiting, run: Run) -> Vector:
        """A position to play on, with its masks."""
        v = before.v.copy()
        if len(v) != self._size:
            v += self._board.masks(v)
        run.stack, run.frame, run.rule = before.stack.copy(), before.frame.copy(), before.rule
        return v

    def _sound(self, found: _Found) -> _Found:
        """Counts turns in which the reference found no fault."""
        self.unfounded += 1
        return found

    def playout(self, seed: int, pick: Pick | None = None) -> tuple[Vector, int]:
        if pick is None:
            try:
                return self._uniform(seed)
            except (Doubt, Fault):
                return self._sound(super().playout(seed))
        taken = list[int]()
        try:
            return self._picked(seed, pick, taken)
        except (Doubt, Fault):
            again = iter(taken)

            def picked(v: Vector, options: list[int]) -> int:
                option = next(again, None)
                return pick(v, options) if option is None else option

            return self._sound(super().playout(seed, picked))

    def _uniform(self, seed: int) -> tuple[Vector, int]:
        """A game in which every choice is drawn from a separate generator for the players."""
        run, v = Counting(Seed(seed)), self._opening[:]
        run.clear()
        pc, decisions, _ = self._drawn(v, run, self._goes_on(v, run, self._begin(run)), ~seed)
        return self.frames.pack(v, run, self._points[pc]), decisions

    def rollout(
        self, left: Waiting, run: Counting, stream: Stream, busy: bool, limit: int, rounds: int
    ) -> Waiting:
        """Plays on with random choices, in one loop."""
        chance, options = run.after(), run.options
        v, pc = self._reopened(left, run), self._addresses[left.point]
        try:
            pc, _, draws_ = self._drawn(v, run, pc, stream.number, busy, limit, rounds)
        except (Doubt, Fault):
            run.back_to(chance)
            run.rounds, run.options = 0, options
            return self._sound(super().rollout(left, run, stream, busy, limit, rounds))
        stream.skip(draws_)
        run.v, run.point = v, self._points[pc]
        return Waiting(run)

    def _drawn(
        self, v: Vector, run: Counting, pc: int, number: int,
        busy: bool = False, limit: int = -1, rounds: int = ENDLESS,
    ) -> tuple[int, int, int]:  # fmt: skip
        """Plays on from a question, with choices drawn from a generator in this state. Returns
        where it ends, after how many decisions, and the number of draws.
        """
        entered, takes, draw = self._entered, self._takes, draws(number)
        turns, decisions, more = self._turns, 0, 0
        while pc != FINISHED and decisions != limit and run.rounds < rounds:
            options = run.options
            if busy:
                options = useful(options, self.declining(self._points[pc]))
            decisions += 1
            many = len(options)
            if many > 1:
                drawn = draw()
                while drawn >= SURE and drawn >= DRAWS - DRAWS % many:
                    drawn = draw()
                    more += 1
                pc = takes[pc](v, options[drawn % many], run)
            else:
                more -= 1
                pc = takes[pc](v, options[0], run)
            if pc >= 0:
                for _ in turns:
                    pc = entered[pc](v, run)
                    if pc < 0:
                        break
                else:
                    raise Doubt
            if spent := v[METER]:
                if spent > self._parts:
                    raise Doubt
                v[METER] = 0
        return pc, decisions, decisions + more

    def _picked(self, seed: int, pick: Pick, taken: list[int]) -> tuple[Vector, int]:
        run, v = Run(Seed(seed)), self._opening[:]
        run.clear()
        pc = self._goes_on(v, run, self._begin(run))
        while pc != FINISHED:
            taken.append(pick(self.frames.pack(v, run, self._points[pc]), list(run.options)))
            pc = self._goes_on(v, run, self._takes[pc](v, taken[-1], run))
        return self.frames.pack(v, run, NOTHING), len(taken)

    def _goes_on(self, v: Vector, run: Run, pc: int) -> int:
        """Runs from an address to the next question or the end, and returns which it is."""
        if pc >= 0:
            entered = self._entered
            for _ in self._turns:
                pc = entered[pc](v, run)
                if pc < 0:
                    break
            else:
                raise Doubt
        if v[METER] > self._parts:
            raise Doubt
        v[METER] = 0
        return pc

    # ---- a position that waits ----

    def options(self, v: Sequence[int], distinct: bool = True) -> list[int]:
        if v[POINT] == NOTHING:
            return []
        number = self.program.points[v[POINT]].question
        if number not in self._offered:
            return super().options(v, distinct)
        run = Run(Seed(0))
        open_ = self.frames.unpack(v, run)
        open_ += self._board.masks(open_)
        open_[METER] = 0
        try:
            found: list[int] = self._offered[number](open_, run.frame)
            if distinct:
                found = self._distinct(number, open_, run, found)
        except (Doubt, Fault):
            return self._sound(super().options(v, distinct))
        if open_[METER] > self._parts:
            return self._sound(super().options(v, distinct))
        return found
