"""An interpreter that is traced: which rules begin, which instructions are carried out, which
prohibitions hold and are lifted, and which abilities are in force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

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


class Act(Frozen):
    """A rule that begins, or an event, and how many rules are then in progress."""

    depth: int
    rule: int
    address: int
    event: Event | None = None


class Hits(Struct):
    """How often something has been hit: instructions by address, branches by address and whether
    their condition held, prohibitions that barred something, those that were lifted, abilities that
    were in force, and whatever events name.
    """

    instructions: Counter[int] = field(default_factory=Counter)
    branches: Counter[tuple[int, bool]] = field(default_factory=Counter)
    barred: Counter[int] = field(default_factory=Counter)
    lifted: Counter[int] = field(default_factory=Counter)
    abilities: Counter[int] = field(default_factory=Counter)
    things: Counter[str] = field(default_factory=Counter)

    def count(self, event: Event) -> None:
        """Counts what an event names."""
        self.things.update({event.what, event.card})

    @property
    def kinds(self) -> int:
        """How many different things have been hit."""
        steps = len(self.instructions) + len(self.branches) + len(self.things)
        return steps + len(self.barred) + len(self.lifted) + len(self.abilities)


class Tracer:
    """Plays one game again and counts what is hit. It plays the instructions as compiled from the
    rules, since some passes of the optimizer remove what a designer looks for; those that look at
    fewer elements only are run. metered: the elements that its games have looked at.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.engine, self.hits = game, TieredEngine(game, INTERPRETER), Hits()
        self.metered = 0
        program = push(inline(game.program), prohibitions=False)
        self._code = _Traced(program, Domains.of_game(game), self.hits)
        self.engine.code = self._code

    def attach(self) -> None:
        """From now on whatever is played with this game is traced."""
        self.game.program.engines[ENGINE] = self.engine

    def start(self, chance: Chance) -> tuple[Act, ...]:
        """A new game up to its first question: what acts, in order."""
        return self._trace(chance, self.engine.start)

    def step(self, state: State, option: int) -> tuple[Act, ...]:
        """From a position to the next question after an option of the open one."""
        before = self.engine.open(state.vector)
        return self._trace(state.chance, lambda run: self.engine.turn(before, option, run))

    def without_asking(self, play: Callable[[], object]) -> tuple[str, ...]:
        """The answers that are taken while something is played with this game, since there is no
        other: of whom and which, as `anna: hop`.
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
        """Counts the scores of a position."""
        self.engine.scores(state.vector)

    def game_of(self, seed: int, most: int) -> Iterator[Waiting]:
        """Plays a game with random choices, of which there are at most so many: every position at
        which a player is asked, and the last one. Raises Problems if the rules cannot continue.
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
        """Notes from now on which rules begin."""
        self.acts, self.waiting = acts, Counter()

    def push(self, run: Run, calls: Calls, back: int) -> int:
        """Notes the rules that are about to begin."""
        self.waiting.update(rule for rule, _, _ in calls)
        return super().push(run, calls, back)

    def execute_ask(self, run: Run, question: int, otherwise: int) -> int:
        """Notes an answer that is taken since there is no other."""
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
        """Notes an ability that is in force."""
        is_active = super().is_active(v, ability, player)
        if is_active:
            self.hits.abilities[ability] += 1
        return is_active
