"""An ability as registered on the names that it changes."""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.ir.expressions import Expr
from targi_dsl.syntax import ast as n


@dataclass(frozen=True, slots=True)
class Registered:
    """`this` is its card, `node` its text, `rule` the rule that is its effect, or nothing."""

    ability: int
    this: Expr | None
    node: n.Ability
    rule: int
