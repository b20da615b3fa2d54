"""Warns of variables that can leave their declared range.

Two mistakes can be found before play: assigning a value whose bounds, inferred from declared
ranges, exceed those of the variable; and stepping a counter more often in one round than its
range allows. A rule that compares the variable is trusted to keep it in range, and so are
amounts, whose bounds say little.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.game import Game
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.light import dataclass

_DEEPEST = 60
"""How many nested rules are followed: each takes several calls of Python."""
_UNTOLD = 9999  # bounds this large come from amounts, or are not declared


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of a counter up or down, how often it happens in one round, and the calls that lead
    to it.
    """

    node: s.Assign
    by: int
    times: int
    path: tuple[s.Statement, ...]


@dataclass(slots=True)
class _Walk:
    """Traverses the rules in the order of a round."""

    game: Game
    types: Inference
    within: list[int] = field(default_factory=list)
    done: dict[int, int] = field(default_factory=dict)  # the highest count of each rule

    def steps(
        self, body: s.Block, rule: int, times: int, path: tuple[s.Statement, ...] = ()
    ) -> Iterator[_Step]:
        """Every step of a counter in a block, with the calls that lead to it."""
        for node in body:
            match node:
                case s.Assign(variable, _, e.Arith("+" | "-" as op, e.Var(base), e.Const(int(by)))):
                    if base == self.game.variables[variable].base:
                        yield _Step(node, by if op == "+" else -by, times, path)
                case s.If(_, then, otherwise):
                    yield from self.steps(then, rule, times, path)
                    yield from self.steps(otherwise, rule, times, path)
                case s.Each(_, within, inner):
                    size = self.types.size(within)
                    yield from self.steps(inner, rule, times * size, (*path, node))
                case s.EachPlayer(_, _, inner):
                    count = len(self.game.players)
                    yield from self.steps(inner, rule, times * count, (*path, node))
                case s.TurnOf(_, _, inner):
                    yield from self.steps(inner, rule, times, (*path, node))
                case s.Until(_, _, inner):
                    yield from self.steps(inner, rule, times * _UNTOLD, (*path, node))
                case s.Loop(_, limit, inner):
                    most = self.types.number(limit, self.game.rules[rule].slots).high
                    yield from self.steps(inner, rule, times * most, (*path, node))
                case s.Ask(_, alternatives, otherwise):
                    for way in alternatives:
                        yield from self.steps(way.body, rule, times, path)
                    yield from self.steps(otherwise, rule, times, path)
                case s.Do(called, _) if self._goes_into(called, times):
                    self.within.append(called)
                    body_ = self.game.rules[called].body
                    yield from self.steps(body_, called, times, (*path, node))
                    self.within.pop()

    def _goes_into(self, rule: int, times: int) -> bool:
        """Whether walking a rule this often can find anything new, so that mutually recursive
        rules are walked in little time.
        """
        if (
            len(self.within) >= _DEEPEST
            or rule in self.within
            or self.done.get(rule, 0) >= min(times, _UNTOLD)
        ):
            return False
        self.done[rule] = min(times, _UNTOLD)
        return True


def warnings(game: Game) -> Iterator[Problem]:
    """A warning for each variable that can leave its range."""
    types, found = Inference(game), dict[int, Problem]()
    for rule in game.rules:
        for node in rule.every(s.Assign):
            if (problem := _beyond(game, types, rule, node)) is not None:
                found.setdefault(node.variable, problem)
    round_ = game.rules[game.round]
    for step in _Walk(game, types, [game.round]).steps(round_.body, game.round, 1):
        variable, total = game.variables[step.node.variable], step.times * abs(step.by)
        if variable.each is None and variable.high - variable.low < total < _UNTOLD:
            found.setdefault(step.node.variable, _too_often(game, step, total))
    compared = frozenset(_compared(game)) if found else ()
    return (problem for number, problem in found.items() if number not in compared)


def _compared(game: Game) -> Iterator[int]:
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
    title = f"`{variable.name}` can leave its range"
    text = f"This is from {found.low} to {found.high}, but {_range(variable)}."
    low, high = min(found.low, variable.low), max(found.high, variable.high)
    return Problem("W903", title, node.span, text, _hint(variable, low, high), "warning")


def _too_often(game: Game, step: _Step, total: int) -> Problem:
    variable = game.variables[step.node.variable]
    way = "go up" if step.by > 0 else "go down"
    text = (
        f"In one round it can {way} by {total}, but {_range(variable)}."
        " Add a condition, or widen the range:"
    )
    high = variable.high + total if step.by > 0 else variable.high
    low = variable.low if step.by > 0 else variable.low - total
    labels = tuple(Label(one.span, "on the way") for one in step.path if one.span is not None)
    title = f"`{variable.name}` can leave its range"
    return Problem(
        "W903", title, step.node.span, text, _hint(variable, low, high), "warning", labels
    )


def _range(variable: d.Variable) -> str:
    return f"`{variable.name}` is from {variable.low} to {variable.high}"


def _hint(variable: d.Variable, low: int, high: int) -> str:
    each = f" for each {variable.each.name}" if variable.each is not None else ""
    return f"variable {variable.name}{each}: {low} to {high}"
