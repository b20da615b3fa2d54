"""Checks the types of the parts of every expression.

A literal or table without a type fits any domain that contains all its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never, get_args

from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.program import Program
from targi_dsl.ir.walk import children, outermost

_EXPRESSIONS = get_args(e.Expr)


def type_errors(program: Program, domains: Domains) -> tuple[str, ...]:
    """The type errors in a program's expressions, each with its place."""
    return tuple(_Checker(program, domains).program())


class _Checker:
    def __init__(self, program: Program, domains: Domains) -> None:
        self._program, self._domains, self._types = program, domains, Inference(program)

    def program(self) -> Iterator[str]:
        program = self._program
        rules = [procedure.slots for procedure in program.procedures]
        for at, line in enumerate(program.code):
            yield from self._framed(f"address {at}", line.operation, rules[line.rule])
        for question in program.questions:
            yield from self._framed(f"question {question.name}", question, rules[question.rule])
        for prohibition in program.prohibitions:
            yield from self._framed(prohibition.name, prohibition, rules[prohibition.rule])
        for rule in program.procedures:
            yield from self._framed(f"guard of {rule.name}", rule.guard, rule.slots)
        for define in program.defines:
            yield from self._framed(define.name, define, define.slots)
        for score in program.scores:
            yield from self._framed(f"score {score.name}", score, score.slots)
        for number, tie in enumerate(program.ties):
            yield from self._framed(f"tie {number}", tie, tie.slots)

    def _framed(self, name: str, part: object, slots: Sequence[t.Type]) -> Iterator[str]:
        """The errors in all expressions of a part that has its own frame."""
        for node in outermost(part, _EXPRESSIONS):
            yield from (f"{name}: {error}" for error in self._errors(node, slots))

    def _errors(self, node: e.Expr, slots: Sequence[t.Type]) -> Iterator[str]:
        """The errors inside an expression."""
        for part in self._parts(node):
            yield from self._errors(part, slots)
        for part, wanted in self._needs(node, slots):
            if not self._fits(self._types.of(part, slots), wanted):
                inferred = self._types.of(part, slots)
                yield f"{type(node).__name__} needs {wanted}, not {inferred}: {part}"

    def _parts(self, node: e.Expr) -> Iterator[e.Expr]:
        for child in children(node):
            yield from outermost(child, _EXPRESSIONS)

    def _needs(self, node: e.Expr, slots: Sequence[t.Type]) -> Iterator[tuple[e.Expr, t.Type]]:
        """The parts of an expression, each with the type it must have."""
        number, truth = t.Number(), t.Truth()
        match node:
            case e.Arith(_, left, right) | e.Range(left, right):
                yield from ((left, number), (right, number))
            case e.Compare(_, left, right):
                same = self._types.of(right, slots)
                yield from ((left, same),)
            case e.Member(item, within):
                yield item, t.element(self._types.of(within, slots))
                yield within, t.set_of(t.Nothing())
            case e.SetOp(_, left, right):
                yield left, self._types.of(right, slots)
            case e.Filter(slot, within, condition) | e.Exists(slot, within, condition):
                yield from ((condition, truth), *self._bound(slot, within, slots))
            case e.Fold(op, slot, within, value):
                yield from self._bound(slot, within, slots)
                if op != "different":
                    yield value, number
            case e.Map(slot, within, _):
                yield from self._bound(slot, within, slots)
            case e.Not(of):
                yield of, truth
            case e.All(parts) | e.AnyOf(parts):
                yield from ((part, truth) for part in parts)
            case e.Cond(condition, _, _):
                yield condition, truth
            case e.Size(of) | e.First(of) | e.Places(_, of):
                yield of, t.set_of(t.Nothing())
            case e.TopCard(place) | e.BottomCard(place):
                yield place, t.Place()
            case e.CardsOn(places) | e.Lying(_, _, places):
                yield places, t.SetOf(t.Place())
            case e.Reached(slot, start, step, within):
                yield from self._bound(slot, start, slots)
                yield from ((operand, t.set_of(slots[slot])) for operand in (start, step, within))
            case e.LongestLine(_, places):
                yield places, t.SetOf(t.Place())
            case e.FaceUp(card):
                yield card, t.Card()
            case e.Call(define, arguments):
                yield from zip(arguments, self._program.defines[define].slots, strict=False)
            case e.CanDo(rule, arguments):
                yield from zip(arguments, self._program.procedures[rule].slots[1:], strict=False)
            case (
                e.Const() | e.Local() | e.Var() | e.Table() | e.Pick() | e.Image() | e.MakeSet()
                | e.During() | e.Active() | e.CanPay()
            ):  # fmt: skip
                return
            case _:
                assert_never(node)

    def _bound(
        self, slot: int, within: e.Expr, slots: Sequence[t.Type]
    ) -> Iterator[tuple[e.Expr, t.Type]]:
        """A set whose elements are bound to a slot in turn; without a slot it is only counted."""
        of = slots[slot] if slot != NOTHING else t.Nothing()
        yield within, t.set_of(t.Number() if isinstance(of, t.Number) else of)

    def _fits(self, actual: t.Type, wanted: t.Type) -> bool:
        if isinstance(actual, t.SetOf) != isinstance(wanted, t.SetOf):
            return False
        element, other = t.element(actual), t.element(wanted)
        if (
            isinstance(element, t.Nothing)
            or isinstance(other, t.Nothing)
            or t.alike(element, other)
        ):
            return True
        pair = (element, other) if isinstance(element, t.Number) else (other, element)
        if not isinstance(pair[0], t.Number):
            return False
        domain = self._domains.of(pair[1])
        return domain.low <= pair[0].low and pair[0].high <= domain.high
