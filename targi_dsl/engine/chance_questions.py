"""Questions to chance: the order of a shuffle, a roll, a random element; see docs/program.md,
*Chance*.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence

from targi_dsl.engine.cards import Cards
from targi_dsl.engine.chance import Listed, Seed
from targi_dsl.engine.faults import OPTIONS, Fault, too_many
from targi_dsl.engine.options import pack, unpack
from targi_dsl.engine.questions import WAITS, Question
from targi_dsl.engine.run import Frame, Part, Run, Vector, cards_on, pile
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.text.suggestions import did_you_mean


class ChanceQuestion(Question):
    """A question whose options are outcomes of chance."""

    is_chance = True

    @abstractmethod
    def step(self, run: Run) -> int:
        """Carries out the instruction; returns the address to continue at."""

    def decided(self, run: Run, outcomes: list[int]) -> int:
        """Continues with the next listed outcome, or waits for the seat of chance."""
        if not isinstance(run.chance, Listed):
            run.options = outcomes
            return WAITS - self.number
        found, used = run.chance.outcomes, run.chance.used
        if used == len(found):
            text = f"The list has {used}; the next is a {self.asked.name}."
            raise Fault("E602", "no outcome left in the list", text)
        names = [self.rules.name_of(self.part(run.v, run.frame, outcome)) for outcome in outcomes]
        if found[used] not in names:
            meant = did_you_mean(found[used], names)
            hint = f'Did you mean "{meant}"?' if meant else f'Possible is "{names[0]}".'
            text = f"Outcome {used + 1} of the list is not possible."
            raise Fault("E602", f'no outcome "{found[used]}"', text, hint)
        run.chance = Listed(found, used + 1)
        return self.accept(run, outcomes[names.index(found[used])])


class Shuffle(ChanceQuestion):
    """Decides a shuffle position by position from the top; undecided cards are in ascending
    order.
    """

    def __init__(self, rules: Cards, number: int) -> None:
        super().__init__(rules, number)
        assert isinstance(self.operation, ins.Shuffle)
        self._place, self._work = rules.value(self.operation.place), self.operation.work

    def step(self, run: Run) -> int:
        place = self._place(run.v, run.frame)
        if place == NOTHING:
            return self.after
        if not run.frame[self._work]:
            self.rules.begin_shuffle(run, place)
        if isinstance(run.chance, Seed):
            self.rules.shuffle(run, place)
            return self.after
        outcomes = self.options(run.v, run.frame)
        return self.decided(run, outcomes) if len(outcomes) > 1 else self.after

    def _undecided(self, v: Vector, f: Frame) -> list[tuple[int, int]]:
        """The undecided cards, each with its class of copies."""
        cards = cards_on(self.rules.slots, v, self._place(v, f))[f[self._work] :]
        return [(card, self.rules.program.cards[card].same) for card in cards]

    def options(self, v: Vector, f: Frame) -> list[int]:
        lowest = {same: pack(0, card) for card, same in reversed(self._undecided(v, f))}
        if len(lowest) > OPTIONS:
            too_many(len(lowest), self.asked.name)
        return sorted(lowest.values())

    def accept(self, run: Run, option: int) -> int:
        place, card = self._place(run.v, run.frame), unpack(option)[1]
        cards = cards_on(self.rules.slots, run.v, place)
        cards.remove(card)
        cards.insert(run.frame[self._work], card)
        pile(self.rules.slots, run.v, place, cards)
        run.frame[self._work] += 1
        return self.address

    def describe(self, v: Vector, f: Frame, option: int) -> Part:
        return "shuffle", t.Card(), unpack(option)[1]

    def weights(self, v: Vector, f: Frame, options: Sequence[int]) -> list[int]:
        classes = dict(self._undecided(v, f))
        copies = Counter(classes.values())
        return [copies[classes[unpack(option)[1]]] for option in options]


class UniformQuestion(ChanceQuestion):
    """A question whose outcomes are equally likely; a single outcome is taken without asking."""

    def step(self, run: Run) -> int:
        outcomes = self.options(run.v, run.frame)
        if not outcomes:
            raise self.nothing()
        if len(outcomes) == 1:
            return self.certain(run, outcomes[0])
        if isinstance(run.chance, Seed):
            return self.accept(run, outcomes[run.stream.below(len(outcomes))])
        return self.decided(run, outcomes)

    @abstractmethod
    def certain(self, run: Run, option: int) -> int:
        """Takes the only outcome."""

    @abstractmethod
    def nothing(self) -> Fault:
        """The fault that there is no outcome."""


class Roll(UniformQuestion):
    """A number from low to high."""

    def __init__(self, rules: Cards, number: int) -> None:
        super().__init__(rules, number)
        assert isinstance(self.operation, ins.Roll)
        self._slot = self.operation.slot
        self._low, self._high = map(rules.value, (self.operation.low, self.operation.high))

    def options(self, v: Vector, f: Frame) -> list[int]:
        count = self._high(v, f) - self._low(v, f) + 1
        if count > OPTIONS:
            too_many(count, self.asked.name)
        return [*range(1, count + 1)]

    def accept(self, run: Run, option: int) -> int:
        f = run.frame
        f[self._slot] = self._low(run.v, f) + option - 1
        if not self.asked.secret:
            run.tell("roll", f[YOU], NOTHING, f[self._slot])
        return self.after

    certain = accept

    def nothing(self) -> Fault:
        return Fault("E612", "a roll without a number", "The lowest number is above the highest.")

    def describe(self, v: Vector, f: Frame, option: int) -> Part:
        return "roll", t.Number(), self._low(v, f) + option - 1


class Random(UniformQuestion):
    """One element of a set."""

    def __init__(self, rules: Cards, number: int) -> None:
        super().__init__(rules, number)
        (way,) = self.asked.ways
        assert way.choice is not None
        self._label, self._choice = way.label, way.choice
        self._within = rules.value(way.choice.within)

    def options(self, v: Vector, f: Frame) -> list[int]:
        elements = self._within(v, f)
        if len(elements) > OPTIONS:
            too_many(len(elements), self.asked.name)
        return [pack(0, element) for element in elements]

    def accept(self, run: Run, option: int) -> int:
        after = self.certain(run, option)
        run.tell("random", run.frame[YOU], self.number, run.frame[self._choice.slot])
        return after

    def certain(self, run: Run, option: int) -> int:
        run.frame[self._choice.slot] = unpack(option)[1]
        return self.after

    def nothing(self) -> Fault:
        text = "Nothing checked this beforehand, and now there is nothing."
        return Fault("E615", f"`{self.asked.name}` has nothing to choose from", text)

    def describe(self, v: Vector, f: Frame, option: int) -> Part:
        return self._label, self._choice.type, unpack(option)[1]
