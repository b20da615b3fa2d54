"""Questions to players: what they offer, and what an answer does; see docs/program.md, *Questions*
and *Payments*.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from targi_dsl.engine.cards import Cards
from targi_dsl.engine.options import EXCHANGE, pack, unpack
from targi_dsl.engine.payments import Invoice, Plan
from targi_dsl.engine.run import Frame, Part, Run, Vector
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU

WAITS = -2  # WAITS - n: question n waits


class Question(ABC):
    """What is asked at a point. is_chance: whether chance answers. declines: the options that do
    nothing. ids: a cache of their ids; None if these depend on the position.
    """

    is_chance = False

    def __init__(self, rules: Cards, number: int) -> None:
        self.rules, self.number, self.asked = rules, number, rules.program.questions[number]
        self.address = rules.program.points[self.asked.point].address
        line = rules.program.code[self.address]
        self.operation, self.after = line.operation, line.next
        self.ids: dict[int, str] | None = {} if self.asked.kind == "ask" else None
        self.declines = {pack(at) for at, way in enumerate(self.asked.ways) if way.declines}

    @abstractmethod
    def options(self, v: Vector, f: Frame) -> list[int]:
        """The options, in order."""

    def take(self, run: Run, option: int) -> int:
        """Takes an option, or makes a free exchange and asks again; returns the address to continue
        at.
        """
        if option < EXCHANGE:
            return self.accept(run, option)
        return self.rules.push(run, self.rules.exchange(run, option - EXCHANGE), self.address)

    @abstractmethod
    def accept(self, run: Run, option: int) -> int:
        """Like `take`, for an option of the question itself."""

    def part(self, v: Vector, f: Frame, option: int) -> Part:
        """The parts of an option's name."""
        if option < EXCHANGE:
            return self.describe(v, f, option)
        return self.rules.program.exchanges[option - EXCHANGE].id, None, NOTHING

    @abstractmethod
    def describe(self, v: Vector, f: Frame, option: int) -> Part:
        """Like `part`, for an option of the question itself."""

    def weights(self, v: Vector, f: Frame, options: Sequence[int]) -> list[int]:
        """The relative probabilities of outcomes."""
        return [1] * len(options)


class Ask(Question):
    """A question with ways."""

    def __init__(self, rules: Cards, number: int) -> None:
        super().__init__(rules, number)
        self._own = rules.options(enumerate(self.asked.ways))

    def options(self, v: Vector, f: Frame) -> list[int]:
        found = self._own(v, f)
        return found + self._harmless(v, f) if len(found) > 1 else found

    def _harmless(self, v: Vector, f: Frame) -> list[int]:
        """The free exchanges that leave the question an option of its own."""
        slots, you, harmless = self.rules.slots, f[YOU], list[int]()
        offered = self.rules.offered(v, f)
        for number, after in self.rules.traded(self.rules.own(v, you), offered):
            w = v[:]
            w[slots.amounts + you : slots.card_place : self.rules.players] = after
            if self._own(w, f, 1):
                harmless.append(EXCHANGE + number)
        return harmless

    def accept(self, run: Run, option: int) -> int:
        at, element = unpack(option)
        way = self.asked.ways[at]
        if way.choice is not None:
            run.frame[way.choice.slot] = element
        return way.target

    def describe(self, v: Vector, f: Frame, option: int) -> Part:
        at, element = unpack(option)
        way = self.asked.ways[at]
        return way.label, None if way.choice is None else way.choice.type, element


class Pay(Question):
    """Which plan to pay by; the frame then stores what the plan leaves open."""

    def __init__(self, rules: Cards, number: int) -> None:
        super().__init__(rules, number)
        assert self.asked.bill is not None
        self.bill = self.asked.bill
        self.invoice = Invoice(rules, self.bill.price, self.bill.terms)

    def options(self, v: Vector, f: Frame) -> list[int]:
        plans, purse, invoice = self.invoice.plans(v, f), self.invoice.purse(v, f), self.invoice
        covered = [self.rules.covers(purse, plan) for plan in plans]
        payable = [pack(0, at) for at, is_covered in enumerate(covered) if is_covered]
        reach = sum(invoice.reaches(v, f, [plan]) for plan in plans)
        if reach == 0 or (reach == 1 and payable):
            return payable
        return payable + invoice.useful(v, f, plans)

    def accept(self, run: Run, option: int) -> int:
        v, f = run.v, run.frame
        plan, stored = self.invoice.plans(v, f)[option - 1], self.invoice.stores(v, f)
        for resource, count in plan.needs:
            self.rules.spend(run, resource, count, stored, self.bill.is_loss)
        for ability in plan.used:
            self.rules.use(run, ability, f[YOU])
        return self.leave(f, plan)

    def leave(self, f: Frame, plan: Plan) -> int:
        """Stores in the frame what a plan leaves open."""
        bill, program, owed, needs = (
            self.bill,
            self.rules.program,
            dict(plan.wild),
            dict(plan.needs),
        )
        f[bill.bracket] = int(plan.bracket)
        for group in range(len(program.groups)):
            f[bill.owed + group] = owed.get(group, 0)
        for resource in range(len(program.resources)) if bill.paid != NOTHING else ():
            f[bill.paid + resource] = needs.get(resource, 0)
        return self.after

    def describe(self, v: Vector, f: Frame, option: int) -> Part:
        plan, amounts = self.invoice.plans(v, f)[option - 1], self.rules.domains.amounts
        words = f"pay {amounts(plan.items(len(self.rules.program.resources)))}"
        if plan.bracket:
            words += f", for {amounts(self.invoice.due(v, f).reward)}"
        return words, None, NOTHING


class PayUnit(Pay):
    """Which resource pays for a wildcard unit of the first group that is still owed one."""

    def _owed(self, f: Frame) -> list[tuple[int, int]]:
        """The groups that are still owed units, each with their number."""
        owed = enumerate(f[self.bill.owed :][: len(self.rules.program.groups)])
        return [(group, number) for group, number in owed if number]

    def options(self, v: Vector, f: Frame) -> list[int]:
        owed, have = self._owed(f), self.invoice.purse(v, f)
        members = self.rules.program.groups[owed[0][0]][1] if owed else ()
        options = [pack(0, resource) for resource in members if have[resource] > 0]
        if len(options) > 1:
            options += self.invoice.useful(v, f, [Plan(wild=tuple(owed))])
        return options

    def accept(self, run: Run, option: int) -> int:
        f, resource = run.frame, option - 1
        self.rules.spend(run, resource, 1, self.invoice.stores(run.v, f), self.bill.is_loss)
        f[self.bill.owed + self._owed(f)[0][0]] -= 1
        if self.bill.paid != NOTHING:
            f[self.bill.paid + resource] += 1
        return self.address

    def describe(self, v: Vector, f: Frame, option: int) -> Part:
        return "pay", t.Resource(), option - 1
