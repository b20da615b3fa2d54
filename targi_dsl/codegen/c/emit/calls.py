"""Generates calls of rules."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.codegen.c.emit.expressions import Expressions
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir.constants import NOTHING


class Calls:
    """Generates the calls of rules of one program."""

    def __init__(self, unit: Unit, expressions: Expressions) -> None:
        self.unit, self.program, self.expressions = unit, unit.program, expressions

    def do(
        self, rule: int, arguments: tuple[e.Expr, ...], after: int, scope: Scope
    ) -> Iterator[str]:
        given = [self.expressions.number(one, scope) for one in arguments]
        names = "".join(f"int a{at} = {one}; " for at, one in enumerate(given, 1))
        slots = "".join(f"f->s[{at}] = a{at}; " for at in range(1, len(given) + 1))
        entry = self.program.procedures[rule].entry
        size = len(self.program.procedures[rule].slots)
        begun = f"f = begin_rule(g, f, {rule}, {after}, {size});"
        yield f"{{ {names}{begun} {slots}goto L{entry}; }}"

    def do_action(self, card: e.Expr, after: int, scope: Scope) -> Iterator[str]:
        """Continues with the rule of a card's action, if there is one."""
        actions = self.unit.numbers([*self.program.actions, NOTHING])
        yield f"{{ int k = {self.expressions.number(card, scope)};"
        yield f"int r = k >= 0 ? {actions}[k] : NOTHING; if (r >= 0) {{"
        yield f"f = begin_rule(g, f, r, {after}, FRAME); if (RULE_PARAMS[r]) f->s[1] = k;"
        rules = sorted({*self.program.actions} - {NOTHING})
        entries = ((rule, self.program.procedures[rule].entry) for rule in rules)
        cases = " ".join(f"case {rule}: goto L{entry};" for rule, entry in entries)
        yield f"switch (r) {{ {cases} default: IMPOSSIBLE; }} }} }}"
