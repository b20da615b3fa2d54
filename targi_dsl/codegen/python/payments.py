"""The amount asked for, the plans that can pay it, and whether it can be paid."""

from __future__ import annotations

from typing import assert_never

from targi_dsl.codegen.python.expressions import Expressions
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.unit import Unit
from targi_dsl.engine.plans import Plan, Planner
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.prices import Terms
from targi_dsl.text.light import dataclass

MANY = 6
"""More plans than these are not inlined."""


@dataclass(frozen=True, slots=True)
class Invoice:
    """One payment as texts: the amount asked, the active reductions and substitutes, what is
    stored, and your purse. `plans` are the plans if they are constant.
    """

    asked: str
    cuts: str
    substitutes: str
    stored: str
    purse: str
    plans: tuple[Plan, ...] | None


class Payments:
    """Generates payments."""

    def __init__(self, unit: Unit, expressions: Expressions) -> None:
        self.program, self.slots, self.expressions = unit.program, unit.slots, expressions

    def invoice(self, price: e.PriceExpr, terms: int, scope: Scope, out: Lines) -> Invoice:
        """The texts of one payment."""
        changes = self.program.terms[terms] if terms != NOTHING else Terms("")
        you = scope.slot(YOU)
        plans = None
        match price:
            case e.Listed(e.Const(int(number))) if not changes.reductions + changes.substitutes:
                plans = Planner(self.program).plans(number)
        return Invoice(
            self._asked(price, scope, out),
            self._cuts(changes, scope, out),
            self._substitutes(terms, changes, scope, out),
            self._stored(changes, you),
            self._purse(you),
            plans,
        )

    def can_pay(self, price: e.PriceExpr, terms: int, scope: Scope, out: Lines) -> str:
        """Whether any plan can be paid, if necessary after exchanges."""
        of = self.invoice(price, terms, scope, out)
        is_plain = not self.program.exchanges and of.stored == "()"
        if is_plain and of.plans is not None and len(of.plans) <= MANY:
            return self.covered(of.plans, scope.slot(YOU))
        price_ = f"{of.asked}, {of.cuts}, {of.substitutes}"
        return f"can_pay(v, {scope.slot(YOU)}, {price_}, {of.stored})"

    def covered(self, plans: tuple[Plan, ...], you: str) -> str:
        """Whether you have enough for one of these plans."""
        if any(not plan.needs and not plan.wild for plan in plans):
            return "1"
        texts = [" and ".join(self._needed(plan, you)) for plan in plans]
        return f"({' or '.join(texts)})" if texts else "0"

    def _needed(self, plan: Plan, you: str) -> list[str]:
        texts = [f"{self.amount(one, you)} >= {number}" for one, number in plan.needs]
        for group, _, number in plan.wild:
            members = self.program.groups[group][1]
            total = " + ".join(self.amount(one, you) for one in members) or "0"
            texts.append(f"{total} >= {number}")
        return texts

    def amount(self, resource: int, player: str) -> str:
        """The slot of what a player has of a resource."""
        return f"v[{self.slots.amounts + resource * len(self.program.players)} + {player}]"

    def _asked(self, price: e.PriceExpr, scope: Scope, out: Lines) -> str:
        match price:
            case e.Listed(number):
                return self.expressions.number(number, scope, out)
            case e.Counted(amounts):
                pairs = [
                    f"({item}, {self.expressions.number(one, scope, out)})" for item, one in amounts
                ]
                return f"counted(({', '.join(pairs)},))" if pairs else "()"
            case _:
                assert_never(price)

    def _cuts(self, changes: Terms, scope: Scope, out: Lines) -> str:
        """The active reductions: ability, item, number."""
        if not changes.reductions:
            return "()"
        name = out.fresh("cuts")
        out.add(f"{name} = ()")
        for one in changes.reductions:
            with out.block(f"if {self._at_work(one.ability, one.condition, scope, out)}"):
                number = self.expressions.number(one.number, scope, out)
                out.add(f"{name} += (({one.ability}, {one.item}, {number}),)")
        return name

    def _substitutes(self, terms: int, changes: Terms, scope: Scope, out: Lines) -> str:
        """The active substitutes: their terms and their index there."""
        if not changes.substitutes:
            return "()"
        name = out.fresh("substitutes")
        out.add(f"{name} = ()")
        for at, one in enumerate(changes.substitutes):
            with out.block(f"if {self._at_work(one.ability, one.condition, scope, out)}"):
                out.add(f"{name} += (({terms}, {at}),)")
        return name

    def _at_work(self, ability: int, condition: e.Expr, scope: Scope, out: Lines) -> str:
        active = self.expressions.active(ability, scope.slot(YOU))
        if condition == e.Const(1):
            return active
        apart = out.apart(1)
        text = self.expressions.test(condition, scope, apart)
        if not apart.rows:
            out.cost += apart.cost
            return f"{active} and {text}"
        name = out.fresh("t")
        out.add(f"{name} = {active}")
        with out.block(f"if {name}"):
            out.take(apart)
            out.add(f"{name} = {text}")
        return name

    def _stored(self, changes: Terms, you: str) -> str:
        """What is stored for active abilities: (resource, slot) pairs."""
        if not changes.stored:
            return "()"
        texts = [
            f"((({one.resource}, {one.slot}),)"
            f" if v[{one.slot}] and {self.expressions.active(one.ability, you)} else ())"
            for one in changes.stored
        ]
        return f"({' + '.join(texts)})"

    def _purse(self, you: str) -> str:
        first, end = self.slots.amounts, self.slots.card_place
        return f"v[{first} + {you}:{end}:{len(self.program.players)}]"
