"""Sets. A set of small numbers is a mask with a bit for each element; any other set is a tuple."""

from __future__ import annotations

from targi_dsl.codegen.python.holding import Holding
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.places import Places, Then
from targi_dsl.codegen.python.runtime import shifts
from targi_dsl.codegen.python.unit import Numbers, Unit, bits
from targi_dsl.engine.faults import RANGE
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import ENDED
from targi_dsl.ir.types import HIGHEST, LOWEST


def line_text(mask: str, pairs: str, length: int, by: int, has_next: int) -> str:
    """Whether a mask has a straight line of this length: first the places with one of two, then
    those with twice as many pairs behind each other, until there are enough.
    """
    on = ">>" if by > 0 else "<<"
    tests, found = [f"{mask} & {has_next} & {mask} {on} {abs(by)}"], 1
    while found < length - 1:
        further = min(found, length - 1 - found)
        tests.append(f"{pairs} & {pairs} {on} {abs(by) * further}")
        found += further
    *before, last = tests
    return " and ".join([*(f"({pairs} := {one})" for one in before), last])


class Sets:
    """Generates sets, and queries on them."""

    def __init__(self, unit: Unit, numbers: Numbers) -> None:
        self.unit, self.numbers = unit, numbers
        self.places = Places(unit, numbers, self)
        self.conditions = Holding(unit, numbers, self)

    # ---- masks ----

    def mask(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """A set as a mask."""
        match node:
            case e.Const(tuple(elements)):
                kept = [one for one in elements if 0 <= one < self.unit.facts.width]
                return str(bits(kept))
            case _ if not self.unit.is_mask(node, scope):
                return f"bits({self.each(node, scope, out)})"
            case e.Local(slot):
                return scope.slot(slot)
            case e.Call(define, arguments):
                return self.numbers.call(define, arguments, scope, out)
            case e.Pick(sets, index):
                return self.numbers.entry(tuple(map(bits, sets)), index, scope, out)
            case e.Image(sets, of):
                return self._image(sets, of, scope, out)
            case e.MakeSet(items):
                return self._made(items, scope, out)
            case e.Range(e.Const(int(low)), e.Const(int(high))) if high - low < RANGE:
                return str(bits(range(low, high + 1)))
            case e.Range(low, high):
                return f"between({self._ends(low, high, scope, out)})"
            case e.SetOp(op, left, right):
                joined = {"plus": "|", "except": "& ~", "within": "& "}[op]
                one = self.mask(left, scope, out)
                return f"({one} {joined}{self.mask(right, scope, out)})"
            case e.Cond(condition, then, otherwise):
                return self.numbers.either(self.mask, condition, then, otherwise, scope, out)
            case e.CardsOn(places):
                return self._cards_on(places, scope, out)
            case e.Places(base, e.Lying(at, things, places)) if base == at and self.unit.is_mask(
                places, scope
            ):
                among = self.mask(places, scope, out)
                return f"({self.places.places_of(base, things, scope, out)} & {among})"
            case e.Places(base, things):
                return self.places.places_of(base, things, scope, out)
            case e.Filter() if (text := self._filtered(node, scope, out)) is not None:
                return text
            case e.Filter() | e.Map() | e.Lying():
                return self._gathered(node, scope, out)
            case e.Reached():
                return self._reached(node, scope, out)
            case _:
                raise AssertionError(node)

    def _ends(self, low: e.Expr, high: e.Expr, scope: Scope, out: Lines) -> str:
        return ", ".join(self.numbers.number(one, scope, out) for one in (low, high))

    def _image(
        self, sets: tuple[tuple[int, ...], ...], of: e.Expr, scope: Scope, out: Lines
    ) -> str:
        steps = {to - one for one, related in enumerate(sets) for to in related}
        if len(steps) == 1:
            step, has = steps.pop(), bits([one for one, related in enumerate(sets) if related])
            among = f"{self.mask(of, scope, out)} & {has}"
            return f"(({among}) {'<<' if step >= 0 else '>>'} {abs(step)})"
        related = self.unit.module.constant(f"Image({tuple(map(bits, sets))})", "IMAGE")
        return f"{related}[{self.mask(of, scope, out)}]"

    def _made(self, items: tuple[e.Expr, ...], scope: Scope, out: Lines) -> str:
        texts = [f"BIT[{self.numbers.number(item, scope, out)}]" for item in items]
        return f"({' | '.join(texts)})" if texts else "0"

    def _cards_on(self, places: e.Expr, scope: Scope, out: Lines) -> str:
        match places:
            case e.Const((place,)):
                return f"pile_of(v, {self.unit.slots.place_top + place})"
            case e.MakeSet((place,)):
                return f"pile_on(v, {self.numbers.number(place, scope, out)})"
        tops = self.places.values(self.unit.slots.place_top, places, scope, out)
        if tops is not None:
            return f"piles(v, {tops})"
        return f"piles_on(v, {self.each(places, scope, out)})"

    def _filtered(self, node: e.Filter | e.Exists, scope: Scope, out: Lines) -> str | None:
        """The mask of the elements for which a condition holds, if it can be computed at once."""
        apart = out.apart()
        text = self.conditions.holding(node.condition, node.slot, node.within, scope, apart)
        if text is None:
            return None
        within = self.mask(node.within, scope, out)
        out.take(apart)
        self.conditions.looked_at(node.condition, node.slot, node.within, scope, out)
        return f"({within} & {text})"

    def _gathered(self, node: e.Filter | e.Map | e.Lying, scope: Scope, out: Lines) -> str:
        name = out.fresh("m")
        out.add(f"{name} = 0")
        self._loop(node, scope, out, lambda element: [f"{name} |= BIT[{element}]"])
        return name

    def _loop(
        self, node: e.Filter | e.Map | e.Lying | e.Fold | e.Exists, scope: Scope, out: Lines,
        then: Then,
    ) -> None:  # fmt: skip
        """Iterates over the elements that belong to a set, or the values for all of them."""
        if isinstance(node, e.Lying):
            self.places.loop_lying(node, scope, out, then)
            return
        within = self.unit.simple(self.each(node.within, scope, out), out)
        element, inner = out.fresh(), out.apart(1)
        bound = scope.bound(node.slot, element, self.unit.is_mask(node.within, scope))
        if isinstance(node, e.Filter | e.Exists):
            with inner.block(f"if {self.numbers.test(node.condition, bound, inner)}"):
                inner.add(*then(element))
        else:
            inner.add(*then(self.numbers.number(node.value, bound, inner)))
        self.unit.charge(out, inner, within, self.unit.facts.inference.size(node.within))
        out.add(f"for {element} in {within}:")
        out.rows += inner.rows

    def _reached(self, node: e.Reached, scope: Scope, out: Lines) -> str:
        start, within = self.mask(node.start, scope, out), self.mask(node.within, scope, out)
        match node.step:
            case e.Pick(sets, e.Local(slot)) if slot == node.slot:
                related = self.unit.large(tuple(map(bits, sets)))
                return f"reached(v, {start}, {within}, {related}.__getitem__)"
        element, steps, inner = out.fresh(), out.fresh("steps"), out.apart(1)
        text = self.mask(node.step, scope.bound(node.slot, element), inner)
        out.add(f"def {steps}({element}):")
        if inner.cost:
            inner.add(f"v[1] += {inner.cost}")
        inner.add(f"return {text}")
        out.rows += inner.rows
        return f"reached(v, {start}, {within}, {steps})"

    # ---- elements ----

    def each(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """The elements of a set, ascending."""
        match node:
            case e.Const(tuple(elements)):
                return self.unit.large(elements)
            case e.Pick(sets, index):
                return self.numbers.entry(sets, index, scope, out)
            case e.Cond(condition, then, otherwise):
                return self.numbers.either(self.each, condition, then, otherwise, scope, out)
            case e.Range(low, high):
                return f"numbers({self._ends(low, high, scope, out)})"
            case e.Filter() if (text := self._filtered(node, scope, out)) is not None:
                return f"ELEMENTS[{text}]"
            case e.Filter() | e.Lying():
                name = out.fresh("found")
                out.add(f"{name} = []")
                self._loop(node, scope, out, lambda element: [f"{name}.append({element})"])
                return name
            case e.MakeSet((item,)):
                text = self.numbers.number(item, scope, out)
                if self.unit.span(item, scope)[0] >= 0:
                    return f"({text},)"
                name = out.fresh()
                return f"(({name},) if ({name} := {text}) != {NOTHING} else ())"
            case e.CardsOn(places):
                tops = self.places.values(self.unit.slots.place_top, places, scope, out)
                if tops is None:
                    tops = f"tops_of(v, {self.each(places, scope, out)})"
                return f"cards_on(v, {tops})"
            case _ if self.unit.is_mask(node, scope):
                return f"ELEMENTS[{self.mask(node, scope, out)}]"
            case _:
                return self._tuple(node, scope, out)

    def _tuple(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        match node:
            case e.Local(slot):
                return scope.slot(slot)
            case e.Call(define, arguments):
                return self.numbers.call(define, arguments, scope, out)
            case e.MakeSet(items):
                texts = ", ".join(self.numbers.number(item, scope, out) for item in items)
                return f"made(({texts},))"
            case e.SetOp(op, left, right):
                one, other = self.each(left, scope, out), self.each(right, scope, out)
                return f"{op.replace('except', 'without')}({one}, {other})"
            case e.Image(sets, of):
                related = self.unit.large(sets)
                one, other = out.fresh(), out.fresh()
                among = self.unit.simple(self.each(of, scope, out), out)
                return f"made([{other} for {one} in {among} for {other} in {related}[{one}]])"
            case e.Map():
                name = out.fresh("found")
                out.add(f"{name} = []")
                self._loop(node, scope, out, lambda element: [f"{name}.append({element})"])
                return f"made({name})"
            case _:
                raise AssertionError(node)

    # ---- questions about sets ----

    def of_set(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        """A number computed from a set."""
        match node:
            case e.Size(of) if self._is_listed(of) or not self.unit.is_mask(of, scope):
                return f"len({self.each(of, scope, out)})"
            case e.Size(of):
                return f"({self.mask(of, scope, out)}).bit_count()"
            case e.First(e.MakeSet((item,))):
                return self.numbers.number(item, scope, out)
            case e.First(e.Lying() as lying):
                return self.places.first_lying(lying, scope, out)
            case e.First(of) if self.unit.is_mask(of, scope) and not isinstance(
                of, e.Const | e.Pick
            ):
                name = out.fresh("m")
                mask = self.mask(of, scope, out)
                return f"((({name} := {mask}) & -{name}).bit_length() - 1)"
            case e.First(of):
                name = out.fresh()
                return f"({name}[0] if ({name} := {self.each(of, scope, out)}) else {NOTHING})"
            case e.Fold(op):
                return self._fold(node, op, scope, out)
            case e.LongestLine(ways, within) if self.unit.is_mask(within, scope):
                out.cost += self.unit.facts.inference.size(within)
                known = self.unit.module.constant(f"Longest({ways})", "LONGEST")
                return f"{known}[{self.mask(within, scope, out)}]"
            case e.LongestLine(ways, within):
                out.cost += self.unit.facts.inference.size(within)
                elements = self.each(within, scope, out)
                return f"longest_line(v, {self.unit.module.constant(repr(ways))}, {elements})"
            case _:
                raise AssertionError(node)

    def has_line(self, of: e.LongestLine, length: int, scope: Scope, out: Lines) -> str | None:
        """A test whether a set has a straight line of this length; None if its longest line must be
        found.
        """
        along = shifts(of.ways)
        if not along or length < 2 or not self.unit.is_mask(of.within, scope):
            return None
        out.cost += self.unit.facts.inference.size(of.within)
        mask, pairs = self.unit.simple(self.mask(of.within, scope, out), out, "m"), out.fresh("m")
        return f"({' or '.join(line_text(mask, pairs, length, *one) for one in along)})"

    def _is_listed(self, node: e.Expr) -> bool:
        """Whether the elements of a set need not be extracted."""
        return isinstance(node, e.Filter | e.Lying | e.Const | e.Pick | e.Range)

    def _fold(self, node: e.Fold, op: str, scope: Scope, out: Lines) -> str:
        name = out.fresh("found")
        if op == "sum":
            out.add(f"{name} = 0")
            self._loop(node, scope, out, lambda value: [f"{name} += {value}"])
            low, high = self.unit.span(node, scope)
            if low == LOWEST or high == HIGHEST:
                out.add(f"if not {LOWEST} <= {name} <= {HIGHEST}: in_doubt()")
            return name
        out.add(f"{name} = []")
        self._loop(node, scope, out, lambda value: [f"{name}.append({value})"])
        match op:
            case "highest":
                return f"max({name}, default=0)"
            case "lowest":
                return f"min({name}, default=0)"
            case _:
                return f"len({{*{name}}} - {{{NOTHING}}})"

    def contains(self, item: e.Expr, within: e.Expr, scope: Scope, out: Lines) -> str:
        """Whether a number is an element of a set."""
        text = self.numbers.number(item, scope, out)
        match within:
            case e.Const((member,)):
                return f"({text} == {member})"
            case e.Const(tuple(members)):
                return f"({text} in {self.places.known(members)})"
            case _ if self.unit.is_mask(within, scope) and not self._is_listed(within):
                low, high = self.unit.span(item, scope)
                mask = self.mask(within, scope, out)
                if low >= NOTHING and high < self.unit.facts.width:
                    return f"(BIT[{text}] & {mask})"
                return f"({text} in ELEMENTS[{mask}])"
            case _:
                return f"({text} in {self.each(within, scope, out)})"

    def some(self, node: e.Exists, scope: Scope, out: Lines) -> str:
        """Whether any element of a set satisfies a condition."""
        if node.condition == e.Const(1):
            return self._any(node.within, scope, out)
        text = self._filtered(node, scope, out)
        if text is not None:
            return text
        name = out.fresh("t")
        out.add(f"{name} = 0")
        self._loop(node, scope, out, lambda element: [f"{name} = 1; break"])
        return name

    def _any(self, within: e.Expr, scope: Scope, out: Lines) -> str:
        match within:
            case e.CardsOn(e.Const((place,))):
                return f"(v[{self.unit.slots.place_top + place}] >= 0)"
            case e.CardsOn(e.Pick(sets, index)) if all(len(one) < 2 for one in sets):
                top = self.unit.slots.place_top
                slots = tuple(top + one[0] if one else ENDED for one in sets)
                return f"(v[{self.numbers.entry(slots, index, scope, out)}] >= 0)"
            case e.CardsOn(places) if (
                tops := self.places.values(self.unit.slots.place_top, places, scope, out)
            ) is not None:
                return f"(max({tops}, default={NOTHING}) >= 0)"
            case e.Lying():
                return self.places.is_lying(within, scope, out)
            case _ if self.unit.is_mask(within, scope) and not self._is_listed(within):
                return self.mask(within, scope, out)
            case _:
                return self.each(within, scope, out)
