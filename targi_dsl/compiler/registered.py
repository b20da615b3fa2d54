"""An ability in play, as it is registered on the names of the rules that it changes."""

from __future__ import annotations

from dataclasses import dataclass

from targi_dsl.ir.expressions import Expr
from targi_dsl.syntax import ast as n


@dataclass(frozen=True, slots=True)
class Registered:
    """`this` is its card, `node` what it says, `rule` the rule that its effect is, or nothing."""

    ability: int
    this: Expr | None
    node: n.Ability
    rule: int
