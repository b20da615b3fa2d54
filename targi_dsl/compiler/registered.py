"""An ability as registered on the names that it changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from targi_dsl.ir.expressions import Expr
from targi_dsl.syntax import ast as n


@dataclass(frozen=True)
class Registered:
    """`this` is its card, `node` its text, `rule` the rule that is its effect, or nothing."""

    ability: int
    this: Expr | None
    node: n.Ability
    rule: int

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The rules that it replaces."""
        scopes = self.node.scopes
        return frozenset(one.rule.text for one in scopes if isinstance(one, n.InsteadOf))

    @cached_property
    def awaited(self) -> frozenset[str]:
        """The rules that trigger it."""
        when = [one for one in self.node.scopes if isinstance(one, n.When)]
        return frozenset(one.name.text for one in when if one.verb == "do")
