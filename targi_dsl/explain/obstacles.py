"""Finds every conjunct of a guard that does not hold, where the engine stops at the first."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol, assert_never

from targi_dsl.engine.faults import Fault
from targi_dsl.engine.guards import BLOCKED, DECIDED, THROUGH, Guards
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import Const, Expr
from targi_dsl.ir.program import Way


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


class Obstacles:
    """Evaluates guards like the engine, but continues after a conjunct that does not hold."""

    def __init__(self, guards: Guards, why: Why) -> None:
        self.guards, self.program, self.why = guards, guards.program, why
        self.expressions = guards.expressions

    def of_answer(self, rule: int, way: Way, v: Vector, f: Frame, element: int) -> None:
        """Reports why one answer is not possible: of this way, with or without an element."""
        if not self._value(way.when, v, f):
            self.why.not_now(way, rule, v, f)
            return
        f = list(f)
        if way.choice is not None:
            f[way.choice.slot] = element
        self._guard(way.guard, v, f)

    def _guard(self, guard: g.Guard, v: Vector, f: Frame) -> int:
        if not guard:
            return THROUGH
        node, rest = guard[0], guard[1:]
        match node:
            case g.Bind(slot, value):
                before, f[slot] = f[slot], self._value(value, v, f)
                holds = self._guard(rest, v, f)
                f[slot] = before
                return holds
            case g.Need() | g.Payable():
                holds = self.guards.head((node,))(v, f)
                if holds == BLOCKED:
                    self.why.note(node, v, f)
                return self._followed(holds, rest, v, f)
            case g.Split(test, then, otherwise):
                branch = then if self._value(test, v, f) else otherwise
                return self._guard((*branch, *rest), v, f)
            case g.Perform(rule, arguments):
                return self._followed(self._perform(rule, arguments, v, f), rest, v, f)
            case g.PerformAction(card):
                return self._followed(self._perform_action(card, v, f), rest, v, f)
            case g.Answer(rule, question, ways):
                asked = self.program.questions[question].ways
                return self._answer(node, rule, [asked[at] for at in ways], v, f)
            case g.FirstTurn():
                return self._first_turn(node, v, f)
            case g.Decided():
                return DECIDED
            case _:
                assert_never(node)

    def _value(self, node: Expr, v: Vector, f: Frame) -> int:
        value: int = self.expressions.value(node)(v, f)
        return value

    def _followed(self, holds: int, rest: g.Guard, v: Vector, f: Frame) -> int:
        """Continues after a conjunct. After one that is blocked, values may make no sense."""
        if holds == THROUGH:
            return self._guard(rest, v, f)
        if holds == BLOCKED:
            with suppress(Fault):
                self._guard(rest, v, f)
        return holds

    def _perform(self, rule: int, arguments: tuple[Expr, ...], v: Vector, f: Frame) -> int:
        frame = self.guards.entered(rule, arguments)(v, f)
        return self._guard(self.program.procedures[rule].guard, v, frame)

    def _perform_action(self, card: Expr, v: Vector, f: Frame) -> int:
        this = self._value(card, v, f)
        rule = self.program.actions[this] if this >= 0 else NOTHING
        if rule == NOTHING:
            return THROUGH
        carried = self.guards.code.table.carried(rule, this)
        return self._perform(rule, tuple(map(Const, carried)), v, f)

    def _answer(self, node: g.Answer, rule: int, ways: list[Way], v: Vector, f: Frame) -> int:
        holds = self.guards.head((node,))(v, f)
        for way in ways if holds == BLOCKED else ():
            for element in self._elements(way, rule, v, f):
                if self.why.looks(way, rule, element, v, f):
                    self.of_answer(rule, way, v, f, element)
                    self.why.looked()
        return holds

    def _elements(self, way: Way, rule: int, v: Vector, f: Frame) -> list[int]:
        """The elements of a way; nothing for one without."""
        if way.choice is None or not self._value(way.when, v, f):
            return [NOTHING]
        elements = list(self.expressions.value(way.choice.within)(v, f))
        if not elements:
            self.why.nothing_to_choose(way, rule, v, f)
        return elements

    def _first_turn(self, node: g.FirstTurn, v: Vector, f: Frame) -> int:
        before, f[node.slot] = f[node.slot], 1
        begins = self._value(node.limit, v, f) > 0
        if not begins:
            self.why.note(node, v, f)
        holds = begins and self._guard(node.body, v, f) != BLOCKED
        f[node.slot] = before
        return DECIDED if holds else BLOCKED
