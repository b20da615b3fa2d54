"""One run of a game: its position while it is played, the frames of what is being done, and what
stands beside it.

While it is played, a position lies open: `v` has the slots below the stack, every frame is a list
of its own. A frame holds the slots of its rule and then one number more, its context: which of the
rules that somebody asks about are being done (a bit each), and how many guards and definitions lie
within each other. `pack` and `unpack` lead to and from the flat vector that a state keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from targi_dsl.engine.chance import Chance, Seed, Stream
from targi_dsl.engine.faults import FRAMES, Fault
from targi_dsl.engine.table import Table
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import NEXT_ROUND, Program
from targi_dsl.ir.slots import ENDED, FRAME_HEAD, METER, POINT

Vector = list[int]
Frame = list[int]
Call = tuple[int, int, tuple[int, ...]]  # rule, you, arguments
Calls = list[Call]
Event = tuple[Any, ...]


class Run:
    """A position in play, with its chance, whoever listens, and the options of the question just
    met.

    stack: of every rule that waits below the top one its frame, its number, and the address at
    which it goes on. ends_with_round: it stops, as at the end of the game, where a round would
    begin.
    """

    __slots__ = (
        "chance",
        "ends_with_round",
        "events",
        "frame",
        "options",
        "rule",
        "stack",
        "stream",
    )

    def __init__(self, chance: Chance, events: list[Event] | None = None) -> None:
        self.chance = chance
        self.events = events
        self.options: list[int] = []
        self.ends_with_round = False
        self.stream = Stream(chance.number if isinstance(chance, Seed) else 0)
        self.frame: Frame = [YOU, 0]
        self.rule = NOTHING
        self.stack: list[tuple[Frame, int, int]] = []

    def tell(
        self,
        v: Vector,
        kind: str,
        seat: int,
        what: int,
        number: int = 0,
        source: int = NOTHING,
        to: int = NOTHING,
    ) -> None:
        """Notes an event of the rule that is being done; only called when somebody listens."""
        if self.events is not None:
            self.events.append((kind, self.rule, seat, what, number, source, to))

    def after(self) -> Chance:
        """Chance as it stands now."""
        return Seed(self.stream.number) if isinstance(self.chance, Seed) else self.chance

    def clear(self) -> None:
        """Nothing is being done any more."""
        self.stack.clear()
        self.frame, self.rule = [YOU, 0], NOTHING


class Waiting(NamedTuple):
    """A position that waits for an answer, as it was left: its frames are still open. It is never
    changed; `Frames.reopen` copies it.
    """

    v: Vector
    stack: list[tuple[Frame, int, int]]
    frame: Frame
    rule: int
    point: int


class Frames:
    """How frames of a program are made, kept and found again."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.sizes = [len(one.slots) for one in program.procedures]
        self.entries = [one.entry for one in program.procedures]
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
        """Frames for these calls, the first on top, and the address to go on at; after the last it
        goes on at `back`.
        """
        if not calls:
            return back
        stack, context = run.stack, run.frame[-1] & self.mask
        stack.append((run.frame, run.rule, back))
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
        """An open position that goes on from one that waits: its slots below the stack; its frames
        go into the run.
        """
        run.stack = [(frame[:], rule, address) for frame, rule, address in left.stack]
        run.frame, run.rule = left.frame[:], left.rule
        return left.v[:]

    def pack(self, v: Vector, run: Run | Waiting, point: int) -> Vector:
        """The flat vector of a position that waits at a point; what is not read again is 0."""
        packed = v[: self.program.slots.stack]
        packed[POINT], packed[METER] = point, 0
        waiting = [
            (frame, rule, self.point_at[rule, address]) for frame, rule, address in run.stack[1:]
        ]
        if point != NOTHING:
            waiting.append((run.frame, run.rule, point))
        for frame, rule, at in waiting:
            packed += (rule, at)
            first = len(packed)
            packed += frame[:-1]
            for slot in self.dead[at]:
                packed[first + slot] = 0
        return packed

    def unpack(self, v: Sequence[int], run: Run) -> Vector:
        """The open position of a flat vector: its slots below the stack; its frames go into the
        run.
        """
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
        """The frame of the question that waits."""
        run = Run(Seed(0))
        self.unpack(v, run)
        return run.frame

    def found(self, v: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The frames of a flat vector, outermost first: where its slots begin, its rule, its
        point.
        """
        at = self.program.slots.stack
        while at < len(v):
            rule = v[at]
            yield at + FRAME_HEAD, rule, v[at + 1]
            at += FRAME_HEAD + self.sizes[rule]


def too_deep(rules: list[int]) -> None:
    """The fault of too many rules within each other; the first is no rule but the bottom of the
    stack.
    """
    again = len(rules) - len(set(rules))
    text = (
        f"Rules have begun again inside themselves {again} times."
        if again
        else "All of them are different."
    )
    raise Fault("E604", f"more than {FRAMES} rules within each other", text)


Step = Callable[[Vector, Run], int]
"""Does one thing and gives the address to go on at; `WAITS - question`: a question waits."""

__all__ = ["ENDED", "Call", "Calls", "Frame", "Frames", "Run", "Step", "Vector"]
