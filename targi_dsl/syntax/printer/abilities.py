"""Abilities as text."""

from __future__ import annotations

from typing import assert_never

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer.expressions import Level, print_amounts, print_expression
from targi_dsl.syntax.printer.statements import print_body


def print_ability(node: n.Ability) -> str:
    """The sentence of a card, on one line."""
    return f"{', '.join(map(_scope, node.scopes))}: {_ability_body(node.body)}"


def _scope(scope: n.Scope) -> str:
    match scope:
        case n.OnArrival():
            return "once"
        case n.Always():
            return "always"
        case n.AtEnd():
            return "at end"
        case n.OncePer(period):
            return f"once per {period.text}"
        case n.InsteadOf(rule):
            return f"instead of {rule.text}"
        case n.When(actor, verb, name, kind):
            ending = "" if actor == "you" else "es" if verb == "do" else "s"
            giver = "" if kind is None else f" from a {kind.text}"
            return f"when {actor} {verb}{ending} {name.text}{giver}"
        case n.EvenEarlier(period):
            return f"even earlier this {period.text}"
        case _:
            assert_never(scope)


def _ability_body(body: n.AbilityBody) -> str:
    match body:
        case n.EffectBody(block):
            return print_body(block)
        case n.ScoreBody(value):
            return f"score {print_expression(value)}"
        case n.Ignore(forbid, condition):
            return f"ignore {forbid.text}{_if(condition)}"
        case n.Reduce(rule, amounts, condition):
            return f"{rule.text} costs {print_amounts(amounts)} less{_if(condition)}"
        case n.Becomes(define, value, by, condition):
            change = f"{print_expression(value, Level.DISJUNCTION)} {by}".rstrip()
            return f"{define.text} becomes {change}{_if(condition)}"
        case n.AlsoOffers(rule, block):
            return f"{rule.text} also offers {print_body(block)}"
        case n.Substitute(rule, paid, owed, condition):
            change = f"{print_amounts(paid)} may replace {print_amounts(owed)}"
            return f"in {rule.text}, {change}{_if(condition)}"
        case n.StoredPays(resource, rule):
            return f"stored {resource.text} pays for {rule.text}"
        case _:
            assert_never(body)


def _if(condition: n.Expr | None) -> str:
    if condition is None:
        return ""
    return f" if {print_expression(condition, Level.DISJUNCTION)}"
