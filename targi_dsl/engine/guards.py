"""Guards, and the options of the ways they protect; see docs/program.md, *Guards*."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import assert_never

from targi_dsl.engine.expressions import Value, count_elements
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.engine.options import pack
from targi_dsl.engine.payments import Invoice, Payments
from targi_dsl.engine.run import RULES, Frame, Vector
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.program import Program, Way

BLOCKED, DECIDED, THROUGH = 0, 1, 2
Head = Callable[[Vector, Frame], int]  # BLOCKED, DECIDED or THROUGH
Options = Callable[..., list[int]]
"""Lists the options of a question in a position and a frame, up to a number."""


class Guards(Payments):
    """The guards of a program. guard: by rule, its guard in its own frame. action_guard: that of
    the rule on a card.
    """

    def __init__(self, program: Program, domains: Domains) -> None:
        super().__init__(program, domains)
        self.guard = cache(lambda rule: self.head(program.procedures[rule].guard))
        self.action_guard = cache(self._action_guard)

    def value(self, node: e.Expr) -> Value:
        match node:
            case e.CanDo(rule, arguments):
                performs = self._perform(rule, arguments)
                return lambda v, f: int(performs(v, f) != BLOCKED)
            case e.CanPay(price, terms):
                pays = Invoice(self, price, terms).can_pay
                return lambda v, f: int(pays(v, f))
            case _:
                return super().value(node)

    def head(self, guard: g.Guard) -> Head:
        """Compiles a guard: its conjuncts in order, up to the first that is not through, evaluated
        in a copy of the frame.
        """
        conjuncts = [self._conjunct(node) for node in guard]

        def head(v: Vector, f: Frame) -> int:
            f = f[:]
            for conjunct in conjuncts:
                if (held := conjunct(v, f)) != THROUGH:
                    return held
            return THROUGH

        return head

    def _conjunct(self, node: g.Conjunct) -> Head:
        value = self.value
        match node:
            case g.Bind(slot, bound_to):
                return _bind(slot, value(bound_to))
            case g.Need(_, forbid, condition):
                forbidden, permit = value(condition), self.permit(forbid)
                return lambda v, f: (
                    BLOCKED if forbidden(v, f) and permit(v, f) == NOTHING else THROUGH
                )
            case g.Payable(_, price, terms):
                pays = Invoice(self, price, terms).can_pay
                return lambda v, f: THROUGH if pays(v, f) else BLOCKED
            case g.Split(test, then, otherwise):
                holds, one, other = value(test), self.head(then), self.head(otherwise)
                return lambda v, f: one(v, f) if holds(v, f) else other(v, f)
            case g.Perform(rule) if self.program.procedures[rule].guard == (g.Decided(),):
                return lambda v, f: DECIDED
            case g.Perform(rule, arguments):
                return self._perform(rule, arguments)
            case g.PerformAction(card):
                this = value(card)
                return lambda v, f: self.action_guard(this(v, f))(v, f)
            case g.Answer(_, question, ways):
                asked = self.program.questions[question].ways
                options = self.options([(at, asked[at]) for at in ways])
                return lambda v, f: DECIDED if options(v, f, 1) else BLOCKED
            case g.FirstTurn(_, slot, limit, body):
                return _first_turn(slot, value(limit), self.head(body))
            case g.Decided():
                return lambda v, f: DECIDED
            case _:
                assert_never(node)

    def frame_of(self, rule: int, arguments: Sequence[e.Expr]) -> Value:
        """The frame of a rule in which its guard is evaluated."""
        slots = self.program.procedures[rule].slots
        return self.entered(slots, 1 << rule + RULES, (e.Local(YOU), *arguments))

    def _perform(self, rule: int, arguments: Sequence[e.Expr]) -> Head:
        enter = self.frame_of(rule, arguments)
        return lambda v, f: self.guard(rule)(v, enter(v, f))

    def _action_guard(self, card: int) -> Head:
        if (rule := self.action(card)) == NOTHING:
            return self.head(())
        return self._conjunct(g.Perform(rule, tuple(map(e.Const, self.carried(rule, card)))))

    def permit(self, forbid: int) -> Value:
        """The ability that lifts a prohibition for you now, or nothing."""
        permits = [
            (ability, self.value(condition))
            for ability, condition in self.program.prohibitions[forbid].permits
        ]
        return lambda v, f: next(
            (
                ability
                for ability, condition in permits
                if self.is_active(v, ability, f[YOU]) and condition(v, f)
            ),
            NOTHING,
        )

    def options(self, ways: Iterable[tuple[int, Way]]) -> Options:
        """The options of some ways of a question, in the order of each way's set."""
        every = [(self.value(way.when), self._way_options(place, way)) for place, way in ways]

        def options(v: Vector, f: Frame, enough: int = OPTIONS + 1) -> list[int]:
            found = (option for when, offered in every if when(v, f) for option in offered(v, f))
            return [*islice(found, enough)]

        return options

    def _way_options(self, place: int, way: Way) -> Callable[[Vector, Frame], Iterable[int]]:
        """The options of one way."""
        choice, holds = way.choice, self.head(way.guard)
        if choice is None:
            option = pack(place)
            return lambda v, f: [option] if holds(v, f) else []
        within = self.value(choice.within)
        if not way.guard:
            return lambda v, f: [pack(place, element) for element in within(v, f)]

        def offered(v: Vector, f: Frame) -> Iterator[int]:
            elements, f = count_elements(v, within(v, f)), f[:]
            for f[choice.slot] in elements:
                if holds(v, f):
                    yield pack(place, f[choice.slot])

        return offered


def _bind(slot: int, value: Value) -> Head:
    def bind(v: Vector, f: Frame) -> int:
        f[slot] = value(v, f)
        return THROUGH

    return bind


def _first_turn(slot: int, limit: Value, body: Head) -> Head:
    def first_turn(v: Vector, f: Frame) -> int:
        f[slot] = 1
        return DECIDED if limit(v, f) > 0 and body(v, f) != BLOCKED else BLOCKED

    return first_turn
