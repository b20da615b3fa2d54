"""Questions: the options of each as a function, and the steps that ask them."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.codegen.python.guards import Guards
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.unit import Unit
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.engine.options import packed
from targi_dsl.engine.question import WAITS
from targi_dsl.ir import expressions as e
from targi_dsl.ir import instructions as ins
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.outcomes import OUT
from targi_dsl.ir.program import Bill, Way

ASKED = ("ask", "pay", "unit")
"""The kinds of questions that players are asked."""


class Questions:
    """Generates questions. `goes_on` generates what follows an answer, from an address."""

    def __init__(
        self, unit: Unit, guards: Guards, goes_on: Callable[[int, Scope, Lines], None]
    ) -> None:
        self.unit, self.program = unit, unit.program
        self.guards, self.payments, self.goes_on = guards, guards.payments, goes_on

    def bill(self, question: int) -> Bill:
        """The bill of a payment or of its units."""
        bill = self.program.questions[question].bill
        assert bill is not None
        return bill

    # ---- options ----

    def options_of(self, number: int) -> str:
        """The function that lists the options of a question; generated once."""
        question, name = self.program.questions[number], f"options_{number}"
        write = {"ask": self._options, "pay": self._plans, "unit": self._units}[question.kind]
        scope = self.unit.scope(question.rule)
        self.unit.define(name, "v, f", lambda out: write(number, scope, out))
        return name

    def _options(self, number: int, scope: Scope, out: Lines) -> None:
        ways = self.program.questions[number].ways
        own = out.apart()
        own.add("found = []")
        for at, way in enumerate(ways):
            self.guards.offer(at, way, scope, own)
        if self.program.exchanges and not self.unit.facts.reads_amounts(number):
            out.take(own)
            out.cost += own.cost * len(self.program.exchanges)
            out.add("return and_exchanges(v, f, found)")
        elif self.program.exchanges:
            name = f"own_{number}"
            self.unit.define(name, "v, f", lambda lines: _returned(lines, own), out.taken)
            out.cost += own.cost * (1 + len(self.program.exchanges))
            of_amounts = self.unit.facts.depends_on_amounts
            steady = {
                at for at, way in enumerate(ways)
                if not of_amounts((way.when, way.choice, way.guard))
            }  # fmt: skip
            known = self.unit.module.constant(f"frozenset({sorted(steady)})", "STEADY")
            out.add(f"return with_exchanges(v, f, {name}, {known})")
        else:
            out.take(own)
            out.add("return found")

    def _plans(self, number: int, scope: Scope, out: Lines) -> None:
        bill = self.bill(number)
        of = self.payments.invoice(bill.price, bill.terms, scope, out)
        plans = f"plans({of.asked}, {of.cuts}, {of.substitutes})"
        out.add(f"return payments(v, {scope.slot(YOU)}, {plans}, {of.stored})")

    def _units(self, number: int, scope: Scope, out: Lines) -> None:
        bill = self.bill(number)
        of = self.payments.invoice(bill.price, bill.terms, scope, out)
        out.add(f"return units(v, f, {bill.owed}, {of.stored})")

    # ---- asking ----

    def asked(self, number: int, address: int, otherwise: int, out: Lines) -> None:
        """Waits if there are at least two options, takes the only one, and without any continues at
        `otherwise`.
        """
        out.add(f"found = {self.options_of(number)}(v, f)")
        out.cost += self.unit.costs[f"options_{number}"]
        with out.block("if len(found) > 1"):
            if self.unit.is_crowded(number):
                out.add(f"found = distinct_{number}(v, run, found)")
                with out.block("if len(found) > 1"):
                    self._wait(number, out)
            else:
                self._wait(number, out)
        with out.block("if found"):
            out.add(f"return take_{number}(v, found[0], run)")
        out.add(f"return {otherwise}" if otherwise != NOTHING else "in_doubt()")

    def _wait(self, number: int, out: Lines) -> None:
        sizes = [
            1 if way.choice is None else self.unit.facts.inference.size(way.choice.within)
            for way in self.program.questions[number].ways
        ]
        if not sizes or sum(sizes) + len(self.program.exchanges) > OPTIONS:
            out.add(f"if len(found) > {OPTIONS}: in_doubt()")
        if self.unit.outcomes != NOTHING:
            out.add(f"if v[{self.unit.outcomes} + f[0]] == {OUT}: in_doubt()")
        out.add("run.options = found", f"return {WAITS - number}")

    def takes(self, number: int) -> None:
        """Generates the function that takes an option and returns the address to continue at."""
        question = self.program.questions[number]
        at = self.program.points[question.point].address
        line = self.program.code[at]
        self.unit.define(
            f"take_{number}",
            "v, option, run",
            lambda out: self._take(number, line, at, out),
            changing=True,
        )

    def _take(self, number: int, line: ins.Instruction, address: int, out: Lines) -> None:
        if self.program.exchanges:
            with out.block("if option >= EXCHANGE"):
                out.add(f"return push(run, exchange(v, run, option - EXCHANGE), {address})")
        match line.operation:
            case ins.Ask(question):
                asked = self.program.questions[question]
                self._chosen(asked.ways, self.unit.scope(asked.rule), out)
            case ins.Pay(question):
                self._paid(question, line.next, out)
            case ins.PayUnit(question):
                self._paid_unit(question, address, out)
            case _:
                raise AssertionError(line)

    def _chosen(self, ways: tuple[Way, ...], scope: Scope, out: Lines) -> None:
        out.add("f = run.frame")
        for at, way in enumerate(ways):
            with out.block(f"if option < {packed(at + 1)}"):
                if way.choice is not None:
                    out.add(f"f[{way.choice.slot}] = option - {packed(at, 0)}")
                self.goes_on(way.target, scope, out)

    def _paid(self, number: int, after: int, out: Lines) -> None:
        bill, scope = self.bill(number), self.unit.scope(self.program.questions[number].rule)
        out.add("f = run.frame")
        of = self.payments.invoice(bill.price, bill.terms, scope, out)
        plans = f"plans({of.asked}, {of.cuts}, {of.substitutes})"
        out.add(
            f"pay(v, f, {plans}[option - 1], {of.stored}, {bill.bracket}, {bill.owed}, {bill.paid})"
        )
        self.goes_on(after, scope, out)

    def _paid_unit(self, number: int, address: int, out: Lines) -> None:
        bill, scope = self.bill(number), self.unit.scope(self.program.questions[number].rule)
        out.add("f = run.frame")
        of = self.payments.invoice(bill.price, bill.terms, scope, out)
        out.add(f"pay_unit(v, f, option - 1, {of.stored}, {bill.owed}, {bill.paid})")
        self.goes_on(address, scope, out)

    # ---- payments ----

    def unless_free(self, number: int, after: int, scope: Scope, out: Lines) -> None:
        """If nothing is due, continues with nothing owed."""
        bill = self.bill(number)
        match bill.price:
            case e.Listed(e.Const(int(price))) if price != NOTHING:
                return
        last = bill.owed + len(self.program.groups)
        slots = [bill.bracket, *range(bill.owed, last)]
        if bill.paid != NOTHING:
            slots += range(bill.paid, bill.paid + len(self.program.resources))
        of = self.payments.invoice(bill.price, bill.terms, scope, out)
        with out.block(f"if {of.asked} in FREE"):
            out.add(*[f"f[{slot}] = 0" for slot in slots])
            line = self.program.code[after]
            owes_nothing = line.next if isinstance(line.operation, ins.PayUnit) else after
            self.goes_on(owes_nothing, scope, out)

    def owes(self, number: int) -> str:
        """Whether units of a group are still owed."""
        first = self.bill(number).owed
        slots = range(first, first + len(self.program.groups))
        return " or ".join(f"f[{slot}]" for slot in slots) or "0"

    def settled(self, number: int, after: int, scope: Scope, out: Lines) -> None:
        """Gains the reward of a payment, then fires the triggers on it."""
        bill = self.bill(number)
        of = self.payments.invoice(bill.price, bill.terms, scope, out)
        out.add(f"calls = settle(v, run, f, {of.asked}, {bill.bracket}, {bill.paid})")
        out.add(f"return push(run, calls, {after}) if calls else {after}")


def _returned(lines: Lines, own: Lines) -> None:
    lines.take(own)
    lines.add("return found")
