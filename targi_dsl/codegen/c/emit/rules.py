"""Generates the rules of a program: one function that can resume at any address.

It runs until a question waits or the game is over. Calling a rule is a jump; the return address is
in the frame. Steps are counted once for each straight-line run, wherever play can stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import assert_never

from targi_dsl.codegen.c.emit.calls import Calls
from targi_dsl.codegen.c.emit.effects import PUSHING, Effects
from targi_dsl.codegen.c.emit.guards import Guards
from targi_dsl.codegen.c.emit.menus import Entry
from targi_dsl.codegen.c.emit.questions import Questions
from targi_dsl.codegen.c.emit.shapes import either
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.engine.faults import RANGE
from targi_dsl.ir import expressions as e
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import NEXT_ROUND, OVER, RETURN, Bill

_RETURNS = "steps++; g->depth--; f--;"
FEW = 2  # call sites of a rule whose return addresses are compared before the table is used
ASKING = (ins.Ask, ins.Pay, ins.PayUnit, ins.Shuffle, ins.Roll, ins.Random)


class Rules:
    """Generates the rules of one program."""

    def __init__(self, unit: Unit, guards: Guards, questions: Questions) -> None:
        self.unit, self.program = unit, unit.program
        self.guards, self.questions = guards, questions
        self.expressions = guards.expressions
        self.effects = Effects(unit, guards.expressions)
        self.calls = Calls(unit, guards.expressions)
        self._resumed, self._jumped = self._targets()
        self._calls: dict[int, list[int]] = {}
        for line in self.program.code:
            if isinstance(line.operation, s.Do) and line.next != RETURN:
                self._calls.setdefault(line.operation.rule, []).append(line.next)

    def write(self) -> None:
        """Generates all rules, one after the other."""
        of: dict[int, list[int]] = {}
        for address, line in enumerate(self.program.code):
            if address > RETURN:
                of.setdefault(line.rule, []).append(address)
        body = [*self._begins(), *self._ends()]
        for rule, addresses in of.items():
            body += [self._comment(rule), *self._lines(addresses)]
        self.unit.function("static void run(Game *g, int at, int64_t option)", "\n".join(body))

    def _begins(self) -> Iterator[str]:
        """Resumes at an address or, if that is nothing, with an option."""
        addresses = " ".join(f"case {at}: goto L{at};" for at in sorted(self._resumed))
        asked = " ".join(f"case {at}: goto T{at};" for at in range(len(self.program.questions)))
        yield "int steps = 0; Frame *f = &g->frames[g->depth];"
        yield f"if (at == NOTHING) switch (g->waits) {{ {asked} default: IMPOSSIBLE; }}"
        yield "f->back = at;"
        yield f"resume: switch (f->back) {{ {addresses} default: IMPOSSIBLE; }}"

    def _ends(self) -> Iterator[str]:
        """What follows a rule."""
        entry = self.program.procedures[self.program.round].entry
        yield f"L{OVER}: g->waits = NOTHING; check_steps(g, steps + 1); return;"
        yield f"L{NEXT_ROUND}: steps++; check_steps(g, steps); next_round(g);"
        yield f"f = &g->frames[g->depth]; goto L{entry};"
        yield f"L{RETURN}: {_RETURNS} goto resume;"

    def _targets(self) -> tuple[set[int], set[int]]:
        """The addresses at which execution can resume, and those that are jumped to."""
        resumed = {OVER, NEXT_ROUND, RETURN}
        resumed |= {one.entry for one in self.program.procedures}
        resumed |= {one.address for one in self.program.points}
        jumped: set[int] = set()
        for address, line in enumerate(self.program.code):
            match line.operation:
                case ins.Branch(_, otherwise) | ins.Test(_, otherwise):
                    jumped.add(otherwise)
                case ins.NextElement(_, _, done):
                    jumped.add(done)
                case ins.Ask(question, otherwise):
                    resumed |= {address, line.next, otherwise}
                    resumed |= {way.target for way in self.program.questions[question].ways}
                case ins.Pay(_, otherwise):
                    resumed |= {address, line.next, otherwise}
                case ins.PayUnit() | ins.Shuffle() | ins.Roll() | ins.Random():
                    resumed |= {address, line.next}
                case s.Do() | s.DoAction() | ins.Settle():
                    resumed.add(line.next)
                case operation if isinstance(operation, PUSHING):
                    resumed.add(line.next)
            if line.next != address + 1:
                jumped.add(line.next)
        resumed.discard(NOTHING)
        return resumed, jumped | resumed

    def _comment(self, rule: int) -> str:
        info = self.program.procedures[rule]
        where = (
            f" {PurePath(info.span.source.name).name}:{info.span.line}"
            if info.span is not None
            else ""
        )
        text = re.sub(r"[^A-Za-z0-9_:. ]", "_", f"{info.name}{where}")
        return f"/* {text} */"

    def _lines(self, addresses: list[int]) -> Iterator[str]:
        scope = self.questions.scope(self.program.code[addresses[0]].rule)
        ended = True
        for place, address in enumerate(addresses):
            line, here = self.program.code[address], {*addresses}
            after = addresses[place + 1] if place + 1 < len(addresses) else NOTHING
            if address in self._jumped or ended:
                yield f"L{address}: steps += {self._run(address, here)};"
            yield "{ Context c = f->context; (void)c;"
            yield from self._step(address, line, scope, here)
            yield "}"
            ended = line.next != after or isinstance(
                line.operation, ins.Branch | ins.Test | ins.NextElement | s.EndGame
            )
            if not self._leaves(line.operation) and line.next != after:
                yield self._jump(line.next, address, here)

    def _run(self, address: int, here: set[int]) -> int:
        """The length of the straight-line run from here, in instructions."""
        count = 1
        while True:
            line = self.program.code[address]
            follows = line.next
            parts = isinstance(line.operation, ins.Branch | ins.Test | ins.NextElement)
            if parts or self._leaves(line.operation) or follows not in here:
                return count
            if follows != address + 1 or follows in self._jumped:
                return count
            address, count = follows, count + 1

    def _leaves(self, operation: ins.Operation) -> bool:
        """Whether control never falls through to the next instruction."""
        return isinstance(operation, (*ASKING, *PUSHING, s.Do, s.DoAction, ins.Settle, s.EndGame))

    def _jump(self, to: int, address: int, here: set[int]) -> str:
        if to == RETURN:
            return self._returns(address)
        is_back = to in here and to <= address
        return f"check_steps(g, steps); goto L{to};" if is_back else f"goto L{to};"

    def _returns(self, address: int) -> str:
        """Returns from a rule; with few call sites, by comparing return addresses."""
        calls = self._calls.get(self.program.code[address].rule, [])
        known = calls if len(calls) <= FEW else []
        tests = (f"if (f->back == {after}) goto L{after};" for after in known)
        return " ".join([_RETURNS, *tests, "goto resume;"])

    # ---- instructions ----

    def _step(
        self, address: int, line: ins.Instruction, scope: Scope, here: set[int]
    ) -> Iterator[str]:
        truth, number = self.expressions.truth, self.expressions.number
        match line.operation:
            case ins.Over() | ins.NextRound() | ins.Return():
                raise AssertionError(line)
            case ins.Nop():
                pass
            case ins.Open(slots):
                yield "".join(f"g->v[{slot}] = 0; " for slot in slots)
            case ins.Branch(condition, otherwise):
                jump = self._jump(otherwise, address, here)
                yield f"if (!{truth(condition, scope)}) {{ {jump} }}"
            case ins.Test(guard, otherwise):
                jump = self._jump(otherwise, address, here)
                if guard:
                    yield f"if (!{self.guards.test(guard, scope)}) {{ {jump} }}"
            case ins.NextElement(slot, within, done):
                jump = self._jump(done, address, here)
                one_by_one = "\n".join(self._next(slot, within, jump, scope))
                at_once = self._next_where(slot, within, address, line.next, jump, scope, here)
                yield either(at_once, one_by_one) if at_once else one_by_one
            case s.Let(slot, value):
                yield f"f->s[{slot}] = {number(value, scope)};"
            case s.Forbid(forbid, condition):
                yield f"if ({truth(condition, scope)}) {{"
                yield f"int a = {self.guards.lifted(forbid, scope)}; if (a < 0) stop(g, FAULT);"
                yield f"use(g, a, {scope.slot(YOU)}); }}"
            case s.Do(rule, arguments):
                yield from self.calls.do(rule, arguments, line.next, scope)
            case s.DoAction(card):
                yield from self.calls.do_action(card, line.next, scope)
                yield self._jump(line.next, address, here)
            case (
                ins.Ask() | ins.Pay() | ins.PayUnit() | ins.Settle() | ins.Shuffle() | ins.Roll()
                | ins.Random()
            ) as asking:  # fmt: skip
                yield from self._asks(asking, address, line.next, scope, here)
            case effect:
                yield from self.effects.lines(effect, scope)
                if isinstance(effect, PUSHING):
                    yield self._pushed(line.next, address, here)

    def _next(self, slot: int, within: e.Expr, done: str, scope: Scope) -> Iterator[str]:
        here = scope.slot(slot)
        if isinstance(within, e.Range):
            low = self.expressions.number(within.low, scope)
            high = self.expressions.number(within.high, scope)
            yield f"{{ int64_t l = {low}, h = {high};"
            yield f"if (h - l >= {RANGE}) stop(g, FAULT);"
            yield f"int64_t x = {here} + (int64_t)1 > l ? {here} + (int64_t)1 : l;"
            yield f"if (x > h) {{ {done} }} {here} = (int)x; }}"
            return
        shape = self.unit.shape(within, scope.types)
        found = self.expressions.sets.own(within, scope)
        yield f"{{ int x = {shape.name}_after({found}, {here});"
        yield f"if (x <= {here}) {{ {done} }} {here} = x; }}"

    def _next_where(
        self,
        slot: int,
        within: e.Expr,
        address: int,
        then: int,
        done: str,
        scope: Scope,
        here: set[int],
    ) -> str:
        """Skips the ways for which the condition that comes next does not hold; empty if they must
        be asked one by one.
        """
        test, (low, high) = self.program.code[then], self.unit.bounds.bounds_of(within, scope.types)
        if not isinstance(test.operation, ins.Branch) or test.operation.otherwise != address:
            return ""
        sets, at = self.expressions.sets, scope.slot(slot)
        found = sets.along.leading(slot, test.operation.condition, high, scope)
        if found is None or low < 0:
            return ""
        return (
            f"{{ uint64_t left = {sets.own(within, scope)} & ~(uint64_t)0 << ({at} + 1), "
            f"holds = left & {found[0]}; int n = bits(left & (holds ^ (holds - 1)));\n"
            f"count(g, {found[1]} * n); steps += 2 * n; if (!holds) {{ {done} }}\n"
            f"steps--; {at} = lowest_bit(holds); }} {self._jump(test.next, address, here)}"
        )

    def _pushed(self, after: int, address: int, here: set[int]) -> str:
        """Continues after an effect, or with the calls that it queued."""
        called = f"if (g->called) {{ f = push(g, f, {after}); goto resume; }}"
        return f"{called} {self._jump(after, address, here)}"

    # ---- questions ----

    def _asks(
        self, asking: ins.Asking, address: int, after: int, scope: Scope, here: set[int]
    ) -> Iterator[str]:
        go_on = self._jump(after, address, here)
        if isinstance(asking, ins.Settle):
            yield from self._settle(asking.question, self._pushed(after, address, here), scope)
            return
        yield from self._offer(asking, go_on, address, scope, here)
        taken = self.questions.take(asking, address, after, self._returns(address))
        yield f"T{asking.question}: c = f->context; {taken}"

    def _settle(self, question: int, go_on: str, scope: Scope) -> Iterator[str]:
        bill = self._bill(question)
        if self._may_reward(bill.price):
            yield f"if (f->s[{bill.bracket}]) {{"
            yield f"{self._price(question, scope)} gain_reward(g, o.asked.price); }}"
        if bill.paid != NOTHING:
            yield f"fire_paid(g, &BILLS[{question}]);"
        yield go_on

    def _may_reward(self, price: e.PriceExpr) -> bool:
        """Whether anything may be gained when a price is paid in full."""
        match price:
            case e.Counted():
                return False
            case e.Listed(e.Const(int(number))):
                return number >= 0 and bool(self.program.prices[number].reward)
            case _:
                return any(one.reward for one in self.program.prices)

    def _may_be_free(self, price: e.PriceExpr) -> bool:
        match price:
            case e.Listed(e.Const(int(number))):
                return number < 0
            case _:
                return True

    def _offer(
        self, asking: ins.Question, go_on: str, address: int, scope: Scope, here: set[int]
    ) -> Iterator[str]:
        """Lists the options of a question; waits, continues, or takes the only one."""
        match asking:
            case ins.Ask(question, otherwise) | ins.Pay(question, otherwise):
                if isinstance(asking, ins.Pay) and self._may_be_free(self._bill(question).price):
                    is_free = self.guards.invoices.is_free(self._bill(question).price, scope)
                    yield f"if ({is_free}) {{ owe_nothing(g, &BILLS[{question}]); {go_on} }}"
                no_way = "" if otherwise == NOTHING else self._jump(otherwise, address, here)
                no_way = no_way or "stop(g, FAULT);"
                covered, paid = self._pay_at_once(asking, scope)
                if covered:
                    yield f"if (!{covered}) {{ {no_way} }} {paid} {go_on}"
                elif menu := self.questions.menu(question, asking):
                    yield from self._chooses(asking, menu, no_way, self._returns(address))
                else:
                    yield from self._waits(question, no_way)
            case ins.PayUnit(question) if not self.guards.invoices.may_owe(self._bill(question)):
                yield go_on
            case ins.PayUnit(question):
                yield from self._waits(question, go_on)
            case ins.Shuffle(question, place, work):
                yield from self._shuffle(question, place, work, go_on, scope)
            case ins.Roll(question):
                yield f"offer_{question}(g, f); if (!g->offered) stop(g, FAULT);"
                yield from self._draw(question)
            case ins.Random(question):
                yield f"offer_{question}(g, f); if (!g->offered) stop(g, FAULT);"
                (way,) = self.program.questions[question].ways
                assert way.choice is not None
                yield f"if (g->offered == 1) {{ f->s[{way.choice.slot}] = "
                yield f"(int)(g->options[0] & 65535) - 1; {go_on} }}"
                yield from self._draw(question)
            case _:
                assert_never(asking)

    def _pay_at_once(self, asking: ins.Question, scope: Scope) -> tuple[str, str]:
        """The condition that a payment with a single plan can be made, and its statements."""
        if not isinstance(asking, ins.Pay):
            return "", ""
        return self.guards.invoices.only_plan(self._bill(asking.question), scope)

    def _bill(self, question: int) -> Bill:
        bill = self.program.questions[question].bill
        assert bill is not None
        return bill

    def _price(self, question: int, scope: Scope) -> str:
        return self.guards.invoices.price(self._bill(question).price, scope, "o")

    def _waits(self, question: int, no_way: str) -> Iterator[str]:
        """Waits if there are enough options to ask; takes a forced one."""
        yield f"offer_{question}(g, f);"
        yield f"if (!g->offered) {{ {no_way} }}"
        yield "option = g->options[0];"
        least = self._least(question)
        yield f"if (g->offered >= {least}) {{ wait_for(g, f, {question}); check_steps(g, steps);"
        may_decline = any(way.declines for way in self.program.questions[question].ways)
        yield f"option = next_option(g, f, {int(may_decline)});"
        yield "if (option == NOTHING) return; steps = 0; }"

    def _chooses(
        self, asking: ins.Question, menu: tuple[Entry, ...], no_way: str, returns: str
    ) -> Iterator[str]:
        """The same for a menu: random players take an option by its number."""
        question, menus = asking.question, self.questions.menus
        yield f"uint64_t m[MENU]; int64_t n = menu_{question}(g, f, m);"
        yield f"if (!n) {{ {no_way} }}"
        yield f"int k = 0; if (n >= {self._least(question)}) {{ check_steps(g, steps); steps = 0;"
        given, you = menus.given(question, menu), f"f->s[{YOU}]"
        yield f"if (!answers(g)) {{ list_menu(g, {given}, n); wait_for(g, f, {question});"
        yield "option = next_option(g, f, 1); if (option == NOTHING) return;"
        yield f"goto T{question}; }}"
        yield "check_question(g, f, n); int64_t left = n;"
        yield f"if (g->tally) count_menu(g, {given}, n, {you});"
        yield from menus.declining(menu)
        yield f"note_decision(g, n); k = g->search ? searched_number(g, {given}, left, {you})"
        yield f": (int)below(&g->streams[{you}], (uint32_t)left);"
        yield f"if (g->tally) count_number(g, {given}, k, {you}); }}"
        yield from self.questions.take_by_number(menu, asking, returns)

    def _least(self, question: int) -> int:
        """The least number of options with which a question is asked."""
        return 1 if self.program.questions[question].in_any_case else 2

    def _draw(self, question: int) -> Iterator[str]:
        """Takes a random option, or waits for an outcome."""
        yield f"if (g->asked && g->offered > 1) {{ {self._wait_for(question)} }}"
        yield "option = g->options[below(&g->chance, (uint32_t)g->offered)];"

    def _wait_for(self, question: int) -> str:
        """Waits for an outcome."""
        return f"wait_for_chance(g, {question}); check_steps(g, steps); return;"

    def _shuffle(
        self, question: int, place: e.Expr, work: int, go_on: str, scope: Scope
    ) -> Iterator[str]:
        yield f"{{ int p = {self.expressions.number(place, scope)}; if (p < 0) {{ {go_on} }}"
        yield f"if (to_settle(g, p, f->s[{work}])) {{ {self._wait_for(question)} }}"
        yield f"{go_on} }}"
