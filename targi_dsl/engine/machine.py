"""The engine of one game: runs instructions until a player must answer or the game is over; see
docs/program.md, *Execution*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import repeat

from targi_dsl.engine.chance import Seed, Stream, picks
from targi_dsl.engine.code import Code, when_called
from targi_dsl.engine.faults import STEPS, Fault, endless
from targi_dsl.engine.guards import Guards
from targi_dsl.engine.initial import initial_position
from targi_dsl.engine.queries import Queries
from targi_dsl.engine.question import WAITS, Question
from targi_dsl.engine.run import Counting, Run, Step, Vector, Waiting
from targi_dsl.engine.steps import FINISHED, Steps
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import OUT, outcome_base
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import NEXT_ROUND
from targi_dsl.ir.slots import METER, POINT
from targi_dsl.optimize import PASSES, Pass, optimize
from targi_dsl.text.nesting import allow_nesting

Pick = Callable[[Vector, list[int]], int]  # of a position and at least two options, one of them
ENGINE = "engine"  # the engine's key among what engines have made of a program

ENDLESS = 2**62  # rounds that no game has


def engine_of(game: Game) -> Engine:
    """The engine of a game, cached with its program: the reference engine, unless a generated one
    has replaced it.
    """
    engine = game.program.engines.get(ENGINE)
    if not isinstance(engine, Engine):
        engine = game.program.engines[ENGINE] = Engine(game)
    return engine


class QuestionsByNumber(dict[int, Question]):
    """The questions of a program by number, each built when it is first asked for."""

    def __init__(self, build: Callable[[int], Question]) -> None:
        super().__init__()
        self._build = build

    def __missing__(self, number: int) -> Question:
        question = self[number] = self._build(number)
        return question


class Engine(Queries):
    """A compiled game. `Waiting` is a position between two decisions, `Run` one in play."""

    def __init__(self, game: Game, passes: tuple[Pass, ...] = PASSES) -> None:
        allow_nesting()
        self.game, self.program = game, game.program
        program = optimize(game.program, passes)
        code = self.code = Code(program, Domains.of_game(game))
        self.frames, self._guards = code.frames, Guards(code)
        self._guards.compile()
        self._compiler = Steps(code, self._guards)
        self.steps = list[Step]()
        for at in range(len(program.code)):
            self.steps.append(when_called(self.steps, at, partial(self._step, at)))
        self.questions = QuestionsByNumber(self._question)
        self.first = initial_position(program, code.table)
        self.outcomes = outcome_base(program.variables)

    def _step(self, address: int) -> Step:
        return self._compiler.step(address, self.code.program.code[address])

    def _question(self, number: int) -> Question:
        built = self._compiler.questions.made
        if number not in built:
            address = self.program.points[self.program.questions[number].point].address
            self.steps[address] = self._step(address)
        return built[number]

    # ---- from question to question ----

    def start(self, run: Run) -> Waiting:
        """A new game at its first question, or its end."""
        run.v = self.first[:]
        run.clear()
        run.point = self.advance(run.v, run, self._begin(run))
        return Waiting(run)

    def turn(self, before: Waiting, option: int, run: Run) -> None:
        """Takes an option and plays on to the next question; `before` does not change."""
        run.v = self.frames.reopen(before, run)
        run.point = self.take(run.v, run, before.point, option)

    def answer(self, before: Waiting, option: int, run: Run) -> Waiting:
        """The position at the next question after an option, for a run that is used again."""
        self.turn(before, option, run)
        return Waiting(run)

    def rollout(
        self, left: Waiting, run: Counting, stream: Stream, busy: bool, limit: int, rounds: int
    ) -> Waiting:
        """Plays on with random choices for a number of decisions, to the end if `limit` is below
        0, or until a number of rounds have begun; with `busy`, nobody declines who can do
        something.
        """
        while left.point != NOTHING and limit and run.rounds < rounds:
            options = run.options
            if busy:
                options = useful(options, self.declining(left.point))
            left = self.answer(left, options[stream.below(len(options))], run)
            limit -= 1
        return left

    def opened(self, vector: Sequence[int]) -> Waiting:
        """The position that a flat vector describes."""
        run = Run(Seed(0))
        run.v, run.point = self.frames.unpack(vector, run), vector[POINT]
        return Waiting(run)

    def packed(self, left: Waiting) -> Vector:
        """The flat vector of a position."""
        return self.frames.pack(left.v, left, left.point)

    def take(self, v: Vector, run: Run, point: int, option: int) -> int:
        """Takes an option in an open position and runs to the next question; returns its point, or
        nothing at the end.
        """
        at = self.program.points[point]
        try:
            pc = self.questions[at.question].take(v, option, run)
        except Fault as fault:
            raise self.located(run, fault, at.address) from None
        return self.advance(v, run, pc)

    def advance(self, v: Vector, run: Run, pc: int) -> int:
        """Runs from an address to the next question with at least two options, which are left in
        `run.options`; returns its point, or nothing at the end.
        """
        steps, rounds = self.steps, 0
        v[METER] = 0
        try:
            for _ in repeat(None, STEPS):
                rounds += pc == NEXT_ROUND
                pc = steps[pc](v, run)
                if pc < 0:
                    run.metered += v[METER]
                    v[METER] = 0
                    return NOTHING if pc == FINISHED else self._waits(v, run, WAITS - pc)
            raise endless(f"more than {STEPS} steps without a decision")
        except Fault as fault:
            told = endless(fault.title) if fault.code == "E603" and rounds > 1 else fault
            raise self.located(run, told, pc) from None

    def _waits(self, v: Vector, run: Run, number: int) -> int:
        """The point of a question that must wait for an answer."""
        you, point = run.frame[YOU], self.program.questions[number].point
        is_out = self.outcomes != NOTHING and v[self.outcomes + you] == OUT
        if is_out and not self.questions[number].chance:
            text = (
                "A player who is out cannot be asked. End the rule by `stop`, or ask another one."
            )
            fault = Fault("E616", f"{self.program.players[you]} is out and is asked", text)
            raise self.located(run, fault, self.program.points[point].address)
        return point

    def playout(self, seed: int, pick: Pick | None = None) -> tuple[Vector, int]:
        """Plays a whole game; see the function `playout`."""
        run, below, decisions, v = Run(Seed(seed)), picks(~seed), 0, self.first[:]
        run.clear()
        point = self.advance(v, run, self._begin(run))
        while point != NOTHING:
            options = run.options
            if pick is None:
                option = options[below(len(options))]
            else:
                option = pick(self.frames.pack(v, run, point), options)
            point = self.take(v, run, point, option)
            decisions += 1
        return self.frames.pack(v, run, point), decisions

    def set_up(self, run: Run) -> tuple[Vector, bool]:
        """The open position after the setup, before the first round, and whether the setup stopped
        at a question instead.
        """
        v = self.first[:]
        run.clear()
        return v, self.advance(v, run, self._begin(run)) != NOTHING

    def _begin(self, run: Run) -> int:
        return self.frames.push(run, [(self.program.setup, YOU, ())], NEXT_ROUND)


def useful(options: list[int], declining: frozenset[int]) -> list[int]:
    """The options that do something, if there are any."""
    if not declining:
        return options
    return [option for option in options if option not in declining] or options


def playout(game: Game, seed: int, pick: Pick | None = None) -> tuple[Vector, int]:
    """Plays a whole game; returns the final position and the number of decisions.

    Without `pick` all players choose uniformly, from a generator of their own, so that they do
    not influence chance.
    """
    return engine_of(game).playout(seed, pick)
