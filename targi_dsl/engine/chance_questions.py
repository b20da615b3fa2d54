"""Questions to chance: the order of a shuffle, a roll, a random element; see docs/program.md,
*Chance*.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from targi_dsl.engine.cards import Piles, lying, pile, shuffled
from targi_dsl.engine.chance import Listed, Seed
from targi_dsl.engine.code import Code, Part, Value
from targi_dsl.engine.faults import OPTIONS, Fault, too_many
from targi_dsl.engine.options import packed, unpacked
from targi_dsl.engine.question import WAITS, Question
from targi_dsl.engine.run import Frame, Run, Vector
from targi_dsl.ir import expressions as e
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.text.suggestions import did_you_mean

Compile = Callable[[e.Expr], Value]


class ChanceQuestion(Question):
    """A question whose options are outcomes of chance."""

    chance = True

    def __init__(self, code: Code, title: str, number: int, after: int) -> None:
        self.code, self.title, self.number, self.after = code, title, number, after

    @abstractmethod
    def step(self, v: Vector, run: Run) -> int:
        """The step of the instruction."""

    def decided(self, outcomes: list[int], v: Vector, run: Run) -> int:
        """Continues with the next outcome of the list, or waits for the seat of chance."""
        if not isinstance(run.chance, Listed):
            run.options = outcomes
            return WAITS - self.number
        found, used = run.chance.outcomes, run.chance.used
        if used == len(found):
            text = f"The list has {used}; the next is a {self.title}."
            raise Fault("E602", "no outcome left in the list", text)
        names = [self.code.named(self.part(v, run.frame, outcome)) for outcome in outcomes]
        if found[used] not in names:
            meant = did_you_mean(found[used], names)
            hint = f'Did you mean "{meant}"?' if meant else f'Possible is "{names[0]}".'
            text = f"Outcome {used + 1} of the list is not possible."
            raise Fault("E602", f'no outcome "{found[used]}"', text, hint)
        run.chance = Listed(found, used + 1)
        return self.take(v, outcomes[names.index(found[used])], run)


class Shuffle(ChanceQuestion):
    """Decides a shuffle position by position from the top; undecided cards are in ascending
    order.
    """

    def __init__(
        self, code: Code, piles: Piles, value: Compile, node: ins.Shuffle, address: int, after: int
    ) -> None:
        super().__init__(code, "shuffle", node.question, after)
        self.where, self.work, self.address = value(node.place), node.work, address
        self.piles, self.slots, self.same = piles, code.slots, code.table.same

    def step(self, v: Vector, run: Run) -> int:
        f = run.frame
        at = self.where(v, f)
        if at == NOTHING:
            return self.after
        cards = lying(self.slots, v, at)
        if not f[self.work]:
            cards.sort()
            self.piles.forget(v, at, cards)
            run.tell(v, "shuffle", f[0], -1, len(cards), -1, at)
        is_drawn = isinstance(run.chance, Seed)
        pile(self.slots, v, at, shuffled(self.code.table, cards, run.stream) if is_drawn else cards)
        outcomes = [] if is_drawn else self.options(v, f)
        return self.decided(outcomes, v, run) if len(outcomes) > 1 else self.after

    def _undecided(self, v: Vector, f: Frame) -> list[int]:
        return lying(self.slots, v, self.where(v, f))[f[self.work] :]

    def options(self, v: Vector, f: Frame) -> list[int]:
        lowest: dict[int, int] = {}
        for card in self._undecided(v, f):
            lowest.setdefault(self.same[card], card + 1)
        if len(lowest) > OPTIONS:
            raise too_many(len(lowest), self.title)
        return list(lowest.values())

    def take(self, v: Vector, option: int, run: Run) -> int:
        f = run.frame
        at, card = self.where(v, f), option - 1
        cards = lying(self.slots, v, at)
        cards.remove(card)
        cards.insert(f[self.work], card)
        pile(self.slots, v, at, cards)
        f[self.work] += 1
        return self.address

    def part(self, v: Vector, f: Frame, option: int) -> Part:
        return self.title, t.Card(), option - 1

    def weight(self, v: Vector, f: Frame, option: int) -> int:
        same = self.same
        return sum(same[card] == same[option - 1] for card in self._undecided(v, f))


class UniformQuestion(ChanceQuestion):
    """A question whose outcomes are equally likely; one without an alternative is no question."""

    def step(self, v: Vector, run: Run) -> int:
        outcomes = self.options(v, run.frame)
        if not outcomes:
            raise self.nothing()
        if len(outcomes) == 1:
            return self.certain(v, outcomes[0], run)
        if isinstance(run.chance, Seed):
            return self.take(v, outcomes[run.stream.below(len(outcomes))], run)
        return self.decided(outcomes, v, run)

    @abstractmethod
    def certain(self, v: Vector, option: int, run: Run) -> int:
        """Takes the only outcome."""

    @abstractmethod
    def nothing(self) -> Fault:
        """The fault that there is no outcome."""


class Roll(UniformQuestion):
    """A number from low to high."""

    def __init__(self, code: Code, value: Compile, node: ins.Roll, after: int) -> None:
        super().__init__(code, "roll", node.question, after)
        self.low, self.high, self.slot = value(node.low), value(node.high), node.slot
        self.secret = code.program.questions[node.question].secret

    def options(self, v: Vector, f: Frame) -> list[int]:
        count = self.high(v, f) - self.low(v, f) + 1
        if count > OPTIONS:
            raise too_many(count, self.title)
        return list(range(1, count + 1))

    def take(self, v: Vector, option: int, run: Run) -> int:
        f = run.frame
        f[self.slot] = self.low(v, f) + option - 1
        if not self.secret:
            run.tell(v, "roll", f[0], -1, f[self.slot])
        return self.after

    certain = take

    def nothing(self) -> Fault:
        return Fault("E612", "a roll without a number", "The lowest number is above the highest.")

    def part(self, v: Vector, f: Frame, option: int) -> Part:
        return self.title, t.Number(), self.low(v, f) + option - 1


class Random(UniformQuestion):
    """One element of a set."""

    def __init__(self, code: Code, value: Compile, number: int, after: int) -> None:
        asked = code.program.questions[number]
        super().__init__(code, asked.name, number, after)
        (way,) = asked.ways
        assert way.choice is not None
        self.label, self.choice, self.within = way.label, way.choice, value(way.choice.within)

    def options(self, v: Vector, f: Frame) -> list[int]:
        elements = self.within(v, f)
        if len(elements) > OPTIONS:
            raise too_many(len(elements), self.title)
        return [packed(0, element) for element in elements]

    def take(self, v: Vector, option: int, run: Run) -> int:
        after = self.certain(v, option, run)
        run.tell(v, "random", run.frame[0], self.number, run.frame[self.choice.slot])
        return after

    def nothing(self) -> Fault:
        text = "Nothing checked this beforehand, and now there is nothing."
        return Fault("E615", f"`{self.title}` has nothing to choose from", text)

    def certain(self, v: Vector, option: int, run: Run) -> int:
        run.frame[self.choice.slot] = unpacked(option)[1]
        return self.after

    def part(self, v: Vector, f: Frame, option: int) -> Part:
        return self.label, self.choice.type, unpacked(option)[1]
