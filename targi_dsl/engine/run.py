"""Positions in play: the run, its frames, and their flat form; see docs/program.md, *The position*
and *Execution*.

In play, a position is open: `v` has the slots below the stack, and every frame is a list of its
own. A frame holds the slots of its rule and one more number, its context: a bit for each rule on
the stack that anything asks about, and the nesting depth of guards and definitions. `pack` and
`unpack` convert to and from the flat vector of a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from targi_dsl.engine.chance import Chance, Seed, Stream
from targi_dsl.engine.faults import FRAMES, Fault
from targi_dsl.engine.table import Table
from targi_dsl.ir.constants import NOTHING, YOU, EventKind
from targi_dsl.ir.program import NEXT_ROUND, Program
from targi_dsl.ir.slots import ENDED, FRAME_HEAD, METER, POINT

Vector = list[int]
Frame = list[int]
Call = tuple[int, int, tuple[int, ...]]  # rule, you, arguments
Calls = list[Call]


class RawEvent(NamedTuple):
    """What happened, by numbers: the rule and the seat that did it, and what its kind says of the
    rest.
    """

    kind: EventKind
    rule: int
    seat: int
    what: int
    number: int
    source: int
    to: int


Listener = Callable[[Vector, RawEvent], None]
"""A receiver of events, called at the moment and in the position in which they happen."""


class Waiting:
    """A position that waits for an answer, with its frames open. It never changes;
    `Frames.reopen` makes a copy to play on.

    v: the slots below the stack. stack: for every rule below the top one its frame, its number, and
    its return address. point: where the top one waits, or nothing at the end of the game.
    """

    __slots__ = ("frame", "point", "rule", "stack", "v")

    v: Vector
    stack: list[tuple[Frame, int, int]]
    frame: Frame
    rule: int
    point: int

    def __init__(self, run: Run) -> None:
        self.v, self.point = run.v, run.point
        self.stack, self.frame, self.rule = run.stack, run.frame, run.rule


class Run(Waiting):
    """A position in play, with its chance, its listener, and the options of the latest question.
    It has frames as soon as it is cleared, or a position is opened in it, and options as soon as
    there is a question. Until it plays on, it waits like any other position.
    metered: the elements that the reference has looked at.

    drawn: the generator of the seed, if it has been needed. ends_with_round: stop where a round
    would begin, as at the end of the game. called: how often each rule has been called, if that is
    counted.
    """

    __slots__ = ("called", "chance", "drawn", "ends_with_round", "listener", "metered", "options")

    options: list[int]

    def __init__(self, chance: Chance, listener: Listener | None = None) -> None:
        self.chance = chance
        self.listener = listener
        self.ends_with_round = False
        self.called: list[int] | None = None
        self.drawn: Stream | None = None
        self.metered = 0

    def tell(
        self,
        v: Vector,
        kind: EventKind,
        seat: int,
        what: int,
        number: int = 0,
        source: int = NOTHING,
        to: int = NOTHING,
    ) -> None:
        """Tells the listener, if there is one, what the current rule does."""
        if self.listener is not None:
            self.listener(v, RawEvent(kind, self.rule, seat, what, number, source, to))

    def new_round(self, v: Vector) -> None:
        """Called whenever a round begins, before its first frame is made."""

    @property
    def stream(self) -> Stream:
        """The generator of the seed. Few turns draw, so it is made when it is first needed."""
        if self.drawn is None:
            self.drawn = Stream(self.chance.number if isinstance(self.chance, Seed) else 0)
        return self.drawn

    def back_to(self, chance: Chance) -> None:
        """Restores the chance before a turn, which is then played again."""
        self.chance, self.drawn = chance, None

    def after(self) -> Chance:
        """The source of chance in its present state."""
        chance, stream = self.chance, self.drawn
        if stream is not None and isinstance(chance, Seed) and chance.number != stream.number:
            self.chance = Seed(stream.number)
        return self.chance

    def clear(self) -> None:
        """Empties the stack."""
        self.stack, self.frame, self.rule = [], [YOU, 0], NOTHING


class Counting(Run):
    """A run that counts the rounds that begin."""

    __slots__ = ("rounds",)

    def __init__(self, chance: Chance, listener: Listener | None = None) -> None:
        super().__init__(chance, listener)
        self.rounds = 0

    def new_round(self, v: Vector) -> None:
        """Counts a round."""
        self.rounds += 1


class Frames:
    """Builds the frames of a program, and packs and unpacks them."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.sizes = [len(procedure.slots) for procedure in program.procedures]
        self.entries = [procedure.entry for procedure in program.procedures]
        self.bits = table.bits
        self.mask = (1 << len(table.asked)) - 1
        self.point_at: dict[tuple[int, int], int] = {}
        for number, point in enumerate(program.points):
            self.point_at.setdefault((point.rule, point.address), number)
        self.addresses = [point.address for point in program.points]
        self.live = [frozenset(point.live) for point in program.points]
        self.dead = [
            [slot for slot in range(self.sizes[point.rule]) if slot not in point.live]
            for point in program.points
        ]

    def push(self, run: Run, calls: Calls, back: int) -> int:
        """Pushes frames for these calls, the first on top, and returns the address to continue
        at; after the last call, play continues at `back`.
        """
        if not calls:
            return back
        stack, context = run.stack, run.frame[-1] & self.mask
        stack.append((run.frame, run.rule, back))
        if run.called is not None:
            for rule, _, _ in calls:
                run.called[rule] += 1
        for rule, you, arguments in reversed(calls):
            context |= self.bits[rule]
            frame = [you, *arguments]
            frame += [0] * (self.sizes[rule] - len(frame))
            frame.append(context)
            stack.append((frame, rule, self.entries[rule]))
        if len(stack) > FRAMES + 1:
            too_deep([rule for _, rule, _ in stack])
        run.frame, run.rule, entry = stack.pop()
        return entry

    def reopen(self, left: Waiting, run: Run) -> Vector:
        """Copies a waiting position to play on: its frames go into the run; returns its slots
        below the stack, and nothing that an engine may keep behind them. A frame below the top
        is copied by the rule that returns to it.
        """
        run.stack, run.frame, run.rule = left.stack.copy(), left.frame.copy(), left.rule
        return left.v[: self.program.slots.stack]

    def pack(self, v: Vector, run: Run | Waiting, point: int) -> Vector:
        """The flat vector of a position that waits at a point; slots that are not live are 0."""
        packed = v[: self.program.slots.stack]
        packed[POINT], packed[METER] = point, 0
        frames = [
            (frame, rule, self.point_at[rule, address]) for frame, rule, address in run.stack[1:]
        ]
        if point != NOTHING:
            frames.append((run.frame, run.rule, point))
        for frame, rule, at in frames:
            packed += (rule, at)
            first = len(packed)
            packed += frame[:-1]
            for slot in self.dead[at]:
                packed[first + slot] = 0
        return packed

    def unpack(self, v: Sequence[int], run: Run) -> Vector:
        """Opens a flat vector: its frames go into the run; returns its slots below the stack."""
        run.clear()
        stack, end, context = run.stack, self.program.slots.stack, 0
        stack.append((run.frame, NOTHING, NEXT_ROUND))
        for start, rule, point in self.found(v):
            context |= self.bits[rule]
            frame = [*v[start : start + self.sizes[rule]], context]
            stack.append((frame, rule, self.addresses[point]))
        if v[POINT] != NOTHING:
            run.frame, run.rule, _ = stack.pop()
        return [*v[:end]]

    def top(self, v: Sequence[int]) -> Frame:
        """The frame of the open question."""
        run = Run(Seed(0))
        self.unpack(v, run)
        return run.frame

    def found(self, v: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The frames of a flat vector, outermost first: the index of the first slot, the rule,
        and the point of each.
        """
        at = self.program.slots.stack
        while at < len(v):
            rule = v[at]
            yield at + FRAME_HEAD, rule, v[at + 1]
            at += FRAME_HEAD + self.sizes[rule]


def too_deep(rules: list[int]) -> None:
    """Raises the fault of too deep a stack; the first entry is not a rule but the bottom of the
    stack.
    """
    again = len(rules) - len(set(rules))
    text = f"Rules have called themselves {again} times." if again else "They are all different."
    raise Fault("E604", f"more than {FRAMES} nested rules", text)


Step = Callable[[Vector, Run], int]
"""Does one thing and returns the address to continue at; `WAITS - question`: a question waits."""

__all__ = ["ENDED", "Call", "Calls", "Frame", "Frames", "Run", "Step", "Vector"]
