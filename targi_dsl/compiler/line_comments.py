"""The comments on steps of rules, and those that say why a game ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from targi_dsl.compiler.bodies import inner_blocks
from targi_dsl.compiler.declarations import declaration_at
from targi_dsl.ir import statements as s
from targi_dsl.ir.game import Game
from targi_dsl.syntax import Line, line_at
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span


class Step(NamedTuple):
    """A statement, and the `if`s that it depends on, outermost first."""

    statement: n.Statement
    conditions: tuple[n.If, ...] = ()

    @property
    def line(self) -> Line | None:
        """The line that it stands on."""
        return line_at(self.statement.span)

    def comment(self) -> str:
        """The comment behind its line, or else behind that of its condition; or nothing."""
        found = [self.line, *(line_at(one.span) for one in reversed(self.conditions))]
        lines = [*dict.fromkeys(line for line in found if line is not None)]
        return next((line.beside[-1][1:].strip() for line in lines[:2] if line.beside), "")


def steps(block: tuple[n.Node, ...], conditions: tuple[n.If, ...] = ()) -> Iterator[Step]:
    """Every statement of a block and within it, each before those that it governs."""
    for part in block:
        if isinstance(part, n.Statement):
            yield Step(part, conditions)
        match part:
            case n.If(_, then, otherwise):
                yield from steps(then, (*conditions, part))
                yield from steps(otherwise, conditions)
            case n.By(_, done):
                yield from steps((done,), conditions)
            case _ if isinstance(part, n.Statement | n.Alternative):
                for _, inner in inner_blocks(part):
                    yield from steps(inner, conditions)
            case _:
                pass


def step_at(span: Span) -> Step | None:
    """The innermost statement at a span; None if that is in a file of cards."""
    match declaration_at(span):
        case n.Rule(body=body) | n.Replace(n.Rule(body=body)) | n.ExtendRule(body=body):
            around = (one for one in steps(body) if _covers(one.statement.span, span))
        case n.ExtendAction(body=body):
            around = (one for one in steps(body) if _covers(one.statement.span, span))
        case _:
            return None
    return min(around, key=_length, default=None)


def _length(step: Step) -> int:
    return step.statement.span.last - step.statement.span.first


def _covers(outer: Span, inner: Span) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


def of_ends(game: Game) -> Iterator[str]:
    """The comments that say why a game ends: those on lines that end it, and where such a line has
    neither a comment nor a condition, those on the calls of its rule.
    """
    pending, seen = [*_steps(game, s.EndGame)], set[int]()
    calls = [*_steps(game, s.Do)]
    while pending:
        rule, _, step = pending.pop()
        if comment := step.comment():
            yield comment
        elif rule not in seen and not step.conditions:
            seen.add(rule)
            pending += [one for one in calls if game.rules[rule].declared == one[1]]


def _steps(game: Game, of: type[s.EndGame] | type[s.Do]) -> Iterator[tuple[int, str, Step]]:
    """Every statement of a class: its rule, the rule that it calls, and where it stands."""
    for number, rule in enumerate(game.rules):
        for one in rule.every(of):
            called = game.rules[one.rule].declared
            if one.span is not None and (step := step_at(one.span)) is not None:
                yield number, called, step
