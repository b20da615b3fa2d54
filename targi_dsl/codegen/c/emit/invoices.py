"""Generates invoices: what a payment asks for, what modifies it, and what may pay it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from targi_dsl.codegen.c.emit.expressions import Expressions
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Amounts, Price, Reduction, Stored, Substitute, Terms
from targi_dsl.ir.program import Bill, Program
from targi_dsl.ir.walk import parts


def reads(program: Program, node: object) -> list[int]:
    """The slots of a frame that something reads, directly or indirectly."""
    return sorted({YOU, *_reads(program, node)})


def _reads(program: Program, node: object) -> Iterator[int]:
    for one in parts(node, (e.Local, e.CanPay, g.Payable, g.Need, g.Answer)):
        match one:
            case e.Local(slot):
                yield slot
            case e.CanPay(_, terms) | g.Payable(_, _, terms) if terms != NOTHING:
                yield from _reads(program, program.terms[terms])
            case g.Need(_, forbid):
                yield from _reads(program, program.prohibitions[forbid].permits)
            case g.Answer(_, question, ways):
                asked = program.questions[question].ways
                yield from _reads(program, tuple(asked[at] for at in ways))


class Invoices:
    """Generates the invoices of one program."""

    def __init__(self, unit: Unit, expressions: Expressions) -> None:
        self.unit, self.program, self.expressions = unit, unit.program, expressions
        self._terms: dict[int, tuple[str, list[int]]] = {}

    def declare(self, price: e.PriceExpr, terms: int, scope: Scope, name: str) -> str:
        """Statements that declare the invoice of a payment under a name."""
        return f"{self.price(price, scope, name)} {self._changes(terms, scope, name)}"

    def is_covered(self, price: e.PriceExpr, terms: int, scope: Scope) -> str:
        """The condition that a constant, unmodified price can be paid; else empty."""
        of = self._all(terms)
        if not self._is_plain(price, of):
            return ""
        ways = (self._covers(one, of, scope) for one in self._constant(price).alternatives)
        return f"({' || '.join(ways) or '0'})"

    def only_plan(self, bill: Bill, scope: Scope) -> tuple[str, str]:
        """The condition that the only plan of a constant price can be paid, and the statements that
        pay it; empty if there may be several plans.
        """
        of = self._all(bill.terms)
        if not self._is_plain(bill.price, of):
            return "", ""
        price, resources = self._constant(bill.price), len(self.program.resources)
        if len(price.alternatives) != 1 or price.extra:
            return "", ""
        (owed,) = price.alternatives
        noted = {bill.bracket: 0}
        noted |= {bill.owed + group: 0 for group in range(len(self.program.groups))}
        if bill.paid != NOTHING:
            noted |= {bill.paid + resource: 0 for resource in range(resources)}
        begun, spent = (self.purse(bill.terms, scope, "o"), "") if of.stored else ("", "")
        purse = "&o" if of.stored else "0"
        for item, number in owed:
            if item >= resources:
                noted[bill.owed + item - resources] = number
                continue
            who, is_loss = scope.slot(YOU), int(bill.is_loss)
            spent += f"spend(g, {purse}, {item}, {number}, {who}, {is_loss}); "
            if bill.paid != NOTHING:
                noted[bill.paid + item] = number
        notes = "".join(f"f->s[{slot}] = {number}; " for slot, number in noted.items())
        return self._covers(owed, of, scope), f"{{ {begun} {spent}}} {notes}"

    def _is_plain(self, price: e.PriceExpr, of: Terms) -> bool:
        match price:
            case e.Listed(e.Const(int(number))) if number >= 0:
                return not (of.reductions or of.substitutes or self.program.exchanges)
            case _:
                return False

    def _constant(self, price: e.PriceExpr) -> Price:
        match price:
            case e.Listed(e.Const(int(number))):
                return self.program.prices[number]
            case _:
                raise AssertionError(price)

    def _covers(self, owed: Amounts, of: Terms, scope: Scope) -> str:
        """The condition that the player's amounts and stores cover these amounts."""
        resources, tests = len(self.program.resources), list[str]()
        for item, number in owed:
            if item < resources:
                tests.append(f"{self._there_is(item, of, scope)} >= {number}")
                continue
            members = self.program.groups[item - resources][1]
            total = number + sum(units for one, units in owed if one in members)
            have = " + ".join(self._there_is(one, of, scope) for one in members)
            tests.append(f"(int64_t){have} >= {total}")
        return f"({' && '.join(tests) or '1'})"

    def _there_is(self, resource: int, of: Terms, scope: Scope) -> str:
        you = scope.slot(YOU)
        found = [f"g->v[AMOUNT({resource}, {you})]"]
        for one in of.stored:
            if one.resource == resource:
                active = self.expressions.active(one.ability, you)
                found.append(f"({active} ? g->v[{one.slot}] : 0)")
        return f"({' + '.join(found)})" if len(found) > 1 else found[0]

    def price(self, price: e.PriceExpr, scope: Scope, name: str) -> str:
        """Like `declare`, without what may modify the payment."""
        number, you = self.expressions.number, scope.slot(YOU)
        match price:
            case e.Listed(which):
                asked, amounts = number(which, scope), ""
            case e.Counted(counts):
                asked = "COUNTED"
                amounts = " ".join(
                    f"ask_for(g, &{name}, {item}, {number(count, scope)});"
                    for item, count in counts
                )
            case _:
                assert_never(price)
        return f"Invoice {name}; begin_invoice(g, &{name}, {asked}, {you}); {amounts}"

    def may_owe(self, bill: Bill) -> bool:
        """Whether a payment may leave wildcard units to be paid one by one."""
        asked = [(one.paid, one.owed) for one in self._all(bill.terms).substitutes]
        match bill.price:
            case e.Counted(counts):
                items = [item for item, _ in counts]
            case e.Listed(e.Const(int(number))) if number >= 0:
                items = _items(self.program.prices[number])
            case _:
                items = [item for price in self.program.prices for item in _items(price)]
        items += [item for both in asked for amounts in both for item, _ in amounts]
        return any(item >= len(self.program.resources) for item in items)

    def is_free(self, price: e.PriceExpr, scope: Scope) -> str:
        """Whether a price asks for nothing."""
        match price:
            case e.Listed(which):
                return f"{self.expressions.number(which, scope)} == NOTHING"
            case e.Counted(counts):
                numbers = (self.expressions.number(count, scope) for _, count in counts)
                return " && ".join(f"{one} <= 0" for one in numbers) or "1"
            case _:
                assert_never(price)

    def purse(self, terms: int, scope: Scope, name: str) -> str:
        """Like `declare`, if only the purse matters."""
        you = scope.slot(YOU)
        begun = f"Invoice {name}; begin_invoice(g, &{name}, NOTHING, {you});"
        stored = (_store_entry(one, f"&{name}", you) for one in self._all(terms).stored)
        return " ".join([begun, *stored])

    def _all(self, terms: int) -> Terms:
        return self.program.terms[terms] if terms != NOTHING else Terms("")

    def _changes(self, terms: int, scope: Scope, name: str) -> str:
        of = self._all(terms)
        lines = [_store_entry(one, f"&{name}", scope.slot(YOU)) for one in of.stored]
        if of.reductions or of.substitutes:
            if terms not in self._terms:
                self._terms[terms] = self._function(of, scope)
            function, slots = self._terms[terms]
            given = ["g", "c", f"&{name}", *(scope.slot(slot) for slot in slots)]
            lines.append(f"{function}({', '.join(given)});")
        return " ".join(lines)

    def _function(self, terms: Terms, scope: Scope) -> tuple[str, list[int]]:
        """A function that adds what may modify a payment."""
        name = self.unit.fresh("terms_")
        slots = reads(self.program, (terms.reductions, terms.substitutes))
        inside = Scope(scope.types, {slot: f"a{slot}" for slot in slots})
        places = {one: at for at, one in enumerate(substitutes(self.program))}
        lines = [self._reduction(one, inside) for one in terms.reductions]
        lines += [self._substitute(one, places[one], inside) for one in terms.substitutes]
        given = "".join(f", int a{slot}" for slot in slots)
        head = f"static void {name}(Game *g, Context c, Invoice *of{given})"
        self.unit.function(head, "\n".join(lines))
        return name, slots

    def _at_work(self, ability: int, condition: e.Expr, scope: Scope) -> str:
        active = self.expressions.active(ability, scope.slot(YOU))
        return f"if ({active} && {self.expressions.truth(condition, scope)})"

    def _reduction(self, one: Reduction, scope: Scope) -> str:
        number = self.expressions.number(one.number, scope)
        test = self._at_work(one.ability, one.condition, scope)
        return f"{test} cut(of, {one.ability}, {one.item}, {number});"

    def _substitute(self, one: Substitute, place: int, scope: Scope) -> str:
        return f"{self._at_work(one.ability, one.condition, scope)} stand_for(of, {place});"


def _store_entry(one: Stored, name: str, you: str) -> str:
    return f"from_store(g, {name}, {one.ability}, {one.resource}, {one.slot}, {you});"


def substitutes(program: Program) -> tuple[Substitute, ...]:
    """All substitutes of a program, once each."""
    return tuple(dict.fromkeys(one for terms in program.terms for one in terms.substitutes))


def _items(price: Price) -> list[int]:
    """The items that a price asks for."""
    return [item for one in (*price.alternatives, price.extra) for item, _ in one]
