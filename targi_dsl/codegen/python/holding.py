"""Conditions on the elements of a set, evaluated for all of them at once.

What depends on an element only through constant tables is a constant mask. Adjacent slots are
compared in one operation. Whether anything in a set is related to an element is computed from the
set, by the inverse of the relation.
"""

from __future__ import annotations

from collections.abc import Sequence

from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.unit import Masks, Numbers, Unit, bits
from targi_dsl.ir import expressions as e
from targi_dsl.ir.comparisons import COMPARISONS
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.walk import parts
from targi_dsl.optimize.rewrite import anywhere, depends_on_frame, substituted

FLAT = 12
"""A number with at most this many possible values has a constant mask for each."""
SIDES = 64
"""The most slots that are compared."""


class Holding:
    """Generates conditions for all elements of a set."""

    def __init__(self, unit: Unit, numbers: Numbers, masks: Masks) -> None:
        self.unit, self.numbers, self.masks = unit, numbers, masks

    def holding(
        self, condition: e.Expr, slot: int, within: e.Expr, scope: Scope, out: Lines
    ) -> str | None:
        """A mask with those elements of a set for which a condition holds, and perhaps other
        numbers; None if they must be tested one by one.
        """
        one = self._holder(slot, within, scope, out)
        return self._whole(one.holding(condition), one, out) if one is not None else None

    def having(
        self, sets: e.Expr, slot: int, within: e.Expr, scope: Scope, out: Lines
    ) -> str | None:
        """Like `holding`: the elements for which another set is not empty."""
        one = self._holder(slot, within, scope, out)
        return self._whole(one.having(sets), one, out) if one is not None else None

    def _holder(self, slot: int, within: e.Expr, scope: Scope, out: Lines) -> _Holder | None:
        if slot == YOU or not self.unit.is_mask(within, scope):
            return None
        return _Holder(self, slot, self._domain(within, scope), scope, out.apart())

    def _domain(self, within: e.Expr, scope: Scope) -> range:
        """The numbers from the lowest element that a set can have to the highest."""
        match within:
            case e.Const(tuple(members)):
                return _around(members)
            case e.Pick(sets, _) | e.Image(sets, _):
                return _around([one for members in sets for one in members])
            case e.Filter(_, inner, _) | e.SetOp("except" | "within", inner, _):
                return self._domain(inner, scope)
            case e.Cond(_, inner, e.Const(())) | e.Cond(_, e.Const(()), inner):
                return self._domain(inner, scope)
            case _:
                low, high = self.unit.facts.span(within, scope.types)
                return range(max(low, 0), high + 1)

    def _whole(self, found: str | None, by: _Holder, out: Lines) -> str | None:
        if found is not None:
            out.take(by.out)
        return found

    def looked_at(
        self, condition: e.Expr, slot: int, within: e.Expr, scope: Scope, out: Lines
    ) -> None:
        """The cost on the meter of examining the elements of a set one by one."""
        apart = out.apart()
        bound = scope.bound(slot, "x", self.unit.is_mask(within, scope))
        self.numbers.test(condition, bound, apart)
        many = min(self.unit.facts.inference.size(within), len(self._domain(within, scope)))
        self.unit.count(many * (1 + apart.cost), out)


class _Holder:
    """One condition, whose element is in a slot."""

    def __init__(self, by: Holding, slot: int, domain: range, scope: Scope, out: Lines) -> None:
        self.by, self.slot, self.domain, self.scope, self.out = by, slot, domain, scope, out

    def holding(self, node: e.Expr) -> str | None:
        """The mask of the elements for which a condition holds."""
        if not self._is_about(node):
            return self._always(node)
        match node:
            case e.Not(of):
                found = self.holding(of)
                return f"~{found}" if found is not None else None
            case e.All(nodes):
                return self._joined(" & ", nodes)
            case e.AnyOf(nodes):
                return self._joined(" | ", nodes)
            case e.Member(e.Local(slot), within) if slot == self.slot:
                return self._mask(within)
            case e.Member(item, e.MakeSet((e.Local(slot),))) if slot == self.slot:
                return self._is(item)
            case e.Compare(op, left, right):
                return self._compared(op, left, right)
            case e.Exists(_, within, e.Const(1)):
                return self.having(within)
            case e.Cond(condition, then, otherwise) if not self._is_about(condition):
                return self._either(condition, self.holding(then), self.holding(otherwise))
            case e.Call(define, arguments):
                body = self._body(define, arguments)
                return self.holding(body) if body is not None else None
            case _:
                return None

    def having(self, node: e.Expr) -> str | None:
        """The mask of the elements for which a set is not empty."""
        match node:
            case _ if not self._is_about(node):
                return self._always(e.Exists(NOTHING, node, e.Const(1)))
            case e.SetOp("plus", left, right):
                return self._both(" | ", self.having(left), self.having(right))
            case e.SetOp("except", left, right) if not self._is_about(right):
                return self._related(left, f"~{self._mask(right)}")
            case e.SetOp("within", left, right) if not self._is_about(right):
                return self._related(left, self._mask(right))
            case e.SetOp("within", left, right) if not self._is_about(left):
                return self._related(right, self._mask(left))
            case e.Lying(base, things, e.MakeSet((e.Local(slot),))) if slot == self.slot:
                return self._mask(e.Places(base, things))
            case e.CardsOn(places):
                related = self._relation(places)
                return self._under_cards(related) if related is not None else None
            case e.Cond(condition, then, otherwise) if not self._is_about(condition):
                return self._either(condition, self.having(then), self.having(otherwise))
            case e.Call(define, arguments):
                body = self._body(define, arguments)
                return self.having(body) if body is not None else None
            case _:
                return self._related(node, "-1")

    # ---- what is the same for all elements ----

    def _is_about(self, node: e.Expr) -> bool:
        return any(one.slot == self.slot for one in parts(node, e.Local))

    def _always(self, node: e.Expr) -> str:
        text = self.by.numbers.test(node, self.scope, self.out)
        return {"0": "0", "1": "-1"}.get(text, f"(-1 if {text} else 0)")

    def _either(self, condition: e.Expr, then: str | None, otherwise: str | None) -> str | None:
        if then is None or otherwise is None:
            return None
        return (
            f"({then} if {self.by.numbers.test(condition, self.scope, self.out)} else {otherwise})"
        )

    def _both(self, by: str, one: str | None, other: str | None) -> str | None:
        return f"({one}{by}{other})" if one is not None and other is not None else None

    def _joined(self, by: str, nodes: tuple[e.Expr, ...]) -> str | None:
        texts = list[str]()
        for node in nodes:
            text = self.holding(node)
            if text is None:
                return None
            texts.append(text)
        return f"({by.join(texts)})"

    def _mask(self, node: e.Expr) -> str | None:
        if self._is_about(node) or not self.by.unit.is_mask(node, self.scope):
            return None
        return self.by.masks.mask(node, self.scope, self.out)

    # ---- comparisons ----

    def _compared(self, op: e.Comparison, left: e.Expr, right: e.Expr) -> str | None:
        if self._is_about(right):
            if self._is_about(left):
                return None
            op, left, right = COMPARISONS[op].mirrored, right, left
        if op in ("is", "is_not") and left == e.Local(self.slot):
            found = self._is(right)
            return f"~{found}" if found is not None and op == "is_not" else found
        known = self._known(left)
        if known is not None:
            return self._tabled(op, known, right)
        match left:
            case e.Var(base, e.Local(slot), _) if slot == self.slot:
                return self._side_by_side(op, base, right)
            case e.TopCard(e.Local(slot)) if slot == self.slot:
                return self._side_by_side(op, self.by.unit.slots.place_top, right)
            case _:
                return None

    def _known(self, node: e.Expr) -> list[int] | None:
        """The values of an expression for all elements, if they are constant."""
        match node:
            case e.Local(slot) if slot == self.slot:
                return [*self.domain]
            case e.Table(values, e.Local(slot)) if slot == self.slot:
                last = len(values) - 1
                return [values[one if one < last else last] for one in self.domain]
            case _:
                return None

    def _is(self, item: e.Expr) -> str | None:
        """The mask of the element that is a certain number."""
        low, high = self.by.unit.span(item, self.scope)
        if self._is_about(item) or low < NOTHING or high >= self.by.unit.facts.width:
            return None
        return f"BIT[{self.by.numbers.number(item, self.scope, self.out)}]"

    def _tabled(self, op: e.Comparison, known: list[int], right: e.Expr) -> str | None:
        test = COMPARISONS[op].holds

        def mask(value: int) -> int:
            pairs = zip(self.domain, known, strict=True)
            return bits(one for one, of in pairs if test(of, value))

        if isinstance(right, e.Const) and isinstance(right.value, int):
            return str(mask(right.value))
        low, high = self.by.unit.span(right, self.scope)
        if high - low >= FLAT:
            return None
        masks = self.by.unit.large(tuple(map(mask, range(low, high + 1))))
        value = self.by.numbers.number(right, self.scope, self.out)
        return f"{masks}[{value}{f' - {low}' if low > 0 else f' + {-low}' if low else ''}]"

    def _side_by_side(self, op: e.Comparison, base: int, right: e.Expr) -> str | None:
        if not 0 < len(self.domain) <= SIDES:
            return None
        value = self.by.numbers.number(right, self.scope, self.out)
        first, last = base + self.domain[0], base + self.domain[-1] + 1
        mirrored = COMPARISONS[COMPARISONS[op].mirrored].holds
        method = f"({value}).__{mirrored.__name__}__"
        found = f"SIDES[tuple(map({method}, v[{first}:{last}]))]"
        return f"({found} << {self.domain[0]})" if self.domain[0] else found

    # ---- relations ----

    def _related(self, node: e.Expr, among: str | None) -> str | None:
        """The mask of the elements to which any number of a mask is related."""
        if among is None:
            return None
        match node:
            case e.SetOp("plus", left, right):
                name = self.by.unit.simple(among, self.out, "m")
                return self._both(" | ", self._related(left, name), self._related(right, name))
            case e.Cond(condition, then, otherwise) if not self._is_about(condition):
                name = self.by.unit.simple(among, self.out, "m")
                ways = [self._related(one, name) for one in (then, otherwise)]
                return self._either(condition, *ways)
            case e.MakeSet((e.Cond(condition, then, otherwise),)):
                made = e.MakeSet((then,)), e.MakeSet((otherwise,))
                return self._related(e.Cond(condition, *made), among)
            case _:
                related = self._relation(node)
                return self._inverse(related, among) if related is not None else None

    def _relation(self, node: e.Expr) -> list[tuple[int, ...]] | None:
        """What is related to each element by constant tables."""
        match node:
            case e.MakeSet((one,)):
                known = self._known(one)
                return [(to,) for to in known] if known is not None else None
            case e.Pick(sets, e.Local(slot)) if slot == self.slot:
                last = len(sets) - 1
                return [sets[min(one, last)] for one in self.domain]
            case _:
                return None

    def _inverse(self, related: list[tuple[int, ...]], among: str) -> str:
        pairs = [
            (one, each)
            for one, to in zip(self.domain, related, strict=True)
            for each in to
            if each >= 0
        ]
        has = bits(one for one, _ in pairs)
        if among == "-1":
            return str(has)
        steps = {each - one for one, each in pairs}
        if len(steps) <= 1:
            step = steps.pop() if steps else 0
            moved = f" {'>>' if step > 0 else '<<'} {abs(step)}" if step else ""
            return f"({among}{moved} & {has})"
        inverse = [0] * (1 + max(each for _, each in pairs))
        for one, each in pairs:
            inverse[each] |= 1 << one
        image = self.by.unit.module.constant(f"Image({tuple(inverse)})", "IMAGE")
        return f"{image}[{among} & {(1 << len(inverse)) - 1}]"

    def _under_cards(self, related: list[tuple[int, ...]]) -> str | None:
        """The mask of the elements to which a place with a card is related."""
        places = _around([each for to in related for each in to if each >= 0])
        if not 0 < len(places) <= SIDES:
            return None
        base = self.by.unit.slots.place_top
        cards = f"v[{base + places[0]}:{base + places[-1] + 1}]"
        moved = [tuple(each - places[0] for each in to if each >= 0) for to in related]
        return self._inverse(moved, f"SIDES[tuple(map((-1).__lt__, {cards}))]")

    def _body(self, define: int, arguments: tuple[e.Expr, ...]) -> e.Expr | None:
        """The value of a definition for its arguments, if it binds nothing."""
        value = self.by.unit.program.defines[define].value
        if depends_on_frame(value):
            return None
        if arguments[0] != e.Local(YOU) and anywhere(value, _asks_for_you):
            return None
        body: e.Expr = substituted(value, arguments)
        return body


def _asks_for_you(node: object) -> bool:
    return isinstance(node, e.Active | e.CanDo)


def _around(numbers: Sequence[int]) -> range:
    """From the lowest of some numbers to the highest."""
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)
