"""The questions of a payment: which plan to pay by, and what pays for wildcards."""

from __future__ import annotations

from targi_dsl.engine.code import Code
from targi_dsl.engine.guards import packed
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.payment import FREE, Invoice, Payments
from targi_dsl.engine.plans import Plan
from targi_dsl.engine.question import EXCHANGE, Question
from targi_dsl.engine.run import Frame, Run, Step, Vector
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Bill


class Paying:
    """Builds the questions of a program's payments and the steps around them."""

    def __init__(self, code: Code, payments: Payments, happenings: Happenings) -> None:
        self.code, self.program, self.market = code, code.program, code.market
        self.payments, self.happenings = payments, happenings

    def _bill(self, number: int) -> tuple[Bill, Invoice]:
        bill = self.program.questions[number].bill
        assert bill is not None
        return bill, self.payments.invoice(bill.price, bill.terms)

    def unless_free(self, number: int, asking: Step, after: int) -> Step:
        """Asks for payment; if the price is free, continues with nothing owed."""
        bill, of = self._bill(number)
        slots = range(bill.bracket, bill.owed + len(self.program.groups))
        paid = range(bill.paid, bill.paid + len(self.program.resources))
        open_slots = [*slots, *(paid if bill.paid != NOTHING else ())]

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            if of.asked(v, f) in FREE:
                for slot in open_slots:
                    f[slot] = 0
                return after
            return asking(v, run)

        return step

    def plans(self, number: int, after: int) -> Question:
        """Asks which plan to pay by; the frame then holds what it leaves open."""
        bill, of = self._bill(number)
        names, resources = self.code.domains, range(len(self.program.resources))
        groups = range(len(self.program.groups))

        def options(v: Vector, f: Frame) -> list[int]:
            plans = of.plans(v, f)
            payable, reach = self.payments.reachable(of, plans, v, f)
            if len(reach) == 1 and payable:
                return [packed(0, payable[0])]
            options = [packed(0, at) for at in payable]
            return options + self._useful(of, v, f, plans) if reach else options

        def take(v: Vector, option: int, run: Run) -> int:
            f = run.frame
            plan, stored = of.plans(v, f)[option - 1], of.stored(v, f)
            for resource, count in plan.needs:
                self.happenings.spend(v, run, resource, count, stored)
            for ability in plan.used:
                self.happenings.use(v, run, ability, f[0])
            f[bill.bracket] = int(plan.bracket)
            owed = {group: count for group, count, _ in plan.wild}
            for group in groups:
                f[bill.owed + group] = owed.get(group, 0)
            if bill.paid != NOTHING:
                paid = {resource for resource, _ in plan.needs}
                for resource in resources:
                    f[bill.paid + resource] = int(resource in paid)
            return after

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            plan = of.plans(v, f)[option - 1]
            wild = tuple((len(resources) + group, count) for group, count, _ in plan.wild)
            words = f"pay {names.amounts(plan.needs + wild)}"
            reward = self.code.planner.price(of.asked(v, f)).reward
            return f"{words}, for {names.amounts(reward)}" if plan.bracket else words

        return Question("pay", False, options, take, named)

    def unit(self, number: int, address: int) -> Question:
        """Asks what pays for a wildcard unit of the first group that is still owed one."""
        bill, of = self._bill(number)
        groups, resources = self.market.groups, self.program.resources

        def owing(f: Frame) -> int:
            return next((g for g in range(len(groups)) if f[bill.owed + g]), NOTHING)

        def options(v: Vector, f: Frame) -> list[int]:
            group = owing(f)
            if group == NOTHING:
                return []
            have = of.purse(v, f)
            options = [packed(0, resource) for resource in groups[group] if have[resource] > 0]
            if len(options) > 1:
                options += self._useful(of, v, f, (self._still_owed(bill, f),))
            return options

        def take(v: Vector, option: int, run: Run) -> int:
            f, resource = run.frame, option - 1
            self.happenings.spend(v, run, resource, 1, of.stored(v, f))
            f[bill.owed + owing(f)] -= 1
            if bill.paid != NOTHING:
                f[bill.paid + resource] = 1
            return address

        def named(v: Vector, f: Frame, option: int, telling: bool) -> str:
            return f"pay {resources[option - 1]}"

        def part(v: Vector, f: Frame, option: int) -> tuple[str, t.Type, int] | None:
            return None if option >= EXCHANGE else ("pay", t.Resource(), option - 1)

        return Question("pay", False, options, take, named, part=part)

    def _still_owed(self, bill: Bill, f: Frame) -> Plan:
        """The remaining debt, as a plan."""
        owed = [(g, f[bill.owed + g]) for g in range(len(self.program.groups))]
        return Plan((), tuple((g, count, count) for g, count in owed if count), False, ())

    def _useful(self, of: Invoice, v: Vector, f: Frame, plans: tuple[Plan, ...]) -> list[int]:
        return [EXCHANGE + exchange for exchange in self.payments.useful_exchanges(of, v, f, plans)]

    def settle(self, number: int, after: int) -> Step:
        """Gains the reward of a payment, then fires the triggers on it."""
        bill, of = self._bill(number)

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            calls = []
            if f[bill.bracket]:
                for item, count in self.code.planner.price(of.asked(v, f)).reward:
                    calls += self.happenings.gain(v, run, f[0], item, count, NOTHING)
            if bill.paid != NOTHING:
                for resource in range(len(self.program.resources)):
                    if f[bill.paid + resource]:
                        calls += self.happenings.fired(v, run, "pay", resource, f[0], NOTHING)
            return self.code.frames.push(run, calls, after)

        return step
