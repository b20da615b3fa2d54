"""Compiles guards to functions that decide whether a block is possible, and why not.

The conjuncts of a guard become one expression. Given a collector (`Why`), it continues after a
conjunct that fails and reports all that do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, assert_never

from targi_dsl.engine.code import Code, Value, when_called
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.faults import OPTIONS, Fault
from targi_dsl.engine.payment import Payments
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.texts import LONGEST
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import CanDo, CanPay, Const, Expr, Local
from targi_dsl.ir.program import Way

BLOCKED, DECIDED, THROUGH = 0, 1, 2
ELEMENT = (
    16  # bits of an option for the element: an option is its way's number, then the element + 1
)


class Why(Protocol):
    """A collector of everything that makes a guard fail."""

    def note(self, conjunct: g.Conjunct, v: Vector, f: Frame) -> None:
        """Reports a conjunct that does not hold in this frame."""

    def not_now(self, way: Way, rule: int, v: Vector, f: Frame) -> None:
        """Reports a way of a question that is not open."""

    def nothing_to_choose(self, way: Way, rule: int, v: Vector, f: Frame) -> None:
        """Reports a way whose set is empty."""

    def looks(self, way: Way, rule: int, element: int, v: Vector, f: Frame) -> bool:
        """Whether the collector wants the reasons of this answer; if so, `looked` follows them."""

    def looked(self) -> None:
        """Ends the reasons of an answer."""


Head = Callable[[Vector, Frame, Why | None], int]  # BLOCKED, DECIDED or THROUGH
Options = Callable[..., list[int]]
"""The options of a question in a position and a frame, until there are enough."""


def packed(place: int, element: int = NOTHING) -> int:
    """The option of a way, or of one element of its set."""
    return (place << ELEMENT) + element + 1


def unpacked(option: int) -> tuple[int, int]:
    """The way of an option, and its element, or nothing."""
    return option >> ELEMENT, (option & (1 << ELEMENT) - 1) - 1


class Guards:
    """Compiled guards; those of rules by number."""

    def __init__(self, code: Code) -> None:
        self.code, self.program = code, code.program
        self.expressions = Expressions(code, self._asked)
        self.payments = Payments(code, self.expressions)
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
            heads.append(when_called(heads, at, partial(self._head, procedure.guard)))

    def head(self, guard: g.Guard) -> Head | None:
        """The guard of a block; None if it always holds."""
        return self._head(guard) if guard else None

    def lifted(self, forbid: int) -> Value:
        """The ability that lifts a prohibition for you now, or nothing."""
        return self.expressions.written(self._lifted(forbid))

    def _lifted(self, forbid: int) -> str:
        expressions, lifting = self.expressions, str(NOTHING)
        for ability, test in reversed(self.program.prohibitions[forbid].permits):
            lifts = f"{expressions.active(ability)} and {expressions.test(test)}"
            lifting = f"({ability} if {lifts} else {lifting})"
        return lifting

    def options(self, ways: Sequence[tuple[int, Way]]) -> Options:
        """The options of some ways of a question, in the order of each way's set."""
        lines = ["found, why = [], None"]
        for place, way in ways:
            lines += self._offered(place, way)
            lines.append("if len(found) >= enough: return found")
        return self.expressions.function(
            f"v, f, enough={OPTIONS + 1}", [*lines[:-1], "return found"]
        )

    def _offered(self, place: int, way: Way) -> list[str]:
        """The lines that add the options of one way."""
        expressions, choice, holds = self.expressions, way.choice, self._text(way.guard)
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

    def refusal(self, rule: int, way: Way) -> Callable[[Vector, Frame, int, Why], None]:
        """Reports why one answer is not possible: of this way, with or without an element bound."""
        when, head = self.expressions.value(way.when), self._head(way.guard)

        def refuse(v: Vector, f: Frame, element: int, why: Why) -> None:
            if not when(v, f):
                why.not_now(way, rule, v, f)
                return
            f = list(f)
            if way.choice is not None:
                f[way.choice.slot] = element
            head(v, f, why)

        return refuse

    # ---- conjuncts ----

    def _head(self, guard: g.Guard) -> Head:
        return self._written(self._text(guard))

    def _written(self, text: str) -> Head:
        return self.expressions.function("v, f, why", [f"return {text}"])

    def _text(self, guard: g.Guard) -> str:
        """The text of a guard, about `v`, `f` and `why`."""
        if not guard:
            return str(THROUGH)
        key = tuple(map(id, guard))  # both ways of a split have the same conjuncts behind them
        if key not in self._texts:
            text = self._conjunct(guard[0], guard[1:])
            short = len(text) <= LONGEST
            self._texts[key] = text if short else self._called(self._written(text))
        return self._texts[key]

    def _conjunct(self, node: g.Conjunct, rest: g.Guard) -> str:
        """The text of a conjunct and what follows it."""
        expressions = self.expressions
        match node:
            case g.Bind(slot, of):
                return self._called(_bind(slot, expressions.value(of), self._head(rest)))
            case g.Need(_, forbid, condition):
                holds = expressions.test(condition)
                if self.program.prohibitions[forbid].permits:
                    holds = f"({holds} and {self._lifted(forbid)} == {NOTHING})"
                return f"({self._failed(node, rest)} if {holds} else {self._text(rest)})"
            case g.Payable(_, price, terms):
                pays = expressions.bound(self.payments.can_pay(price, terms))
                return f"({self._text(rest)} if {pays}(v, f) else {self._failed(node, rest)})"
            case g.Split(test, then, otherwise):
                ways = self._text((*then, *rest)), self._text((*otherwise, *rest))
                return f"({ways[0]} if {expressions.test(test)} else {ways[1]})"
            case g.Perform(rule, arguments):
                return self._perform(rule, arguments, rest)
            case g.PerformAction(card):
                return self._called(self._perform_action(expressions.value(card), rest))
            case g.Answer(rule, question, ways):
                chosen = [(at, self.program.questions[question].ways[at]) for at in ways]
                return self._answer(rule, chosen)
            case g.FirstTurn(_, slot, limit, body):
                turn = _first_turn(node, slot, expressions.value(limit), self._head(body))
                return self._called(turn)
            case g.Decided():
                return str(DECIDED)
            case _:
                assert_never(node)

    def _called(self, head: Callable[..., int]) -> str:
        return f"{self.expressions.bound(head)}(v, f, why)"

    def _failed(self, node: g.Conjunct, rest: g.Guard) -> str:
        """A conjunct that fails: a collector hears of it, and of what follows."""
        following = self._later(rest)

        def refused(v: Vector, f: Frame, why: Why) -> int:
            why.note(node, v, f)
            _go_on(following[0], v, f, why)
            return BLOCKED

        return f"({BLOCKED} if why is None else {self._called(refused)})"

    def _later(self, guard: g.Guard) -> list[Head]:
        """The only entry is a guard that is compiled when it is first asked."""
        heads = list[Head]()
        heads.append(when_called(heads, 0, partial(self._head, guard)))
        return heads

    def _perform(self, rule: int, arguments: tuple[Expr, ...], rest: g.Guard) -> str:
        guard = self.program.procedures[rule].guard
        if not guard:
            return self._text(rest)
        if guard == (g.Decided(),):
            return str(DECIDED)
        following = self._later(rest)

        def blocked(v: Vector, f: Frame, why: Why) -> int:
            _go_on(following[0], v, f, why)
            return BLOCKED

        heads = self.expressions.bound(self.heads)
        entered = self.expressions.bound(self._entered(rule, arguments))
        return (
            f"({self._text(rest)} if (h := {heads}[{rule}](v, {entered}(v, f), why)) == {THROUGH}"
            f" else h if h == {DECIDED} or why is None else {self._called(blocked)})"
        )

    def _entered(self, rule: int, arguments: tuple[Expr, ...]) -> Value:
        frames = self.code.frames
        return self.expressions.entered(
            frames.sizes[rule], frames.bits[rule], (Local(YOU), *arguments)
        )

    def _perform_action(self, card: Value, rest: g.Guard) -> Head:
        carrying = {
            card: self._written(self._perform(rule, self._carried(rule, card), rest))
            for card, rule in enumerate(self.program.actions)
            if rule != NOTHING
        }
        without = self._head(rest)
        return lambda v, f, why: carrying.get(card(v, f), without)(v, f, why)

    def _carried(self, rule: int, card: int) -> tuple[Expr, ...]:
        return tuple(Const(argument) for argument in self.code.table.carried(rule, card))

    def _answer(self, rule: int, ways: Sequence[tuple[int, Way]]) -> str:
        """Whether any way offers an option."""
        if any(_is_certain(way) for _, way in ways):
            return str(DECIDED)
        options = self.options(ways)

        def answer(v: Vector, f: Frame, why: Why | None) -> int:
            if options(v, f, 1):
                return DECIDED
            if why is not None:
                for _, way in ways:
                    self._refused(rule, way, v, f, why)
            return BLOCKED

        return self._called(answer)

    def _refused(self, rule: int, way: Way, v: Vector, f: Frame, why: Why) -> None:
        """Reports why each answer of a way that offers nothing is not possible."""
        refuse, elements = self.refusal(rule, way), [NOTHING]
        if way.choice is not None and self.expressions.value(way.when)(v, f):
            elements = list(self.expressions.value(way.choice.within)(v, f))
            if not elements:
                why.nothing_to_choose(way, rule, v, f)
        for element in elements:
            if why.looks(way, rule, element, v, f):
                refuse(v, f, element, why)
                why.looked()

    def _asked(self, node: CanDo | CanPay) -> Value:
        """The expression whether something can be done or paid."""
        if isinstance(node, CanPay):
            return self.payments.can_pay(node.price, node.terms)
        entered, heads, rule = self._entered(node.rule, node.arguments), self.heads, node.rule
        return lambda v, f: 1 if heads[rule](v, entered(v, f), None) else 0


def _go_on(rest: Head, v: Vector, f: Frame, why: Why) -> None:
    """Evaluates what follows a failed conjunct, where values may make no sense."""
    try:
        rest(v, f, why)
    except Fault:
        return


def _bind(slot: int, value: Value, rest: Head) -> Head:
    def bind(v: Vector, f: Frame, why: Why | None) -> int:
        before, f[slot] = f[slot], value(v, f)
        holds = rest(v, f, why)
        f[slot] = before
        return holds

    return bind


def _first_turn(node: g.FirstTurn, slot: int, limit: Value, body: Head) -> Head:
    def first_turn(v: Vector, f: Frame, why: Why | None) -> int:
        before, f[slot] = f[slot], 1
        holds = limit(v, f) > 0
        if not holds and why is not None:
            why.note(node, v, f)
        holds = holds and body(v, f, why) != BLOCKED
        f[slot] = before
        return DECIDED if holds else BLOCKED

    return first_turn


def _is_certain(way: Way) -> bool:
    return way.choice is None and way.when == Const(1) and not way.guard
