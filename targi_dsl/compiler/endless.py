"""Warns of a game that never ends: each `end game` waits for what no rule ever changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.comparisons import COMPARISONS
from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, within
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.light import dataclass


def warnings(game: Game) -> Iterator[Problem]:
    """A warning if the rules say `end game`, but can never get there."""
    ends = [end for rule in game.rules for end in rule.every(s.EndGame)]
    walk = _Walk(game)
    if not ends or walk.comes_to_an_end():
        return
    never = [one for one in walk.never if any(within((one,), s.EndGame))] or walk.never
    asked = [walk.variable(var) for one in never for var in walk.variables_of(_condition(one))]
    names = list(dict.fromkeys(one.name for one in asked if one is not None))
    text = "The condition for it is never true."
    if names:
        text = f"No rule sets {' or '.join(f'`{name}`' for name in names)}, so this never happens."
    truths = [one.name for one in asked if one is not None and isinstance(one.type, t.Truth)]
    hint = f"set {truths[0]} to yes" if truths else ""
    yield Problem("W902", "the game never ends", ends[0].span, text, hint, "warning")


def _condition(node: s.If | s.Alternative) -> e.Expr:
    return node.condition if isinstance(node, s.If) else node.guard


@dataclass(slots=True)
class _Walk:
    """Follows the rules, except where a condition is certain to be false.

    `never` has the statements and alternatives that it therefore does not enter.
    """

    game: Game
    never: list[s.If | s.Alternative] = field(default_factory=list)
    _unchanged: dict[int, Variable] = field(init=False)
    _entered: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        changed = {one.variable for rule in self.game.rules for one in rule.every(s.Assign)}
        self._unchanged = {
            variable.base: variable
            for number, variable in enumerate(self.game.variables)
            if number not in changed and not variable.holds
        }

    def comes_to_an_end(self) -> bool:
        """Whether an `end game` can be reached."""
        declared = {one.name for one in self.game.declared if one.sort == "rule"}
        called = {one.rule for rule in self.game.rules for one in rule.every(s.Do)}
        # What is neither declared nor called belongs to a card or an ability.
        others = (n for n, rule in enumerate(self.game.rules) if rule.name not in declared)
        begun = {self.game.setup, self.game.round, *others} - called
        self._entered = sorted(begun)
        bodies = (self.game.rules[rule].body for rule in self._entered)  # and those called there
        return any(self._goes_on(node) for body in bodies for node in body)

    def _goes_on(self, node: object) -> bool:
        """Whether a statement, or one in it, can end the game."""
        match node:
            case s.EndGame():
                return True
            case s.Do(rule):
                self._entered += [] if rule in self._entered else [rule]
                return False
            case s.If(condition, then, otherwise):
                holds = self._holds(condition)
                self.never += [node] if holds is False or (holds and otherwise) else []
                blocks = (then if holds is not False else (), otherwise if not holds else ())
                return any(self._goes_on(one) for block in blocks for one in block)
            case s.Alternative(_, _, guard) if self._holds(guard) is False:
                self.never.append(node)
                return False
            case _:
                return any(self._goes_on(one) for one in _below(node))

    def variables_of(self, condition: e.Expr) -> Iterator[e.Var]:
        """The variables that a condition asks about, itself or by a definition."""
        called = (self.game.defines[one.define].value for one in parts(condition, e.Call))
        return parts((condition, *called), e.Var)

    def variable(self, var: e.Var) -> Variable | None:
        """The variable, if it keeps the value that it starts as."""
        return self._unchanged.get(var.base)

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
            case e.Var(base, index, missing) if base in self._unchanged:
                start = self._unchanged[base].start
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


def _below(node: object) -> Iterator[object]:
    """The statements and alternatives directly in a statement."""
    for name in ("body", "alternatives", "otherwise"):
        yield from getattr(node, name, ()) or ()
