"""Problems that only follow from others, and unknown names that another module or card set has."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Container, Mapping

from targi_dsl.compiler.elsewhere import Elsewhere
from targi_dsl.compiler.sheets import Written
from targi_dsl.ir.model import Origin
from targi_dsl.text.diagnostics import Label, Problem

NAMES = re.compile(r"`([a-z][a-z0-9_]*)`")
"""Names in the title of a problem."""
_UNKNOWN = ("E201", "E402", "E404", "E410", "E528", "E529")
_UNKNOWN_IN_USE = ("E201", "E410", "E513", "E528", "E529")


def with_source(problem: Problem, elsewhere: Elsewhere, own: Container[str]) -> Problem:
    """The problem of an unknown name with the module or card set that has it."""
    if problem.code in _UNKNOWN and problem.severity == "error":
        for name in NAMES.findall(problem.title):
            if name not in own and (hint := elsewhere.hint(name)):
                return dataclasses.replace(problem, hint=hint)
    return problem


def with_removal(problem: Problem, gone: Mapping[str, Origin], own: Container[str]) -> Problem:
    """The problem of an unknown name with the removal that took it away."""
    if problem.code in _UNKNOWN_IN_USE and problem.severity == "error":
        for name in NAMES.findall(problem.title):
            span = gone[name].span if name in gone and name not in own else None
            if span is not None:
                label = Label(span, f"removed here, in module {gone[name].module}")
                text = "It has been removed, and is still used here."
                return dataclasses.replace(
                    problem, text=text, hint="", labels=(*problem.labels, label)
                )
    return problem


def is_echo(problem: Problem, written: Written) -> bool:
    """Whether a problem only follows from something that could not be read, which has been told."""
    if written.cut and problem.code in ("E201", "E210", "E211", "E402", "W901"):
        return True
    if written.cardless and problem.title.startswith("unknown rule"):
        return True
    if not written.lost:
        return False
    names = set(NAMES.findall(problem.title))
    return problem.code in ("E210", "E211") or bool(written.lost & names)
