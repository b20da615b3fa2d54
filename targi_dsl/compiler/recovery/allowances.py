"""Allowances: comments that suppress a warning and say why: `# allow W913: it is a joke`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Source

_ALLOWED = re.compile(r"# *allow (?P<code>W\d{3})\b(?:: *(?P<reason>\S.*))?")
_COMMENT = re.compile(r" *#")


def without_allowed(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems without warnings that a comment on their line, or directly above it, allows. A
    comment without a reason suppresses nothing.
    """
    for problem in problems:
        reasons = [*_allowances(problem)] if problem.severity == "warning" else []
        if not reasons:
            yield problem
        elif not any(reason for reason in reasons):
            hint = f"# allow {problem.code}: WHY"
            text = f"{problem.text} An allowance has a reason:"
            yield replace(problem, text=text, hint=hint, edits=())


def _allowances(problem: Problem) -> Iterator[str]:
    """The reasons of the comments that allow a warning; empty if one has no reason."""
    if problem.span is not None:
        for line in _lines(problem.span.source, problem.span.line):
            if (found := _ALLOWED.search(line)) is not None and found["code"] == problem.code:
                yield found["reason"] or ""


def _lines(source: Source, number: int) -> Iterator[str]:
    """A line, and the comment lines directly above it."""
    yield source.line(number)
    for above in range(number - 1, 0, -1):
        if not _COMMENT.match(line := source.line(above)):
            return
        yield line
