"""The engine of one game: runs instructions until a player must answer or the game is over; see
docs/program.md, *Execution*.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.faults import ROUNDS, STEPS, Fault, endless
from targi_dsl.engine.instructions import FINISHED
from targi_dsl.engine.queries import Queries
from targi_dsl.engine.questions import WAITS
from targi_dsl.engine.run import Counting, Run, Vector, Waiting
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import OUT
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import NEXT_ROUND, OF_CHANCE
from targi_dsl.ir.slots import METER
from targi_dsl.text.diagnostics import Label, Problem, Problems

Pick = Callable[[Vector, list[int]], int]  # picks one of the options of a position
ENGINE = "engine"  # the engine's key in `Program.engines`

ENDLESS = 2**62  # more rounds than any game has


def engine_of(game: Game) -> Engine:
    """The engine of a game, cached with its program: the reference engine, unless a generated one
    has replaced it.
    """
    engine = game.program.engines.get(ENGINE)
    if not isinstance(engine, Engine):
        engine = game.program.engines[ENGINE] = Engine(game)
    return engine


class Engine(Queries):
    """The interpreter of a game. `Waiting` is a position between two decisions, `Run` one in
    play.
    """

    def start(self, run: Run) -> Waiting:
        """A new game at its first question, or its end."""
        self.set_up(run)
        return Waiting(run)

    def turn(self, before: Waiting, option: int, run: Run) -> None:
        """Takes an option and plays on to the next question; `before` does not change."""
        run.reopen(before)
        at = self.program.points[before.point]
        try:
            address = self.code.question(at.question).take(run, option)
        except Fault as fault:
            raise self.fault_at(run.rule, fault, at.address) from None
        self.advance(run, address)

    def answer(self, before: Waiting, option: int, run: Run) -> Waiting:
        """Like `turn`, but returns the position, so that the run can be used again."""
        self.turn(before, option, run)
        return Waiting(run)

    def rollout(
        self, left: Waiting, run: Counting, stream: Stream, busy: bool, limit: int, rounds: int
    ) -> Waiting:
        """Plays on with random choices for `limit` decisions (negative: to the end) or until a
        number of rounds have begun; with `busy`, nobody declines who can do something.
        """
        while left.point != NOTHING and limit and run.rounds < rounds:
            options = run.options
            if busy:
                options = useful(options, self.declining(left.point))
            left = self.answer(left, options[stream.below(len(options))], run)
            limit -= 1
        return left

    def advance(self, run: Run, address: int) -> None:
        """Runs from an address to the next question that is asked, whose options are left in
        `run.options`, or to the end.
        """
        rounds, step = 0, self.code.step
        run.v[METER] = 0
        try:
            for _ in range(STEPS):
                rounds += address == NEXT_ROUND
                following = step(address)(run)
                if following < 0:
                    break
                address = following
            else:
                raise endless(f"more than {STEPS} steps without a decision")
        except Fault as fault:
            if fault.code == "E603" and rounds > ROUNDS:
                number = self.program.round
                first = self.program.procedures[number].entry
                raise self.fault_at(number, endless(fault.title, rounds), first) from None
            raise self.fault_at(run.rule, fault, address) from None
        run.metered += run.v[METER]
        run.v[METER] = 0
        run.point = NOTHING if following == FINISHED else self._waits(run, WAITS - following)

    def _waits(self, run: Run, number: int) -> int:
        """The point of a question that must wait for an answer."""
        question, you = self.program.questions[number], run.frame[YOU]
        is_out = self.outcomes != NOTHING and run.v[self.outcomes + you] == OUT
        if is_out and question.kind not in OF_CHANCE:
            text = (
                "A player who is out cannot be asked. End the rule by `stop`, or ask another one."
            )
            fault = Fault("E616", f"{self.program.players[you]} is out and is asked", text)
            raise self.fault_at(run.rule, fault, self.program.points[question.point].address)
        return question.point

    def playout(self, seed: int, pick: Pick | None = None) -> tuple[Vector, int]:
        """Plays a whole game; see the function `playout`."""
        run, stream, decisions = Run(Seed(seed)), Stream(~seed), 0
        left = self.start(run)
        while left.point != NOTHING:
            options = run.options
            option = pick(self.pack(left), options) if pick else options[stream.below(len(options))]
            left = self.answer(left, option, run)
            decisions += 1
        return self.pack(left), decisions

    def set_up(self, run: Run) -> None:
        """Plays a new game up to its first question, or the end."""
        run.v = self.code.first()
        run.clear()
        first = self.code.push(run, [(self.program.setup, YOU, ())], NEXT_ROUND)
        try:
            self.advance(run, first)
        except Problems as found:
            raise Problems(map(self._before_any_question, found.problems)) from None

    def _before_any_question(self, fault: Problem) -> Problem:
        """The fault of a game in which nobody has been asked anything, with the first question of
        the rules if it goes on for ever.
        """
        asked = (one for one in self.program.questions if one.kind not in OF_CHANCE)
        first = next((self.program.points[one.point] for one in asked), None)
        span = self.program.code[first.address].span if first is not None else None
        if fault.code != "E603" or span is None:
            return fault
        text = f"{fault.text} Nobody has been asked anything so far."
        label = Label(span, "the game never gets as far as this question")
        return replace(fault, text=text, labels=(*fault.labels, label))


def useful(options: list[int], declining: set[int]) -> list[int]:
    """The options that do something, or all if there are none."""
    return [option for option in options if option not in declining] or options


def playout(game: Game, seed: int, pick: Pick | None = None) -> tuple[Vector, int]:
    """Plays a whole game; returns the final position and the number of decisions.

    Without `pick` all players choose uniformly, from a generator of their own, so that they do
    not influence chance.
    """
    return engine_of(game).playout(seed, pick)
