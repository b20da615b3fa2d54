"""A tracing interpreter: records which rules begin, and counts executed instructions, prohibitions
that hold or are lifted, and active abilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, field

from targi_dsl.api import Event
from targi_dsl.api.events import Recorder
from targi_dsl.api.state import State
from targi_dsl.codegen.tiered import INTERPRETER, TieredEngine
from targi_dsl.engine import Run
from targi_dsl.engine.chance import Chance, Seed, Stream
from targi_dsl.engine.guards import BLOCKED, THROUGH, Head
from targi_dsl.engine.instructions import Instructions, Step
from targi_dsl.engine.machine import ENGINE
from targi_dsl.engine.questions import Ask
from targi_dsl.engine.run import Calls, Frame, Listener, RawEvent, Vector, Waiting
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.guards import Conjunct, Need
from targi_dsl.ir.instructions import Branch
from targi_dsl.ir.program import Program
from targi_dsl.optimize.inlining import inline
from targi_dsl.optimize.pushdown import push
from targi_dsl.text.structs import Frozen

_TRACED = "traced"  # the key of the program that is traced in `Program.engines`


class Act(Frozen):
    """The beginning of a rule, or an event, with the depth of the call stack."""

    depth: int
    rule: int
    address: int
    event: Event | None = None


class Hits(Struct):
    """Counters of what has been executed: instructions by address, branches by address and outcome,
    prohibitions that barred something or were lifted, active abilities, and the things that events
    name.
    """

    instructions: Counter[int] = field(default_factory=Counter)
    branches: Counter[tuple[int, bool]] = field(default_factory=Counter)
    barred: Counter[int] = field(default_factory=Counter)
    lifted: Counter[int] = field(default_factory=Counter)
    abilities: Counter[int] = field(default_factory=Counter)
    things: Counter[str] = field(default_factory=Counter)

    def count(self, event: Event) -> None:
        """Counts the things that an event names."""
        self.things.update({event.what, event.card})

    @property
    def kinds(self) -> int:
        """The number of different things that have been hit."""
        steps = len(self.instructions) + len(self.branches) + len(self.things)
        return steps + len(self.barred) + len(self.lifted) + len(self.abilities)


class Tracer:
    """Plays a game and counts hits. It runs the instructions before most optimizations, as these
    remove what a designer looks for; only passes that reduce the number of visited elements are
    applied. metered: the number of elements visited so far.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.engine, self.hits = game, TieredEngine(game, INTERPRETER, ()), Hits()
        self.metered = 0
        engines: dict[str, Any] = game.program.engines
        if _TRACED not in engines:
            engines[_TRACED] = push(inline(game.program), prohibitions=False)
        self._code = _Traced(engines[_TRACED], Domains.of_game(game), self.hits)
        self.engine.code = self._code

    def attach(self) -> None:
        """Makes this the engine of the game, so that everything that is played with it is
        traced.
        """
        self.game.program.engines[ENGINE] = self.engine

    def start(self, chance: Chance) -> tuple[Act, ...]:
        """A new game up to its first question: what acts, in order."""
        return self._trace(chance, self.engine.start)

    def step(self, state: State, option: int) -> tuple[Act, ...]:
        """From a position to the next question after an option of the open one."""
        before = self.engine.open(state.vector)
        return self._trace(state.chance, lambda run: self.engine.turn(before, option, run))

    def without_asking(self, play: Callable[[], object]) -> tuple[str, ...]:
        """The forced answers, which are taken without asking, while something is played: each as
        `anna: hop`.
        """
        engines, only = self.game.program.engines, list[tuple[Vector, int]]()
        before = engines.get(ENGINE)
        self.attach()
        self._code.only = only
        try:
            play()
        finally:
            self._code.only = None
            if before is None:
                del engines[ENGINE]
            else:
                engines[ENGINE] = before
        return tuple(map(self._answer, only))

    def _answer(self, taken: tuple[Vector, int]) -> str:
        v, option = taken
        return f"{self.game.players[self.engine.seat(v)]}: {self.engine.names(v, [option])[0]}"

    def stand(self, state: State) -> None:
        """Counts what the scores of a position evaluate."""
        self.engine.scores(state.vector)

    def game_of(self, seed: int, most: int) -> Iterator[Waiting]:
        """Plays a game with random choices, at most `most`: yields every position in which a player
        is asked, and the last one. Raises Problems if the rules fail.
        """
        run, stream = Run(Seed(seed), self._listener([])), Stream(~seed)
        self._code.trace([])
        left, before = self.engine.start(run), self.metered
        for _ in range(most):
            self.metered = before + run.metered
            yield left
            if left.point == NOTHING:
                return
            left = self.engine.answer(left, run.options[stream.below(len(run.options))], run)

    def _trace(self, chance: Chance, play: Callable[[Run], object]) -> tuple[Act, ...]:
        acts = list[Act]()
        self._code.trace(acts)
        play(Run(chance, self._listener(acts)))
        return tuple(acts)

    def _listener(self, acts: list[Act]) -> Listener:
        recorder = Recorder(self.engine)

        def hear(v: list[int], raw: RawEvent) -> None:
            known = len(recorder.events)
            recorder(v, raw)
            for event in recorder.events[known:]:
                acts.append(Act(acts[-1].depth if acts else 0, raw.rule, NOTHING, event))
                self.hits.count(event)

        return hear


class _Traced(Instructions):
    def __init__(self, program: Program, domains: Domains, hits: Hits) -> None:
        super().__init__(program, domains)
        self.hits, self.acts, self.waiting = hits, list[Act](), Counter[int]()
        self.only: list[tuple[Vector, int]] | None = None

    def trace(self, acts: list[Act]) -> None:
        """Begins a new trace."""
        self.acts, self.waiting = acts, Counter()

    def push(self, run: Run, calls: Calls, back: int) -> int:
        """Records rules that are about to begin."""
        self.waiting.update(rule for rule, _, _ in calls)
        return super().push(run, calls, back)

    def execute_ask(self, run: Run, question: int, otherwise: int) -> int:
        """Records a forced answer."""
        asked = self.question(question)
        if self.only is None or not isinstance(asked, Ask):
            return super().execute_ask(run, question, otherwise)
        options = self.options_of(question, run)
        if len(options) != 1:
            return super().execute_ask(run, question, otherwise)
        run.point = self.program.questions[question].point
        self.only.append((self.pack(run), options[0]))
        return asked.take(run, options[0])

    def _step(self, address: int) -> Step:
        do, line, hits = super()._step(address), self.program.code[address], self.hits
        is_branch = isinstance(line.operation, Branch)

        def traced(run: Run) -> int:
            rule = run.rule
            if self.waiting[rule] and self.program.procedures[rule].entry == address:
                self.waiting[rule] -= 1
                self.acts.append(Act(len(run.stack), rule, address))
            hits.instructions[address] += 1
            following = do(run)
            if is_branch:
                hits.branches[address, following == line.next] += 1
            return following

        return traced

    def _conjunct(self, node: Conjunct) -> Head:
        if not isinstance(node, Need):
            return super()._conjunct(node)
        number, forbidden, permit = (
            node.forbid,
            self.value(node.condition),
            self.permit(node.forbid),
        )

        def traced(v: Vector, f: Frame) -> int:
            if not forbidden(v, f):
                return THROUGH
            is_lifted = permit(v, f) != NOTHING
            (self.hits.lifted if is_lifted else self.hits.barred)[number] += 1
            return THROUGH if is_lifted else BLOCKED

        return traced

    def is_active(self, v: Vector, ability: int, player: int) -> bool:
        """Counts an active ability."""
        is_active = super().is_active(v, ability, player)
        if is_active:
            self.hits.abilities[ability] += 1
        return is_active
