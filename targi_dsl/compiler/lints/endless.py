"""Warns of a game that never ends: each `end game` waits for what no rule ever changes."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lints.flow import Fold, evaluated_parts
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.comparisons import COMPARISONS
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import within
from targi_dsl.text.diagnostics import Problem


def warnings(game: Game) -> Iterator[Problem]:
    """A warning if the rules say `end game`, but can never get there."""
    ends = [end for rule in game.rules for end in rule.every(s.EndGame)]
    if not ends:
        return
    reached = _Reached(game)
    reached.run()
    if reached.comes_to_an_end:
        return
    never = reached.never
    conditions = [one for one, skipped in never if any(within(skipped, s.EndGame))]
    conditions = conditions or [one for one, _ in never]
    read = [var.base for one in conditions for var in evaluated_parts(game, (one,), e.Var)]
    asked = [reached.unchanged[base] for base in dict.fromkeys(read) if base in reached.unchanged]
    text = "The condition for it is never true."
    if asked:
        names = " or ".join(f"`{one.name}`" for one in asked)
        text = f"No rule sets {names}, so this never happens."
    truths = [one.name for one in asked if isinstance(one.type, t.Truth)]
    hint = f"set {truths[0]} to yes" if truths else ""
    yield Problem("W902", "the game never ends", ends[0].span, text, hint, "warning")


class _Reached(Fold[bool]):
    """Enters everything but blocks whose condition is certain to be false.

    never: these conditions, each with what it keeps from being entered. unchanged: the variables
    that keep the value they start with, by base.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        changed = {one.variable for rule in game.rules for one in rule.every(s.Assign)}
        self.unchanged = {
            variable.base: variable
            for number, variable in enumerate(game.variables)
            if number not in changed and not variable.holds
        }
        self.never: list[tuple[e.Expr, s.Block]] = []
        self.comes_to_an_end = False
        declared = {one.name for one in game.declared if one.sort == "rule"}
        called = {one.rule for rule in game.rules for one in rule.every(s.Do)}
        # What is neither declared nor called belongs to a card or an ability.
        others = {n for n, rule in enumerate(game.rules) if rule.name not in declared}
        for number in sorted({game.setup, game.round, *others} - called):
            self.enter(number, True)

    def inside(self, node: s.Statement, fact: bool) -> Iterator[tuple[s.Block, bool]]:
        match node:
            case s.If(condition, then, otherwise):
                holds = self._holds(condition)
                ways = [(condition, then, holds is not False), (condition, otherwise, not holds)]
            case s.Ask(_, alternatives, otherwise):
                ways = [(one.guard, one.body, self._holds(one.guard) is not False)
                        for one in alternatives]  # fmt: skip
                ways.append((e.Const(1), otherwise or (), True))
            case _:
                yield from super().inside(node, fact)
                return
        for condition, body, is_entered in ways:
            if is_entered:
                yield body, fact
            elif body:
                self.never.append((condition, body))

    def after(self, node: s.Statement, fact: bool, ends: list[bool]) -> bool:
        match node:
            case s.EndGame():
                self.comes_to_an_end = True
            case s.Do(rule):
                self.enter(rule, fact)
        return fact

    def _holds(self, node: e.Expr) -> bool | None:
        """Whether a condition is always or never true; None if that depends on the position."""
        match node:
            case e.Not(inner):
                holds = self._holds(inner)
                return None if holds is None else not holds
            case e.All(several):
                return _all([self._holds(one) for one in several])
            case e.AnyOf(several):
                holds = _all([self._holds(e.Not(one)) for one in several])
                return None if holds is None else not holds
            case e.Compare(op, left, right):
                values = self._value(left), self._value(right)
                return None if None in values else COMPARISONS[op].holds(*values)
            case _:
                value = self._value(node)
                return None if value is None else bool(value)

    def _value(self, node: e.Expr) -> int | None:
        match node:
            case e.Const(int(value)):
                return value
            case e.Var(base, index, missing) if base in self.unchanged:
                start = self.unchanged[base].start
                return start if isinstance(index, e.Const) or missing == start else None
            case e.Call(define, _):
                called = self.game.defines[define].value
                return self._value(called) if isinstance(called, e.Const | e.Var) else None
            case _:
                return None


def _all(holds: list[bool | None]) -> bool | None:
    if False in holds:
        return False
    return None if None in holds else True
