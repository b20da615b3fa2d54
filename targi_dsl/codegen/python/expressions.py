"""Generates numbers and conditions as Python expressions."""

from __future__ import annotations

from typing import Protocol

from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.sets import Sets
from targi_dsl.codegen.python.unit import Unit, Write
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.comparisons import COMPARISONS
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.types import HIGHEST, LOWEST

LONGER = {
    "at_least": (0, ""),
    "more_than": (1, ""),
    "less_than": (0, "not "),
    "at_most": (1, "not "),
}
"""For each comparison with the length of a line: the difference from the number, and the prefix."""


class Asks(Protocol):
    """Generates the conditions on what can be done or paid."""

    def can_do(self, rule: int, arguments: tuple[e.Expr, ...], scope: Scope, out: Lines) -> str:
        """A test whether a rule can be done."""

    def can_pay(self, price: e.PriceExpr, terms: int, scope: Scope, out: Lines) -> str:
        """A test whether a price can be paid."""


class Expressions:
    """Generates the expressions of one program. Each method returns the text of a value, and adds
    the lines that must come before it.
    """

    def __init__(self, unit: Unit, asks: Asks) -> None:
        self.unit, self.program, self.slots = unit, unit.program, unit.slots
        self.asks, self.sets = asks, Sets(unit, self)

    def number(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """A number."""
        match node:
            case e.Const(int(value)):
                return str(int(value))
            case e.Local(slot):
                return scope.slot(slot)
            case e.Var(base, index, missing):
                return self.at(base, index, missing, scope, out)
            case e.Table(values, index):
                return self.entry(values, index, scope, out)
            case e.Arith():
                return self._arith(node, scope, out)
            case e.Cond(condition, then, otherwise):
                return self.either(self.number, condition, then, otherwise, scope, out)
            case e.TopCard(place):
                return self.at(self.slots.place_top, place, NOTHING, scope, out)
            case e.BottomCard(place):
                return f"bottom_card(v, {self.number(place, scope, out)})"
            case e.FaceUp(card):
                at = self.at(self.slots.card_known, card, 0, scope, out)
                return f"({at} & 1)"
            case e.Call(define, arguments):
                return self.call(define, arguments, scope, out)
            case e.Fold() | e.Size() | e.First() | e.LongestLine():
                return self.sets.of_set(node, scope, out)
            case _:
                return f"(1 if {self.test(node, scope, out)} else 0)"

    def test(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """A condition, or a number of which only the truth matters."""
        match node:
            case e.Compare(op, e.LongestLine() as of, e.Const(int(length))) if op in LONGER and (
                text := self.sets.has_line(of, length + LONGER[op][0], scope, out)
            ):
                return f"{LONGER[op][1]}{text}"
            case e.Compare(op, left, right):
                return self._compare(op, left, right, scope, out)
            case e.Not(of):
                return f"(not {self.test(of, scope, out)})"
            case e.All(parts):
                return self._joined(parts, "and", scope, out)
            case e.AnyOf(parts):
                return self._joined(parts, "or", scope, out)
            case e.Member(item, within):
                return self.sets.contains(item, within, scope, out)
            case e.Exists():
                return self.sets.some(node, scope, out)
            case e.Active(ability):
                return self.active(ability, scope.slot(YOU))
            case e.During(rule):
                return f"({scope.context} & {self.unit.table.bits[rule]})"
            case e.CanDo(rule, arguments):
                return self.asks.can_do(rule, arguments, scope, out)
            case e.CanPay(price, terms):
                return self.asks.can_pay(price, terms, scope, out)
            case e.Cond(condition, then, otherwise):
                return self.either(self.test, condition, then, otherwise, scope, out)
            case _:
                return self.number(node, scope, out)

    # ---- slots and tables ----

    def at(self, base: int, index: e.Expr, missing: int, scope: Scope, out: Lines) -> str:
        """The slot of the position at base + index."""
        match index:
            case e.Const(int(known)):
                return f"v[{base + known}]" if known >= 0 else str(missing)
            case e.Local(slot) if slot == YOU:
                return f"v[{base} + {scope.slot(YOU)}]"
        at = self.number(index, scope, out)
        if self.unit.span(index, scope)[0] >= 0:
            return f"v[{base} + {at}]"
        if at.isidentifier():
            return f"(v[{base} + {at}] if {at} >= 0 else {missing})"
        name = out.fresh()
        return f"(v[{base} + {name}] if ({name} := {at}) >= 0 else {missing})"

    def entry(self, values: tuple[object, ...], index: e.Expr, scope: Scope, out: Lines) -> str:
        """The entry of a table; the last one for an index out of range."""
        table, last = self.unit.large(values), len(values) - 1
        at = self.number(index, scope, out)
        low, high = self.unit.span(index, scope)
        if low >= -1 and high <= last:
            return f"{table}[{at}]"
        name = out.fresh()
        return f"({table}[{name}] if 0 <= ({name} := {at}) < {last} else {table}[-1])"

    def active(self, ability: int, player: str) -> str:
        """Whether an ability is active for a player."""
        info = self.program.abilities[ability]
        if info.card == NOTHING:
            return "1" if info.window == NOTHING else f"(not v[{info.window} + {player}])"
        owners = self.unit.large((*self.unit.table.owner_of,))
        place = f"v[{self.slots.card_place + info.card}]"
        owned = f"{owners}[{place}] == {player}"
        return f"({owned})" if info.window == NOTHING else f"({owned} and not v[{info.window}])"

    # ---- arithmetic and logic ----

    def _arith(self, node: e.Arith, scope: Scope, out: Lines) -> str:
        one, other = self.number(node.left, scope, out), self.number(node.right, scope, out)
        spans = [self.unit.span(of, scope) for of in (node.left, node.right)]
        if node.op != "/":
            result = f"({one} {node.op} {other})"
        elif spans[1][0] > 0:
            result = f"({one} // {other})"
        else:
            result = f"quotient({one}, {other})"
        low, high = self.unit.facts.result(node.op, *spans)
        if low >= LOWEST and high <= HIGHEST:
            return result
        name = out.fresh()
        above = f"{LOWEST} <= " if low < LOWEST else ""
        below = f" <= {HIGHEST}" if high > HIGHEST else ""
        return f"({name} if {above}({name} := {result}){below} else in_doubt())"

    def _compare(
        self, op: e.Comparison, left: e.Expr, right: e.Expr, scope: Scope, out: Lines
    ) -> str:
        if self.unit.facts.is_set(left, scope.types) or self.unit.facts.is_set(right, scope.types):
            both = [left, right]
            if all(self.unit.facts.is_mask(one, scope.types) for one in both):
                texts = [self.sets.mask(one, scope, out) for one in both]
            else:
                texts = [f"tuple({self.sets.each(one, scope, out)})" for one in both]
        else:
            texts = [self.number(left, scope, out), self.number(right, scope, out)]
        return f"({texts[0]} {COMPARISONS[op].sign} {texts[1]})"

    def _joined(self, nodes: tuple[e.Expr, ...], word: str, scope: Scope, out: Lines) -> str:
        """Conditions joined by `and` or `or`; one that needs separate lines is evaluated only when
        it matters.
        """
        if not nodes:
            return str(int(word == "and"))
        texts = list[str]()
        for at, node in enumerate(nodes):
            apart = out.apart()
            text = self.test(node, scope, apart)
            if at and apart.rows:
                return self._stepwise(texts, nodes[at:], word, scope, out)
            out.take(apart)
            texts.append(text)
        return f"({f' {word} '.join(texts)})"

    def _stepwise(
        self, texts: list[str], rest: tuple[e.Expr, ...], word: str, scope: Scope, out: Lines
    ) -> str:
        name = out.fresh("t")
        out.add(f"{name} = {f' {word} '.join(texts)}")
        matters = name if word == "and" else f"not {name}"
        for node in rest:
            with out.block(f"if {matters}"):
                out.add(f"{name} = {self.test(node, scope, out)}")
        return name

    def either(
        self, write: Write, condition: e.Expr, then: e.Expr, otherwise: e.Expr,
        scope: Scope, out: Lines,
    ) -> str:  # fmt: skip
        """One of two values; the other is not computed."""
        test = self.test(condition, scope, out)
        ways = [out.apart(1), out.apart(1)]
        texts = [write(one, scope, way) for one, way in zip((then, otherwise), ways, strict=True)]
        if not any(way.rows for way in ways):
            out.cost += sum(way.cost for way in ways)
            return f"({texts[0]} if {test} else {texts[1]})"
        name = out.fresh()
        for head, text, way in zip((f"if {test}", "else"), texts, ways, strict=True):
            with out.block(head):
                out.take(way)
                out.add(f"{name} = {text}")
        return name

    # ---- definitions ----

    def call(self, define: int, arguments: tuple[e.Expr, ...], scope: Scope, out: Lines) -> str:
        """A definition as a function of its arguments."""
        info, name = self.program.defines[define], f"define_{define}"
        given = [
            self.handed(one, type_, scope, out)
            for one, type_ in zip(arguments, info.slots, strict=False)
        ]
        names = {slot: f"a{slot}" for slot in range(len(arguments))}
        parameters, context = ["v", *names.values()], "0"
        if self.unit.facts.needs_context(("define", define)):
            context = "ctx"
            parameters.append(context)
            given.append(scope.context)
        inner = Scope(info.slots, names, False, context)

        def write(lines: Lines) -> None:
            self.deeper(lines)
            if isinstance(info.type, t.SetOf):
                lines.add(f"return {self.handed(info.value, info.type, inner, lines)}")
            else:
                lines.add(f"return {self.number(info.value, inner, lines)}")

        out.cost += self.unit.define(name, ", ".join(parameters), write)
        return f"{name}({', '.join(['v', *given])})"

    def handed(self, node: e.Expr, type_: t.Type, scope: Scope, out: Lines) -> str:
        """A value as a definition takes or returns it: sets as masks where their type allows it."""
        if not isinstance(type_, t.SetOf):
            return self.number(node, scope, out)
        if self.unit.facts.is_mask_type(type_):
            return self.sets.mask(node, scope, out)
        return f"tuple({self.sets.each(node, scope, out)})"

    def deeper(self, out: Lines) -> None:
        """Counts the nesting depth of definitions and guards, where that matters."""
        if self.unit.facts.is_deep:
            out.add(f"ctx += {self.unit.level}", f"if ctx >= {64 * self.unit.level}: in_doubt()")
