"""Warns of variables that can leave their declared range.

Two mistakes can be found before play: assigning a value whose bounds, inferred from declared
ranges, exceed those of the variable; and stepping a counter more often in one round than its
range allows. A rule that compares the variable is trusted to keep it in range, and so are
amounts, whose bounds say little.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from targi_dsl.compiler.lints.flow import Fold, blocks
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.game import Game
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem

_DEEPEST = 60
"""How many loops and calls are followed to a step; more could not be told."""
_UNTOLD = 9999  # bounds this large come from amounts, or are not declared


def warnings(game: Game) -> Iterator[Problem]:
    """A warning for each variable that can leave its range."""
    types, found = Inference(game), dict[int, Problem]()
    for rule in game.rules:
        for node in rule.every(s.Assign):
            if (problem := _beyond(game, types, rule, node)) is not None:
                found.setdefault(node.variable, problem)
    _Counting(game, types, found).run()
    compared = frozenset(_compared_variables(game)) if found else ()
    return (problem for number, problem in found.items() if number not in compared)


class _Often(NamedTuple):
    """How often something happens in one round, at most, and the loops and calls that lead to
    it.
    """

    times: int
    path: tuple[s.Statement, ...] = ()

    def within(self, node: s.Statement, times: int) -> _Often:
        return _Often(min(self.times * times, _UNTOLD), (*self.path, node))


class _Counting(Fold[_Often]):
    """Counts the steps of counters in one round."""

    def __init__(self, game: Game, types: Inference, found: dict[int, Problem]) -> None:
        super().__init__(game)
        self.types, self.found = types, found
        self.enter(game.round, _Often(1))

    def inside(self, node: s.Statement, fact: _Often) -> Iterator[tuple[s.Block, _Often]]:
        match node:
            case s.Each(_, within):
                fact = fact.within(node, self.types.size(within))
            case s.EachPlayer():
                fact = fact.within(node, len(self.game.players))
            case s.TurnOf():
                fact = fact.within(node, 1)
            case s.Until():
                fact = fact.within(node, _UNTOLD)
            case s.Loop(_, limit):
                slots = self.game.rules[self.rule].slots
                fact = fact.within(node, self.types.number(limit, slots).high)
        return ((body, fact) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Often, ends: list[_Often]) -> _Often:
        match node:
            case s.Assign(number, _, e.Arith("+" | "-" as op, e.Var(base), e.Const(int(by)))):
                variable, total = self.game.variables[number], fact.times * abs(by)
                too_often = variable.high - variable.low < total < _UNTOLD
                if base == variable.base and variable.each is None and too_often:
                    way = 1 if (op == "+") == (by > 0) else -1
                    self.found.setdefault(
                        number, _too_often(variable, node, fact.path, way * total)
                    )
            case s.Do(rule) if len(fact.path) < _DEEPEST and not self._is_within(rule, fact):
                self.enter(rule, fact.within(node, 1))
        return fact

    def _is_within(self, rule: int, fact: _Often) -> bool:
        calls = (one.rule for one in fact.path if isinstance(one, s.Do))
        return rule == self.game.round or rule in calls

    def join(self, fact: _Often, other: _Often) -> _Often:
        return other if other.times > fact.times else fact


def _compared_variables(game: Game) -> Iterator[int]:
    """The variables that any condition of the rules reads."""
    bases = {one.base: number for number, one in enumerate(game.variables)}
    for node in parts((game.rules, game.defines, game.forbids, game.terms), e.Compare):
        for var in parts(node, e.Var):
            if var.base in bases:
                yield bases[var.base]


def _beyond(game: Game, types: Inference, rule: d.RuleInfo, node: s.Assign) -> Problem | None:
    """Whether a value's bounds exceed those of the variable; steps of counters are not checked
    here.
    """
    variable, found = game.variables[node.variable], types.of(node.value, rule.slots)
    reads = {var.base for var in parts(node.value, e.Var)}
    if not isinstance(found, t.Number) or variable.base in reads:
        return None
    fits = variable.low <= found.low and found.high <= variable.high
    if fits or found.low <= -_UNTOLD or found.high >= _UNTOLD:
        return None
    text = f"This is from {found.low} to {found.high}, but {_range(variable)}."
    low, high = min(found.low, variable.low), max(found.high, variable.high)
    return _problem(variable, node, text, low, high)


def _too_often(
    variable: d.Variable, node: s.Assign, path: tuple[s.Statement, ...], total: int
) -> Problem:
    way = "go up" if total > 0 else "go down"
    text = (
        f"In one round it can {way} by {abs(total)}, but {_range(variable)}."
        " Add a condition, or widen the range:"
    )
    labels = tuple(Label(one.span, "on the way") for one in path if one.span is not None)
    low, high = variable.low + min(total, 0), variable.high + max(total, 0)
    return _problem(variable, node, text, low, high, labels)


def _range(variable: d.Variable) -> str:
    return f"`{variable.name}` is from {variable.low} to {variable.high}"


def _problem(
    variable: d.Variable,
    node: s.Assign,
    text: str,
    low: int,
    high: int,
    labels: tuple[Label, ...] = (),
) -> Problem:
    each = f" for each {variable.each.name}" if variable.each is not None else ""
    hint = f"variable {variable.name}{each}: {low} to {high}"
    title = f"`{variable.name}` can leave its range"
    return Problem("W903", title, node.span, text, hint, "warning", labels)
