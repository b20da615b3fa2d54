"""The comments on lines of rules, and those that say why a game ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from targi_dsl.ir import statements as s
from targi_dsl.ir.game import Game
from targi_dsl.text.source import Span

_REMARK = re.compile(r'(?:"[^"]*"|[^"#])*# *(.+)')
"""A line with a comment behind it."""
_IF = re.compile(r" *(otherwise )?if ")


def of_line(lines: Sequence[str], number: int) -> str:
    """The comment behind a line, or else behind its condition; "" if there is none."""
    found = (_REMARK.match(lines[at]) for at in (number, *condition(lines, number)))
    return next((match[1].strip() for match in found if match), "")


def condition(lines: Sequence[str], number: int) -> tuple[int, ...]:
    """The line with the condition of a line; none if it is always carried out."""
    edge = indent(lines[number])
    for at in range(number - 1, 0, -1):
        if indent(lines[at]) < edge:
            edge = indent(lines[at])
            if _IF.match(lines[at]):
                return (at,)
    return ()


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def up_to(span: Span) -> list[str]:
    """The lines of a source up to where a span begins, without those that are empty or comments."""
    lines = span.source.text.split("\n")[: span.line]
    return [one for one in lines if one.strip() and not one.lstrip().startswith("#")]


def of_ends(game: Game) -> Iterator[str]:
    """The comments that say why a game ends: those on lines that end it, and where such a line has
    neither a comment nor a condition, those on the calls of its rule.
    """
    pending, seen = [*_lines(game, s.EndGame)], set[int]()
    calls = [*_lines(game, s.Do)]
    while pending:
        rule, _, lines = pending.pop()
        last = len(lines) - 1
        if comment := of_line(lines, last):
            yield comment
        elif rule not in seen and not (condition(lines, last) or _IF.match(lines[last])):
            seen.add(rule)
            pending += [one for one in calls if game.rules[rule].declared == one[1]]


def _lines(game: Game, of: type[s.EndGame] | type[s.Do]) -> Iterator[tuple[int, str, list[str]]]:
    """Every statement of a class: its rule, the rule that it calls, and the lines up to it."""
    for number, rule in enumerate(game.rules):
        for one in rule.every(of):
            called = game.rules[one.rule].declared
            if one.span is not None:
                yield number, called, up_to(one.span)
