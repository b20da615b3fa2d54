"""The verifier: checks that a program is well formed, which every engine relies on. The
tests run it on what the compiler and each pass give.

Every address lies in the code, every number refers to an existing entry, every slot is in its
frame and is written before it is read, and every call passes what the rule expects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never, get_args

from msgspec import Struct

from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.program import Procedure, Program
from targi_dsl.ir.walk import children, outermost, parts


def verify(program: Program) -> tuple[str, ...]:
    """The faults of a program, in words; empty for a sound one."""
    return tuple(_Verifier(program).faults())


class _Verifier:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.sizes = [len(procedure.slots) for procedure in program.procedures]
        self.asking = {
            (point.rule, point.address) for point in program.points if point.question != NOTHING
        }

    def faults(self) -> Iterator[str]:
        yield from self._code()
        yield from self._points()
        yield from self._questions()
        for number, procedure in enumerate(self.program.procedures):
            yield from self._procedure(number, procedure)
        for define in self.program.defines:
            yield from self._frame(define.name, define.value, len(define.slots))

    def _code(self) -> Iterator[str]:
        starts = ins.Over, ins.NextRound, ins.Return
        for at, (kind, line) in enumerate(zip(starts, self.program.code, strict=False)):
            if not isinstance(line.operation, kind):
                yield f"address {at} is no {kind.__name__}"
        for at, line in enumerate(self.program.code):
            targets = [line.next, *_targets(line.operation)]
            if isinstance(
                line.operation, ins.Over | ins.NextRound | ins.Return | ins.Ask | s.EndGame
            ):
                targets = targets[1:]
            if any(not 0 <= target < len(self.program.code) for target in targets):
                yield f"address {at} goes on at no address"
            if line.rule != NOTHING:
                where = f"address {at}"
                yield from self._frame(where, line.operation, self.sizes[line.rule])
                yield from self._numbers(where, line.operation)

    def _points(self) -> Iterator[str]:
        names = [(point.rule, point.label) for point in self.program.points]
        if len(set(names)) < len(names):
            yield "two points of a rule have one label"
        for number, point in enumerate(self.program.points):
            if not 0 <= point.address < len(self.program.code):
                yield f"point {number} is at no address"
            if any(not 0 <= slot < self.sizes[point.rule] for slot in point.kept):
                yield f"point {number} keeps a slot that its frame has not"

    def _questions(self) -> Iterator[str]:
        for number, question in enumerate(self.program.questions):
            where = f"question {number}"
            if self.program.points[question.point].question != number:
                yield f"{where} waits at another point"
            if question.ways and question.kind not in ("ask", "random"):
                yield f"{where} has ways, and is no ask"
            if (question.kind in ("pay", "unit")) != (question.bill is not None):
                yield f"{where} is a {question.kind}, which does not fit its bill"
            for way in question.ways:
                if not 0 <= way.target < len(self.program.code):
                    yield f"{where} goes on at no address"
                yield from self._frame(where, (way.choice, way.when), self.sizes[question.rule])
                yield from self._guard(where, way.guard, self.sizes[question.rule])

    def _procedure(self, number: int, procedure: Procedure) -> Iterator[str]:
        if procedure.params >= len(procedure.slots):
            yield f"{procedure.name} has more arguments than slots"
        begin = self.program.points[procedure.begin]
        if (begin.rule, begin.address) != (number, procedure.entry):
            yield f"{procedure.name} begins at another point"
        if (number, procedure.entry) in self.asking:
            yield f"{procedure.name} asks where it begins"
        unwritten = [slot for slot in begin.live if slot > procedure.params]
        if unwritten:
            yield f"{procedure.name} reads slots {unwritten} before they are written"
        yield from self._guard(procedure.name, procedure.guard, len(procedure.slots))

    def _guard(self, where: str, guard: g.Guard, size: int) -> Iterator[str]:
        yield from self._frame(where, guard, size)
        yield from self._numbers(where, guard)

    def _frame(self, where: str, node: object, size: int) -> Iterator[str]:
        """Checks that slots exist in their frame."""
        for slot in _slots(node):
            if not 0 <= slot < size:
                yield f"{where} names slot {slot} of a frame of {size}"

    def _numbers(self, where: str, node: object) -> Iterator[str]:
        """Checks that references by number exist and are passed what they expect."""
        program = self.program
        calls = [(call.rule, call.arguments) for call in parts(node, s.Do)]
        calls += [(call.rule, call.arguments) for call in parts(node, e.CanDo)]
        calls += [(call.rule, call.arguments) for call in parts(node, g.Perform)]
        for rule, arguments in calls:
            if len(arguments) != program.procedures[rule].params:
                yield f"{where} gives {len(arguments)} arguments to rule {rule}"
        for called in parts(node, e.Call):
            if not 0 <= called.define < len(program.defines):
                yield f"{where} calls no definition"
        for assigned in parts(node, s.Assign):
            if not 0 <= assigned.variable < len(program.variables):
                yield f"{where} sets no variable"
        for answer in parts(node, g.Answer):
            if max(answer.ways) >= len(program.questions[answer.question].ways):
                yield f"{where} asks for a way that its question has not"


def _targets(operation: ins.Operation) -> Iterator[int]:
    """The addresses an operation refers to, other than the next."""
    match operation:
        case ins.Branch(_, otherwise) | ins.Test(_, otherwise):
            yield otherwise
        case ins.Ask(_, otherwise) | ins.Pay(_, otherwise) if otherwise != NOTHING:
            yield otherwise
        case ins.NextElement(_, _, done):
            yield done
        case _:
            pass


_OWN = (s.Store,)  # its slot is one of the position


def _slots(node: object) -> Iterator[int]:
    """The frame slots an operation or expression refers to."""
    if isinstance(node, tuple):
        for child in node:
            if not isinstance(child, int | str):
                yield from _slots(child)
        return
    if not isinstance(node, Struct):
        return
    binds = not (isinstance(node, e.Exists) and node.condition == e.Const(1))
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if name in ("slot", "work"):
            if binds and not isinstance(node, _OWN):
                yield value
        elif name not in ("span", "type", "domain"):
            yield from _slots(value)


__all__ = ["verify"]


# ---- checks the types of the parts of every expression ----


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
            yield from self._check_frame(f"address {at}", line.operation, rules[line.rule])
        for question in program.questions:
            yield from self._check_frame(
                f"question {question.name}", question, rules[question.rule]
            )
        for prohibition in program.prohibitions:
            yield from self._check_frame(prohibition.name, prohibition, rules[prohibition.rule])
        for rule in program.procedures:
            yield from self._check_frame(f"guard of {rule.name}", rule.guard, rule.slots)
        for define in program.defines:
            yield from self._check_frame(define.name, define, define.slots)
        for score in program.scores:
            yield from self._check_frame(f"score {score.name}", score, score.slots)
        for number, tie in enumerate(program.ties):
            yield from self._check_frame(f"tie {number}", tie, tie.slots)

    def _check_frame(self, name: str, part: object, slots: Sequence[t.Type]) -> Iterator[str]:
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
                yield from ((condition, truth), *self._bindings(slot, within, slots))
            case e.Fold(op, slot, within, value):
                yield from self._bindings(slot, within, slots)
                if op != "different":
                    yield value, number
            case e.Map(slot, within, _):
                yield from self._bindings(slot, within, slots)
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
                yield from self._bindings(slot, start, slots)
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

    def _bindings(
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
