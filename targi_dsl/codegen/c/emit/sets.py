"""Generates sets as C expressions, each in the representation that its elements require."""

from __future__ import annotations

from typing import Protocol

from targi_dsl.codegen.c.emit.along import Along
from targi_dsl.codegen.c.emit.shapes import SPAN, Shape, join
from targi_dsl.codegen.c.emit.sieve import Sieve
from targi_dsl.codegen.c.emit.steps import image, shifts, steps, values
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.codegen.c.emit.ways import image_of, ways_of
from targi_dsl.engine.faults import RANGE
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.reachability import Reachability, reachability
from targi_dsl.optimize.rewrite import anywhere


class Numbers(Protocol):
    """Generates everything except sets."""

    def number(self, node: e.Expr, scope: Scope) -> str:
        """The text of a number."""

    def truth(self, node: e.Expr, scope: Scope) -> str:
        """The text of a condition."""

    def entry(self, table: str, length: int, index: e.Expr, scope: Scope) -> str:
        """The text of an entry of a table."""

    def call(self, node: e.Call, scope: Scope) -> str:
        """The text of a call of a definition."""


_PLAIN = (
    *(tuple, e.Const, e.Local, e.Table, e.TopCard, e.FaceUp),
    *(e.Compare, e.Not, e.All, e.AnyOf),
)
_OPERATIONS = {"plus": "or", "within": "and", "except": "less"}


class Sets:
    """Generates the sets of one program."""

    def __init__(self, unit: Unit, expressions: Numbers) -> None:
        self.unit, self.program, self.expressions = unit, unit.program, expressions
        self.along = Along(unit, self)

    def own(self, node: e.Expr, scope: Scope) -> str:
        """The text of a set in its own representation."""
        return self._mask(node, scope, self.unit.shape(node, scope.types))

    def text(self, node: e.Expr, scope: Scope, shape: Shape) -> str:
        """The text of a set in a given representation."""
        self.unit.shapes.add(shape)
        own = self.unit.shape(node, scope.types)
        is_plain = isinstance(node, e.Const | e.Pick | e.MakeSet | e.Range | e.Cond)
        if is_plain and (not shape.words or 0 < own.words <= shape.words):
            return self._mask(node, scope, shape)
        return self.converted(self.own(node, scope), own, shape)

    def converted(self, text: str, one: Shape, other: Shape) -> str:
        """A set in another representation."""
        return text if one == other else f"{other.name}_of_{one.name}({text})"

    def declare_counted(self, node: e.Expr, scope: Scope, name: str) -> tuple[Shape, str]:
        """The representation of a set, and its declaration under this name, counted on
        the meter.
        """
        shape = self.unit.shape(node, scope.types)
        if isinstance(node, e.Range) and not shape.words:
            low, high = f"{name}_l", f"{name}_h"
            size = f"count(g, {high} < {low} ? 0 : (int)({high} - {low} + 1));"
            return SPAN, f"{self._ends(node, scope, low, high)} {size}"
        size = f"count(g, {shape.name}_size({name}));"
        return shape, f"{shape.name} {name} = {self.own(node, scope)}; {size}"

    def sieved(
        self, slot: int, within: e.Expr, condition: e.Expr, scope: Scope, name: str
    ) -> tuple[Shape, str, e.Expr]:
        """Like `declare_counted`, less the elements that the leading parts of a condition rule out
        in bulk; and the rest of the condition.
        """
        shape, head = self.declare_counted(within, scope, name)
        conjuncts = [*condition.parts] if isinstance(condition, e.All) else [condition]
        while conjuncts and (sifted := self.sifted(slot, conjuncts[0], scope, shape, name)):
            head += f" {sifted}"
            del conjuncts[0]
        return shape, head, e.All(tuple(conjuncts)) if conjuncts else e.Const(1)

    def sifted(
        self, slot: int, condition: e.Expr, scope: Scope, shape: Shape, name: str, keep: bool = True
    ) -> str:
        """Removes in bulk the elements for which a condition does not hold, or with `keep` false
        those for which it holds; empty if that cannot be done.
        """
        if not shape.words:
            return ""
        if isinstance(condition, e.Exists) and (
            led := self.along.exists(slot, name, condition, scope, shape, f"{name}_r")
        ):
            operation = "and" if keep else "less"
            return f"{led} {name} = {shape.name}_{operation}({name}, {name}_r);"
        calls = ""
        if isinstance(condition, e.Call) and (called := self.called(slot, condition, scope)):
            calls = f"if ({shape.name}_any({name})) enter_often(g, c, {shape.name}_size({name})); "
            slot, condition, scope = called
        mask = Sieve(self.unit, self, slot, shape, scope).mask(condition)
        if mask is None:
            return ""
        operation = "and" if mask[0] == keep else "less"
        return f"{calls}{name} = {shape.name}_{operation}({name}, {mask[1]});"

    def called(self, slot: int, call: e.Call, scope: Scope) -> tuple[int, e.Expr, Scope] | None:
        """The slot, body and frame of a definition that a slot is passed to, for inlining."""
        info, given = self.program.defines[call.define], call.arguments
        plain = [one for one in given if isinstance(one, e.Local | e.Const)]
        if len(plain) < len(given) or given.count(e.Local(slot)) != 1:
            return None
        numbers = ((at, one) for at, one in enumerate(given) if one != e.Local(slot))
        names = {at: self.expressions.number(one, scope) for at, one in numbers}
        return given.index(e.Local(slot)), info.value, Scope(info.slots, names)

    # ---- conditions ----

    def equal(self, left: e.Expr, right: e.Expr, scope: Scope) -> str:
        """Whether two sets are equal."""
        shape = self._both(left, right, scope)
        both = self.text(left, scope, shape), self.text(right, scope, shape)
        return f"{shape.name}_equal({both[0]}, {both[1]})"

    def member(self, item: e.Expr, within: e.Expr, scope: Scope) -> str:
        """Whether a number is an element."""
        found = self.expressions.number(item, scope)
        match within:
            case e.CardsOn(e.MakeSet((place,))):
                return f"lies_on(g, {found}, {self.expressions.number(place, scope)})"
            case _:
                shape = self.unit.shape(within, scope.types)
                return f"{shape.name}_has({self.own(within, scope)}, {found})"

    def any(self, node: e.Expr, scope: Scope) -> str:
        """Whether a set has any element."""
        match node:
            case e.CardsOn(e.MakeSet((place,))):
                at = self.expressions.number(e.TopCard(place), scope)
                return f"({at} >= 0)"
            case e.CardsOn(places) if self.unit.occupancy.of_places.words:
                shape = self.unit.occupancy.of_places
                both = self.text(places, scope, shape), self.unit.occupancy.places_with_cards()
                return f"{shape.name}_any({shape.name}_and({both[0]}, {both[1]}))"
            case e.Lying(base, things, place) if lying := self._together(base, place, scope):
                shape = self.unit.occupancy.of_pieces
                among = self.text(things, scope, shape)
                return f"{shape.name}_any({shape.name}_and({among}, {lying}))"
            case e.Lying(base, things, places) if (
                kept := self.maintained(base, things, scope)
            ) and self._are_places(places, scope):
                name = self.unit.occupancy.of_places.name
                return f"{name}_any({self._places_among(kept, places, scope)})"
            case e.Lying(base, things, places):
                x = self.unit.fresh("x")
                declared, lies = self._lies(base, places, x, scope)
                loop, end = self._each(things, scope, x)
                body = f"{declared} {loop} if ({lies}) return 1; {end} return 0;"
                return self.unit.call_of_new("int", body, scope)
            case e.SetOp() if (found := reachability(node)) is not None:
                return self._is_reached(found, scope)
            case e.Filter(slot, within, condition) if not anywhere(condition, _is_counted):
                x, s = self.unit.fresh("x"), self.unit.fresh("s")
                shape, head, left = self.sieved(slot, within, condition, scope, s)
                loop, end = shape.each(x, s)
                holds = self.expressions.truth(left, scope.bound(slot, x))
                body = f"{head} {loop} if ({holds}) return 1; {end} return 0;"
                return self.unit.call_of_new("int", body, scope)
            case _:
                return f"{self.unit.shape(node, scope.types).name}_any({self.own(node, scope)})"

    # ---- pieces of constant sets ----

    def maintained(self, base: int, things: e.Expr, scope: Scope) -> str:
        """The number of a set of pieces whose places are maintained; empty if they are not."""
        numbers = self.unit.occupancy.numbers(base, things)
        match things:
            case e.Pick(sets, index) if numbers:
                table = self.unit.numbers(numbers)
                return self.expressions.entry(table, len(sets), index, scope)
            case _:
                return str(numbers[0]) if numbers else ""

    def lying_places(self, base: int, things: e.Expr, places: e.Expr, scope: Scope) -> str:
        """Where the pieces of a maintained set lie, if `places` has only places; empty if the set
        is not maintained.
        """
        kept = self.maintained(base, things, scope)
        return self.unit.occupancy.places(kept) if kept and self._are_places(places, scope) else ""

    def _are_places(self, places: e.Expr, scope: Scope) -> bool:
        """Whether a set has only places, and not nothing."""
        return self.unit.bounds.bounds_of(places, scope.types)[0] >= 0

    def _places_among(self, kept: str, places: e.Expr, scope: Scope) -> str:
        """The places among these where a piece of a maintained set lies."""
        shape = self.unit.occupancy.of_places
        among = self.text(places, scope, shape)
        return f"{shape.name}_and({self.unit.occupancy.places(kept)}, {among})"

    def _together(self, base: int, places: e.Expr, scope: Scope) -> str:
        """The pieces on a single place, or on none; empty if there may be several places."""
        occupancy = self.unit.occupancy
        match places:
            case e.Const((int(place),)) if occupancy.are_pieces(base):
                return occupancy.pieces_on(str(place))
            case e.MakeSet((place,)) if occupancy.are_pieces(base):
                p, where = self.unit.fresh("p"), self.expressions.number(place, scope)
                shape = occupancy.of_pieces
                found = f"{p} >= 0 ? {occupancy.pieces_on(p)} : {shape.constant(())}"
                return self.unit.call_of_new(
                    shape.name, f"int {p} = {where}; return {found};", scope
                )
            case _:
                return ""

    # ---- sets ----

    def _mask(self, node: e.Expr, scope: Scope, shape: Shape) -> str:
        number = self.expressions.number
        match node:
            case e.Const(tuple(members)):
                return shape.constant(members)
            case e.Pick(found, index):
                return self.expressions.entry(
                    self.unit.sets(found, shape), len(found), index, scope
                )
            case e.Cond() if shape.words and (chain := image_of(node, scope)):
                along, things = chain
                led = along.step(self.unit, self.text(things, scope, shape), shape)
                return f"({along.is_any} ? {led} : {shape.constant(())})"
            case e.Cond(condition, then, otherwise):
                ways = self.text(then, scope, shape), self.text(otherwise, scope, shape)
                return f"({self.expressions.truth(condition, scope)} ? {ways[0]} : {ways[1]})"
            case e.Call():
                return self.expressions.call(node, scope)
            case e.Local(slot):
                return scope.slot(slot)
            case e.MakeSet(items):
                added = (self._added(number(one, scope), shape) for one in items)
                return self._gathered(shape, "".join(added), scope)
            case e.Range(e.Const(int(low)), e.Const(int(high))) if high - low < RANGE:
                return shape.constant(range(low, high + 1))
            case e.Range():
                return self._range(node, scope, shape)
            case e.SetOp(op, left, right):
                return self._operation(op, left, right, scope, shape)
            case e.Lying(base, things, place) if lying := self._together(base, place, scope):
                of = self.unit.occupancy.of_pieces
                both = self.text(things, scope, of)
                return self.converted(f"{of.name}_and({both}, {lying})", of, shape)
            case e.Places(base, things) if kept := self.maintained(base, things, scope):
                occupancy = self.unit.occupancy
                return self.converted(occupancy.places(kept), occupancy.of_places, shape)
            case e.Places(base, e.Lying(_, things, places)) if (
                kept := self.maintained(base, things, scope)
            ) and self._are_places(places, scope):
                return self.converted(
                    self._places_among(kept, places, scope), self.unit.occupancy.of_places, shape
                )
            case _:
                return self._looped(node, scope, shape)

    def _gathered(self, shape: Shape, body: str, scope: Scope) -> str:
        """A set to which statements add elements, under the name `@`."""
        r = self.unit.fresh("r")
        empty = f" = {shape.constant(())}" if shape.words else f"; {r}.n = 0"
        text = f"{shape.name} {r}{empty}; {body.replace('@', r)} return {r};"
        return self.unit.call_of_new(shape.name, text, scope)

    def _added(self, item: str, shape: Shape) -> str:
        x = self.unit.fresh("x")
        return f"int {x} = {item}; if ({x} != {NOTHING}) {shape.name}_add(&@, {x}); "

    def _range(self, node: e.Range, scope: Scope, shape: Shape) -> str:
        low, high, x = (self.unit.fresh(one) for one in ("l", "h", "x"))
        return self._gathered(
            shape,
            f"{self._ends(node, scope, low, high)} "
            f"for (int64_t {x} = {low}; {x} <= {high}; {x}++) "
            f"{shape.name}_add(&@, (int){x}); ",
            scope,
        )

    def _ends(self, node: e.Range, scope: Scope, low: str, high: str) -> str:
        """The declaration of both ends of a range under these names."""
        ends = (self.expressions.number(one, scope) for one in (node.low, node.high))
        return (
            f"int64_t {low} = {next(ends)}, {high} = {next(ends)}; "
            f"if ({high} - {low} >= RANGE) stop(g, FAULT);"
        )

    def _operation(self, op: str, left: e.Expr, right: e.Expr, scope: Scope, shape: Shape) -> str:
        of = self.unit.shape(left, scope.types) if op == "except" else shape
        both = self.text(left, scope, of), self.text(right, scope, of)
        found = f"{of.name}_{_OPERATIONS[op]}({both[0]}, {both[1]})"
        return self.converted(found, of, shape)

    def _lies(self, base: int, places: e.Expr, x: str, scope: Scope) -> tuple[str, str]:
        """A declaration, and the condition that a thing lies on one of these places."""
        at = f"g->v[{base} + {x}]"
        p = self.unit.fresh("p")
        match places:
            case e.Const((place,)):
                return "", f"{at} == {place}"
            case e.MakeSet((place,)):
                where = self.expressions.number(place, scope)
                return f"int {p} = {where};", f"({p} >= 0 && {at} == {p})"
            case _:
                shape = self.unit.shape(places, scope.types)
                declared = f"{shape.name} {p} = {self.own(places, scope)};"
                return declared, f"{shape.name}_has({p}, {at})"

    def _looped(self, node: e.Expr, scope: Scope, shape: Shape) -> str:
        """A set that is collected element by element."""
        slots, x, s = self.program.slots, self.unit.fresh("x"), self.unit.fresh("s")
        match node:
            case e.Filter(slot, within, condition):
                of, head, left = self.sieved(slot, within, condition, scope, s)
                loop, end = of.each(x, s)
                holds = self.expressions.truth(left, scope.bound(slot, x))
                body = f"{head} {loop} if ({holds}) {shape.name}_add(&@, {x}); {end}"
                if left == e.Const(1) and of != SPAN:
                    body = f"{head} @ = {self.converted(s, of, shape)};"
            case e.Map(slot, within, value):
                of, head = self.declare_counted(within, scope, s)
                loop, end = of.each(x, s)
                found = self.expressions.number(value, scope.bound(slot, x))
                body = f"{head} {loop} {self._added(found, shape)} {end}"
            case e.Image(sets, within) if shape.words == self._words(within, scope) == 1 and (
                parts := self.unit.image(sets, s)
            ):
                body = f"uint64_t {s} = {self.own(within, scope)}; @ = {' | '.join(parts)};"
            case e.Image(sets, within) if (of := self._both(node, within, scope)).words and (
                by := steps(sets)
            ):
                found = self.converted(image(by, s, of), of, shape)
                body = f"{of.name} {s} = {self.text(within, scope, of)}; @ = {found};"
            case e.Image(sets, within):
                loop, end = self._each(within, scope, x)
                table = self.unit.sets(sets, shape)
                body = f"{loop} @ = {shape.name}_or(@, {table}[{x}]); {end}"
            case e.CardsOn(places):
                body = self._cards_on(places, scope, x, f"{shape.name}_add(&@, {x}_c);")
            case e.Lying(base, things, places) if there := self.lying_places(
                base, things, places, scope
            ):
                occupancy = self.unit.occupancy
                of_places, of = occupancy.of_places, occupancy.of_pieces
                among = f"{of_places.name}_and({there}, {self.text(places, scope, of_places)})"
                loop, end = of_places.each(x, among)
                lying = self.converted(occupancy.pieces_on(x), of, shape)
                wanted = self.text(things, scope, shape)
                body = f"{loop} @ = {shape.name}_or(@, {lying}); {end} "
                body += f"@ = {shape.name}_and(@, {wanted});"
            case e.Lying(base, things, places):
                declared, lies = self._lies(base, places, x, scope)
                loop, end = self._each(things, scope, x)
                body = f"{declared} {loop} if ({lies}) {shape.name}_add(&@, {x}); {end}"
            case e.Places(base, things):
                loop, end = self._each(things, scope, x)
                body = f"{loop} {self._added(f'g->v[{base} + {x}]', shape)} {end}"
            case e.Reached():
                body = self._reached(node, scope, shape)
            case _:
                raise AssertionError(node, slots)
        return self._gathered(shape, body, scope)

    def _both(self, one: e.Expr, other: e.Expr, scope: Scope) -> Shape:
        """A representation for the elements of two sets."""
        of = self.unit.bounds.bounds_of
        return self.unit.use_shape(join(of(one, scope.types), of(other, scope.types)))

    def _words(self, node: e.Expr, scope: Scope) -> int:
        return self.unit.shape(node, scope.types).words

    def _each(self, node: e.Expr, scope: Scope, x: str) -> tuple[str, str]:
        return self.unit.shape(node, scope.types).each(x, self.own(node, scope))

    def every_card(self, places: e.Expr, card: str, body: str, scope: Scope) -> str:
        """A loop over the cards on some places, place by place."""
        x = self.unit.fresh("x")
        return self._cards_on(places, scope, x, f"{{ int {card} = {x}_c; {body} }}")

    def _cards_on(self, places: e.Expr, scope: Scope, x: str, body: str) -> str:
        """A loop over the cards on some places, under the name `{x}_c`."""
        slots, of_places = self.program.slots, self.unit.occupancy.of_places
        pile = (
            f"for (int {x}_c = g->v[{slots.place_top} + {x}]; {x}_c >= 0; "
            f"{x}_c = g->v[{slots.card_next} + {x}_c]) {body}"
        )
        match places:
            case e.MakeSet((place,)):
                return f"int {x} = {self.expressions.number(place, scope)}; if ({x} >= 0) {pile}"
            case e.Const((place,)):
                return f"int {x} = {place}; {pile}"
            case _ if of_places.words:
                among = self.text(places, scope, of_places)
                filled = f"{of_places.name}_and({among}, {self.unit.occupancy.places_with_cards()})"
                loop, end = of_places.each(x, filled)
                return f"{loop} {pile} {end}"
            case _:
                loop, end = self._each(places, scope, x)
                return f"{loop} {pile} {end}"

    def size(self, node: e.Expr, scope: Scope) -> str:
        """The number of elements of a set."""
        x, n = self.unit.fresh("x"), self.unit.fresh("n")
        match node:
            case e.CardsOn(places):
                counted = self._cards_on(places, scope, x, f"{n}++;")
                return self.unit.call_of_new("int", f"int {n} = 0; {counted} return {n};", scope)
            case e.Filter(slot, e.Range() as within, condition):
                s = self.unit.fresh("s")
                of, head, left = self.sieved(slot, within, condition, scope, s)
                loop, end = of.each(x, s)
                holds = self.expressions.truth(left, scope.bound(slot, x))
                body = f"int {n} = 0; {head} {loop} {n} += !!({holds}); {end} return {n};"
                return self.unit.call_of_new("int", body, scope)
            case _:
                return f"{self.unit.shape(node, scope.types).name}_size({self.own(node, scope)})"

    def _grown(self, node: e.Reached, level: str, among: str, scope: Scope, shape: Shape) -> str:
        """Grows a level to all that is reached from it; empty if the steps are not shifts."""
        if not shape.words:
            return ""
        if found := values(node.step, node.slot, scope.constants, shape.room):
            masks = shifts(steps(found), level, shape)
        elif ways := ways_of(self.unit, node.step, node.slot, scope, shape.room):
            if at_once := ways.fill(self.unit, level, among, shape):
                return at_once
            masks = [ways.step(self.unit, level, shape)]
        else:
            masks = []
        name, before = shape.name, self.unit.fresh("n")
        grown = "".join(
            f" {level} = {name}_or({level}, {name}_and({one}, {among}));" for one in masks
        )
        again = f"while (!{name}_equal({level}, {before}));"
        return f"{name} {before}; do {{ {before} = {level};{grown} }} {again}" if masks else ""

    def _is_reached(self, of: Reachability, scope: Scope) -> str:
        """Whether steps join two sets; a path that was found is cached if steps are symmetric."""
        names = [self.unit.fresh(one) for one in ("s", "v", "e")]
        shape = self._both(of.reached.start, of.reached.within, scope)
        sets, mask = (of.reached.start, of.reached.within, of.to), shape.name
        start, among, to = (
            f"{mask} {name} = {self.text(one, scope, shape)};"
            for name, one in zip(names, sets, strict=True)
        )
        if not shape.words or self._grown(of.reached, names[0], names[1], scope, shape):
            every = self._reached(of.reached, scope, shape, at_once=True).replace("@", "r")
            text = f"{mask} r; {every} {to} return {mask}_any({mask}_and(r, {names[2]}));"
            return self.unit.call_of_new("int", text, scope)
        count = f"count(g, {mask}_size({names[0]}) + {mask}_size({names[1]}));"
        steps = [of.steps[min(x, len(of.steps) - 1)] for x in range(shape.room)]
        low, high = self.unit.bounds.bounds_of(of.reached.within, scope.types)
        among_them = range(low, high + 1)
        both = all(x in steps[y] for x in among_them for y in steps[x] if y in among_them)
        way = self.unit.way(shape.words)
        kept = f"g->ways[{way}]" if both else "0"
        table = f"(const uint64_t *){self.unit.sets(steps, shape)}"
        given = ", ".join((kept, table, *(f"(const uint64_t *)&{name}" for name in names)))
        text = f"{start} {among} {count} {to} return joins(g, {shape.words}, {given});"
        return self.unit.call_of_new("int", text, scope)

    def _reached(self, node: e.Reached, scope: Scope, shape: Shape, at_once: bool = False) -> str:
        """The elements that steps lead to. at_once: those they may lead to are metered, too."""
        level, among, after, x = (self.unit.fresh(one) for one in ("l", "v", "n", "x"))
        first = self._both(node.start, node.within, scope)
        name = first.name
        both = f" + {name}_size({among})" * at_once
        count = f"count(g, {name}_size({level}){both});"
        if grown := self._grown(node, level, among, scope, first):
            return (
                f"{name} {level} = {self.text(node.start, scope, first)}, "
                f"{among} = {self.text(node.within, scope, first)}; {count} {grown} "
                f"@ = {self.converted(f'{name}_and({level}, {among})', first, shape)};"
            )
        found = values(node.step, node.slot, scope.constants, first.room) if first.words else None
        if found:
            step = f"{self.unit.sets(found, first)}[{x}]"
        else:
            step = self.text(node.step, scope.bound(node.slot, x), first)
        loop, end = first.each(x, level)
        return (
            f"{name} {level} = {self.text(node.start, scope, first)}, "
            f"{among} = {self.text(node.within, scope, first)}; {count} "
            f"{name} {among}_r = {name}_and({among}, {level}); "
            f"while ({name}_any({level})) {{ "
            f"{name} {after} = {first.constant(())}; "
            f"{loop} {after} = {name}_or({after}, {step}); {end} "
            f"{level} = {name}_less({name}_and({after}, {among}), {among}_r); "
            f"{among}_r = {name}_or({among}_r, {level}); }} "
            f"@ = {self.converted(f'{among}_r', first, shape)};"
        )


def _is_counted(node: object) -> bool:
    """Whether an expression may visit metered elements, or stop a game."""
    return not isinstance(node, _PLAIN)
