"""Totals in rules, lists of values, and definitions that are asked for another player."""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed

SHEET = """\
language 2
game purse "A purse"
players ann, ben
resource coins, gems
card coin
  worth: 1 to 3
score wealth: your coins + 2 * your gems
score luck: 5 if your gems is more than 2
define rich of k (number): your coins is at least k
rule setup
  each player: gain 4 coins
  ben gains 3 gems
"""


def coins(condition: str) -> int:
    """What ann has, who gains 10 coins if the condition holds in her turn."""
    rules = f"rule round\n  turn of ann\n    if {condition}: gain 10 coins\n  end game\n"
    return result(start(load("purse", {"purse.targi": SHEET + rules}), Seed(1))).breakdown[0][
        "wealth"
    ]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("your total is 4", True),
        ("total of ben is 15", True),
        ("total of luck of ben is 5", True),
        ("total of wealth of opponent is 10 and total of your luck is 0", True),
        ("your coins is one of 1, 3, 4", True),
        ("your coins is not one of 1, 3, 4", False),
        ("opponent is one of ann, ben", True),
        ("your coins is even and gems of ben is odd", True),
        ("your coins is not even", False),
        ("remainder of (7 - 10) by 4 is 1 and remainder of 7 by 0 is 0", True),
        ("count of (1, 4..6, 4) is 4", True),
        ("rich of (4, opponent) and not rich of (5, ben)", True),
    ],
)
def test_a_condition_holds_as_it_reads(condition: str, holds: bool) -> None:
    assert coins(condition) == (14 if holds else 4)


def test_a_score_cannot_need_the_total_that_it_is_part_of() -> None:
    text = SHEET.replace("5 if", "your total if") + "rule round\n  end game\n"
    problems = check("purse", of_texts({"purse.targi": text}))[1]
    assert [one.code for one in problems] == ["E310"]


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("score of ben is 15", "total of ben"),
        ("your score is 15", "your total"),
        ("luck of ben is 5", "total of luck of ben"),
    ],
)
def test_a_score_is_asked_for_as_a_total(written: str, hint: str) -> None:
    text = f"{SHEET}rule round\n  turn of ann: if {written}: end game\n"
    (problem,) = check("purse", of_texts({"purse.targi": text}))[1]
    assert (problem.code, problem.hint) == ("E201", hint)
