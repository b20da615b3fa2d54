"""Impossible numbers: comparisons with them give a warning, arguments an error."""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problem
from tests.small_game import FILES, RULES

MODULE = "pond/pond.targi"

MORE = """
define lines of r (1 to 2): count of cards on row r of your garden
rule walk with steps (1 to 3)
  gain (steps) twigs
"""


def problems(line: str) -> tuple[Problem, ...]:
    return check("pond", of_texts({**FILES, MODULE: f"{RULES}{MORE}{line}\n"}))[1]


@pytest.mark.parametrize(
    ("condition", "outcome", "why"),
    [
        ("day is 21", "never", "`day` is 0 to 20"),
        ("day is not 21", "always", "`day` is 0 to 20"),
        ("day is at least 21", "never", "`day` is 0 to 20"),
        ("day is at least 0", "always", "`day` is 0 to 20"),
        ("day is at most 20", "always", "`day` is 0 to 20"),
        ("day is more than 20", "never", "`day` is 0 to 20"),
        ("day is less than 0", "never", "`day` is 0 to 20"),
        ("visits of you is 100", "never", "`visits of you` is 0 to 99"),
        ("column of s is 9", "never", ""),
        ("number of s is 9", "never", ""),
        ("any heron", "always", "`heron` includes pieces off the board"),
        ("no your frog", "never", "`your frog` includes pieces off the board"),
        ("no frog of opponent", "never", ""),
    ],
)
def test_a_condition_that_is_certain_is_warned_of(condition: str, outcome: str, why: str) -> None:
    (warning,) = problems(f"define odd of s (garden): 1 if {condition}")
    assert (warning.code, warning.severity) == ("W905", "warning")
    assert warning.title == f"this {outcome} holds"
    assert warning.span is not None and warning.span.text == condition
    assert why in warning.text


@pytest.mark.parametrize(
    "condition",
    [
        "day is 20",
        "day is at least 1",
        "visits of you is 99",
        "column of s is 2",
        "day is most_plans",
        "any heron on shore",
        "no your frog on shore",
    ],
)
def test_one_that_is_not_certain_is_not(condition: str) -> None:
    assert problems(f"define odd of s (garden): 1 if {condition}") == ()


@pytest.mark.parametrize(
    ("line", "code", "marked", "text"),
    [
        ("define odd: count of row 3 of your garden", "E205", "3", "numbered 1 to 2"),
        ("define odd: number of space 7 of shore", "E205", "7", "numbered 1 to 6"),
        ("define odd: lines of 3", "E303", "3", "a number from 1 to 2"),
        ("rule odd\n  do walk with 4", "E303", "4", "a number from 1 to 3"),
    ],
)
def test_a_number_that_is_nowhere_is_refused(line: str, code: str, marked: str, text: str) -> None:
    (fault,) = problems(line)
    assert fault.span is not None
    assert (fault.code, fault.span.text) == (code, marked)
    assert text in fault.text
