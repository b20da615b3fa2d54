"""Generates calls of rules."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.codegen.c.emit.expressions import Expressions
from targi_dsl.codegen.c.emit.questions import Questions
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING


class Calls:
    """Generates the calls of rules of one program."""

    def __init__(self, unit: Unit, expressions: Expressions, questions: Questions) -> None:
        self.unit, self.program = unit, unit.program
        self.expressions, self.questions = expressions, questions

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

    def asking(self, line: ins.Instruction) -> tuple[s.Do, ins.Ask, int] | None:
        """What a test leads to whether a rule can be done, if that is the rule and begins with a
        question that has one way, a set; the question, and how many instructions lead to it.
        """
        match line.operation, self.program.code[line.next].operation:
            case ins.Branch(e.CanDo(rule, given), _), s.Do(done, arguments) as do if (
                done == rule and given == arguments
            ):
                address, steps = self.program.procedures[rule].entry, 2
                while isinstance(self.program.code[address].operation, ins.Nop):
                    address, steps = self.program.code[address].next, steps + 1
                asking = self.program.code[address].operation
                if isinstance(asking, ins.Ask) and self._is_guarded_by(rule, asking.question):
                    return do, asking, steps
        return None

    def _is_guarded_by(self, rule: int, question: int) -> bool:
        """Whether a rule can be done if this question of one mask has any option."""
        match self.program.procedures[rule].guard:
            case (g.Answer(_, asked, (0,)),) if asked == question:
                return self.questions.is_plain(question)
            case _:
                return False

    def begins_asking(
        self, do: s.Do, asking: ins.Ask, steps: int, after: int, no_way: str, scope: Scope
    ) -> Iterator[str]:
        """Begins a rule if its first question has an option; the guard of the rule, which is the
        same set, is not evaluated by itself, but counted.
        """
        size = len(self.program.procedures[do.rule].slots)
        given = [self.expressions.number(one, scope) for one in do.arguments]
        slots = "".join(f"h->s[{at}] = {one}; " for at, one in enumerate(given, 1))
        yield f"{{ Frame *h = above(f, {do.rule}, f->s[0], {size}); {slots}"
        yield "Context own = h->context; h->context = enter(g, own); int before = g->meter;"
        yield f"uint64_t m[MENU]; int64_t n = menu_{asking.question}(g, h, m);"
        yield f"if (!n) {{ {no_way} }} count(g, g->meter - before); h->context = own;"
        yield f"f = begin_above(g, f, {do.rule}, {after}); steps += {steps};"
        yield f"mask = m[0], size = n; goto M{asking.question}; }}"

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
