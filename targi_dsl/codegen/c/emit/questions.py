"""Generates the questions of a program: a function that lists the options of each, and the effect
of taking one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from targi_dsl.codegen.c.emit.guards import Guards
from targi_dsl.codegen.c.emit.menus import Entry, Menus
from targi_dsl.codegen.c.emit.shapes import WORD
from targi_dsl.codegen.c.emit.tables import table
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.engine.options import ELEMENT, pack
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import Call, Local
from targi_dsl.ir.program import RETURN, Question, Way

_CONTEXT = "Context c = f->context; (void)c;"


class Questions:
    """Generates the questions of one program."""

    def __init__(self, unit: Unit, guards: Guards) -> None:
        self.unit, self.program, self.guards = unit, unit.program, guards
        self.expressions, self.invoices = guards.expressions, guards.invoices
        self.menus, self.room = Menus(unit, guards), OPTIONS + 2

    def write(self) -> None:
        """Generates all questions, and the dispatch by number."""
        offers = []
        for line in self.program.code:
            match line.operation:
                case (
                    ins.Ask(question) | ins.Pay(question) | ins.PayUnit(question)
                    | ins.Shuffle(question) | ins.Roll(question) | ins.Random(question)
                ):  # fmt: skip
                    self._write_offer(question, line.operation)
                    offers.append(f"case {question}: offer_{question}(g, f); break;")
        top = "Frame *f = &g->frames[g->depth];"
        self.unit.function(
            "static void offer(Game *g, int question)",
            f"{top} switch (question) {{ {' '.join(offers)} }}",
        )

        self._write_possible()

    def scope(self, rule: int) -> Scope:
        """The open frame of a rule, under the name `f`."""
        types = self.program.procedures[rule].slots
        return Scope(types, {slot: f"f->s[{slot}]" for slot in range(len(types))})

    def menu(self, number: int, asking: ins.Asking) -> tuple[Entry, ...]:
        """The masks of a question; none if its options are listed."""
        asked = self.program.questions[number]
        sorts = map(_sort, asked.ways)
        if not isinstance(asking, ins.Ask) or any(map(self._may_lie_alike, sorts)):
            return ()
        return self.menus.masks_of(asked, self.scope(asked.rule))

    # ---- options ----

    def _write_offer(self, number: int, asking: ins.Asking) -> None:
        asked = self.program.questions[number]
        if menu := self.menu(number, asking):
            lines = [_CONTEXT, *self._fills(number, asked, menu)]
            head = f"static ALWAYS_INLINE int64_t menu_{number}(Game *g, Frame *f, uint64_t *m)"
            self.unit.function(head, "\n".join([*lines, "return n;"]))
        lines = [_CONTEXT, *self._offers(number, asked, asking)]
        self.unit.function(f"static void offer_{number}(Game *g, Frame *f)", "\n".join(lines))

    def _fills(self, number: int, asked: Question, menu: tuple[Entry, ...]) -> Iterator[str]:
        yield from self.menus.fills(menu, self.scope(asked.rule))
        if self.program.exchanges:
            self._write_own(number, asked, self.scope(asked.rule))
            steady = self.menus.any_of(menu, self._steady(asked))
            yield f"if (n > 1) n += harmless(g, f, {steady}, own_{number});"

    def _steady(self, asked: Question) -> int:
        """The mask of the ways that do not depend on amounts."""
        return sum(
            1 << place
            for place, way in enumerate(asked.ways[:WORD])
            if not self.unit.references.depends_on_amounts((way.when, way.choice, way.guard))
        )

    def _offers(self, number: int, asked: Question, asking: ins.Asking) -> Iterator[str]:
        scope = self.scope(asked.rule)
        match asking:
            case ins.Ask() if menu := self.menu(number, asking):
                self.room += WORD * len(menu)
                yield f"uint64_t m[MENU]; int64_t n = menu_{number}(g, f, m);"
                yield f"list_menu(g, {self.menus.given(number, menu)}, n);"
            case ins.Ask():
                yield from self._asks(number, asked, scope)
            case ins.Pay():
                yield f"{self._invoice(asked, scope)} offer_plans(g, &o);"
            case ins.PayUnit():
                yield f"{self._purse(asked, scope)} offer_units(g, &o, &BILLS[{number}]);"
            case ins.Shuffle(_, place, work):
                where = self.expressions.number(place, scope)
                yield f"next_in_order(g, {where}, f->s[{work}]);"
            case ins.Roll(_, _, low, high):
                both = [self.expressions.number(one, scope) for one in (low, high)]
                yield f"int64_t n = (int64_t){both[1]} - {both[0]} + 1;"
                yield "if (n > OPTIONS) stop(g, FAULT); g->offered = 0;"
                yield "for (int64_t i = 1; i <= n; i++) g->options[g->offered++] = i;"
            case ins.Random():
                yield "int64_t n = 0;"
                yield from self._every(pack(0, 0), asked.ways[0], scope)
                yield "if ((g->offered = n) > OPTIONS) stop(g, FAULT);"
            case ins.Settle():
                raise AssertionError(asking)
            case _:
                assert_never(asking)

    def _asks(self, number: int, asked: Question, scope: Scope) -> Iterator[str]:
        if self.program.exchanges:
            self._write_own(number, asked, scope)
            yield f"own_{number}(g, f, ALL_WAYS);"
            yield f"add_harmless(g, f, {self._steady(asked):#x}u, own_{number});"
        else:
            yield "int64_t n = 0, enough = ALL_WAYS;"
            for place, way in enumerate(asked.ways):
                yield from self._way(place, way, scope)
            yield "g->offered = n;"
        sorts = [_sort(way) for way in asked.ways]
        if any(self._may_lie_alike(sort) for sort in sorts):
            table = self.unit.numbers(sorts)
            point = asked.point
            yield f"if (g->offered > 1) drop_redundant(g, {table}, {len(sorts)}, {point});"

    def _write_own(self, number: int, asked: Question, scope: Scope) -> None:
        lines = [f"{_CONTEXT} int64_t n = 0;"]
        for place, way in enumerate(asked.ways):
            lines += self._way(place, way, scope)
            lines.append("if (n >= enough) { g->offered = n; return; }")
        lines.append("g->offered = n;")
        head = f"static void own_{number}(Game *g, Frame *f, int64_t enough)"
        self.unit.function(head, "\n".join(lines))

    def _may_lie_alike(self, sort: int) -> bool:
        """Whether any things of a sort can be interchangeable."""
        return sort != NOTHING and bool([*self.unit.code.alike.classes.values()][sort])

    def _way(self, place: int, way: Way, scope: Scope) -> Iterator[str]:
        """Adds the options of a way."""
        yield f"if ({self.expressions.truth(way.when, scope)}) {{"
        if way.choice is None:
            test = self.guards.test(way.guard, scope) if way.guard else "1"
            yield f"if ({test}) g->options[n++] = {pack(place)};"
        elif not way.guard:
            yield from self._every(pack(place, 0), way, scope)
        else:
            yield from self._guarded(pack(place, 0), way, scope)
        yield "}"

    def _every(self, first: int, way: Way, scope: Scope) -> Iterator[str]:
        assert way.choice is not None
        shape = self.unit.shape(way.choice.within, scope.types)
        self.room += shape.room
        loop, end = shape.each("x", self.expressions.sets.own(way.choice.within, scope))
        yield f"{loop} g->options[n++] = {first} + x; {end}"

    def _guarded(self, first: int, way: Way, scope: Scope) -> Iterator[str]:
        assert way.choice is not None
        s, x = self.unit.fresh("s"), self.unit.fresh("x")
        shape, head, left = self.guards.sifted(way.choice, way.guard, scope, s)
        if not left:
            self.room += shape.room
            loop, end = shape.each(x, s)
            yield f"{head} {loop} g->options[n++] = {first} + {x}; {end}"
            return
        loop, end = shape.each(x, s, until="(n >= enough)")
        test = self.guards.test(left, scope.bound(way.choice.slot, x))
        yield f"{head} {loop} if ({test}) g->options[n++] = {first} + {x}; {end}"

    def _invoice(self, asked: Question, scope: Scope) -> str:
        assert asked.bill is not None
        return self.invoices.declare(asked.bill.price, asked.bill.terms, scope, "o")

    def _purse(self, asked: Question, scope: Scope) -> str:
        assert asked.bill is not None
        return self.invoices.purse(asked.bill.terms, scope, "o")

    def _write_possible(self) -> None:
        """Lists the values that the owner of a slot could have chosen, or else all of its type, as
        options; none if any value within its bounds will do.
        """
        lines = ["Context c = 0; (void)c; int64_t n = 0; int at; g->meter = 0;"]
        for one in self.program.variables:
            domain = self.unit.code.domains.of(one.type)
            any_ = (
                (NOTHING, *domain.members)
                if isinstance(one.type, t.Card | t.Place | t.Piece)
                else ()
            )
            if one.secret == NOTHING or not (one.offers or any_):
                continue
            lines.append(f"if ((at = slot - {one.base}) >= 0 && at < {one.count}) {{")
            lines.append(f"switch (g->v[{one.secret} + at] - 2) {{")
            for number, offer in enumerate(one.offers):
                owner = f"(at / {one.count // len(self.program.players) or 1})"
                scope = Scope((t.Player(),), {YOU: owner})
                offered = Call(offer, (Local(YOU),))
                shape = self.unit.shape(offered, scope.types)
                self.room += shape.room
                loop, end = shape.each("x", self.expressions.sets.own(offered, scope))
                lines.append(f"case {number}: {loop} g->options[n++] = x; {end} break;")
            lines.append("}")
            if any_:
                self.room += len(any_)
                lines.append(table("int32_t", "any", any_))
                lines.append(f"if (!n) for (; n < {len(any_)}; n++) g->options[n] = any[n];")
            lines.append("}")
        head = "static int64_t list_possible(Game *g, int slot)"
        self.unit.function(head, "\n".join([*lines, "return n;"]))

    # ---- answers ----

    def take(self, asking: ins.Question, address: int, after: int, returns: str) -> str:
        """The statements that take `option` and continue; returns: those that leave the rule."""
        again = f"goto L{address};"
        go_on = returns if after == RETURN else f"goto L{after};"
        lines = [*self._takes(asking, again, go_on, returns)]
        if self.program.exchanges and isinstance(asking, ins.Ask | ins.Pay | ins.PayUnit):
            lines.insert(0, "if (option >= EXCHANGE) { exchange(g, (int)(option - EXCHANGE));")
            lines.insert(1, f"f = push(g, f, {address}); goto resume; }}")
        return "\n".join(lines)

    def take_by_number(
        self, menu: tuple[Entry, ...], asking: ins.Question, returns: str
    ) -> Iterator[str]:
        """The statements that take option number `k` of a menu and continue."""
        ways, rest = self.program.questions[asking.question].ways, ""
        if self.program.exchanges:
            rest = f"option = EXCHANGE + g->found[k]; goto T{asking.question};"
        yield from self.menus.takes(menu, [_jump(way, returns) for way in ways], rest)

    def _takes(self, asking: ins.Question, again: str, go_on: str, returns: str) -> Iterator[str]:
        number = asking.question
        asked = self.program.questions[number]
        scope, option = self.scope(asked.rule), "(int)(option - 1)"
        match asking:
            case ins.Ask():
                yield f"switch ((int)(option >> {ELEMENT})) {{"
                for place, way in enumerate(asked.ways):
                    yield f"case {place}: {_bind(way)} {_jump(way, returns)}"
                yield "} stop(g, FAULT);"
            case ins.Pay():
                paid = f"pay_plan(g, &o, {option}, &BILLS[{number}]);"
                yield f"{{ {self._invoice(asked, scope)} {paid} }} {go_on}"
            case ins.PayUnit():
                paid = f"pay_unit(g, &o, {option}, &BILLS[{number}]);"
                yield f"{{ {self._purse(asked, scope)} {paid} }} {again}"
            case ins.Shuffle(_, place, work):
                where = self.expressions.number(place, scope)
                yield f"settle_card(g, {where}, {option}, f->s[{work}]++); {again}"
            case ins.Roll(_, slot, low, _):
                yield f"f->s[{slot}] = {self.expressions.number(low, scope)} + {option};"
                if not asked.secret:
                    told = f"E_ROLL, f->s[0], NOTHING, f->s[{slot}], NOTHING, NOTHING"
                    yield f"TELL({told});"
                yield go_on
            case ins.Random():
                (way,) = asked.ways
                assert way.choice is not None
                slot = way.choice.slot
                told = f"E_RANDOM, f->s[0], {number}, f->s[{slot}], NOTHING, NOTHING"
                yield f"{_bind(way)} TELL({told}); {go_on}"
            case _:
                assert_never(asking)


def _jump(way: Way, returns: str) -> str:
    return returns if way.target == RETURN else f"goto L{way.target};"


def _bind(way: Way) -> str:
    if way.choice is None or not way.choice.slot:
        return ""
    return f"f->s[{way.choice.slot}] = (int)(option & {(1 << ELEMENT) - 1}) - 1;"


def _sort(way: Way) -> int:
    """The sort of thing that a way chooses: 0 for a card, 1 for a piece, else nothing."""
    match way.choice.type if way.choice is not None else None:
        case t.Card():
            return 0
        case t.Piece():
            return 1
        case _:
            return NOTHING
