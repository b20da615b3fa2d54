"""Positions in play, and their flat form; see docs/program.md, *The position*.

In play, a position is unpacked: `v` has the slots below the stack, and every frame is a list of its
own. A frame has the slots of its rule and one more number, its context: the nesting depth of guards
and definitions, and above it a bit for each rule in progress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from targi_dsl.engine.chance import Chance, Seed, Stream
from targi_dsl.engine.faults import FRAMES, SCRATCH, too_deep
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU, EventKind
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.program import NEXT_ROUND, OF_CHANCE, Program
from targi_dsl.ir.slots import ENDED, FRAME_HEAD, METER, POINT, Slots
from targi_dsl.ir.types import HIGHEST, LOWEST

Vector = list[int]
Frame = list[int]
Call = tuple[int, int, tuple[int, ...]]  # rule, you, arguments
Calls = list[Call]
Part = tuple[str, t.Type | None, int]
"""The parts of an option's name: its label, and the type and number of its thing, if any."""


class RawEvent(NamedTuple):
    """An event by numbers: the rule and the seat that caused it, and fields that depend on its
    kind.
    """

    kind: EventKind
    rule: int
    seat: int
    what: int
    number: int
    source: int
    to: int


Listener = Callable[[Vector, RawEvent], None]
"""Receives events, at the moment and in the position in which they happen."""


class Waiting:
    """A position that waits for an answer, unpacked. It never changes; `Run.reopen` makes a copy to
    play on.

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
    Between decisions it is a waiting position like any other.

    metered: the elements that have been visited. ends_with_round: stop where a round would begin,
    as at the end of the game. called: how often each rule has been called, if that is counted.
    """

    __slots__ = ("called", "chance", "ends_with_round", "listener", "metered", "options", "stream")

    def __init__(self, chance: Chance, listener: Listener | None = None) -> None:
        self.chance, self.listener = chance, listener
        self.stream = Stream(chance.number if isinstance(chance, Seed) else 0)
        self.ends_with_round, self.metered = False, 0
        self.called: list[int] | None = None
        self.options: list[int] = []

    def tell(
        self,
        kind: EventKind,
        seat: int,
        what: int,
        number: int = 0,
        source: int = NOTHING,
        to: int = NOTHING,
    ) -> None:
        """Tells the listener, if there is one, what the current rule does."""
        if self.listener is not None:
            self.listener(self.v, RawEvent(kind, self.rule, seat, what, number, source, to))

    def new_round(self) -> None:
        """Called whenever a round begins, before its first frame is made."""

    def after(self) -> Chance:
        """The source of chance in its current state."""
        if isinstance(self.chance, Seed) and self.chance.number != self.stream.number:
            return Seed(self.stream.number)
        return self.chance

    def clear(self) -> None:
        """Empties the stack."""
        self.stack, self.frame, self.rule = [], [YOU, 0], NOTHING

    def reopen(self, at: Waiting) -> None:
        """Copies a waiting position to play on. A frame below the top is copied when play returns
        to it.
        """
        self.v, self.point = at.v[:], at.point
        self.stack, self.frame, self.rule = at.stack[:], at.frame[:], at.rule


class Counting(Run):
    """A run that counts the rounds that begin."""

    __slots__ = ("rounds",)

    def __init__(self, chance: Chance, listener: Listener | None = None) -> None:
        super().__init__(chance, listener)
        self.rounds = 0

    def new_round(self) -> None:
        """Counts a round."""
        self.rounds += 1


RULES = SCRATCH.bit_length()  # the bits of a context below those of the rules in progress


class Positions:
    """The positions of a program. seats: by point, and by the player who carries out its rule, who
    is asked; the last entry is the end of the game, where nobody is.
    """

    def __init__(self, program: Program, domains: Domains) -> None:
        self.program, self.domains, self.slots = program, domains, program.slots
        self.players = len(program.players)
        self.sizes = [len(procedure.slots) for procedure in program.procedures]
        points = reversed([*enumerate(program.points)])
        self.point_at = {(point.rule, point.address): number for number, point in points}
        self.seats: list[Sequence[str | None]] = [
            ["chance"] * self.players if question.kind in OF_CHANCE else program.players
            for question in (program.questions[point.question] for point in program.points)
        ]
        self.seats.append([None] * self.players)

    def first(self) -> Vector:
        """The position before the game: cards on their places, the lowest number on top, and
        pieces off the board.
        """
        program, slots, v = self.program, self.slots, [0] * self.slots.stack
        v[POINT] = v[ENDED] = NOTHING
        for base, things in (
            (slots.card_place, program.cards),
            (slots.card_next, program.cards),
            (slots.piece_place, program.pieces),
            (slots.place_top, program.places),
        ):
            v[base : base + len(things)] = [NOTHING] * len(things)
        for number, place in enumerate(program.places):
            cards = [card for card, info in enumerate(program.cards) if info.start == number]
            pile(slots, v, number, cards)
            for card in cards:
                v[slots.card_known + card] = self.mask(number, place.facing == "up")
        for variable in program.variables:
            v[variable.base : variable.base + variable.count] = [variable.start] * variable.count
        return v

    def mask(self, place: int, up: bool) -> int:
        """The knowledge bits of a card that comes to a place face up or down."""
        shows = self.program.places[place].shows
        return up + sum(2 << seat for seat in range(self.players) if shows(seat, up=up))

    def push(self, run: Run, calls: Calls, back: int) -> int:
        """Pushes frames for these calls, the first on top, and returns the address to continue at;
        after the last call, play continues at `back`.
        """
        context = run.frame[-1]
        run.stack.append((run.frame, run.rule, back))
        for rule, you, arguments in reversed(calls):
            context |= 1 << rule + RULES
            rest = [0] * (self.sizes[rule] - len(arguments) - 1)
            frame = [you, *arguments, *rest, context]
            run.stack.append((frame, rule, self.program.procedures[rule].entry))
            if run.called is not None:
                run.called[rule] += 1
        if len(run.stack) > FRAMES + 1:
            too_deep([rule for _, rule, _ in run.stack])
        run.frame, run.rule, entry = run.stack.pop()
        return entry

    def pack(self, at: Waiting) -> Vector:
        """The flat vector of a position; slots that are not kept are 0."""
        v = at.v[:]
        v[POINT], v[METER] = at.point, 0
        frames = [(frame, rule, self.point_at[rule, back]) for frame, rule, back in at.stack[1:]]
        if at.point != NOTHING:
            frames.append((at.frame, at.rule, at.point))
        for frame, rule, point in frames:
            kept = self.program.points[point].kept
            v += (rule, point, *[n if slot in kept else 0 for slot, n in enumerate(frame[:-1])])
        return v

    def open(self, vector: Sequence[int]) -> Run:
        """The position that a flat vector describes."""
        run, context = Run(Seed(0)), 0
        run.clear()
        run.v, run.point = [*vector[: self.slots.stack]], vector[POINT]
        run.stack.append((run.frame, NOTHING, NEXT_ROUND))
        for start, rule, point in self.frames(vector):
            context |= 1 << rule + RULES
            frame = [*vector[start : start + self.sizes[rule]], context]
            run.stack.append((frame, rule, self.program.points[point].address))
        if run.point != NOTHING:
            run.frame, run.rule, _ = run.stack.pop()
        return run

    def frames(self, vector: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The frames of a flat vector, outermost first: the index of the first slot, the rule,
        and the point of each.
        """
        at = self.slots.stack
        while at < len(vector):
            rule = vector[at]
            yield at + FRAME_HEAD, rule, vector[at + 1]
            at += FRAME_HEAD + self.sizes[rule]

    def asked_seat(self, at: Waiting) -> str | None:
        """Who decides: a player's name, "chance", or None when the game is over."""
        return self.seats[at.point][at.frame[YOU]]

    def is_valid(self, v: Sequence[int]) -> bool:
        """Whether arbitrary numbers are a position of the game."""
        slots, low, high = self.slots, self.slots.lows, self.slots.highs
        below = range(ENDED + 1, slots.stack)
        if len(v) < slots.stack or not NOTHING <= v[ENDED] < len(self.sizes):
            return False
        if not all(low[at] <= v[at] <= high[at] for at in below):
            return False
        last, at = NOTHING, slots.stack
        while at < len(v):
            rule, last = (*v[at : at + FRAME_HEAD], NOTHING)[:FRAME_HEAD]
            frame = v[at + FRAME_HEAD :]
            if not self._is_frame(rule, last, frame):
                return False
            at += FRAME_HEAD + self.sizes[rule]
        is_open = NOTHING != v[POINT] == last
        return (is_open or v[POINT] == NOTHING == last) and self._is_linked(v)

    def _is_frame(self, rule: int, point: int, frame: Sequence[int]) -> bool:
        program = self.program
        if not (0 <= rule < len(self.sizes) and 0 <= point < len(program.points)):
            return False
        if program.points[point].rule != rule or len(frame) < self.sizes[rule]:
            return False
        types, kept = program.procedures[rule].slots, program.points[point].kept
        bounds = [(frame[slot], *self._bounds(types[slot])) for slot in kept]
        return 0 <= frame[YOU] < self.players and all(low <= n <= high for n, low, high in bounds)

    def _bounds(self, type_: t.Type) -> tuple[int, int]:
        if isinstance(type_, t.Number):
            return LOWEST, HIGHEST
        if isinstance(type_, t.Price):
            return NOTHING, len(self.program.prices) - 1
        domain = self.domains.of(type_)
        return min(domain.low, NOTHING), max(domain.high, 1)

    def _is_linked(self, v: Sequence[int]) -> bool:
        """Whether each card that lies on a place is in its pile exactly once."""
        slots, met = self.slots, set[int]()
        for place in range(len(self.program.places)):
            card = v[slots.place_top + place]
            while card != NOTHING:
                if card in met or v[slots.card_place + card] != place:
                    return False
                met.add(card)
                card = v[slots.card_next + card]
        places = v[slots.card_place : slots.card_place + len(self.program.cards)]
        return len(met) == sum(place != NOTHING for place in places)

    def name_of(self, part: Part, telling: bool = False) -> str:
        """The id of an option or, with `telling`, its words for people."""
        label, type_, number = part
        if type_ is None:
            return label
        domain = self.domains.of(type_)
        return f"{label} {domain.word(number) if telling else domain.name(number)}".strip()


def cards_on(slots: Slots, v: Sequence[int], place: int) -> list[int]:
    """The cards on a place, top to bottom."""
    cards, card = [], v[slots.place_top + place] if place != NOTHING else NOTHING
    while card >= 0:
        cards.append(card)
        card = v[slots.card_next + card]
    return cards


def pile(slots: Slots, v: Vector, place: int, cards: list[int]) -> None:
    """Puts these cards on a place, top to bottom."""
    before = slots.place_top + place
    for card in cards:
        v[before] = card
        before = slots.card_next + card
        v[slots.card_place + card] = place
    v[before] = NOTHING
