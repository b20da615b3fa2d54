"""Guards, and the options of questions that stand on them; see docs/program.md, *Guards* and
*Questions*.
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
from targi_dsl.engine.sets import counted
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import CanDo, CanPay, Const, Expr, Local, PriceExpr
from targi_dsl.ir.program import Way

BLOCKED, DECIDED, THROUGH = 0, 1, 2
Head = Callable[[Vector, Frame], int]  # BLOCKED, DECIDED or THROUGH
Options = Callable[..., list[int]]
"""The options of a question in a position and a frame, until there are enough."""


class Guards:
    """The guards of a program; those of rules by number."""

    def __init__(self, code: Code) -> None:
        self.code, self.program = code, code.program
        self.expressions = Expressions(code, self._asked)
        self.heads: list[Head] = []

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
        """A guard: its conjuncts in order, up to the first that does not give through."""
        conjuncts = list[Head]()
        for at, node in enumerate(guard):
            if isinstance(node, g.Bind):
                value = self.expressions.value(node.value)
                conjuncts.append(_bind(node.slot, value, self.head(guard[at + 1 :])))
                break
            conjuncts.append(self._conjunct(node))

        def holds(v: Vector, f: Frame) -> int:
            for conjunct in conjuncts:
                held = conjunct(v, f)
                if held != THROUGH:
                    return held
            return THROUGH

        return conjuncts[0] if len(conjuncts) == 1 else holds

    def permit(self, forbid: int) -> Value:
        """The ability that lifts a prohibition for you now, or nothing."""
        permits = [
            (ability, self.code.activity(ability), self.expressions.value(condition))
            for ability, condition in self.program.prohibitions[forbid].permits
        ]

        def lifting(v: Vector, f: Frame) -> int:
            for ability, active, condition in permits:
                if active(v, f[YOU]) and condition(v, f):
                    return ability
            return NOTHING

        return lifting

    def options(self, ways: Sequence[tuple[int, Way]]) -> Options:
        """The options of some ways of a question, in the order of each way's set."""
        every = [
            (self.expressions.condition(way.when), self._offered(place, way)) for place, way in ways
        ]

        def options(v: Vector, f: Frame, enough: int = OPTIONS + 1) -> list[int]:
            found = list[int]()
            for when, offer in every:
                if when is None or when(v, f):
                    offer(v, f, found, enough)
                    if len(found) >= enough:
                        break
            return found

        return options

    def _offered(self, place: int, way: Way) -> Callable[[Vector, Frame, list[int], int], None]:
        """Adds the options of one way, until there are enough."""
        choice, holds = way.choice, self.head(way.guard)
        if choice is None:

            def offer_it(v: Vector, f: Frame, found: list[int], enough: int) -> None:
                if holds(v, f):
                    found.append(packed(place))

            return offer_it

        slot, within, is_free = choice.slot, self.expressions.value(choice.within), not way.guard

        def offer_each(v: Vector, f: Frame, found: list[int], enough: int) -> None:
            elements = within(v, f)
            if is_free:
                found += [packed(place, element) for element in elements]
                return
            before = f[slot]
            for f[slot] in counted(v, elements):
                if holds(v, f):
                    found.append(packed(place, f[slot]))
                    if len(found) >= enough:
                        break
            f[slot] = before

        return offer_each

    def invoice(self, price: PriceExpr, terms: int) -> Invoice:
        """A payment."""
        return Invoice(self.code, self.expressions, price, terms)

    # ---- conjuncts ----

    def _conjunct(self, node: g.Conjunct) -> Head:
        value = self.expressions.value
        match node:
            case g.Need(_, forbid, condition):
                return self._need(value(condition), forbid)
            case g.Payable(_, price, terms):
                pays = self.invoice(price, terms).can_pay
                return lambda v, f: THROUGH if pays(v, f) else BLOCKED
            case g.Split(test, then, otherwise):
                return _split(value(test), self.head(then), self.head(otherwise))
            case g.Perform(rule, arguments):
                return self._perform(rule, arguments)
            case g.PerformAction(card):
                return self._perform_action(value(card))
            case g.Answer(_, question, ways):
                asked = self.program.questions[question].ways
                options = self.options([(at, asked[at]) for at in ways])
                return lambda v, f: DECIDED if options(v, f, 1) else BLOCKED
            case g.FirstTurn(_, slot, limit, body):
                return _first_turn(slot, value(limit), self.head(body))
            case g.Decided():
                return lambda v, f: DECIDED
            case g.Bind():
                raise AssertionError(node)  # `head` knows what follows it
            case _:
                assert_never(node)

    def _need(self, forbidden: Value, forbid: int) -> Head:
        if not self.program.prohibitions[forbid].permits:
            return lambda v, f: BLOCKED if forbidden(v, f) else THROUGH
        permit = self.permit(forbid)
        return lambda v, f: BLOCKED if forbidden(v, f) and permit(v, f) == NOTHING else THROUGH

    def _perform(self, rule: int, arguments: tuple[Expr, ...]) -> Head:
        if self.program.procedures[rule].guard == (g.Decided(),):
            return lambda v, f: DECIDED
        enter, heads = self.entered(rule, arguments), self.heads
        return lambda v, f: heads[rule](v, enter(v, f))

    def _perform_action(self, card: Value) -> Head:
        performed = {
            card: self._perform(rule, tuple(map(Const, self.code.table.carried(rule, card))))
            for card, rule in enumerate(self.program.actions)
            if rule != NOTHING
        }

        def perform(v: Vector, f: Frame) -> int:
            head = performed.get(card(v, f))
            return THROUGH if head is None else head(v, f)

        return perform

    def entered(self, rule: int, arguments: tuple[Expr, ...]) -> Value:
        """The frame of a rule in which its guard is evaluated."""
        frames = self.code.frames
        return self.expressions.entered(
            frames.sizes[rule], frames.bits[rule], (Local(YOU), *arguments)
        )

    def _asked(self, node: CanDo | CanPay) -> Value:
        """The expression whether something can be done or paid."""
        if isinstance(node, CanPay):
            pays = self.invoice(node.price, node.terms).can_pay
            return lambda v, f: 1 if pays(v, f) else 0
        enter, heads, rule = self.entered(node.rule, node.arguments), self.heads, node.rule
        return lambda v, f: 1 if heads[rule](v, enter(v, f)) else 0


def _bind(slot: int, value: Value, rest: Head) -> Head:
    def bind(v: Vector, f: Frame) -> int:
        before, f[slot] = f[slot], value(v, f)
        holds = rest(v, f)
        f[slot] = before
        return holds

    return bind


def _split(test: Value, then: Head, otherwise: Head) -> Head:
    return lambda v, f: then(v, f) if test(v, f) else otherwise(v, f)


def _first_turn(slot: int, limit: Value, body: Head) -> Head:
    def first_turn(v: Vector, f: Frame) -> int:
        before, f[slot] = f[slot], 1
        holds = limit(v, f) > 0 and body(v, f) != BLOCKED
        f[slot] = before
        return DECIDED if holds else BLOCKED

    return first_turn
