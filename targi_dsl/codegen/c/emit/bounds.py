"""The bounds of the elements of a set, which determine its representation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from targi_dsl.codegen.c.emit.shapes import EMPTY, Bounds, join
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.program import Program

Types = Sequence[t.Type]  # of the slots of a frame


class SetBounds:
    """The bounds of the sets of one program."""

    def __init__(self, program: Program, domains: Domains) -> None:
        self.program, self.domains = program, domains
        self.inference = Inference(program)
        self._defines: dict[int, Bounds] = {}

    def is_set(self, node: e.Expr, slots: Types) -> bool:
        """Whether an expression yields a set."""
        match node:
            case e.Const(value):
                return isinstance(value, tuple)
            case e.Cond(_, then, _):
                return self.is_set(then, slots)
            case e.Call(define):
                return self.define_is_set(define)
            case _:
                return isinstance(self.inference.of(node, slots), t.SetOf)

    def define_is_set(self, define: int) -> bool:
        """Whether a definition yields sets."""
        return isinstance(self.program.defines[define].type, t.SetOf)

    def bounds_of(self, node: e.Expr, slots: Types) -> Bounds:
        """The bounds of a set."""
        match node:
            case e.Const(tuple(members)):
                return _hull(members)
            case e.Pick(sets, _) | e.Image(sets, _):
                return _hull([one for members in sets for one in members])
            case e.MakeSet(items):
                return reduce(join, (self.number(item, slots) for item in items), EMPTY)
            case e.Map(_, _, value):
                return self.number(value, slots)
            case e.Range(low, high):
                return self.number(low, slots)[0], self.number(high, slots)[1]
            case e.SetOp("plus", left, right) | e.Cond(_, left, right):
                return join(self.bounds_of(left, slots), self.bounds_of(right, slots))
            case e.SetOp("within", left, right):
                one, other = self.bounds_of(left, slots), self.bounds_of(right, slots)
                return max(one[0], other[0]), min(one[1], other[1])
            case e.SetOp(_, of, _) | e.Filter(_, of, _) | e.Lying(_, of, _):
                return self.bounds_of(of, slots)
            case e.Reached(_, _, _, within):
                return self.bounds_of(within, slots)
            case e.CardsOn():
                return 0, len(self.program.cards) - 1
            case e.Places(base, _):
                return 0, self.program.slots.highs[base]
            case e.Call(define):
                return self.of_define(define)
            case _:
                return self.of_type(self.inference.of(node, slots))

    def of_define(self, define: int) -> Bounds:
        """The bounds of the sets that a definition yields."""
        if define not in self._defines:
            info = self.program.defines[define]
            self._defines[define] = self.of_type(info.type)  # in case it refers to itself
            self._defines[define] = self.bounds_of(info.value, info.slots)
        return self._defines[define]

    def number(self, node: e.Expr, slots: Types) -> Bounds:
        """The bounds of the values of an expression, except nothing."""
        match node:
            case e.Table(values):
                return _hull([one for one in values if one != NOTHING])
            case e.Const(int(value)):
                return (value, value) if value != NOTHING else EMPTY
            case e.Cond(_, left, right):
                return join(self.number(left, slots), self.number(right, slots))
            case e.First(of):
                return self.bounds_of(of, slots)
            case _:
                return self.of_type(self.inference.of(node, slots))

    def of_type(self, type_: t.Type) -> Bounds:
        """The bounds of the values of a type."""
        one = t.element(type_)
        if isinstance(one, t.Number):
            return one.low, one.high
        if isinstance(one, t.Price):
            return 0, len(self.program.prices) - 1
        domain = self.domains.of(one)
        return max(domain.low, 0), domain.high


def _hull(members: Iterable[int]) -> Bounds:
    found = list(members)
    return (min(found), max(found)) if found else EMPTY
