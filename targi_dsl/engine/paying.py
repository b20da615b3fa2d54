"""The questions of a payment: which plan to pay by, and what pays for wildcards; see
docs/program.md, *Payments*.
"""

from __future__ import annotations

from targi_dsl.engine.code import Code, Part
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.options import EXCHANGE, packed
from targi_dsl.engine.payment import FREE, Invoice
from targi_dsl.engine.plans import Plan
from targi_dsl.engine.question import PlayerQuestion
from targi_dsl.engine.run import Calls, Frame, Run, Vector
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import Bill

SETTLED = Plan((), (), False, ())


class Payment(PlayerQuestion):
    """A question of a payment; its bill says which slots hold what is still open."""

    title = "pay"

    def __init__(
        self,
        code: Code,
        happenings: Happenings,
        bill: Bill,
        invoice: Invoice,
        address: int,
        after: int,
    ) -> None:
        super().__init__(code, happenings, address)
        self.bill, self.invoice, self.after = bill, invoice, after
        self.groups, self.resources = range(len(self.market.groups)), code.program.resources


class Pay(Payment):
    """Which plan to pay by; the frame then holds what the plan leaves open."""

    def is_free(self, v: Vector, f: Frame) -> bool:
        """Whether nothing is due; then nothing is left open."""
        if self.invoice.asked(v, f) not in FREE:
            return False
        self._leave(f, SETTLED)
        return True

    def options(self, v: Vector, f: Frame) -> list[int]:
        plans = self.invoice.plans(v, f)
        payable, reach = self.invoice.reachable(plans, v, f)
        if len(reach) == 1 and payable:
            return [packed(0, payable[0])]
        options = [packed(0, at) for at in payable]
        return options + self.invoice.useful(plans, v, f) if reach else options

    def take(self, v: Vector, option: int, run: Run) -> int:
        if option >= EXCHANGE:
            return self.exchange(v, option, run)
        f = run.frame
        plan, stored = self.invoice.plans(v, f)[option - 1], self.invoice.stored(v, f)
        for resource, count in plan.needs:
            self.happenings.spend(v, run, resource, count, stored)
        for ability in plan.used:
            self.happenings.use(v, run, ability, f[YOU])
        self._leave(f, plan)
        return self.after

    def _leave(self, f: Frame, plan: Plan) -> None:
        """Enters what a plan leaves open."""
        bill, owed = self.bill, {group: count for group, count, _ in plan.wild}
        f[bill.bracket] = int(plan.bracket)
        for group in self.groups:
            f[bill.owed + group] = owed.get(group, 0)
        if bill.paid != NOTHING:
            paid = {resource for resource, _ in plan.needs}
            for resource in range(len(self.resources)):
                f[bill.paid + resource] = int(resource in paid)

    def named(self, v: Vector, f: Frame, option: int) -> Part:
        plan, amounts = self.invoice.plans(v, f)[option - 1], self.code.domains.amounts
        wild = tuple((len(self.resources) + group, count) for group, count, _ in plan.wild)
        words = f"pay {amounts(plan.needs + wild)}"
        if plan.bracket:
            words += f", for {amounts(self.invoice.reward(v, f))}"
        return words, None, NOTHING


class PayUnit(Payment):
    """What pays for a wildcard unit of the first group that is still owed one."""

    def _owed(self, f: Frame) -> list[tuple[int, int]]:
        """The groups that are still owed units, each with their number."""
        first = self.bill.owed
        return [(group, f[first + group]) for group in self.groups if f[first + group]]

    def options(self, v: Vector, f: Frame) -> list[int]:
        owed = self._owed(f)
        if not owed:
            return []
        have, members = self.invoice.purse(v, f), self.market.groups[owed[0][0]]
        options = [packed(0, resource) for resource in members if have[resource] > 0]
        if len(options) > 1:
            left = Plan((), tuple((group, count, count) for group, count in owed), False, ())
            options += self.invoice.useful((left,), v, f)
        return options

    def take(self, v: Vector, option: int, run: Run) -> int:
        if option >= EXCHANGE:
            return self.exchange(v, option, run)
        f, resource = run.frame, option - 1
        self.happenings.spend(v, run, resource, 1, self.invoice.stored(v, f))
        f[self.bill.owed + self._owed(f)[0][0]] -= 1
        if self.bill.paid != NOTHING:
            f[self.bill.paid + resource] = 1
        return self.address

    def named(self, v: Vector, f: Frame, option: int) -> Part:
        return "pay", t.Resource(), option - 1


class Settle:
    """The end of a payment: you gain the reward, and the triggers on it fire."""

    def __init__(self, code: Code, happenings: Happenings, bill: Bill, invoice: Invoice) -> None:
        self.happenings, self.bill, self.invoice = happenings, bill, invoice
        self.resources = range(len(code.program.resources)) if bill.paid != NOTHING else range(0)

    def calls(self, v: Vector, run: Run) -> Calls:
        """The calls that follow."""
        f, happenings, calls = run.frame, self.happenings, Calls()
        for item, count in self.invoice.reward(v, f) if f[self.bill.bracket] else ():
            calls += happenings.gain(v, run, f[YOU], item, count, NOTHING)
        for resource in self.resources:
            if f[self.bill.paid + resource]:
                calls += happenings.fired(v, run, "pay", resource, f[YOU], NOTHING)
        return calls
