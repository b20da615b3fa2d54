"""What the engine keeps of one game while it is compiled and run: facts by number, and the closures
made so far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from targi_dsl.engine.chance import Chance, Seed, Stream
from targi_dsl.engine.exchanges import Market
from targi_dsl.engine.faults import FRAMES, OPTIONS, SCRATCH, Fault, check_scratch, check_stack
from targi_dsl.engine.fuel import Fuel
from targi_dsl.engine.plans import Planner
from targi_dsl.engine.table import Table
from targi_dsl.ir import types as t
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.model import (
    FP,
    FRAME_HEAD,
    NOTHING,
    AbilityInfo,
    Game,
    Local,
    RuleInfo,
    Shuffle,
    Statement,
    Trigger,
)
from targi_dsl.text.source import Span

Vector = list[int]
Value = Callable[[Vector, int], Any]  # of a position and a frame: a number or a set
Head = Callable[[Vector, int], int]  # BLOCKED, ENDED or THROUGH
Closures = list[Value] | dict[int, Head]  # by number
BLOCKED, ENDED, THROUGH = 0, 1, 2  # the head does not hold; it holds and is over; it holds so far

ELEMENT = 16  # bits of an option for the element: an option is its alternative's number, then the element + 1
NOT_ACTIVE = -2  # owner of a place without active abilities


class Run:
    """What stands beside the position while steps are done: chance, who listens, and the options of
    the question just met.
    """

    __slots__ = ("chance", "events", "options", "stream")

    def __init__(self, chance: Chance, events: list[tuple[Any, ...]] | None = None) -> None:
        self.chance = chance
        self.events = events
        self.options: list[int] = []
        self.stream = Stream(chance.number if isinstance(chance, Seed) else 0)

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
        assert self.events is not None
        self.events.append((kind, v[v[FP] - 1], seat, what, number, source, to))

    def after(self) -> Chance:
        """Chance as it stands now."""
        return Seed(self.stream.number) if isinstance(self.chance, Seed) else self.chance


Step = Callable[
    [Vector, Run], int
]  # does one thing and gives the address to go on at; ~address: a question waits there


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at an address. `options` is pure; `take` gives the address to go on at; `name`
    an option's id, or with True its words for people; `part` its label and the thing it names, if
    it names one. declines: the options by which nothing is done.
    """

    title: str
    chance: bool
    options: Callable[[Vector], list[int]]
    take: Callable[[Vector, int, Run], int]
    name: Callable[[Vector, int, bool], str]
    weight: Callable[[Vector, int], int] | None = None
    declines: frozenset[int] = frozenset()
    part: Callable[[Vector, int], tuple[str, t.Type, int] | None] | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """What the step at an address is made of: a statement of a rule, and where it stands, or what
    it is part of.
    """

    rule: int
    node: Statement
    span: Span | None


Calls = list[tuple[int, int, tuple[int, ...]]]  # rule, you, arguments
Watched = list[tuple[Trigger, Value | None]]  # triggers on one event, each with its condition


class Code:
    """One game by number. `steps`, `ways`, `made` and `questions` are what its rules become, by
    address; `heads` and `defines` fill up as needed.
    """

    def __init__(self, game: Game) -> None:
        slots = game.slots
        self.game = game
        self.slots = slots
        self.players = len(game.players)
        self.refill = len(
            game.rules
        )  # a rule of the engine's own: slot 1 is the place to be shuffled
        refill = RuleInfo(
            "refill", 1, (t.Player(), t.Place(), t.Number()), (Shuffle(Local(1), 2),), (), ()
        )
        self.rules: tuple[RuleInfo, ...] = (*game.rules, refill)
        self.sizes = [len(rule.slots) for rule in self.rules]
        self.fuel = Fuel(game, self.rules)
        self.entries = [0] * len(self.rules)
        self.steps: list[Step] = []
        self.ways: list[tuple[int, ...]] = []
        self.made: dict[int, Made] = {}
        self.questions: dict[int, Question] = {}
        self.heads: dict[int, Head] = {}
        self.defines: list[Value] = []
        self.any_defined: list[Value] = []  # whether a definition that is a set has an element
        self.watched: dict[tuple[str, int], Watched] = {}
        self.planner = Planner(game)
        self.market = Market(game)
        self.table = Table(game)
        self.domains = Domains.of_game(game)
        # Beyond these lengths the stack is counted; below them it cannot be too deep.
        self.long_stack = slots.stack + FRAMES * (FRAME_HEAD + 1)
        self.long_scratch = slots.stack + SCRATCH * (FRAME_HEAD + 1)
        # The last entry answers for a card that lies nowhere.
        self.owner_of = [place.owner if place.active else NOT_ACTIVE for place in game.places] + [
            NOT_ACTIVE
        ]
        self._activities = [self._activity(info) for info in game.abilities]
        self.fired = frozenset(trigger.body for trigger in game.triggers)
        self.kind_of = [card.kind for card in game.cards] + [NOTHING]

    def add(self, step: Step, *ways: int) -> int:
        """The address of a new step; `ways` are the addresses it may go on at by itself."""
        self.steps.append(step)
        self.ways.append(ways)
        return len(self.steps) - 1

    def push(self, v: Vector, calls: Calls, back: int) -> int:
        """Frames for these calls, the first on top, and the address to go on at; after the last it
        goes on at `back`.
        """
        for rule, you, arguments in reversed(calls):
            size = self.sizes[rule]
            v += (back, v[FP], rule, you, *arguments)
            v += [0] * (size - 1 - len(arguments))
            v[FP] = len(v) - size
            back = self.entries[rule]
        if len(v) > self.long_stack:
            check_stack(v)
        return back

    def scratch(
        self, v: Vector, fp: int, rule: int, you: int, size: int, arguments: tuple[int, ...] = ()
    ) -> int:
        """A frame for a passing question, to be taken away by `del v[result - FRAME_HEAD:]`; its
        frame pointer.
        """
        inner = len(v) + FRAME_HEAD
        v += (NOTHING, fp, rule, you)
        v += arguments
        v += (0,) * (size - 1 - len(arguments))
        if inner > self.long_scratch:
            check_scratch(v, fp)
        return inner

    def framed(
        self, rule: int, arguments: list[Value], size: int, values: Closures, number: int
    ) -> Value:
        """A closure asked in a passing frame with these arguments, the first of them `you`:
        `values` has it under this number by then.
        """
        long, rest = self.long_scratch, (0,) * (size - len(arguments))

        def framed(v: Vector, fp: int) -> Any:
            v += (NOTHING, fp, rule, *[argument(v, fp) for argument in arguments])
            v += rest
            inner = len(v) - size
            if inner > long:
                check_scratch(v, fp)
            found = values[number](v, inner)
            del v[inner - FRAME_HEAD :]
            return found

        # Most have one argument or two, which are quicker without a list of them.
        def with_nothing(v: Vector, fp: int) -> Any:
            v += (NOTHING, fp, rule, you(v, fp))
            v += rest
            inner = len(v) - size
            if inner > long:
                check_scratch(v, fp)
            found = values[number](v, inner)
            del v[inner - FRAME_HEAD :]
            return found

        def with_one(v: Vector, fp: int) -> Any:
            v += (NOTHING, fp, rule, you(v, fp), one(v, fp))
            v += rest
            inner = len(v) - size
            if inner > long:
                check_scratch(v, fp)
            found = values[number](v, inner)
            del v[inner - FRAME_HEAD :]
            return found

        you, one = arguments[0], arguments[-1]
        return {1: with_nothing, 2: with_one}.get(len(arguments), framed)

    def carried(self, rule: int, card: int) -> tuple[int, ...]:
        """The arguments of a rule that a card carries: the card, if the rule has a place for it."""
        return (card, *([0] * (self.rules[rule].params - 1))) if self.rules[rule].params else ()

    def owners(self, v: Vector, ability: int) -> tuple[int, ...]:
        """The players for whom an ability is at work, its window left aside."""
        card = self.game.abilities[ability].card
        if card == NOTHING:
            return tuple(range(self.players))
        owner = self.owner_of[v[self.slots.card_place + card]]
        return (owner,) if owner >= 0 else ()

    def window(self, ability: int, player: int) -> int:
        """The slot that counts the uses of an ability by a player, or nothing."""
        info = self.game.abilities[ability]
        return (
            info.window + player if info.window != NOTHING and info.card == NOTHING else info.window
        )

    def is_active(self, v: Vector, ability: int, player: int) -> bool:
        """Whether an ability is at work for a player and its window is open."""
        return self.activity(ability)(v, player)

    def activity(self, ability: int) -> Callable[[Vector, int], bool]:
        """Whether an ability is at work for a player and its window is open, as a closure of
        position and player.
        """
        return self._activities[ability]

    def _activity(self, info: AbilityInfo) -> Callable[[Vector, int], bool]:
        owner_of, place, window = self.owner_of, self.slots.card_place + info.card, info.window
        if info.card == NOTHING:
            return (
                (lambda v, player: True)
                if window == NOTHING
                else (lambda v, player: not v[window + player])
            )
        if window == NOTHING:
            return lambda v, player: owner_of[v[place]] == player
        return lambda v, player: owner_of[v[place]] == player and not v[window]

    def use(self, v: Vector, run: Run, ability: int, player: int) -> None:
        """Counts a use of the ability's window, if it has one."""
        window = self.window(ability, player)
        if window != NOTHING:
            v[window] += 1
            if run.events is not None:
                run.tell(v, "use", player, ability)


def packed(place: int, element: int = NOTHING) -> int:
    """The option of an alternative, or of one element of its set."""
    return (place << ELEMENT) + element + 1


def unpacked(option: int) -> tuple[int, int]:
    """Which alternative, and which element, or nothing."""
    return option >> ELEMENT, (option & (1 << ELEMENT) - 1) - 1


def too_many(number: int, question: str) -> Fault:
    text = f'"{question}" may have at most {OPTIONS} options.'
    return Fault(
        "E609",
        f"{number} options for one question",
        text,
        "Narrow the set by `where`, or ask in two steps.",
    )
