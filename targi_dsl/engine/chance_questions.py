"""Questions to chance: the order of a shuffle, a roll, a random element."""

from __future__ import annotations

from targi_dsl.engine.cards import Piles, lying, pile, shuffled
from targi_dsl.engine.chance import Asked, Listed, Seed
from targi_dsl.engine.code import Code
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.faults import OPTIONS, Fault, too_many
from targi_dsl.engine.guards import packed, unpacked
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.question import WAITS, Question
from targi_dsl.engine.run import Frame, Run, Step, Vector
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import types as t
from targi_dsl.text.suggestions import did_you_mean


class ChanceQuestions:
    """Builds questions to chance, each with the step that asks it."""

    def __init__(self, code: Code, expressions: Expressions, happenings: Happenings) -> None:
        self.code, self.slots, self.table = code, code.slots, code.table
        self.value, self.piles = expressions.value, Piles(code.table, happenings)

    def shuffle(self, node: ins.Shuffle, address: int, after: int) -> tuple[Question, Step]:
        """Decides a shuffle position by position from the top; undecided cards are in ascending
        order.
        """
        where, work = self.value(node.place), node.work
        slots, same = self.slots, self.table.same

        def rest(v: Vector, f: Frame) -> list[int]:
            return lying(slots, v, where(v, f))[f[work] :]

        def options(v: Vector, f: Frame) -> list[int]:
            lowest: dict[int, int] = {}
            for card in rest(v, f):
                lowest.setdefault(same[card], card + 1)
            if len(lowest) > OPTIONS:
                raise too_many(len(lowest), "shuffle")
            return list(lowest.values())

        def take(v: Vector, option: int, run: Run) -> int:
            f, card = run.frame, option - 1
            cards = lying(slots, v, where(v, f))
            cards.remove(card)
            cards.insert(f[work], card)
            pile(slots, v, where(v, f), cards)
            f[work] += 1
            return address

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            cards = self.code.domains.of(t.Card())
            return f"shuffle {cards.word(option - 1) if telling else cards.id(option - 1)}"

        def weight(v: Vector, f: Frame, option: int) -> int:
            return sum(same[card] == same[option - 1] for card in rest(v, f))

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            at = where(v, f)
            if at < 0:
                return after
            cards = lying(slots, v, at)
            if not f[work]:
                cards.sort()
                self.piles.forget(v, at, cards)
                if run.listener is not None:
                    run.tell(v, "shuffle", f[0], -1, len(cards), -1, at)
            if isinstance(run.chance, Seed):
                pile(slots, v, at, shuffled(self.table, cards, run.stream))
                return after
            pile(slots, v, at, cards)
            outcomes = options(v, f)
            if len(outcomes) > 1:
                return _settled(question, node.question, outcomes, v, run)
            return after

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int]:
            return "shuffle", t.Card(), option - 1

        question = Question("shuffle", True, options, take, named, weight, part=part)
        return question, step

    def roll(self, node: ins.Roll, after: int) -> tuple[Question, Step]:
        """A number from low to high, uniformly."""
        low, high, slot = self.value(node.low), self.value(node.high), node.slot
        secret = self.code.program.questions[node.question].secret

        def options(v: Vector, f: Frame) -> list[int]:
            count = high(v, f) - low(v, f) + 1
            if count > OPTIONS:
                raise too_many(count, "roll")
            return list(range(1, count + 1))

        def take(v: Vector, option: int, run: Run) -> int:
            f = run.frame
            f[slot] = low(v, f) + option - 1
            if run.listener is not None and not secret:
                run.tell(v, "roll", f[0], -1, f[slot])
            return after

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            return f"roll {low(v, f) + option - 1}"

        def step(v: Vector, run: Run) -> int:
            outcomes = options(v, run.frame)
            if not outcomes:
                text = "The lowest number is above the highest."
                raise Fault("E612", "a roll without a number", text)
            if len(outcomes) == 1:
                return take(v, 1, run)
            if isinstance(run.chance, Seed):
                return take(v, outcomes[run.stream.below(len(outcomes))], run)
            return _settled(question, node.question, outcomes, v, run)

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int]:
            return "roll", t.Number(), low(v, f) + option - 1

        question = Question("roll", True, options, take, named, lambda v, f, option: 1, part=part)
        return question, step

    def random(self, node: ins.Random, after: int) -> tuple[Question, Step]:
        """One element of a set, uniformly."""
        number, asking = node.question, self.code.program.questions[node.question]
        (way,) = asking.ways
        assert way.choice is not None
        choice, label, within = way.choice, way.label, self.value(way.choice.within)
        domain = self.code.domains.of(choice.type)

        def options(v: Vector, f: Frame) -> list[int]:
            return [packed(0, element) for element in within(v, f)]

        def take(v: Vector, option: int, run: Run) -> int:
            run.frame[choice.slot] = element = unpacked(option)[1]
            if run.listener is not None:
                run.tell(v, "random", run.frame[0], number, element)
            return after

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            element = unpacked(option)[1]
            return f"{label} {domain.word(element) if telling else domain.name(element)}"

        def step(v: Vector, run: Run) -> int:
            outcomes = options(v, run.frame)
            if not outcomes:
                text = "Nothing checked this beforehand, and now there is nothing."
                raise Fault("E615", f"`{asking.name}` has nothing to choose from", text)
            if len(outcomes) > OPTIONS:
                raise too_many(len(outcomes), asking.name)
            if len(outcomes) == 1:
                run.frame[choice.slot] = unpacked(outcomes[0])[1]
                return after
            if isinstance(run.chance, Seed):
                return take(v, outcomes[run.stream.below(len(outcomes))], run)
            return _settled(question, number, outcomes, v, run)

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int]:
            return label, choice.type, unpacked(option)[1]

        question = Question(
            asking.name, True, options, take, named, lambda v, f, option: 1, part=part
        )
        return question, step


def _settled(question: Question, number: int, options: list[int], v: Vector, run: Run) -> int:
    """Continues with the next outcome of the list, or waits for the seat of chance."""
    match run.chance:
        case Asked() | Seed():
            run.options = options
            return WAITS - number
        case Listed(outcomes, used):
            if used == len(outcomes):
                text = f"The list has {used}; the next is a {question.title}."
                raise Fault("E602", "no outcome left in the list", text)
            names = [question.name(v, run.frame, option, False) for option in options]
            outcome = outcomes[used]
            if outcome not in names:
                meant = did_you_mean(outcome, names)
                hint = f'Did you mean "{meant}"?' if meant else f'Possible is "{names[0]}".'
                text = f"Outcome {used + 1} of the list is not possible."
                raise Fault("E602", f'no outcome "{outcome}"', text, hint)
            run.chance = Listed(outcomes, used + 1)
            return question.take(v, options[names.index(outcome)], run)
