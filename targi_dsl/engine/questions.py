"""The steps that ask the questions of a program; see docs/program.md, *Questions*."""

from __future__ import annotations

from typing import assert_never

from targi_dsl.engine.alike import Alike, Distinct
from targi_dsl.engine.cards import Piles
from targi_dsl.engine.chance_questions import Random, Roll, Shuffle
from targi_dsl.engine.code import Code, Part
from targi_dsl.engine.faults import OPTIONS, Fault, too_many
from targi_dsl.engine.guards import Guards, Options
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.options import ELEMENT, EXCHANGE, packed, unpacked
from targi_dsl.engine.paying import Pay, PayUnit, Settle
from targi_dsl.engine.payment import Invoice
from targi_dsl.engine.question import WAITS, PlayerQuestion, Question
from targi_dsl.engine.run import Frame, Run, Step, Vector
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import program as p
from targi_dsl.ir.constants import NOTHING


class Questions:
    """The steps that ask, and the questions for which they have been built, by number."""

    def __init__(self, code: Code, guards: Guards, happenings: Happenings) -> None:
        self.code, self.program = code, code.program
        self.guards, self.happenings = guards, happenings
        self.alike = Alike(code)
        self.made: dict[int, Question] = {}

    def step(self, node: ins.Asking, address: int, after: int) -> Step:
        """The step of an instruction that asks."""
        code, happenings, number = self.code, self.happenings, node.question
        value, asked = self.guards.expressions.value, self.program.questions[number]
        match node:
            case ins.Ask(_, otherwise):
                distinct = self.alike.distinct(asked)
                own = self.guards.options([*enumerate(asked.ways)])
                ask = self.made[number] = Ask(code, happenings, asked, own, distinct, address)
                return _asks(ask, number, otherwise)
            case ins.Pay(_, otherwise):
                pay = self.made[number] = Pay(code, happenings, *self._bill(asked), address, after)
                asks = _asks(pay, number, otherwise)
                return lambda v, run: after if pay.is_free(v, run.frame) else asks(v, run)
            case ins.PayUnit():
                unit = PayUnit(code, happenings, *self._bill(asked), address, after)
                self.made[number] = unit
                return _asks(unit, number, after)
            case ins.Settle():
                settle = Settle(code, happenings, *self._bill(asked))
                return lambda v, run: code.frames.push(run, settle.calls(v, run), after)
            case ins.Shuffle():
                shuffle = self.made[number] = Shuffle(
                    code, Piles(code.table, happenings), value, node, address, after
                )
                return shuffle.step
            case ins.Roll():
                roll = self.made[number] = Roll(code, value, node, after)
                return roll.step
            case ins.Random():
                random = self.made[number] = Random(code, value, number, after)
                return random.step
            case _:
                assert_never(node)

    def _bill(self, asked: p.Question) -> tuple[p.Bill, Invoice]:
        bill = asked.bill
        assert bill is not None
        return bill, self.guards.invoice(bill.price, bill.terms)


def _asks(question: Question, number: int, otherwise: int) -> Step:
    """Stops for an answer if there are at least two options, takes the only one, and without any
    continues at `otherwise`.
    """
    title, options, distinct = question.title, question.options, question.distinct
    waits = WAITS - number

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
            return question.take(v, available[0], run)
        if otherwise == NOTHING:
            text = "Nothing checked this beforehand, and now there is no answer."
            raise Fault("E615", f"`{title}` cannot be answered", text)
        return otherwise

    return step


class Ask(PlayerQuestion):
    """A question with ways."""

    def __init__(
        self,
        code: Code,
        happenings: Happenings,
        asked: p.Question,
        own: Options,
        distinct: Distinct | None,
        address: int,
    ) -> None:
        super().__init__(code, happenings, address)
        self.title, self.ways, self.own, self.distinct = asked.name, asked.ways, own, distinct
        self.slots = [way.choice.slot if way.choice is not None else 0 for way in asked.ways]
        self.options = self._with_exchanges if self.market.exchanges else own
        self.targets = [way.target for way in asked.ways]
        self.declines = frozenset(packed(at) for at, way in enumerate(asked.ways) if way.declines)

    def _with_exchanges(self, v: Vector, f: Frame) -> list[int]:
        found = self.own(v, f)
        return found + self._harmless(v, f) if len(found) > 1 else found

    def _harmless(self, v: Vector, f: Frame) -> list[int]:
        """The free exchanges after which the question has an answer of its own."""
        market, harmless = self.market, []
        for number, after in market.offered(market.purse(v, f[0])):
            w = v[:]
            w[market.amounts + f[0] : market.end : market.players] = after
            if self.own(w, f, 1):
                harmless.append(EXCHANGE + number)
        return harmless

    def take(self, v: Vector, option: int, run: Run) -> int:
        if option >= EXCHANGE:
            return self.exchange(v, option, run)
        way = option >> ELEMENT
        if self.slots[way]:
            run.frame[self.slots[way]] = unpacked(option)[1]
        return self.targets[way]

    def named(self, v: Vector, f: Frame, option: int) -> Part:
        way, element = unpacked(option)
        choice, label = self.ways[way].choice, self.ways[way].label
        return label, None if choice is None else choice.type, element
