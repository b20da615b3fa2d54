"""Places: where things are, and which things lie on a place."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.occupancy import FEW, is_run
from targi_dsl.codegen.python.unit import Masks, Numbers, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING

Then = Callable[[str], list[str]]  # lines for an element or a value


class Places:
    """Generates queries on the places of things. Adjacent slots are read all at once."""

    def __init__(self, unit: Unit, numbers: Numbers, masks: Masks) -> None:
        self.unit, self.numbers, self.masks = unit, numbers, masks

    def places_of(self, base: int, things: e.Expr, scope: Scope, out: Lines) -> str:
        """The mask of the places where some things are."""
        kept = self.unit.occupancy.slots(base, things)
        if kept:
            return self._occupied(kept, things, scope, out)
        values, many = self.values(base, things, scope, out), self.unit.facts.inference.size(things)
        match things:
            case e.Const(tuple(members)) if many <= (FEW if values is None else 1):
                single = [f"BIT[v[{base + one}]]" for one in members]
                return f"({' | '.join(single)})" if single else "0"
        if values is not None:
            return (
                f"SPOTS[tuple({values})]" if many <= FEW else f"reduce(or_, map(bit, {values}), 0)"
            )
        name, place = out.fresh("m"), out.fresh()
        thing = self.masks.each(things, scope, out)
        out.add(f"{name} = 0", f"for {place} in {thing}: {name} |= BIT[v[{base} + {place}]]")
        return name

    def _occupied(self, kept: tuple[int, ...], things: e.Expr, scope: Scope, out: Lines) -> str:
        """The mask of places that every move updates."""
        if not isinstance(things, e.Pick):
            return f"v[{kept[0]}]"
        low, high = self.unit.span(things.index, scope)
        if low >= 0 and high < len(kept) - 1 and is_run(kept[:-1]):
            return f"v[{kept[0]} + {self.numbers.number(things.index, scope, out)}]"
        return f"v[{self.numbers.entry(kept, things.index, scope, out)}]"

    def values(self, base: int, things: e.Expr, scope: Scope, out: Lines) -> str | None:
        """The values of a slot for each of some adjacent things."""
        match things:
            case e.Const(tuple(members)) if is_run(members):
                return f"v[{base + members[0]}:{base + members[-1] + 1}]"
            case e.Pick(sets, index) if all(is_run(one) for one in sets if one):
                cuts = tuple(
                    slice(base + one[0], base + one[-1] + 1) if one else slice(0, 0) for one in sets
                )
                return f"v[{self.numbers.entry(cuts, index, scope, out)}]"
            case _:
                return None

    def first_of(self, things: e.Expr, scope: Scope, out: Lines) -> str:
        """The first of some adjacent things."""
        match things:
            case e.Const(tuple(members)):
                return str(members[0])
            case e.Pick(sets, index):
                return self.numbers.entry(
                    tuple(one[0] if one else 0 for one in sets), index, scope, out
                )
            case _:
                raise AssertionError(things)

    # ---- what lies on a place ----

    def wanted(self, places: e.Expr, scope: Scope, out: Lines) -> tuple[str, str] | None:
        """The only place among some, and the text before a test that must also hold."""
        match places:
            case e.Const((place,)):
                return str(place), ""
            case e.MakeSet((place,)):
                name = self.unit.simple(self.numbers.number(place, scope, out), out)
                is_thing = self.unit.span(place, scope)[0] >= 0
                return name, "" if is_thing else f"{name} != {NOTHING} and "
            case _:
                return None

    def is_lying(self, node: e.Lying, scope: Scope, out: Lines) -> str:
        """Whether any of some things lies on certain places."""
        values = self.values(node.base, node.things, scope, out)
        one = self.wanted(node.places, scope, out) if values is not None else None
        if one is not None:
            return f"({one[1]}{one[0]} in {values})"
        if self.unit.is_mask(node.places, scope):
            among = self.masks.mask(node.places, scope, out)
            return f"({self.places_of(node.base, node.things, scope, out)} & {among})"
        return f"({self.first_lying(node, scope, out)} != {NOTHING})"

    def first_lying(self, node: e.Lying, scope: Scope, out: Lines) -> str:
        """The first of some things that lies on certain places, or nothing."""
        values = self.values(node.base, node.things, scope, out)
        one = self.wanted(node.places, scope, out) if values is not None else None
        if one is not None:
            name, first = out.fresh(), self.first_of(node.things, scope, out)
            place, test = one
            found = f"{name}.index({place})" + (f" + {first}" if first != "0" else "")
            return f"({found} if {test}{place} in ({name} := {values}) else {NOTHING})"
        found, element = out.fresh("first"), out.fresh()
        among = self.masks.each(node.things, scope, out)
        holds = self._place_test(node.places, scope, out)
        out.add(f"{found} = {NOTHING}", f"for {element} in {among}:")
        out.add(f"    if {holds(f'v[{node.base} + {element}]')}:")
        out.add(f"        {found} = {element}", "        break")
        return found

    def loop_lying(self, node: e.Lying, scope: Scope, out: Lines, then: Then) -> None:
        """Iterates over the things that lie on certain places."""
        values = self.values(node.base, node.things, scope, out)
        one = self.wanted(node.places, scope, out) if values is not None else None
        element, things = out.fresh(), self.masks.each(node.things, scope, out)
        inner = out.apart(1)
        if one is not None:
            out.add(f"if {one[1]}{one[0]} in {values}:")
            inner.depth += 1
            test = f"v[{node.base} + {element}] == {one[0]}"
        else:
            test = self._place_test(node.places, scope, out)(f"v[{node.base} + {element}]")
        with inner.block(f"if {test}"):
            inner.add(*then(element))
        out.add(f"{'    ' if one else ''}for {element} in {things}:")
        out.rows += inner.rows

    def _place_test(self, places: e.Expr, scope: Scope, out: Lines) -> Callable[[str], str]:
        """The text of a test whether a place is one of these."""
        match places:
            case e.Const((place,)):
                return lambda at: f"{at} == {place}"
            case e.Const(tuple(members)):
                known = self.known(members)
                return lambda at: f"{at} in {known}"
            case e.MakeSet((place,)):
                wanted = self.unit.simple(self.numbers.number(place, scope, out), out)
                if self.unit.span(place, scope)[0] >= 0:
                    return lambda at: f"{at} == {wanted}"
                return lambda at: f"{at} == {wanted} != {NOTHING}"
        if self.unit.facts.is_mask(places, scope.types):
            members_ = self.unit.simple(self.masks.mask(places, scope, out), out)
            return lambda at: f"BIT[{at}] & {members_}"
        among = self.unit.simple(self.masks.each(places, scope, out), out)
        return lambda at: f"{at} in {among}"

    def known(self, members: tuple[int, ...]) -> str:
        """The name of a constant set."""
        return self.unit.module.constant(f"frozenset({members})", "AMONG")
