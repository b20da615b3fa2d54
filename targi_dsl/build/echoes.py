"""Problems that only follow from others, and unknown names that another module or card set has."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Container

from targi_dsl.build.sheets import Written
from targi_dsl.problems import Problem

_UNKNOWN = ("E201", "E402", "E404", "E410", "E528", "E529")


def with_source(problem: Problem, elsewhere: dict[str, str], own: Container[str]) -> Problem:
    """The problem of an unknown name with the module or card set that has it."""
    if problem.code in _UNKNOWN and problem.severity == "error":
        for name in re.findall(r"`([a-z][a-z0-9_]*)`", problem.title):
            if elsewhere.get(name) and name not in own:
                return dataclasses.replace(problem, hint=elsewhere[name])
    return problem


def is_echo(problem: Problem, written: Written) -> bool:
    """Whether a problem only follows from something that could not be read, which has been told."""
    if written.cut and problem.code in ("E201", "E210", "E211", "E402", "W901"):
        return True
    if written.cardless and problem.title.startswith("unknown rule"):
        return True
    if not written.lost:
        return False
    names = set(re.findall(r"`([a-z][a-z0-9_]*)`", problem.title))
    return problem.code in ("E210", "E211") or bool(written.lost & names)
