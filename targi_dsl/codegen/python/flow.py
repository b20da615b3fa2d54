"""Control flow: a function for each address at which a rule may be entered.

The engine calls these functions in turn; each returns the address to continue at, or what ends the
turn. A function continues through its rule until it reaches another such address.
"""

from __future__ import annotations

from functools import partial

from targi_dsl.codegen.python.effects import Effects
from targi_dsl.codegen.python.graph import REFERENCE, Graph
from targi_dsl.codegen.python.guards import Guards
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.questions import ASKED, Questions
from targi_dsl.codegen.python.unit import Unit
from targi_dsl.engine.faults import FRAMES, RANGE
from targi_dsl.engine.steps import FINISHED
from targi_dsl.ir import expressions as e
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Trigger
from targi_dsl.ir.program import NEXT_ROUND, RETURN, Program
from targi_dsl.text.light import dataclass

DEEPEST = 3
"""The maximum depth to which rules are inlined."""

MOST = 90
"""A function with this many lines leaves what follows to another function."""


@dataclass(frozen=True, slots=True)
class _Caller:
    """Where execution continues when a called rule ends."""

    callee: int
    after: int
    scope: Scope


class Flow:
    """Generates rules. Of the function under construction, `_within` are the rules being inlined,
    each with its caller, and `_path` the addresses of other functions that are merged into it.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit, self.program, self.graph = unit, unit.program, Graph(unit.program)
        self.guards = Guards(unit)
        self.expressions, self.sets = self.guards.expressions, self.guards.sets
        self.questions = Questions(unit, self.guards, self.goes_on)
        self.effects = Effects(unit, self.expressions, self.graph)
        self._within, self._path = list[_Caller](), list[int]()

    def everything(self) -> None:
        """Generates all functions."""
        self.conditions()
        for number, question in enumerate(self.program.questions):
            if question.kind in ASKED:
                self.questions.options_of(number)
                self.questions.takes(number)
        for address in self.graph.entries:
            self.function(address)

    def conditions(self) -> None:
        """Generates the conditions of triggers."""
        for number, one in enumerate(self.program.triggers):
            if one.condition != e.Const(1):
                self.unit.define(f"trigger_{number}", "v, f", partial(self._condition, one))

    def _condition(self, one: Trigger, out: Lines) -> None:
        out.add(f"return {self.expressions.test(one.condition, self.unit.scope(one.body), out)}")

    def function(self, address: int) -> None:
        """Generates the function that begins at an address."""
        line = self.program.code[address]
        scope = self.unit.scope(line.rule) if line.rule >= 0 else Scope(())

        def write(out: Lines) -> None:
            out.add("f = run.frame")
            self._path.append(address)
            self._walk(address, NOTHING, scope, out, entering=True)
            self._path.clear()

        name = function_name(self.program, address)
        cost = self.unit.define(name, "v, run", write, changing=True)
        if cost > FREE:
            self.unit.module.functions[name].insert(1, f"    v[1] += {cost}")

    def goes_on(self, address: int, scope: Scope, out: Lines) -> None:
        """Generates what follows an answer; another question is left to its own function."""
        asks = isinstance(self.program.code[address].operation, ins.Ask | ins.Pay | ins.PayUnit)
        self._walk(address, NOTHING, scope, out, entering=not asks)

    def _walk(
        self, address: int, stop: int, scope: Scope, out: Lines, entering: bool = False
    ) -> None:
        """Generates instructions from an address until one where another function begins, or until
        `stop`, where the caller continues.
        """
        before = len(self._path)
        self._go(address, stop, scope, out, entering)
        del self._path[before:]

    def _go(self, address: int, stop: int, scope: Scope, out: Lines, entering: bool) -> None:
        while address != stop:
            if address == RETURN:
                self._leave(out)
                return
            line = self.program.code[address]
            match line.operation:
                case ins.PayUnit(question) if not entering:
                    out.add(f"if {self.questions.owes(question)}: return {address}")
                    address = line.next
                    continue
                case ins.Settle(question) if not self.graph.rewards(question):
                    address, entering = line.next, False
                    continue
                case ins.Nop() if entering:
                    address = line.next
                    continue
            if not entering and (address in self.graph.begins or address <= NEXT_ROUND):
                entering = self._goes_into(address, out)
            elif isinstance(line.operation, REFERENCE):
                entering = False
            else:
                entering = True
            if not entering:
                out.add(f"return {address}")
                return
            entering = False
            self.unit.module.longest = max(self.unit.module.longest, len(out.rows))
            self._note(address, out)
            match line.operation:
                case ins.Branch() | ins.Test():
                    address = self._branch(line, stop, scope, out)
                case operation:
                    if not self._operation(operation, line, address, scope, out):
                        return
                    address = line.next

    def _goes_into(self, address: int, out: Lines) -> bool:
        """Whether a function continues where another one begins."""
        if address <= NEXT_ROUND or isinstance(self.program.code[address].operation, REFERENCE):
            return False
        if address in self._path or len(out.rows) > MOST:
            return False
        self._path.append(address)
        return True

    def _leave(self, out: Lines) -> None:
        """Ends the rule. If its caller is known, continues there; otherwise returns through those
        that called it as their last step.
        """
        if not self._within or len(out.rows) > MOST:
            out.add("f, run.rule, after = run.stack.pop()")
            out.add(f"while after == {RETURN}: f, run.rule, after = run.stack.pop()")
            out.add("run.frame = f[:]", "return after")
            return
        caller = self._within.pop()
        if caller.after == RETURN:
            out.add("run.stack.pop()")
        else:
            out.add("f, run.rule, _ = run.stack.pop()", "run.frame = f")
        self._walk(caller.after, NOTHING, caller.scope, out)
        self._within.append(caller)

    def _note(self, address: int, out: Lines) -> None:
        """A comment with the location of an instruction in the rules."""
        span = self.program.code[address].span
        if span is not None:
            out.add(f"# {harmless(span.source.name)}:{span.line}")

    def _operation(
        self, operation: ins.Operation, line: ins.Instruction, address: int, scope: Scope,
        out: Lines,
    ) -> bool:  # fmt: skip
        """Generates an instruction with one successor; returns False if nothing follows."""
        match operation:
            case ins.Over():
                out.add(f"return {FINISHED}")
                return False
            case ins.Nop():
                return True
            case ins.Open(slots):
                out.add(*[f"v[{slot}] = 0" for slot in slots])
                return True
            case s.Let(slot, value):
                out.add(f"{scope.slot(slot)} = {self.expressions.number(value, scope, out)}")
                return True
            case ins.NextElement():
                return self._next_element(operation, line, scope, out)
            case s.Forbid(forbid, condition):
                self._forbid(forbid, condition, scope, out)
                return True
            case s.Do(rule, arguments) if self.graph.is_leaf(rule):
                self._inlined(rule, arguments, scope, out)
                return True
            case s.Do(rule, arguments):
                self._do(rule, arguments, line, scope, out)
            case ins.Ask(question, otherwise):
                self.questions.asked(question, address, otherwise, out)
            case ins.Pay(question, otherwise):
                self.questions.unless_free(question, line.next, scope, out)
                self.questions.asked(question, address, otherwise, out)
            case ins.PayUnit(question):
                self.questions.asked(question, address, line.next, out)
            case ins.Settle(question):
                self.questions.settled(question, line.next, scope, out)
            case ins.NextRound():
                self._next_round(out)
            case ins.Shuffle() | ins.Roll() | ins.Random():
                raise AssertionError(operation)
            case ins.Return() | ins.Branch() | ins.Test():
                raise AssertionError(operation)
            case effect:
                return self.effects.effect(effect, line.rule, line.next, scope, out)
        return False

    def _next_element(
        self, node: ins.NextElement, line: ins.Instruction, scope: Scope, out: Lines
    ) -> bool:
        last = scope.slot(node.slot)
        match node.within:
            case e.Range(low, high):
                first = self.unit.simple(self.expressions.number(low, scope, out), out)
                highest = self.unit.simple(self.expressions.number(high, scope, out), out)
                after = out.fresh()
                if not (first.isdecimal() and highest.isdecimal()):
                    out.add(f"if {highest} - {first} >= {RANGE}: in_doubt()")
                out.add(f"if ({after} := {last} + 1) < {first}: {after} = {first}")
                out.add(f"if {after} > {highest}: return {node.done}")
                out.add(f"f[{node.slot}] = {after}")
                return True
            case within if self.unit.is_mask(within, scope):
                left = out.fresh("m")
                out.add(f"{left} = {self.sets.mask(within, scope, out)} >> {last} + 1")
                out.add(f"if not {left}: return {node.done}")
                out.add(f"f[{node.slot}] += ({left} & -{left}).bit_length()")
                return True
        elements, one = self.sets.each(node.within, scope, out), out.fresh()
        with out.block(f"for {one} in {elements}"):
            out.add(f"if {one} > {last}: break")
        with out.block("else"):
            out.add(f"return {node.done}")
        out.add(f"f[{node.slot}] = {one}")
        return True

    def _forbid(self, forbid: int, condition: e.Expr, scope: Scope, out: Lines) -> None:
        if condition == e.Const(0):
            return
        with out.block(f"if {self.expressions.test(condition, scope, out)}"):
            if not self.program.prohibitions[forbid].permits:
                out.add("in_doubt()")
            else:
                lift = self.guards.permit(forbid, scope, out)
                out.add(f"if {lift} < 0: in_doubt()")
                out.add(f"use(v, run, {lift}, {scope.slot(YOU)})")

    def _next_round(self, out: Lines) -> None:
        """Begins a round with an empty stack."""
        rule = self.program.round
        info = self.program.procedures[rule]
        slots = [YOU, *[0] * (len(info.slots) - 1), self.unit.table.bits[rule]]
        out.add("run.clear()", "run.new_round(v)")
        out.add(f"run.stack.append((run.frame, {NOTHING}, {NEXT_ROUND}))")
        out.add(f"if run.called is not None: run.called[{rule}] += 1")
        out.add(f"run.frame = f = {slots}", f"run.rule = {rule}")
        self._walk(info.entry, NOTHING, self.unit.scope(rule), out, entering=True)

    def _do(
        self, rule: int, arguments: tuple[e.Expr, ...], line: ins.Instruction, scope: Scope,
        out: Lines,
    ) -> None:  # fmt: skip
        """Begins a rule; the current one resumes after it."""
        info = self.program.procedures[rule]
        given = [self.expressions.number(one, scope, out) for one in arguments]
        rest = ["0"] * (len(info.slots) - len(given) - 1)
        bit = self.unit.table.bits[rule]
        context = f"f[-1] | {bit}" if bit else "f[-1]"
        slots = ", ".join([scope.slot(YOU), *given, *rest, context])
        out.add(f"run.frame = new = [{slots}]")
        out.add(f"run.stack.append((f, {line.rule}, {line.next}))")
        if not self._within:
            # Enough for the rules that are written into this function.
            out.add(f"if len(run.stack) >= {FRAMES - DEEPEST}: in_doubt()")
        out.add(f"if run.called is not None: run.called[{rule}] += 1")
        out.add(f"run.rule = {rule}")
        if len(self._within) >= DEEPEST or rule in [one.callee for one in self._within]:
            out.add(f"return {info.entry}")
            return
        self._within.append(_Caller(rule, line.next, scope))
        out.add("f = new")
        self._walk(info.entry, NOTHING, self.unit.scope(rule), out, entering=True)
        self._within.pop()

    def _inlined(self, rule: int, arguments: tuple[e.Expr, ...], scope: Scope, out: Lines) -> None:
        """A rule that runs to its end without interruption, with its slots as variables."""
        info, names = self.program.procedures[rule], dict[int, str]()
        given = [scope.slot(YOU), *[self.expressions.number(one, scope, out) for one in arguments]]
        given += ["0"] * (len(info.slots) - len(given))
        for slot, text in enumerate(given):
            names[slot] = out.fresh("s")
            out.add(f"{names[slot]} = {text}")
        bit = self.unit.table.bits[rule]
        context = f"({scope.context} | {bit})" if bit else scope.context
        inner = Scope(info.slots, names, False, context)
        out.add(f"if run.called is not None: run.called[{rule}] += 1")
        self._walk(info.entry, RETURN, inner, out, entering=True)

    # ---- branches ----

    def _branch(self, line: ins.Instruction, stop: int, scope: Scope, out: Lines) -> int:
        """Generates both sides of a branch up to where they meet, which is where the caller
        continues; `stop` if they do not meet before.
        """
        match line.operation:
            case ins.Branch(e.Const(value), otherwise):
                return line.next if value else otherwise
            case ins.Branch(condition, otherwise):
                test = self.expressions.test(condition, scope, out)
            case ins.Test(guard, otherwise):
                test = self.guards.function(guard, scope, out)
            case _:
                raise AssertionError(line)
        meet = self.graph.meeting(line.next, otherwise, stop)
        if meet == otherwise:
            with out.block(f"if {test}"):
                self._walk(line.next, meet, scope, out)
        else:
            with out.block(f"if {test}"):
                self._walk(line.next, meet, scope, out)
            if meet == line.next:
                out.rows.pop()
                out.rows[-1] = out.rows[-1].replace(f"if {test}:", f"if not ({test}):")
                out.depth += 1
                self._walk(otherwise, meet, scope, out)
                out.depth -= 1
            else:
                with out.block("else"):
                    self._walk(otherwise, meet, scope, out)
        return meet


FREE = 40
"""The maximum work of a function on the meter that is not counted at run time."""


def function_name(program: Program, address: int) -> str:
    """The name of the function that begins at an address."""
    return f"rule_{max(program.code[address].rule, 0)}_at_{address}"


def harmless(text: str) -> str:
    """A text of the rules made safe for a comment."""
    return "".join(
        one if one.isascii() and (one.isalnum() or one in "._/- ") else "_" for one in text
    )
