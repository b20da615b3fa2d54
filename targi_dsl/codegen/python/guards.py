"""Guards: whether a rule, a way of a question or the rest of a block is possible.

The guard of a rule is a function that returns 0 if it is blocked, 1 if it is decided, and 2 if
other conjuncts follow it. The guard of a way is part of the function that builds its options.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import assert_never

from targi_dsl.codegen.python.expressions import Expressions
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.payments import Payments
from targi_dsl.codegen.python.unit import Unit
from targi_dsl.engine.guards import BLOCKED, DECIDED, THROUGH
from targi_dsl.engine.options import packed
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import Way
from targi_dsl.ir.statements import Binding


class Guards:
    """Generates guards."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.program = unit, unit.program
        self.expressions = Expressions(unit, self)
        self.payments = Payments(unit, self.expressions)
        self.sets = self.expressions.sets
        self.conditions = self.sets.conditions

    def can_pay(self, price: e.PriceExpr, terms: int, scope: Scope, out: Lines) -> str:
        return self.payments.can_pay(price, terms, scope, out)

    def can_do(self, rule: int, arguments: tuple[e.Expr, ...], scope: Scope, out: Lines) -> str:
        """The guard of a rule for these arguments: 0, 1 or 2."""
        given = [scope.slot(YOU), *[self.expressions.number(one, scope, out) for one in arguments]]
        return self.guard_call(rule, given, scope, out)

    def guard_call(self, rule: int, given: list[str], scope: Scope, out: Lines) -> str:
        """A call of the guard of a rule, which is generated when it is first needed."""
        info, name = self.program.procedures[rule], f"guard_{rule}"
        if info.guard in ((), (g.Decided(),)):
            return str(DECIDED if info.guard else THROUGH)
        names = {slot: f"a{slot}" for slot in range(1 + info.params)}
        given = [*given, *["0"] * (len(names) - len(given))]
        parameters, context = ["v", *names.values()], "0"
        if self.unit.facts.needs_context(("guard", rule)):
            context = "ctx"
            parameters.append(context)
            bit = self.unit.table.bits[rule]
            given.append(f"{scope.context} | {bit}" if bit else scope.context)
        inner = Scope(info.slots, names, False, context)

        def write(lines: Lines) -> None:
            self.expressions.deeper(lines)
            if self.guard(info.guard, inner, lines):
                lines.add(f"return {THROUGH}")

        out.cost += self.unit.define(name, ", ".join(parameters), write)
        return f"{name}({', '.join(['v', *given])})"

    def guard(self, guard: g.Guard, scope: Scope, out: Lines) -> bool:
        """Generates the conjuncts of a guard inside a function that returns its result; returns
        False if nothing can follow.
        """
        for conjunct in guard:
            match conjunct:
                case g.Bind(slot, value):
                    scope = self._bound(slot, value, scope, out)
                case g.Split(test, then, otherwise):
                    if not self._split(test, then, otherwise, scope, out):
                        return False
                case g.Decided():
                    out.add(f"return {DECIDED}")
                    return False
                case g.Answer(_, question, ways):
                    self._answer([(at, self.program.questions[question].ways[at]) for at in ways],
                                 scope, out)  # fmt: skip
                    return False
                case g.FirstTurn(_, slot, limit, body):
                    self._first_turn(slot, limit, body, scope, out)
                    return False
                case g.Perform() | g.PerformAction():
                    if not self._perform(conjunct, scope, out):
                        return False
                case g.Need() | g.Payable():
                    out.add(f"if {self._blocks(conjunct, scope, out)}: return {BLOCKED}")
                case _:
                    assert_never(conjunct)
        return True

    def _blocks(self, conjunct: g.Need | g.Payable, scope: Scope, out: Lines) -> str:
        """The text of a test whether a conjunct does not hold."""
        match conjunct:
            case g.Need(_, forbid, condition):
                test = self.expressions.test(condition, scope, out)
                if not self.program.prohibitions[forbid].permits:
                    return test
                lifted = self._lifting(forbid, scope, out)
                if lifted:
                    return f"not {lifted}" if test == "1" else f"({test} and not {lifted})"
                name = out.fresh("t")
                out.add(f"{name} = {test}")
                with out.block(f"if {name}"):
                    out.add(f"{name} = {self.permit(forbid, scope, out)} == {NOTHING}")
                return name
            case g.Payable(_, price, terms):
                return negated(self.payments.can_pay(price, terms, scope, out))
            case _:
                assert_never(conjunct)

    def _lifting(self, forbid: int, scope: Scope, out: Lines) -> str:
        """The text of a test whether an ability lifts a prohibition; empty if that takes separate
        lines.
        """
        texts, apart = list[str](), out.apart()
        for ability, test in self.program.prohibitions[forbid].permits:
            active = self.expressions.active(ability, scope.slot(YOU))
            text = self.expressions.test(test, scope, apart)
            texts.append(active if text == "1" else f"({active} and {text})")
        if apart.rows:
            return ""
        out.cost += apart.cost
        return f"({' or '.join(texts)})"

    def permit(self, forbid: int, scope: Scope, out: Lines) -> str:
        """The ability that lifts a prohibition for you now, or nothing."""
        name = out.fresh("lift")
        out.add(f"{name} = {NOTHING}")
        for ability, test in self.program.prohibitions[forbid].permits:
            active = self.expressions.active(ability, scope.slot(YOU))
            with out.block(f"if {name} == {NOTHING} and {active}"):
                if test == e.Const(1):
                    out.add(f"{name} = {ability}")
                else:
                    out.add(f"if {self.expressions.test(test, scope, out)}: {name} = {ability}")
        return name

    def _split(
        self, test: e.Expr, then: g.Guard, otherwise: g.Guard, scope: Scope, out: Lines
    ) -> bool:
        with out.block(f"if {self.expressions.test(test, scope, out)}"):
            goes_on = self.guard(then, scope, out)
        if not otherwise:
            return True
        with out.block("else"):
            return self.guard(otherwise, scope, out) or goes_on

    def _perform(self, node: g.Perform | g.PerformAction, scope: Scope, out: Lines) -> bool:
        """Another rule's guard; if the result is through, other conjuncts follow."""
        match node:
            case g.Perform(rule, arguments):
                text = self.can_do(rule, arguments, scope, out)
            case g.PerformAction(card):
                text = self.carried(card, scope, out)
            case _:
                assert_never(node)
        if text == str(THROUGH):
            return True
        if text == str(DECIDED):
            out.add(f"return {DECIDED}")
            return False
        name = self.unit.simple(text, out, "holds")
        out.add(f"if {name} != {THROUGH}: return {name}")
        return True

    def carried(self, card: e.Expr, scope: Scope, out: Lines) -> str:
        """The guard of the rule that a card carries."""
        of_card = {one: rule for one, rule in enumerate(self.program.actions) if rule != NOTHING}
        needs = any(self.unit.facts.needs_context(("guard", rule)) for rule in of_card.values())
        this = self.unit.simple(self.expressions.number(card, scope, out), out)
        known = [THROUGH] * (len(self.program.actions) + 1)
        asking = dict[int, list[int]]()
        for one, rule in of_card.items():
            guard = self.program.procedures[rule].guard
            if guard not in ((), (g.Decided(),)):
                asking.setdefault(rule, []).append(one)
                known[one] = 0
            elif guard:
                known[one] = DECIDED

        def write(lines: Lines) -> None:
            inner = Scope((), {YOU: "you"}, False, "ctx" if needs else "0")
            for rule, cards in asking.items():
                given = ["you", "card"] if self.program.procedures[rule].params else ["you"]
                text = self.guard_call(rule, given, inner, lines)
                among = self.unit.module.constant(f"frozenset({cards})", "AMONG")
                lines.add(f"if card in {among}: return {text}")
            lines.add("in_doubt()")

        if not asking:
            return f"{self.unit.large((*known,))}[{this}]"
        parameters = "v, you, card, ctx" if needs else "v, you, card"
        out.cost += self.unit.define("guard_of_card", parameters, write)
        given = ["v", scope.slot(YOU), this, *([scope.context] if needs else [])]
        return f"({self.unit.large((*known,))}[{this}] or guard_of_card({', '.join(given)}))"

    def _first_turn(
        self, slot: int, limit: e.Expr, body: g.Guard, scope: Scope, out: Lines
    ) -> None:
        scope = scope.bound(slot, "1")
        out.add(f"if {self.expressions.number(limit, scope, out)} <= 0: return {BLOCKED}")
        if self.guard(body, scope, out):
            out.add(f"return {DECIDED}")

    # ---- ways of questions ----

    def _answer(self, ways: list[tuple[int, Way]], scope: Scope, out: Lines) -> None:
        """Decided if any way has an option."""
        for at, way in ways:
            self.offer(at, way, scope, out, first=True)
        out.add(f"return {BLOCKED}")

    def offer(self, at: int, way: Way, scope: Scope, out: Lines, first: bool = False) -> None:
        """Generates the options of a way: added to the list `found`, or with `first` a return as
        soon as there is one.
        """
        with ExitStack() as depth:
            if way.when != e.Const(1):
                depth.enter_context(out.block(f"if {self.expressions.test(way.when, scope, out)}"))
            if way.choice is None:
                self._hold(way.guard, scope, out, depth)
                out.add(f"return {DECIDED}" if first else f"found.append({packed(at)})")
            elif not way.guard:
                self._all(packed(at, 0), way.choice.within, scope, out, first)
            else:
                self._some(packed(at, 0), way, way.choice, scope, out, first)

    def _all(self, option: int, within: e.Expr, scope: Scope, out: Lines, first: bool) -> None:
        if first:
            some = self.sets.some(e.Exists(NOTHING, within, e.Const(1)), scope, out)
            out.add(f"if {some}: return {DECIDED}")
        elif self.unit.is_mask(within, scope) and not isinstance(within, e.Filter | e.Lying):
            options = self.unit.module.constant(f"Options({option})", "OPTIONS")
            out.add(f"found += {options}[{self.sets.mask(within, scope, out)}]")
        else:
            element, elements = out.fresh(), self.sets.each(within, scope, out)
            out.add(f"for {element} in {elements}: found.append({option} + {element})")

    def _some(
        self, option: int, way: Way, choice: Binding, scope: Scope, out: Lines, first: bool
    ) -> None:
        guard, left = self._at_once(way, choice, scope, out)
        if left and not guard:
            many = self.unit.module.constant(f"Options({option})", "OPTIONS")
            out.add(f"if {left}: return {DECIDED}" if first else f"found += {many}[{left}]")
            return
        elements = f"ELEMENTS[{left}]" if left else self.sets.each(choice.within, scope, out)
        within = self.unit.simple(elements, out)
        element, inner = out.fresh(), out.apart(1)
        with ExitStack() as depth:
            self._hold(
                guard,
                scope.bound(choice.slot, element, self.unit.is_mask(choice.within, scope)),
                inner,
                depth,
            )
            inner.add(f"return {DECIDED}" if first else f"found.append({option} + {element})")
        self.unit.charge(out, inner, within, self.unit.facts.inference.size(choice.within))
        out.add(f"for {element} in {within}:")
        out.rows += inner.rows

    def _at_once(self, way: Way, choice: Binding, scope: Scope, out: Lines) -> tuple[g.Guard, str]:
        """Evaluates the first conjuncts of a way for all its elements at once. Returns the others,
        and the mask of the elements that are left; no text if all are.
        """
        left = ""
        for at, conjunct in enumerate(way.guard):
            apart = out.apart()
            name = left or out.fresh("m")
            if not self._passing(conjunct, choice, name, scope, apart):
                return way.guard[at:], left
            if not left:
                out.add(f"{name} = {self.sets.mask(choice.within, scope, out)}")
            left = name
            out.take(apart)
        return (), left

    def _passing(
        self, conjunct: g.Conjunct, choice: Binding, left: str, scope: Scope, out: Lines
    ) -> bool:
        """Keeps in a mask the elements for which a conjunct holds; returns False if they must be
        tested one by one.
        """
        slot, within = choice.slot, choice.within
        match conjunct:
            case g.Need(_, forbid, condition):
                against = self.conditions.holding(condition, slot, within, scope, out)
                if against is None:
                    return False
                self.conditions.looked_at(condition, slot, within, scope, out)
                if not self.program.prohibitions[forbid].permits:
                    out.add(f"{left} &= ~{against}")
                    return True
                hit = out.fresh("m")
                out.add(f"{hit} = {left} & {against}")
                with out.block(f"if {hit}"):
                    return self._lifted(forbid, choice, left, hit, scope, out)
            case g.Answer(_, question, ways):
                return self._answered(
                    [self.program.questions[question].ways[at] for at in ways],
                    choice, left, scope, out,
                )  # fmt: skip
            case _:
                return False

    def _lifted(
        self, forbid: int, choice: Binding, left: str, hit: str, scope: Scope, out: Lines
    ) -> bool:
        """Removes the elements that a prohibition forbids unless an ability lifts it."""
        for ability, test in self.program.prohibitions[forbid].permits:
            with out.block(f"if {self.expressions.active(ability, scope.slot(YOU))}"):
                lifted = self.conditions.holding(test, choice.slot, choice.within, scope, out)
                if lifted is None:
                    return False
                self.conditions.looked_at(test, choice.slot, choice.within, scope, out)
                out.add(f"{hit} &= ~{lifted}")
        out.add(f"{left} &= ~{hit}")
        return True

    def _answered(
        self, ways: list[Way], choice: Binding, left: str, scope: Scope, out: Lines
    ) -> bool:
        """Keeps the elements for which a question without conditions has any option."""
        texts = list[str]()
        for way in ways:
            if way.choice is None or way.guard or way.when != e.Const(1):
                return False
            sets = way.choice.within
            text = self.conditions.having(sets, choice.slot, choice.within, scope, out)
            if text is None:
                return False
            texts.append(text)
            some = e.Exists(NOTHING, sets, e.Const(1))
            self.conditions.looked_at(some, choice.slot, choice.within, scope, out)
        out.add(f"{left} &= {' | '.join(texts)}")
        return bool(ways)

    def _bound(self, slot: int, value: e.Expr, scope: Scope, out: Lines) -> Scope:
        """The scope in which a slot has a value."""
        name = out.fresh()
        out.add(f"{name} = {self.expressions.number(value, scope, out)}")
        return scope.bound(slot, name)

    def _hold(self, guard: g.Guard, scope: Scope, out: Lines, depth: ExitStack) -> None:
        """Opens the blocks inside which a guard holds."""
        if not all(isinstance(one, g.Bind | g.Need | g.Payable) for one in guard[:-1]):
            depth.enter_context(out.block(f"if {self.function(guard, scope, out)}"))
            return
        for conjunct in guard:
            match conjunct:
                case g.Bind(slot, value):
                    scope = self._bound(slot, value, scope, out)
                    continue
                case g.Need() | g.Payable():
                    test = negated(self._blocks(conjunct, scope, out))
                case g.Perform(rule, arguments):
                    test = self.can_do(rule, arguments, scope, out)
                case g.PerformAction(card):
                    test = self.carried(card, scope, out)
                case _:
                    test = self.function((conjunct,), scope, out)
            depth.enter_context(out.block(f"if {test}"))

    def function(self, guard: g.Guard, scope: Scope, out: Lines) -> str:
        """A guard as a function of its own, with the names of the scope as parameters."""
        names = sorted({one for one in scope.names.values() if one.isidentifier()})
        given = ["v", *(["f"] if scope.in_frame else []), *names]
        if scope.context.isidentifier():
            given.append(scope.context)
        name = f"holds_{len(self.unit.costs)}"

        def write(lines: Lines) -> None:
            if self.guard(guard, scope, lines):
                lines.add(f"return {THROUGH}")

        parameters = ", ".join(dict.fromkeys(given))
        out.cost += self.unit.define(name, parameters, write, out.taken)
        return f"{name}({parameters})"


def negated(test: str) -> str:
    """The negation of a test that is in parentheses or is a name or a call."""
    return test.removeprefix("not ") if test.startswith("not ") else f"not {test}"
