"""Generates expressions as C expressions over a position `g` and a context `c`.

An expression that iterates over elements is a call of a function of its own with a loop; a slot
that it binds becomes a C variable, so nothing has to be restored.
"""

from __future__ import annotations

from typing import Protocol, assert_never

from targi_dsl.codegen.c.emit.kept import Kept
from targi_dsl.codegen.c.emit.lines import line_of, longest_line
from targi_dsl.codegen.c.emit.sets import Sets
from targi_dsl.codegen.c.emit.shapes import SPAN, WORD
from targi_dsl.codegen.c.emit.steps import integer, value
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.types import HIGHEST, LOWEST


class Asks(Protocol):
    """Generates the expressions about what can be done or paid."""

    def can_do(self, rule: int, arguments: tuple[e.Expr, ...], scope: Scope) -> str:
        """Whether a rule can be done."""

    def can_pay(self, price: e.PriceExpr, terms: int, scope: Scope) -> str:
        """Whether a price can be paid."""


class Expressions:
    """Generates the expressions of one program."""

    def __init__(self, unit: Unit, asks: Asks) -> None:
        self.unit, self.program, self.asks = unit, unit.program, asks
        self.sets = Sets(unit, self)

    def write_defines(self) -> None:
        """Generates every definition as a function."""
        kept = Kept(self.unit)
        for number, info in enumerate(self.program.defines):
            scope = Scope(info.slots, {slot: f"a{slot}" for slot in range(len(info.slots))})
            if self.unit.bounds.define_is_set(number):
                shape = self.unit.use_shape(self.unit.bounds.of_define(number))
                type_, value = shape.name, self.sets.text(info.value, scope, shape)
            else:
                shape, type_, value = None, "int", self.number(info.value, scope)
            kinds = map(self.unit.kind_of, info.slots)
            given = "".join(f", {kind} a{slot}" for slot, kind in enumerate(kinds))
            self.unit.function(
                f"static {type_} define_{number}(Game *g, Context c{given})",
                kept.value(number, type_, value, shape),
            )

    def write_offers(self) -> None:
        """Generates the exchanges offered to the player of a frame: a word of their mask."""
        scope, lines = (
            Scope((t.PLAYER,), {YOU: "f->s[0]"}),
            ["    Context c = f->context; (void)c;"],
        )
        lines += ["    (void)g; uint64_t m = ~(uint64_t)0;"]
        for at, one in enumerate(self.program.exchanges):
            if one.when is not None:
                word, bit = divmod(at, WORD)
                holds = self.truth(one.when, scope)
                lines.append(f"    if (word == {word} && !{holds}) m &= ~((uint64_t)1 << {bit});")
        head = "static uint64_t offered_exchanges(Game *g, const Frame *f, int word)"
        self.unit.function(head, "\n".join([*lines, "    (void)word; return m;"]))

    # ---- numbers ----

    def number(self, node: e.Expr, scope: Scope) -> str:
        """The text of a number."""
        match node:
            case e.Const(int(value)):
                return str(int(value)) if value >= 0 else f"({value})"
            case e.Local(slot):
                return scope.slot(slot)
            case e.Var(base, index, missing):
                return self._at(base, index, missing, scope)
            case e.Table(values, index):
                return self.entry(self.unit.numbers(values), len(values), index, scope)
            case e.Cond(condition, then, otherwise):
                ways = self.number(then, scope), self.number(otherwise, scope)
                return f"({self.truth(condition, scope)} ? {ways[0]} : {ways[1]})"
            case e.Arith(op, left, right):
                return self._arith(op, self.number(left, scope), self.number(right, scope))
            case e.Fold():
                return self._fold(node, scope)
            case e.Call():
                return self.call(node, scope)
            case e.Size(of):
                return self.sets.size(of, scope)
            case e.First(of):
                return f"{self.unit.shape(of, scope.types).name}_first({self.sets.own(of, scope)})"
            case e.LongestLine(ways, within):
                return longest_line(self.sets, ways, within, scope)
            case e.TopCard(place):
                return self._at(self.program.slots.place_top, place, NOTHING, scope)
            case e.BottomCard(place):
                return f"bottom_card(g, {self.number(place, scope)})"
            case _:
                return self.truth(node, scope)

    def entry(self, table: str, length: int, index: e.Expr, scope: Scope) -> str:
        """An entry of a constant table; the last one for an index out of range."""
        at = self.number(index, scope)
        if index == e.Local(YOU) and length > len(self.program.players):
            return f"{table}[{at}]"
        if isinstance(index, e.Local):
            return f"{table}[(unsigned){at} < {length - 1} ? {at} : {length - 1}]"
        return f"{table}[at_most({at}, {length - 1})]"

    def _at(self, base: int, index: e.Expr, missing: int, scope: Scope) -> str:
        """The slot of the position at base + index."""
        match index:
            case e.Const(int(at)):
                return f"g->v[{base + at}]" if at >= 0 else f"({missing})"
            case e.Local(slot) if slot == YOU:
                return f"g->v[{base} + {scope.slot(slot)}]"
        is_number = isinstance(self.unit.bounds.inference.of(index, scope.types), t.Number)
        read = "number_at" if is_number else "value_at"
        return f"{read}(g, {base}, {self.number(index, scope)}, {missing})"

    def _arith(self, op: str, left: str, right: str) -> str:
        if op in ("/", "remainder"):
            return f"{'quotient' if op == '/' else 'remainder32'}(g, {left}, {right})"
        return f"number32(g, (int64_t){left} {op} {right})"

    def _fold(self, node: e.Fold, scope: Scope) -> str:
        if (found := self._fold_constant(node, scope)) is not None:
            return found
        within, x, r = (self.unit.fresh(one) for one in ("s", "x", "r"))
        value = self.number(node.value, scope.bound(node.slot, x))
        shape, head = self.sets.declare_counted(node.within, scope, within)
        loop, end = shape.each(x, within)
        match node.op:
            case "sum":
                body = f"{head} int64_t {r} = 0; {loop} {r} += {value}; {end}"
                body += f" return number32(g, {r});"
            case "highest" | "lowest":
                sign = ">" if node.op == "highest" else "<"
                y = self.unit.fresh("y")
                each = f"int {y} = {value}; if (!{x}_met || {y} {sign} {r}) {r} = {y}; {x}_met = 1;"
                body = f"{head} int {r} = 0, {x}_met = 0; {loop} {each} {end} return {r};"
            case _:
                body = f"{head} int {r}[{shape.room}], {x}_n = 0; {loop} {r}[{x}_n++] = {value}; "
                body += f"{end} return different({r}, {x}_n);"
        return self.unit.call_of_new("int", body, scope)

    def _fold_constant(self, node: e.Fold, scope: Scope) -> str | None:
        """A fold known at compile time: at run time, only its elements are counted."""
        within = value(node.within, scope.constants)
        if not isinstance(within, tuple) or not within:
            return None
        every = [integer(node.value, {**scope.constants, node.slot: x}) for x in within]
        numbers = [one for one in every if one is not None]
        if len(numbers) < len(every):
            return None
        match node.op:
            case "sum":
                result = sum(numbers)
            case "highest" | "lowest":
                result = max(numbers) if node.op == "highest" else min(numbers)
            case _:
                result = len({*numbers} - {NOTHING})
        if not LOWEST <= result <= HIGHEST:
            return None
        return f"counted(g, {len(within)}, {result})"

    def call(self, node: e.Call, scope: Scope) -> str:
        """A call of a definition, in a frame of its own."""
        slots = self.program.defines[node.define].slots
        given = []
        for one, type_ in zip(node.arguments, slots, strict=False):
            if isinstance(type_, t.SetOf):
                shape = self.unit.use_shape(self.unit.bounds.of_type(type_))
                given.append(self.sets.text(one, scope, shape))
            else:
                given.append(self.number(one, scope))
        given += ["0"] * (len(slots) - len(given))
        return f"define_{node.define}({', '.join(['g', 'c', *given])})"

    # ---- conditions ----

    def truth(self, node: e.Expr, scope: Scope) -> str:
        """The text of a condition; 0 if it does not hold."""
        match node:
            case e.Compare(op, left, right):
                return self._compare(op, left, right, scope)
            case e.Not(of):
                return f"!{self.truth(of, scope)}"
            case e.All(parts):
                return f"({' && '.join(self.truth(one, scope) for one in parts) or '1'})"
            case e.AnyOf(parts):
                return f"({' || '.join(self.truth(one, scope) for one in parts) or '0'})"
            case e.Member(item, within):
                return self.sets.member(item, within, scope)
            case e.Exists(_, within, e.Const(1)):
                return self.sets.any(within, scope)
            case e.Exists(slot, within, condition):
                return self._exists(slot, within, condition, scope)
            case e.FaceUp(card):
                return f"({self._at(self.program.slots.card_known, card, 0, scope)} & 1)"
            case e.During(rule):
                return f"!!(c & {self.unit.bits[rule]:#x}u)"
            case e.Active(ability):
                return self.active(ability, scope.slot(YOU))
            case e.CanDo(rule, arguments):
                return self.asks.can_do(rule, arguments, scope)
            case e.CanPay(price, terms):
                return self.asks.can_pay(price, terms, scope)
            case (
                e.Const() | e.Local() | e.Var() | e.Table() | e.Cond() | e.Arith() | e.Fold()
                | e.Call() | e.Size() | e.First() | e.LongestLine() | e.TopCard() | e.BottomCard()
            ):  # fmt: skip
                return self.number(node, scope)
            case (
                e.Pick() | e.Image() | e.MakeSet() | e.Range() | e.SetOp() | e.Filter() | e.Map()
                | e.CardsOn() | e.Lying() | e.Places() | e.Reached()
            ):  # fmt: skip
                raise AssertionError(node)
            case _:
                assert_never(node)

    def active(self, ability: int, player: str) -> str:
        """Whether an ability is active for a player."""
        info = self.program.abilities[ability]
        if info.card == NOTHING:
            return f"(!g->v[{info.window} + {player}])" if info.window != NOTHING else "1"
        place = f"g->v[{self.program.slots.card_place + info.card}]"
        is_open = f" && !g->v[{info.window}]" if info.window != NOTHING else ""
        return f"(OWNERS[{place} + 1] == {player}{is_open})"

    def _compare(self, op: e.Comparison, left: e.Expr, right: e.Expr, scope: Scope) -> str:
        match op, left, right:
            case "more_than", e.Size(of), e.Const(0):
                return self.sets.any(of, scope)
            case "at_least", e.LongestLine(ways, within), e.Const(int(number)) if found := line_of(
                self.sets, ways, within, number, scope
            ):
                return found
        bounds = self.unit.bounds
        if bounds.is_set(left, scope.types) or bounds.is_set(right, scope.types):
            found = self.sets.equal(left, right, scope)
            return found if op == "is" else f"!{found}"
        return f"({self.number(left, scope)} {COMPARISONS[op].sign} {self.number(right, scope)})"

    def _exists(self, slot: int, within: e.Expr, condition: e.Expr, scope: Scope) -> str:
        s, x = (self.unit.fresh(one) for one in ("s", "x"))
        shape, head, left = self.sets.sieved(slot, within, condition, scope, s)
        if left == e.Const(1) and shape != SPAN:
            return self.unit.call_of_new("int", f"{head} return {shape.name}_any({s});", scope)
        holds = self.truth(left, scope.bound(slot, x))
        loop, end = shape.each(x, s)
        body = f"{head} {loop} if ({holds}) return 1; {end} return 0;"
        return self.unit.call_of_new("int", body, scope)
