"""Compiles guards to closures that decide whether a block is possible, and why not.

A guard is compiled from its last conjunct to its first; each closure calls the next. Given a
collector (`Why`), the same closures continue after a conjunct that fails and report all that do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, assert_never

from targi_dsl.engine.code import Code, Value, when_called
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.faults import Fault
from targi_dsl.engine.payment import Payments
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.engine.sets import counted
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
Offers = Callable[[Vector, Frame, list[int], int], None]
"""Adds the options of a way until there are enough."""


def through(v: Vector, f: Frame, why: Why | None) -> int:
    return THROUGH


def decided(v: Vector, f: Frame, why: Why | None) -> int:
    return DECIDED


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

    def compile(self) -> None:
        """Provides the guards of all rules, and all definitions; must be called before any is
        used. Each is compiled when it is first asked.
        """
        value, defines, heads = self.expressions.value, self.code.defines, self.heads
        for at, info in enumerate(self.program.defines):
            defines.append(when_called(defines, at, partial(value, info.value)))
        for at, one in enumerate(self.program.procedures):
            heads.append(when_called(heads, at, partial(self._head, one.guard, through)))

    def head(self, guard: g.Guard) -> Head | None:
        """The guard of a block; None if it always holds."""
        return self._head(guard, through) if guard else None

    def lifted(self, forbid: int) -> Value:
        """The ability that lifts a prohibition for you now, or nothing."""
        permits = [
            (ability, self.code.activity(ability), self.expressions.value(test))
            for ability, test in self.program.prohibitions[forbid].permits
        ]

        def lift(v: Vector, f: Frame) -> int:
            for ability, active, test in permits:
                if active(v, f[0]) and test(v, f):
                    return ability
            return NOTHING

        return lift

    def offers(self, place: int, way: Way) -> Offers:
        """Appends the options of one way of a question, in the order of its set."""
        when, head = self.expressions.condition(way.when), self.head(way.guard)
        if way.choice is None:
            return _single(when, head, packed(place))
        slot, first = way.choice.slot, packed(place, 0)
        elements = self.expressions.value(way.choice.within)
        if head is None:
            return _all(when, elements, first)

        def options(v: Vector, f: Frame, found: list[int], enough: int) -> None:
            if when is not None and not when(v, f):
                return
            before = f[slot]
            for element in counted(v, elements(v, f)):
                f[slot] = element
                if head(v, f, None):
                    found.append(first + element)
                    if len(found) >= enough:
                        break
            f[slot] = before

        return options

    def refusal(self, rule: int, way: Way) -> Callable[[Vector, Frame, int, Why], None]:
        """Reports why one answer is not possible: of this way, with or without an element bound."""
        when, head = self.expressions.value(way.when), self._head(way.guard, through)

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

    def _head(self, guard: g.Guard, rest: Head) -> Head:
        for conjunct in reversed(guard):
            rest = self._conjunct(conjunct, rest)
        return rest

    def _conjunct(self, node: g.Conjunct, rest: Head) -> Head:
        value = self.expressions.value
        match node:
            case g.Bind(slot, of):
                return _bind(slot, value(of), rest)
            case g.Need(_, forbid, condition):
                return self._need(node, forbid, condition, rest)
            case g.Payable(_, price, terms):
                return _required(node, self.payments.can_pay(price, terms), rest)
            case g.Split(test, then, otherwise):
                return _split(
                    self.expressions.judged(test),
                    self._head(then, rest),
                    self._head(otherwise, rest),
                )
            case g.Perform(rule, arguments):
                return self._perform(rule, arguments, rest)
            case g.PerformAction(card):
                return self._perform_action(value(card), rest)
            case g.Answer(rule, question, ways):
                chosen = [(at, self.program.questions[question].ways[at]) for at in ways]
                return self._answer(rule, chosen)
            case g.FirstTurn(_, slot, limit, body):
                return _first_turn(node, slot, value(limit), self._head(body, through))
            case g.Decided():
                return decided
            case _:
                assert_never(node)

    def _need(self, node: g.Need, forbid: int, condition: Expr, rest: Head) -> Head:
        """A prohibition must not hold unless it is lifted."""
        holds = self.expressions.judged(condition)
        lift = self.lifted(forbid) if self.program.prohibitions[forbid].permits else None

        def need(v: Vector, f: Frame, why: Why | None) -> int:
            if not holds(v, f) or (lift is not None and lift(v, f) != NOTHING):
                return rest(v, f, why)
            return _refused(node, rest, v, f, why)

        return need

    def _perform(self, rule: int, arguments: tuple[Expr, ...], rest: Head) -> Head:
        guard = self.program.procedures[rule].guard
        if not guard:
            return rest
        if guard == (g.Decided(),):
            return decided
        entered, heads = self._entered(rule, arguments), self.heads

        def perform(v: Vector, f: Frame, why: Why | None) -> int:
            holds = heads[rule](v, entered(v, f), why)
            if holds == THROUGH:
                return rest(v, f, why)
            if why is not None and holds == BLOCKED:
                _go_on(rest, v, f, why)
            return holds

        return perform

    def _entered(self, rule: int, arguments: tuple[Expr, ...]) -> Value:
        frames = self.code.frames
        given = [self.expressions.value(one) for one in (Local(YOU), *arguments)]
        return self.code.inner(frames.sizes[rule], frames.bits[rule], given)

    def _perform_action(self, card: Value, rest: Head) -> Head:
        carrying = {
            card: self._perform(rule, self._carried(rule, card), rest)
            for card, rule in enumerate(self.program.actions)
            if rule != NOTHING
        }
        return lambda v, f, why: carrying.get(card(v, f), rest)(v, f, why)

    def _carried(self, rule: int, card: int) -> tuple[Expr, ...]:
        return tuple(Const(one) for one in self.code.table.carried(rule, card))

    def _answer(self, rule: int, ways: Sequence[tuple[int, Way]]) -> Head:
        """Whether any way offers an option."""
        if any(_is_certain(way) for _, way in ways):
            return decided
        offering = [self.offers(*one) for one in ways]

        def answer(v: Vector, f: Frame, why: Why | None) -> int:
            found: list[int] = []
            for offer in offering:
                offer(v, f, found, 1)
                if found:
                    return DECIDED
            if why is not None:
                for _, way in ways:
                    self._refused(rule, way, v, f, why)
            return BLOCKED

        return answer

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


def _required(node: g.Conjunct, holds: Value, rest: Head) -> Head:
    """A conjunct that must hold; with a collector, failure is reported and what follows is
    evaluated too.
    """

    def required(v: Vector, f: Frame, why: Why | None) -> int:
        return rest(v, f, why) if holds(v, f) else _refused(node, rest, v, f, why)

    return required


def _refused(node: g.Conjunct, rest: Head, v: Vector, f: Frame, why: Why | None) -> int:
    """Reports a failed conjunct to the collector, if there is one, and continues with what
    follows.
    """
    if why is not None:
        why.note(node, v, f)
        _go_on(rest, v, f, why)
    return BLOCKED


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


def _split(test: Value, then: Head, otherwise: Head) -> Head:
    return lambda v, f, why: then(v, f, why) if test(v, f) else otherwise(v, f, why)


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


def _single(when: Value | None, head: Head | None, option: int) -> Offers:
    def single(v: Vector, f: Frame, found: list[int], enough: int) -> None:
        if (when is None or when(v, f)) and (head is None or head(v, f, None)):
            found.append(option)

    return single


def _all(when: Value | None, elements: Value, first: int) -> Offers:
    """Like `_single`, for all elements of a set at once."""

    def every(v: Vector, f: Frame, found: list[int], enough: int) -> None:
        if when is None or when(v, f):
            found += [first + element for element in elements(v, f)]

    return every
