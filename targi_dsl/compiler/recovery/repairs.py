"""Verifies repairs before they are shown: the game is checked again with all of them applied, and a
repair is dropped if its line still has an error that nothing else reports.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.edits import Edit, applied
from targi_dsl.text.source import Source

MOST = 50
"""The most repairs of a game that are verified; others are not shown."""


def check_repairs(
    problems: Sequence[Problem],
    check: Callable[[Mapping[Source, Source]], Sequence[Problem]],
) -> tuple[Problem, ...]:
    """The problems, without repairs that leave an error of their own on their line.

    `check` returns the problems of the game with some of its sources replaced.
    """
    tried = list(_apart(problems))
    if not tried:
        return tuple(map(_without_untried, problems))
    edits: dict[Source, list[Edit]] = defaultdict(list)
    for one in tried:
        edits[one.edits[0].span.source] += one.edits
    mended = {source: Source(source.name, applied(those)) for source, those in edits.items()}
    others = {(one.code, one.title) for one in problems if not one.edits}
    left = {
        (one.span.source.name, line)
        for one in check(mended)
        if one.span is not None and one.severity == "error" and (one.code, one.title) not in others
        for line in range(one.span.line, one.span.end_line + 1)
    }
    good = {id(one) for one in tried if not _lines(one, edits) & left}
    told = tuple(one if id(one) in good or not one.edits else _without(one) for one in problems)
    news = [one for one, before in zip(told, problems, strict=True) if one is not before]
    return check_repairs(told, check) if any(one.edits for one in news) else told


def _apart(problems: Sequence[Problem]) -> Iterator[Problem]:
    """The problems whose repairs are verified: no two touch each other."""
    taken: list[tuple[Source, int, int]] = []
    for one in problems:
        places = [(edit.span.source, edit.span.start, edit.span.end) for edit in one.edits]
        if places and len(taken) < MOST and not any(_meet(a, b) for a in places for b in taken):
            taken += places
            yield one


def _meet(one: tuple[Source, int, int], other: tuple[Source, int, int]) -> bool:
    return one[0] is other[0] and one[1] <= other[2] and other[1] <= one[2]


def _lines(problem: Problem, edits: Mapping[Source, Sequence[Edit]]) -> set[tuple[str, int]]:
    """The lines of a repair, numbered as after all repairs."""
    source = problem.edits[0].span.source
    lines = set[tuple[str, int]]()
    for edit in problem.edits:
        before = [one for one in edits[source] if one.span.start < edit.span.start]
        moved = sum(one.new.count("\n") - one.span.text.count("\n") for one in before)
        first = edit.span.line + moved
        lines |= {(source.name, first + at) for at in range(edit.new.count("\n") + 1)}
    return lines


def _without_untried(problem: Problem) -> Problem:
    return _without(problem) if problem.edits else problem


def _without(problem: Problem) -> Problem:
    """The problem without its repair."""
    if problem.unrepaired is not None:
        return problem.unrepaired
    text = f"{problem.text[:-1]}." if problem.text.endswith(":") else problem.text
    return replace(problem, text=text, hint="", edits=())
