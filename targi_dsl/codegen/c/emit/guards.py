"""Generates guards as C functions that return 0 (blocked), 1 (decided) or 2 (through)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from targi_dsl.codegen.c.emit.expressions import Expressions
from targi_dsl.codegen.c.emit.invoices import Invoices, reads
from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.codegen.c.emit.steps import integer
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import Way
from targi_dsl.ir.statements import Binding
from targi_dsl.ir.walk import rewritten


class Guards:
    """Generates the guards of one program."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.program = unit, unit.program
        self.expressions = Expressions(unit, self)
        self.invoices = Invoices(unit, self.expressions)
        self._written: dict[int, tuple[str, list[int], g.Guard]] = {}
        self._action, self._performed = "", set[int]()

    def write_rules(self) -> None:
        """Generates the guard of every rule, in a new frame of it. This must come last, since only
        the guards that others perform distinguish decided from through.
        """
        bodies = [self._in_new_frame(number) for number in range(len(self.program.procedures))]
        for number, body in enumerate(bodies):
            given = range(1 + self.program.procedures[number].params)
            head = "".join(f", int a{slot}" for slot in given)
            type_ = "int" if number in self._performed else "_Bool"
            self.unit.function(f"static {type_} guard_{number}(Game *g, Context c{head})", body)

    def _in_new_frame(self, number: int) -> str:
        rule, bits = self.program.procedures[number], self.unit.bits[number]
        scope = Scope(rule.slots, {slot: f"a{slot}" for slot in range(1 + rule.params)})
        lines = [f"c = enter(g, c | {bits:#x}u);", *self.lines(rule.guard, scope), "return 2;"]
        return "\n".join(lines)

    def test(self, guard: g.Guard, scope: Scope) -> str:
        """A call of a function that returns the result of this guard in a frame."""
        found = self._written.get(id(guard))
        if found is None:
            found = self._written[id(guard)] = self._function(guard, scope)
        name, slots, _ = found
        return f"{name}({', '.join(['g', 'c', *(scope.slot(slot) for slot in slots)])})"

    def _function(self, guard: g.Guard, scope: Scope) -> tuple[str, list[int], g.Guard]:
        name, slots = self.unit.fresh("may_"), reads(self.program, guard)
        inside = Scope(scope.types, {slot: f"a{slot}" for slot in slots})
        given = "".join(f", int a{slot}" for slot in slots)
        body = "\n".join([*self.lines(guard, inside), "return 2;"])
        self.unit.function(f"static _Bool {name}(Game *g, Context c{given})", body)
        return name, slots, guard

    # ---- conjuncts ----

    def lines(self, guard: g.Guard, scope: Scope, after: g.Guard = ()) -> Iterator[str]:
        """The statements of a guard; they return unless the result is through. after: conjuncts
        that follow in the enclosing list.
        """
        every = (*guard, *after)
        for at, node in enumerate(every):
            match node:
                case g.Bind(slot, value):
                    name = self.unit.fresh("b")
                    yield f"int {name} = {self.expressions.number(value, scope)};"
                    scope = scope.bound(slot, name)
                case g.Split(test, then, otherwise) if _binds(then) or _binds(otherwise):
                    yield f"if ({self.expressions.truth(test, scope)}) {{"
                    yield from self.lines(then, scope, every[at + 1 :])
                    yield "} else {"
                    yield from self.lines(otherwise, scope, every[at + 1 :])
                    yield "} return 2;"
                    return
                case g.Decided():
                    yield "return 1;"
                    return
                case _:
                    yield from self._conjunct(node, scope)

    def _conjunct(self, node: g.Conjunct, scope: Scope) -> Iterator[str]:
        truth = self.expressions.truth
        match node:
            case g.Need(_, forbid, condition):
                lifted = self.lifted(forbid, scope)
                yield f"if ({truth(condition, scope)} && {lifted} < 0) return 0;"
            case g.Payable(_, price, terms):
                yield f"if (!{self.can_pay(price, terms, scope)}) return 0;"
            case g.Split(test, then, otherwise):
                yield f"if ({truth(test, scope)}) {{"
                yield from self.lines(then, scope)
                yield "} else {"
                yield from self.lines(otherwise, scope)
                yield "}"
            case g.Perform(rule, arguments):
                given = [self.expressions.number(one, scope) for one in arguments]
                yield from self._perform(rule, [scope.slot(YOU), *given])
            case g.PerformAction(card):
                yield from self._perform_action(card, scope)
            case g.Answer(_, question, ways):
                yield from self._answer(
                    [self.program.questions[question].ways[at] for at in ways], scope
                )
            case g.FirstTurn(_, slot, limit, body):
                first = scope.bound(slot, "1")
                above = f"{self.expressions.number(limit, first)} > 0"
                yield f"return {above} && {self.test(body, first)} != 0;"
            case g.Bind() | g.Decided():
                raise AssertionError(node)
            case _:
                assert_never(node)

    def lifted(self, forbid: int, scope: Scope) -> str:
        """The ability that lifts a prohibition, or nothing."""
        found = str(NOTHING)
        for ability, test in reversed(self.program.prohibitions[forbid].permits):
            active = self.expressions.active(ability, scope.slot(YOU))
            holds = self.expressions.truth(test, scope)
            found = f"({active} && {holds} ? {ability} : {found})"
        return found

    def _perform(self, rule: int, given: list[str]) -> Iterator[str]:
        guard = self.program.procedures[rule].guard
        if guard == (g.Decided(),):
            yield "return 1;"
        elif guard:
            name = self.unit.fresh("r")
            self._performed.add(rule)
            call = f"guard_{rule}({', '.join(['g', 'c', *given])})"
            yield f"{{ int {name} = {call}; if ({name} != 2) return {name}; }}"

    def _perform_action(self, card: e.Expr, scope: Scope) -> Iterator[str]:
        if not self._action:
            self._write_action()
        k, r = self.unit.fresh("k"), self.unit.fresh("r")
        actions, free = self._actions()
        yield f"{{ int {k} = {self.expressions.number(card, scope)};"
        yield f"int {r} = {actions}[{k} + 1]; if ({r} == {free}) return 1;"
        call = f"{self._action}(g, c, {scope.slot(YOU)}, {k}, {r})"
        yield f"if ({r} >= 0) {{ {r} = {call}; if ({r} != 2) return {r}; }} }}"

    def _actions(self) -> tuple[str, int]:
        """The table of the rules of the cards' actions, for nothing and each card, and the index in
        it of an action that can always be done.
        """
        free = len(self.program.procedures)
        rules = (free if self._is_free(one) else one for one in self.program.actions)
        return self.unit.numbers([NOTHING, *rules]), free

    def _is_free(self, rule: int) -> bool:
        return rule != NOTHING and self.program.procedures[rule].guard == (g.Decided(),)

    def _write_action(self) -> None:
        """Generates the guard of the action of any card."""
        self._action, lines = "guard_of_action", list[str]()
        for rule in sorted({*self.program.actions} - {NOTHING}):
            if not self._is_free(rule):
                given = ["you", "card"][: 1 + self.program.procedures[rule].params]
                lines += [f"case {rule}: {{", *self._perform(rule, given), "break; }"]
        head = "static int guard_of_action(Game *g, Context c, int you, int card, int rule)"
        self.unit.function(head, "\n".join(["switch (rule) {", *lines, "} return 2;"]))

    def _answer(self, ways: list[Way], scope: Scope) -> Iterator[str]:
        """Whether any way offers an option."""
        if any(_is_certain(way) for way in ways):
            yield "return 1;"
            return
        for way in ways:
            yield f"if ({self.expressions.truth(way.when, scope)}) {{"
            yield from self._offers(way, scope)
            yield "}"
        yield "return 0;"

    def _offers(self, way: Way, scope: Scope) -> Iterator[str]:
        if way.choice is None:
            yield f"if ({self.test(way.guard, scope)}) return 1;" if way.guard else "return 1;"
        elif not way.guard:
            yield f"if ({self.expressions.sets.any(way.choice.within, scope)}) return 1;"
        else:
            s, x = self.unit.fresh("s"), self.unit.fresh("x")
            shape, head, left = self.sifted(way.choice, way.guard, scope, s)
            if not left:
                yield f"{head} if ({shape.name}_any({s})) return 1;"
                return
            loop, end = shape.each(x, s)
            holds = self.test(left, scope.bound(way.choice.slot, x))
            yield f"{head} {loop} if ({holds}) return 1; {end}"

    def sifted(
        self, choice: Binding, guard: g.Guard, scope: Scope, name: str
    ) -> tuple[Shape, str, g.Guard]:
        """Declares what can be chosen as a set of this name, less what the leading prohibitions
        rule out in bulk; and the rest of the guard.
        """
        sets, slot = self.expressions.sets, choice.slot
        shape, head = sets.declare_counted(choice.within, scope, name)
        for at, node in enumerate(guard):
            if not isinstance(node, g.Need) or not self._is_lifted_for_all(node.forbid):
                return shape, head, guard[at:]
            out = sets.sifted(slot, node.condition, scope, shape, name, keep=False)
            if not out:
                return shape, head, guard[at:]
            head += f" if ({self.lifted(node.forbid, scope)} < 0) {out}"
        return shape, head, ()

    def doubted(self, guard: g.Guard, slot: int) -> tuple[frozenset[int], int] | None:
        """The top cards with which a place in a slot must be visited, since a guard may fail there,
        and how many rules it performs at any other place; None if that number varies.
        """
        empty = None if self.unit.references.is_deep else self._passed(guard, slot, NOTHING)
        if empty is None:
            return None
        passed = [self._passed(guard, slot, card) for card in range(len(self.program.cards))]
        if any(one and one[0] != empty[0] for one in passed):
            return None
        return frozenset(card for card, one in enumerate(passed) if not one), empty[0]

    def _passed(self, guard: g.Guard, slot: int, card: int) -> tuple[int, bool] | None:
        """How many rules a guard performs for a place with this top card, and whether that decides
        it; None if it may fail.
        """
        performed, top = 0, e.TopCard(e.Local(slot))
        for node in guard:
            found = None
            match node:
                case g.Decided():
                    found = 0, True
                case g.PerformAction(of) if of == top:
                    rule = self.program.actions[card] if card != NOTHING else NOTHING
                    if rule == NOTHING or self._is_free(rule):
                        found = 0, rule != NOTHING
                case g.Perform(rule, (e.Local(place),)) if place == slot:
                    inner = self.program.procedures[rule].guard
                    if found := self._passed(inner, YOU + 1, card):
                        enters = inner not in ((), (g.Decided(),))
                        found = found[0] + enters, found[1]
                case g.Split(test, then, otherwise):
                    below = rewritten(test, lambda one: e.Const(card) if one == top else one)
                    holds = integer(below, {})
                    if holds is not None:
                        found = self._passed(then if holds else otherwise, slot, card)
            if found is None:
                return None
            performed += found[0]
            if found[1]:
                return performed, True
        return performed, False

    def _is_lifted_for_all(self, forbid: int) -> bool:
        """Whether what lifts a prohibition does not depend on the element that is chosen."""
        return all(test == e.Const(1) for _, test in self.program.prohibitions[forbid].permits)

    # ---- expressions about what can be done or paid ----

    def can_do(self, rule: int, arguments: tuple[e.Expr, ...], scope: Scope) -> str:
        """Whether a rule can be done."""
        given = [scope.slot(YOU), *(self.expressions.number(one, scope) for one in arguments)]
        return f"guard_{rule}({', '.join(['g', 'c', *given])})"

    def can_pay(self, price: e.PriceExpr, terms: int, scope: Scope) -> str:
        """Whether a price can be paid."""
        if covered := self.invoices.is_covered(price, terms, scope):
            return covered
        name = self.unit.fresh("o")
        asked = self.invoices.declare(price, terms, scope, name)
        return self.unit.call_of_new("int", f"{asked} return can_pay(g, &{name});", scope)


def _binds(guard: g.Guard) -> bool:
    """Whether a guard binds a slot for the conjuncts after it."""
    return any(
        isinstance(one, g.Bind)
        or (isinstance(one, g.Split) and (_binds(one.then) or _binds(one.otherwise)))
        for one in guard
    )


def _is_certain(way: Way) -> bool:
    return way.choice is None and way.when == e.Const(1) and not way.guard
