"""Which definitions keep their last value, until what it was read from has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from targi_dsl.codegen.c.emit.shapes import Shape
from targi_dsl.codegen.c.emit.unit import Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir.program import with_expressions
from targi_dsl.ir.walk import children, parts
from targi_dsl.optimize.rewrite import depends_on_frame

_PURE = (
    *(tuple, e.Const, e.Local, e.Table, e.Pick, e.Cond, e.Not, e.All, e.AnyOf, e.Compare),
    *(e.Member, e.Exists, e.Filter, e.Map, e.MakeSet, e.SetOp, e.Image, e.Reached, e.Size, e.First),
)
"""What depends on its parts alone."""


class Kept:
    """The definitions of one program that rules ask for again and again."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.defines = unit, unit.program.defines

    @cached_property
    def _asked(self) -> Counter[int]:
        """How often each definition is named, if that is always for a player alone."""
        calls = [*parts(with_expressions(self.unit.program), e.Call)]
        given = {one.define for one in calls if len(one.arguments) > 1}
        return Counter(one.define for one in calls if one.define not in given)

    def value(self, number: int, type_: str, found: str, shape: Shape | None) -> str:
        """The body of a definition with this value; it is kept if that pays."""
        info = self.defines[number]
        often = self._asked[number] > 1 and depends_on_frame(info.value)
        read = self._read(info.value) if often and not self.unit.references.is_deep else None
        if read is None or (shape is not None and not shape.words):
            return f"    c = enter(g, c);\n    return {found};"
        words = range(self.unit.occupancy.of_places.words)
        now = ["a0 + 1", *(f"g->board.places[{at}][{w}]" for at in sorted(read) for w in words)]
        at, last = self.unit.keep(len(now) + 1 + (shape.words if shape else 1)), len(now)
        same = " && ".join(f"k[{at}] == {one}" for at, one in enumerate(now))
        noted = " ".join(f"k[{at}] = {one};" for at, one in enumerate(now))
        value = f"*({type_} *)(k + {last + 1})"
        return (
            f"    c = enter(g, c);\n    uint64_t *k = g->kept + {at};\n"
            f"    if ({same}) {{ count(g, (int)k[{last}]); return {value}; }}\n"
            f"    int before = g->meter; {type_} found = {found};\n"
            f"    {noted} k[{last}] = g->meter - before; {value} = found; return found;"
        )

    def _read(self, node: object) -> set[int] | None:
        """The maintained sets of pieces on whose places alone an expression depends; None if it
        depends on more.
        """
        match node:
            case e.Call(define, arguments):
                return self._all((arguments, self.defines[define].value))
            case e.Places(_, e.Lying(base, things, places)):
                return self._lying(base, things, (places,))
            case e.Exists(_, e.Lying(base, things, places), e.Const(1)) | e.Compare(
                "more_than", e.Size(e.Lying(base, things, places)), e.Const(0)
            ):
                return self._lying(base, things, (places,))
            case e.Places(base, things):
                return self._lying(base, things, ())
            case _ if isinstance(node, _PURE):
                return self._all(children(node))
            case _:
                return None

    def _lying(self, base: int, things: e.Expr, places: tuple[e.Expr, ...]) -> set[int] | None:
        found, numbers = self._all((things, *places)), self.unit.occupancy.numbers(base, things)
        return found | {*numbers} if found is not None and numbers else None

    def _all(self, nodes: Iterable[object]) -> set[int] | None:
        every = [self._read(one) for one in nodes]
        found = [one for one in every if one is not None]
        return {at for one in found for at in one} if len(found) == len(every) else None
