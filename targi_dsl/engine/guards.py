"""Compiles guards: a guard becomes the text of one Python expression, like the conditions in it;
see docs/program.md, *Guards* and *Questions*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from targi_dsl.engine.code import Code, Value, when_called
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.engine.options import packed
from targi_dsl.engine.payment import Invoice
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import CanDo, CanPay, Const, Expr, Local, PriceExpr
from targi_dsl.ir.program import Way

BLOCKED, DECIDED, THROUGH = 0, 1, 2
Head = Callable[[Vector, Frame], int]  # BLOCKED, DECIDED or THROUGH
Options = Callable[..., list[int]]
"""The options of a question in a position and a frame, until there are enough."""


class Guards:
    """Compiled guards; those of rules by number."""

    def __init__(self, code: Code) -> None:
        self.code, self.program = code, code.program
        self.expressions = Expressions(code, self._asked)
        self.heads: list[Head] = []
        self._texts: dict[tuple[int, ...], str] = {}

    def compile(self) -> None:
        """Provides the guards of all rules, and all definitions; must be called before any is
        used. Each is compiled when it is first asked.
        """
        value, defines, heads = self.expressions.value, self.code.defines, self.heads
        for at, info in enumerate(self.program.defines):
            defines.append(when_called(defines, at, partial(value, info.value)))
        for at, procedure in enumerate(self.program.procedures):
            heads.append(when_called(heads, at, partial(self.head, procedure.guard)))

    def head(self, guard: g.Guard) -> Head:
        """The guard of a block."""
        return self.expressions.written(self.text(guard))

    def lifted(self, forbid: int) -> str:
        """The ability that lifts a prohibition for you now, or nothing."""
        expressions, lifting = self.expressions, str(NOTHING)
        for ability, test in reversed(self.program.prohibitions[forbid].permits):
            lifts = f"{expressions.active(ability)} and {expressions.test(test)}"
            lifting = f"({ability} if {lifts} else {lifting})"
        return lifting

    def options(self, ways: Sequence[tuple[int, Way]]) -> Options:
        """The options of some ways of a question, in the order of each way's set."""
        lines = ["found = []"]
        for place, way in ways:
            lines += self._offered(place, way)
            lines.append("if len(found) >= enough: return found")
        return self.expressions.function(
            f"v, f, enough={OPTIONS + 1}", [*lines[:-1], "return found"]
        )

    def _offered(self, place: int, way: Way) -> list[str]:
        """The lines that add the options of one way."""
        expressions, choice, holds = self.expressions, way.choice, self.text(way.guard)
        if choice is None:
            lines = [f"if {holds}: found.append({packed(place)})"]
        elif not way.guard:
            lines = [
                f"elements = {expressions.text(choice.within)}",
                f"found += [{packed(place, 0)} + element for element in elements]",
            ]
        else:
            append = f"    found.append({packed(place, 0)} + element)"
            each = (f"if {holds}:", append, "    if len(found) >= enough: break")
            lines = expressions.through(choice.slot, choice.within, *each)
        if way.when == Const(1):
            return lines
        return [f"if {expressions.test(way.when)}:", *[f"    {line}" for line in lines]]

    def invoice(self, price: PriceExpr, terms: int) -> Invoice:
        """A payment."""
        return Invoice(self.code, self.expressions, price, terms)

    # ---- conjuncts ----

    def text(self, guard: g.Guard) -> str:
        """The text of a guard."""
        if not guard:
            return str(THROUGH)
        key = tuple(map(id, guard))  # both ways of a split have the same conjuncts behind them
        if key not in self._texts:
            self._texts[key] = self.expressions.short(self._conjunct(guard[0], guard[1:]))
        return self._texts[key]

    def _conjunct(self, node: g.Conjunct, rest: g.Guard) -> str:
        """The text of a conjunct and what follows it."""
        expressions = self.expressions
        match node:
            case g.Bind(slot, of):
                return self.expressions.called(_bind(slot, expressions.value(of), self.head(rest)))
            case g.Need(_, forbid, condition):
                holds = expressions.test(condition)
                if self.program.prohibitions[forbid].permits:
                    holds = f"({holds} and {self.lifted(forbid)} == {NOTHING})"
                return f"({BLOCKED} if {holds} else {self.text(rest)})"
            case g.Payable(_, price, terms):
                pays = self.expressions.called(self.invoice(price, terms).can_pay)
                return f"({self.text(rest)} if {pays} else {BLOCKED})"
            case g.Split(test, then, otherwise):
                ways = self.text((*then, *rest)), self.text((*otherwise, *rest))
                return f"({ways[0]} if {expressions.test(test)} else {ways[1]})"
            case g.Perform(rule, arguments):
                return self._perform(rule, arguments, rest)
            case g.PerformAction(card):
                return self._perform_action(card, rest)
            case g.Answer(_, question, ways):
                return self._answer(
                    [(at, self.program.questions[question].ways[at]) for at in ways]
                )
            case g.FirstTurn(_, slot, limit, body):
                turn = _first_turn(slot, expressions.value(limit), self.head(body))
                return self.expressions.called(turn)
            case g.Decided():
                return str(DECIDED)
            case _:
                assert_never(node)

    def _perform(self, rule: int, arguments: tuple[Expr, ...], rest: g.Guard) -> str:
        guard = self.program.procedures[rule].guard
        if guard == (g.Decided(),):
            return str(DECIDED)
        heads, entered = (
            self.expressions.bound(self.heads),
            self.expressions.called(self.entered(rule, arguments)),
        )
        holds = f"{heads}[{rule}](v, {entered})"
        return f"({self.text(rest)} if (h := {holds}) == {THROUGH} else h)" if rest else holds

    def _perform_action(self, card: Expr, rest: g.Guard) -> str:
        carrying = {
            card: self.expressions.written(self._perform(rule, self._carried(rule, card), rest))
            for card, rule in enumerate(self.program.actions)
            if rule != NOTHING
        }
        heads, without = self.expressions.bound(carrying), self.expressions.bound(self.head(rest))
        return f"{heads}.get({self.expressions.text(card)}, {without})(v, f)"

    def _carried(self, rule: int, card: int) -> tuple[Expr, ...]:
        return tuple(Const(argument) for argument in self.code.table.carried(rule, card))

    def entered(self, rule: int, arguments: tuple[Expr, ...]) -> Value:
        """The frame of a rule in which its guard is evaluated."""
        frames = self.code.frames
        return self.expressions.entered(
            frames.sizes[rule], frames.bits[rule], (Local(YOU), *arguments)
        )

    def _answer(self, ways: Sequence[tuple[int, Way]]) -> str:
        """Whether any way offers an option."""
        return (
            f"({DECIDED} if {self.expressions.bound(self.options(ways))}(v, f, 1) else {BLOCKED})"
        )

    def _asked(self, node: CanDo | CanPay) -> Value:
        """The expression whether something can be done or paid."""
        if isinstance(node, CanPay):
            return self.invoice(node.price, node.terms).can_pay
        entered, heads, rule = self.entered(node.rule, node.arguments), self.heads, node.rule
        return lambda v, f: 1 if heads[rule](v, entered(v, f)) else 0


def _bind(slot: int, value: Value, rest: Head) -> Head:
    def bind(v: Vector, f: Frame) -> int:
        before, f[slot] = f[slot], value(v, f)
        holds = rest(v, f)
        f[slot] = before
        return holds

    return bind


def _first_turn(slot: int, limit: Value, body: Head) -> Head:
    def first_turn(v: Vector, f: Frame) -> int:
        before, f[slot] = f[slot], 1
        holds = limit(v, f) > 0 and body(v, f) != BLOCKED
        f[slot] = before
        return DECIDED if holds else BLOCKED

    return first_turn
