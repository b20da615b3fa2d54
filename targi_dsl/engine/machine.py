"""The engine of one game: runs instructions until a player must answer or the game is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property, partial
from itertools import repeat

from targi_dsl.engine.cards import lying, pile
from targi_dsl.engine.chance import Seed, picks
from targi_dsl.engine.code import Code, Value, when_called
from targi_dsl.engine.faults import PARTS, STEPS, Fault, located, newest
from targi_dsl.engine.guards import Guards
from targi_dsl.engine.question import WAITS, Question
from targi_dsl.engine.rollouts import Rollouts
from targi_dsl.engine.run import Frame, Run, Step, Vector, Waiting
from targi_dsl.engine.steps import FINISHED, Steps
from targi_dsl.ir import expressions as e
from targi_dsl.ir import program as p
from targi_dsl.ir.constants import CHANCE, NOTHING, YOU
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.outcomes import OUT, outcome_base
from targi_dsl.ir.slots import ENDED, METER, POINT
from targi_dsl.ir.types import Type
from targi_dsl.optimize import PASSES, Pass, optimize
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span

Pick = Callable[[Vector, list[int]], int]  # of a position and at least two options, one of them


@dataclass(frozen=True, slots=True)
class Doing:
    """A rule in progress; `known` holds the slots of its frame that it will still read."""

    program: p.Program = field(repr=False)
    rule: int
    frame: Frame
    known: frozenset[int]

    @property
    def name(self) -> str:
        """The declared name of the rule."""
        return self.program.procedures[self.rule].declared

    @property
    def arguments(self) -> Iterator[tuple[Type, int]]:
        """The arguments that it will still read, each with its type."""
        kinds = enumerate(self.program.procedures[self.rule].arguments, 1)
        return ((kind, self.frame[at]) for at, kind in kinds if at in self.known)


ENGINE = "engine"  # the engine's key among what engines have made of a program


def engine_of(game: Game) -> Engine:
    """The engine of a game, cached with its program: the reference engine, unless a generated one
    has replaced it.
    """
    engine = game.program.engines.get(ENGINE)
    if not isinstance(engine, Engine):
        engine = game.program.engines[ENGINE] = Engine(game)
    return engine


class Questions(dict[int, Question]):
    """The questions of a program by number, each built when it is first asked for."""

    def __init__(self, build: Callable[[int], Question]) -> None:
        super().__init__()
        self._build = build

    def __missing__(self, number: int) -> Question:
        question = self[number] = self._build(number)
        return question


class Engine(Rollouts):
    """A compiled game. `Waiting` is a position between two decisions, `Run` one in play."""

    def __init__(self, game: Game, passes: tuple[Pass, ...] = PASSES) -> None:
        self.game, self.program = game, game.program
        program = optimize(game.program, passes)
        code = self.code = Code(program, Domains.of_game(game))
        self.frames, self._guards = code.frames, Guards(code)
        self._guards.compile()
        self._compiler = Steps(code, self._guards)
        self.steps = list[Step]()
        for at in range(len(program.code)):
            self.steps.append(when_called(self.steps, at, partial(self._step, at)))
        self.questions = Questions(self._question)
        self.first = self._first()
        self.outcomes = outcome_base(program.variables)

    def _step(self, address: int) -> Step:
        return self._compiler.step(address, self.code.program.code[address])

    def _question(self, number: int) -> Question:
        built = self._compiler.questions.made
        if number not in built:
            address = self.program.points[self.program.questions[number].point].address
            self.steps[address] = self._step(address)
        return built[number]

    @cached_property
    def parts(self) -> list[Value]:
        """The parts of a score."""
        return [self._guards.expressions.value(part.value) for part in self.code.program.scores]

    @cached_property
    def ties(self) -> list[Value]:
        """The tie-breaks, in order."""
        return [self._guards.expressions.value(tie.value) for tie in self.code.program.ties]

    @cached_property
    def _offers(self) -> list[list[Value]]:
        value = self._guards.expressions.value
        return [
            [value(e.Call(offer, (e.Local(YOU),))) for offer in variable.offers]
            for variable in self.program.variables
        ]

    @cached_property
    def guards(self) -> Guards:
        """The guards of the program as compiled from the rules, for explanations; the passes
        remove what only an explanation needs. They have frames of their own, since a context
        has a bit for each rule that its program asks about.
        """
        guards = Guards(Code(self.program, self.code.domains))
        guards.compile()
        return guards

    # ---- from question to question ----

    def start(self, run: Run) -> Waiting:
        """A new game at its first question, or its end."""
        run.v = self.first[:]
        run.clear()
        run.point = self.advance(run.v, run, self._begin(run))
        return Waiting(run)

    def turn(self, before: Waiting, option: int, run: Run) -> None:
        run.v = self.frames.reopen(before, run)
        run.point = self.take(run.v, run, before.point, option)

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
        steps = self.steps
        v[METER] = 0
        try:
            for _ in repeat(None, STEPS):
                pc = steps[pc](v, run)
                if pc < 0:
                    v[METER] = 0
                    return NOTHING if pc == FINISHED else self._waits(v, run, WAITS - pc)
            raise Fault(
                "E603",
                f"more than {STEPS} steps without a decision",
                "A rule seems to go on for ever.",
            )
        except Fault as fault:
            raise self.located(run, fault, pc) from None

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
        return self.frames.push(run, [(self.program.setup, YOU, ())], p.NEXT_ROUND)

    # ---- a position at a question ----

    def question(self, v: Sequence[int]) -> Question | None:
        """The open question; None when the game is over."""
        if v[POINT] == NOTHING:
            return None
        return self.questions[self.program.points[v[POINT]].question]

    def asked(self, v: Sequence[int]) -> p.Question | None:
        """The open question as declared in the program; None when the game is over."""
        if v[POINT] == NOTHING:
            return None
        return self.program.questions[self.program.points[v[POINT]].question]

    def doing(self, v: Sequence[int]) -> Iterator[Doing]:
        """The rules in progress, innermost first, with frames for `guards`."""
        frames, run = self.guards.code.frames, Run(Seed(0))
        frames.unpack(v, run)
        in_progress = [*(frame for frame, _, _ in run.stack[1:]), run.frame]
        entries = zip(frames.found(v), in_progress, strict=True)
        for (_, rule, point), frame in reversed([*entries]):
            yield Doing(self.program, rule, frame, frames.live[point])

    def declining(self, point: int) -> frozenset[int]:
        """The options of the question at a point that do nothing."""
        return self.questions[self.program.points[point].question].declines

    def rule(self, v: Sequence[int]) -> int:
        """The rule on top of the stack; nothing when the game is over."""
        return self.program.points[v[POINT]].rule if v[POINT] != NOTHING else NOTHING

    def seat(self, v: Sequence[int]) -> int:
        """Who must answer: a player, CHANCE, or nothing when the game is over."""
        question = self.question(v)
        if question is None:
            return NOTHING
        return CHANCE if question.chance else self.top(v)[0]

    def top(self, v: Sequence[int]) -> Frame:
        """The frame of the open question."""
        return self.frames.top(v)

    def options(self, v: Sequence[int], distinct: bool = True) -> list[int]:
        """The options of the open question, in order; none when the game is over. Without
        `distinct`, interchangeable things are listed one by one.
        """
        question = self.question(v)
        if question is None:
            return []
        run = Run(Seed(0))
        open_ = self.frames.unpack(v, run)
        try:
            options = question.options(open_, run.frame)
            if distinct and question.distinct is not None:
                options = question.distinct(open_, run, options)
            return options
        except Fault as fault:
            at = self.program.points[v[POINT]]
            raise self.fault_at(at.rule, fault, at.address) from None

    def name(self, v: Sequence[int], option: int, telling: bool = False) -> str:
        """The id of an option of the open question, or with `telling` its words for people."""
        return self.names(v, [option], telling)[0]

    def names(self, v: Sequence[int], options: Sequence[int], telling: bool = False) -> list[str]:
        """The ids or words of several options of the open question."""
        question = self.question(v)
        if question is None:
            return []
        open_, frame = list(v), self.top(v)
        return [question.name(open_, frame, option, telling) for option in options]

    def parts_of(self, v: Sequence[int], option: int) -> tuple[str, Type | None, int]:
        """The label of an option, and the type and number of the thing it names, if any."""
        question = self.question(v)
        assert question is not None
        if question.part is not None:
            part = question.part(list(v), self.top(v), option)
            if part is not None:
                return part
        return self.name(v, option), None, NOTHING

    def weight(self, v: Sequence[int], option: int) -> int:
        """The relative probability of an outcome of chance; 1 for a player's option."""
        question = self.question(v)
        if question is None or question.weight is None:
            return 1
        return question.weight(list(v), self.top(v), option)

    def declines(self, v: Sequence[int], option: int) -> bool:
        """Whether an option does nothing."""
        return option in self.declining(v[POINT])

    def scores(self, v: Sequence[int]) -> list[list[int]]:
        """The parts of the score, by player."""
        return [self.score(v, player) for player in range(len(self.program.players))]

    def score(self, v: Sequence[int], player: int) -> list[int]:
        """The parts of a player's score."""
        return [
            self._asked(v, value, player, len(part.slots), newest(part.origins))
            if part.ability == NOTHING or self.code.activity(part.ability)(list(v), player)
            else 0
            for part, value in zip(self.program.scores, self.parts, strict=True)
        ]

    def tie(self, v: Sequence[int], number: int, player: int) -> int:
        """The value of a tie-break for a player."""
        return self._asked(v, self.ties[number], player, len(self.program.ties[number].slots))

    def secret_values(self, v: Sequence[int], slot: int) -> Sequence[int]:
        """The values that this slot may have for a player who does not see it."""
        for variable, offers in zip(self.program.variables, self._offers, strict=True):
            at = slot - variable.base
            if 0 <= at < variable.count and (offer := v[variable.secret + at] - 2) >= 0:
                values: Sequence[int] = offers[offer](list(v), [at, 0])
                if values:
                    return values
        return range(self.program.slots.lows[slot], self.program.slots.highs[slot] + 1)

    def located(self, run: Run, fault: Fault, address: int) -> Problems:
        """A fault of the instruction at an address as Problems with its place in the rules."""
        return self.fault_at(run.rule, fault, address)

    def fault_at(self, rule: int, fault: Fault, address: int) -> Problems:
        """A fault of an instruction of a rule as Problems with its place in the rules."""
        return located(self.program, rule, fault, self.program.code[address].span)

    def _asked(
        self, v: Sequence[int], value: Value, player: int, size: int, span: Span | None = None
    ) -> int:
        try:
            return int(value(list(v), [player, *[0] * size]))
        except Fault as fault:
            raise located(self.program, NOTHING, fault, span) from None

    # ---- the position before the game ----

    def _first(self) -> Vector:
        """The position before the game: cards on their places with the highest number on top,
        pieces off the board.
        """
        program, slots = self.program, self.program.slots
        v = [0] * slots.stack
        v[POINT] = v[ENDED] = NOTHING
        for base, things in (
            (slots.card_place, program.cards),
            (slots.card_next, program.cards),
            (slots.piece_place, program.pieces),
            (slots.place_top, program.places),
        ):
            v[base : base + len(things)] = [NOTHING] * len(things)
        for number, place in enumerate(program.places):
            cards = [n for n, card in reversed([*enumerate(program.cards)]) if card.start == number]
            pile(slots, v, number, cards)
            for card in lying(slots, v, number):
                v[slots.card_known + card] = self.code.table.masks[number][place.facing == "up"]
        for variable in program.variables:
            v[variable.base : variable.base + variable.count] = [variable.start] * variable.count
        return v


def playout(game: Game, seed: int, pick: Pick | None = None) -> tuple[Vector, int]:
    """Plays a whole game; returns the final position and the number of decisions.

    Without `pick` all players choose uniformly, from a generator of their own, so that they do
    not influence chance.
    """
    return engine_of(game).playout(seed, pick)


__all__ = ["PARTS", "Engine", "Pick", "engine_of", "playout"]
