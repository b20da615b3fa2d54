"""Builds the questions of a program and the steps that ask them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from targi_dsl.engine.alike import Alike
from targi_dsl.engine.chance_questions import ChanceQuestions
from targi_dsl.engine.code import Code
from targi_dsl.engine.faults import OPTIONS, Fault, too_many
from targi_dsl.engine.guards import ELEMENT, Guards, packed, unpacked
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.paying import Paying
from targi_dsl.engine.question import EXCHANGE, WAITS, Question
from targi_dsl.engine.run import Frame, Run, Step, Vector
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING


class Questions:
    """The questions of a program, by number, and the steps that ask them."""

    def __init__(self, code: Code, guards: Guards, happenings: Happenings) -> None:
        self.code, self.program = code, code.program
        self.guards, self.happenings = guards, happenings
        self.market, self.alike = code.market, Alike(code)
        self.paying = Paying(code, guards.payments, happenings)
        self.chance = ChanceQuestions(code, guards.expressions, happenings)
        self.made: dict[int, Question] = {}

    def step(self, node: ins.Asking, address: int, after: int) -> Step:
        """The step of an instruction that asks."""
        match node:
            case ins.Ask(question, otherwise):
                return self._asks(question, self._ask(question), address, otherwise)
            case ins.Pay(question, otherwise):
                plans = self.paying.plans(question, after)
                asking = self._asks(question, plans, address, otherwise)
                return self.paying.unless_free(question, asking, after)
            case ins.PayUnit(question):
                return self._asks(question, self.paying.unit(question, address), address, after)
            case ins.Settle(question):
                return self.paying.settle(question, after)
            case ins.Shuffle(question):
                self.made[question], step = self.chance.shuffle(node, address, after)
                return step
            case ins.Roll(question):
                self.made[question], step = self.chance.roll(node, after)
                return step
            case ins.Random(question):
                self.made[question], step = self.chance.random(node, after)
                return step
            case _:
                assert_never(node)

    def _asks(self, number: int, question: Question, address: int, otherwise: int) -> Step:
        """Stops for an answer if there are at least two options, takes the only one, and without
        any continues at `otherwise`.
        """
        if self.market.exchanges:
            question = self._with_exchanges(question, address)
        self.made[number] = question
        title, options, take, waits = (
            question.title,
            question.options,
            question.take,
            WAITS - number,
        )
        distinct = question.distinct

        def step(v: Vector, run: Run) -> int:
            available = options(v, run.frame)
            if len(available) > 1 and distinct is not None:
                available = distinct(v, run, available)
            if len(available) > 1:
                if len(available) > OPTIONS:
                    raise too_many(len(available), title)
                run.options = available
                return waits
            if available:
                return take(v, available[0], run)
            if otherwise == NOTHING:
                text = "Nothing checked this beforehand, and now there is no answer."
                raise Fault("E615", f"`{title}` cannot be answered", text)
            return otherwise

        return step

    # ---- ways ----

    def _ask(self, number: int) -> Question:
        question = self.program.questions[number]
        ways, domains = question.ways, self.code.domains
        own = self.guards.options([*enumerate(ways)])
        slots = [way.choice.slot if way.choice is not None else 0 for way in ways]
        targets = [way.target for way in ways]
        declines = frozenset(packed(place) for place, way in enumerate(ways) if way.declines)

        def with_exchanges(v: Vector, f: Frame) -> list[int]:
            available = own(v, f)
            if len(available) > 1:
                available += self._harmless(lambda w: bool(own(w, f, 1)), v, f)
            return available

        def take(v: Vector, option: int, run: Run) -> int:
            place = option >> ELEMENT
            if slots[place]:
                run.frame[slots[place]] = unpacked(option)[1]
            return targets[place]

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            place, element = unpacked(option)
            choice, label = ways[place].choice, ways[place].label
            if choice is None:
                return label
            domain = domains.of(choice.type)
            return f"{label} {domain.word(element) if telling else domain.name(element)}".strip()

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int] | None:
            place, element = unpacked(option)
            if option >= EXCHANGE or (choice := ways[place].choice) is None:
                return None
            return ways[place].label, choice.type, element

        options = with_exchanges if self.market.exchanges else own
        distinct = self.alike.distinct(question)
        return Question(question.name, False, options, take, named, None, declines, part, distinct)

    def _harmless(self, has_answer: Callable[[Vector], bool], v: Vector, f: Frame) -> list[int]:
        """The options of free exchanges after which the question has an answer of its own."""
        market, harmless = self.market, []
        purse = market.purse(v, f[0])
        for number in market.offered(purse):
            after = market.after(purse, market.exchanges[number])
            assert after is not None
            w = v[:]
            w[market.amounts + f[0] : market.end : market.players] = after
            if has_answer(w):
                harmless.append(EXCHANGE + number)
        return harmless

    def _with_exchanges(self, question: Question, address: int) -> Question:
        """A question that can also be answered by the free exchanges among its options."""
        exchanges = self.market.exchanges

        def take(v: Vector, option: int, run: Run) -> int:
            if option < EXCHANGE:
                return question.take(v, option, run)
            calls = self.happenings.exchange(v, run, option - EXCHANGE)
            return self.code.frames.push(run, calls, address)

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            if option < EXCHANGE:
                return question.name(v, f, option, telling)
            return exchanges[option - EXCHANGE].id

        return replace(question, take=take, name=named)
