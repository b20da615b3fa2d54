"""Sets. A set of small numbers is a mask, with a bit for each element; any other set is a tuple."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.numbers import Numbers
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.slots import ENDED
from targi_dsl.ir.types import HIGHEST, LOWEST

Then = Callable[[str], list[str]]  # lines for an element or a value
FEW = 8
"""So many things are looked at one by one without a loop."""


def bits(elements: Sequence[int]) -> int:
    """The mask of some elements."""
    return sum(1 << one for one in elements)


class Sets(Numbers):
    """Writes sets, and what is asked about them."""

    def is_mask(self, node: e.Expr, scope: Scope) -> bool:
        return self.facts.is_mask(node, scope.types)

    # ---- masks ----

    def mask(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        match node:
            case e.Const(tuple(elements)):
                kept = [one for one in elements if 0 <= one < self.facts.width]
                return str(bits(kept))
            case _ if not self.is_mask(node, scope):
                return f"bits({self.each(node, scope, out)})"
            case e.Local(slot):
                return scope.slot(slot)
            case e.Call(define, arguments):
                return self.call(define, arguments, scope, out)
            case e.Pick(sets, index):
                return self.entry(tuple(map(bits, sets)), index, scope, out)
            case e.Image(sets, of):
                return self._image(sets, of, scope, out)
            case e.MakeSet(items):
                return self._made(items, scope, out)
            case e.Range(low, high):
                return f"between({self.number(low, scope, out)}, {self.number(high, scope, out)})"
            case e.SetOp(op, left, right):
                joined = {"plus": "|", "except": "& ~", "within": "& "}[op]
                one = self.mask(left, scope, out)
                return f"({one} {joined}{self.mask(right, scope, out)})"
            case e.Cond(condition, then, otherwise):
                return self.either(self.mask, condition, then, otherwise, scope, out)
            case e.CardsOn(places):
                return self._cards_on(places, scope, out)
            case e.Places(base, e.Lying(at, things, places)) if base == at and self.is_mask(
                places, scope
            ):
                among = self.mask(places, scope, out)
                return f"({self._places(base, things, scope, out)} & {among})"
            case e.Places(base, things):
                return self._places(base, things, scope, out)
            case e.Filter() | e.Map() | e.Lying():
                return self._gathered(node, scope, out)
            case e.Reached():
                return self._reached(node, scope, out)
            case _:
                raise AssertionError(node)

    def _image(
        self, sets: tuple[tuple[int, ...], ...], of: e.Expr, scope: Scope, out: Lines
    ) -> str:
        related = self.module.constant(f"Image({tuple(map(bits, sets))})", "IMAGE")
        return f"{related}[{self.mask(of, scope, out)}]"

    def _made(self, items: tuple[e.Expr, ...], scope: Scope, out: Lines) -> str:
        texts = [f"BIT[{self.number(item, scope, out)}]" for item in items]
        return f"({' | '.join(texts)})" if texts else "0"

    def _cards_on(self, places: e.Expr, scope: Scope, out: Lines) -> str:
        match places:
            case e.Const((place,)):
                return f"pile_of(v, {self.slots.place_top + place})"
            case e.MakeSet((place,)):
                return f"pile_on(v, {self.number(place, scope, out)})"
        tops = self._values(self.slots.place_top, places, scope, out)
        if tops is not None:
            return f"piles(v, {tops})"
        return f"piles_on(v, {self.each(places, scope, out)})"

    def _places(self, base: int, things: e.Expr, scope: Scope, out: Lines) -> str:
        single = self._single_values(base, things)
        if single is not None:
            return f"({' | '.join(f'BIT[{one}]' for one in single)})" if single else "0"
        values, name, place = self._values(base, things, scope, out), out.fresh("m"), out.fresh()
        if values is not None:
            return f"SPOTS[tuple({values})]"
        thing = self.each(things, scope, out)
        out.add(f"{name} = 0", f"for {place} in {thing}: {name} |= BIT[v[{base} + {place}]]")
        return name

    def _single_values(self, base: int, things: e.Expr) -> list[str] | None:
        match things:
            case e.Const(tuple(members)) if len(members) <= FEW:
                return [f"v[{base + one}]" for one in members]
            case _:
                return None

    def _values(self, base: int, things: e.Expr, scope: Scope, out: Lines) -> str | None:
        """The values of a slot for each of some things that stand side by side."""
        match things:
            case e.Const(tuple(members)) if _is_run(members):
                return f"v[{base + members[0]}:{base + members[-1] + 1}]"
            case e.Pick(sets, index) if all(_is_run(one) for one in sets if one):
                cuts = tuple(
                    slice(base + one[0], base + one[-1] + 1) if one else slice(0, 0) for one in sets
                )
                return f"v[{self.entry(cuts, index, scope, out)}]"
            case _:
                return None

    def _gathered(self, node: e.Filter | e.Map | e.Lying, scope: Scope, out: Lines) -> str:
        name = out.fresh("m")
        out.add(f"{name} = 0")
        self._loop(node, scope, out, lambda element: [f"{name} |= BIT[{element}]"])
        return name

    def _loop(
        self, node: e.Filter | e.Map | e.Lying | e.Fold | e.Exists, scope: Scope, out: Lines,
        then: Then,
    ) -> None:  # fmt: skip
        """Goes through the elements that belong to a set, or the values for all of them."""
        if isinstance(node, e.Lying):
            self._loop_lying(node, scope, out, then)
            return
        within = self.simple(self.each(node.within, scope, out), out)
        element, inner = out.fresh(), out.apart(1)
        bound = scope.bound(node.slot, element, self.is_mask(node.within, scope))
        if isinstance(node, e.Filter | e.Exists):
            with inner.block(f"if {self.test(node.condition, bound, inner)}"):
                inner.add(*then(element))
        else:
            inner.add(*then(self.number(node.value, bound, inner)))
        self.charge(out, inner, within, self.facts.inference.size(node.within))
        out.add(f"for {element} in {within}:")
        out.rows += inner.rows

    def _loop_lying(self, node: e.Lying, scope: Scope, out: Lines, then: Then) -> None:
        element = out.fresh()
        inner = out.apart(1)
        things = self.each(node.things, scope, out)
        holds = self._place_test(node.places, scope, out)
        with inner.block(f"if {holds(f'v[{node.base} + {element}]')}"):
            inner.add(*then(element))
        out.add(f"for {element} in {things}:")
        out.rows += inner.rows

    def _place_test(self, places: e.Expr, scope: Scope, out: Lines) -> Callable[[str], str]:
        """A text that asks whether a place is one of these."""
        match places:
            case e.Const((place,)):
                return lambda at: f"{at} == {place}"
            case e.Const(tuple(members)):
                known = self._known(members)
                return lambda at: f"{at} in {known}"
            case e.MakeSet((place,)):
                wanted = self.simple(self.number(place, scope, out), out)
                if self.span(place, scope)[0] >= 0:
                    return lambda at: f"{at} == {wanted}"
                return lambda at: f"{at} == {wanted} != {NOTHING}"
        if self.is_mask(places, scope):
            members_ = self.simple(self.mask(places, scope, out), out)
            return lambda at: f"BIT[{at}] & {members_}"
        among = self.simple(self.each(places, scope, out), out)
        return lambda at: f"{at} in {among}"

    def _known(self, members: tuple[int, ...]) -> str:
        return self.module.constant(f"frozenset({members})", "AMONG")

    def _reached(self, node: e.Reached, scope: Scope, out: Lines) -> str:
        start, within = self.mask(node.start, scope, out), self.mask(node.within, scope, out)
        match node.step:
            case e.Pick(sets, e.Local(slot)) if slot == node.slot:
                related = self.large(tuple(map(bits, sets)))
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
        match node:
            case e.Const(tuple(elements)):
                return self.large(elements)
            case e.Pick(sets, index):
                return self.entry(sets, index, scope, out)
            case e.Cond(condition, then, otherwise):
                return self.either(self.each, condition, then, otherwise, scope, out)
            case e.Range(low, high):
                return f"numbers({self.number(low, scope, out)}, {self.number(high, scope, out)})"
            case e.Filter() | e.Lying():
                name = out.fresh("found")
                out.add(f"{name} = []")
                self._loop(node, scope, out, lambda element: [f"{name}.append({element})"])
                return name
            case e.MakeSet((item,)):
                text = self.number(item, scope, out)
                if self.span(item, scope)[0] >= 0:
                    return f"({text},)"
                name = out.fresh()
                return f"(({name},) if ({name} := {text}) != {NOTHING} else ())"
            case e.CardsOn(places):
                tops = self._values(self.slots.place_top, places, scope, out)
                if tops is None:
                    tops = f"tops_of(v, {self.each(places, scope, out)})"
                return f"cards_on(v, {tops})"
            case _ if self.is_mask(node, scope):
                return f"ELEMENTS[{self.mask(node, scope, out)}]"
            case _:
                return self._tuple(node, scope, out)

    def _tuple(self, node: e.Expr, scope: Scope, out: Lines) -> str:
        match node:
            case e.Local(slot):
                return scope.slot(slot)
            case e.Call(define, arguments):
                return self.call(define, arguments, scope, out)
            case e.MakeSet(items):
                texts = ", ".join(self.number(item, scope, out) for item in items)
                return f"made(({texts},))"
            case e.SetOp(op, left, right):
                one, other = self.each(left, scope, out), self.each(right, scope, out)
                return f"{op.replace('except', 'without')}({one}, {other})"
            case e.Image(sets, of):
                related = self.large(sets)
                one, other = out.fresh(), out.fresh()
                among = self.simple(self.each(of, scope, out), out)
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
        """A number that is asked of a set."""
        match node:
            case e.Size(of) if self._is_listed(of) or not self.is_mask(of, scope):
                return f"len({self.each(of, scope, out)})"
            case e.Size(of):
                return f"({self.mask(of, scope, out)}).bit_count()"
            case e.First(e.MakeSet((item,))):
                return self.number(item, scope, out)
            case e.First(e.Lying(base, things, places)):
                return self._first_lying(base, things, places, scope, out)
            case e.First(of) if self.is_mask(of, scope) and not isinstance(of, e.Const | e.Pick):
                name = out.fresh("m")
                mask = self.mask(of, scope, out)
                return f"((({name} := {mask}) & -{name}).bit_length() - 1)"
            case e.First(of):
                name = out.fresh()
                return f"({name}[0] if ({name} := {self.each(of, scope, out)}) else {NOTHING})"
            case e.Fold(op):
                return self._fold(node, op, scope, out)
            case e.LongestLine(ways, within) if self.is_mask(within, scope):
                out.cost += self.facts.inference.size(within)
                known = self.module.constant(f"Longest({ways})", "LONGEST")
                return f"{known}[{self.mask(within, scope, out)}]"
            case e.LongestLine(ways, within):
                out.cost += self.facts.inference.size(within)
                elements = self.each(within, scope, out)
                return f"longest_line(v, {self.module.constant(repr(ways))}, {elements})"
            case _:
                raise AssertionError(node)

    def _is_listed(self, node: e.Expr) -> bool:
        """Whether the elements of a set are at hand as they are."""
        return isinstance(node, e.Filter | e.Lying | e.Const | e.Pick | e.Range)

    def _first_lying(
        self, base: int, things: e.Expr, places: e.Expr, scope: Scope, out: Lines
    ) -> str:
        name, element = out.fresh("first"), out.fresh()
        among = self.each(things, scope, out)
        holds = self._place_test(places, scope, out)
        out.add(f"{name} = {NOTHING}", f"for {element} in {among}:")
        out.add(f"    if {holds(f'v[{base} + {element}]')}:")
        out.add(f"        {name} = {element}", "        break")
        return name

    def _fold(self, node: e.Fold, op: str, scope: Scope, out: Lines) -> str:
        name = out.fresh("found")
        if op == "sum":
            out.add(f"{name} = 0")
            self._loop(node, scope, out, lambda value: [f"{name} += {value}"])
            low, high = self.span(node, scope)
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
        text = self.number(item, scope, out)
        match within:
            case e.Const((member,)):
                return f"({text} == {member})"
            case e.Const(tuple(members)):
                return f"({text} in {self._known(members)})"
            case _ if self.is_mask(within, scope) and not self._is_listed(within):
                low, high = self.span(item, scope)
                mask = self.mask(within, scope, out)
                if low >= NOTHING and high < self.facts.width:
                    return f"(BIT[{text}] & {mask})"
                return f"({text} in ELEMENTS[{mask}])"
            case _:
                return f"({text} in {self.each(within, scope, out)})"

    def some(self, node: e.Exists, scope: Scope, out: Lines) -> str:
        """Whether any element of a set satisfies a condition."""
        if node.condition == e.Const(1):
            return self._any(node.within, scope, out)
        name = out.fresh("t")
        out.add(f"{name} = 0")
        self._loop(node, scope, out, lambda element: [f"{name} = 1; break"])
        return name

    def _any(self, within: e.Expr, scope: Scope, out: Lines) -> str:
        match within:
            case e.CardsOn(e.Const((place,))):
                return f"(v[{self.slots.place_top + place}] >= 0)"
            case e.CardsOn(e.Pick(sets, index)) if all(len(one) < 2 for one in sets):
                top = self.slots.place_top
                slots = tuple(top + one[0] if one else ENDED for one in sets)
                return f"(v[{self.entry(slots, index, scope, out)}] >= 0)"
            case e.CardsOn(places) if (
                tops := self._values(self.slots.place_top, places, scope, out)
            ) is not None:
                return f"(max({tops}, default={NOTHING}) >= 0)"
            case e.Lying(base, things, e.Const((place,))) if (
                values := self._values(base, things, scope, out)
            ) is not None:
                return f"({place} in {values})"
            case e.Lying(base, things, places):
                return f"({self._first_lying(base, things, places, scope, out)} != {NOTHING})"
            case _ if self.is_mask(within, scope) and not self._is_listed(within):
                return self.mask(within, scope, out)
            case _:
                return self.each(within, scope, out)


def _is_run(members: tuple[int, ...]) -> bool:
    """Whether these numbers stand side by side."""
    return bool(members) and members == tuple(range(members[0], members[-1] + 1))
