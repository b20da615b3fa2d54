"""Optional parentheses: a phrase with one possible reading has that reading."""

from __future__ import annotations

import re

import pytest

from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problem
from tests.small_game import FILES, RULES
from tests.work import work_of

MODULE = "pond/pond.targi"

MORE = """
zone market: plan
zone chest for each player: plan, seen by owner
variable target: shore, starts as nothing
define best of s (space): highest worth of c for (c in cards on s)
rule settle with owed (number), size (number)
  gain (owed) twigs
  gain (size) fame
rule pay_for with price (cost)
  pay price
"""

# What is written, and where its parentheses would stand.
PHRASES = [
    # of a single thing
    ("count of cards on s", "count of (cards on s)"),
    ("count of cards on s + 1", "count of (cards on s) + 1"),
    ("count of cards on s * 2", "(count of (cards on s)) * 2"),
    ("2 * count of cards on s", "2 * (count of (cards on s))"),
    ("count of cards on your garden", "count of (cards on (your garden))"),
    ("count of frog on s", "count of (frog on s)"),
    ("count of your frog on shore", "count of ((your frog) on shore)"),
    ("count of frog of opponent on shore", "count of ((frog of opponent) on shore)"),
    ("count of cards on reeds plus cards on s", "count of ((cards on reeds) plus (cards on s))"),
    ("count of cards on shore except cards on s", "count of ((cards on shore) except (cards on s))"),
    ("count of reeds plus over of s", "count of (reeds plus (over of s))"),
    ("count of shore except reeds except over of s", "count of ((shore except reeds) except (over of s))"),
    ("count of your hand plus your chest", "count of ((your hand) plus (your chest))"),
    ("count of 1..6", "count of (1..6)"),
    ("worth of card on s", "worth of (card on s)"),
    ("worth of card on first your garden", "worth of (card on (first (your garden)))"),
    ("worth of card on s + 1", "(worth of (card on s)) + 1"),
    ("worth of first cards on s", "worth of (first (cards on s))"),
    ("worth of top of market", "worth of (top of market)"),
    ("number of place of first your frog on shore", "number of (place of (first ((your frog) on shore)))"),
    ("number of first reeds except over of s", "number of (first (reeds except (over of s)))"),
    ("number of first your garden", "number of (first (your garden))"),
    ("sum of worth of card on x for (x in shore)", "sum of (worth of (card on x)) for (x in shore)"),
    ("sum of worth of c + 1 for (c in your hand)", "sum of ((worth of c) + 1) for (c in your hand)"),
    ("highest worth of card on x for (x in your garden)", "highest (worth of (card on x)) for (x in your garden)"),
    ("lowest worth of c * 2 for (c in your hand)", "lowest ((worth of c) * 2) for (c in your hand)"),
    ("different sort of card on x for (x in shore)", "different (sort of (card on x)) for (x in shore)"),
    ("sum of n for (n in 1..count of your hand + 1)", "sum of n for (n in 1..((count of your hand) + 1))"),
    ("sum of n for (n in 1..day - 1)", "sum of n for (n in 1..(day - 1))"),
    ("sum of n for (n in 1..day - 1 + 2)", "sum of n for (n in 1..((day - 1) + 2))"),
    ("number of space day + 1 of shore", "number of (space (day + 1) of shore)"),
    # conditions
    ("sort of card on s is reed", "(sort of (card on s)) is reed"),
    ("reed is sort of card on s", "reed is (sort of (card on s))"),
    ("any cards on s", "any (cards on s)"),
    ("no frog on s except your frog", "no ((frog on s) except (your frog))"),
    ("count of frog on s is count of cards on s", "(count of (frog on s)) is (count of (cards on s))"),
    ("owner of first frog on s is you", "(owner of (first (frog on s))) is you"),
    ("first frog on s is first your frog on s", "(first (frog on s)) is (first ((your frog) on s))"),
    ("card on s is in cards on reeds", "(card on s) is in (cards on reeds)"),
    ("first (your frog plus frog of opponent) on s is first your frog", "(first (((your frog) plus (frog of opponent)) on s)) is (first (your frog))"),
    ("any (first your frog) on s", "any ((first (your frog)) on s)"),
    ("place of first frog on shore is s", "(place of (first (frog on shore))) is s"),
    ("can pay cost of card on s", "can pay (cost of (card on s))"),
    ("can pay cost of first cards on s", "can pay (cost of (first (cards on s)))"),
    ("can do settle with (day + 1, 2 * day)", "can do settle with ((day + 1), (2 * day))"),
    ("every (c in cards on s) satisfies worth of c is 2", "every (c in (cards on s)) satisfies ((worth of c) is 2)"),
    ("not any cards on s and no frog on s", "(not (any (cards on s))) and (no (frog on s))"),
    # steps
    ("put card on s on market", "put (card on s) on market"),
    ("put cards on s on market, face down", "put (cards on s) on market, face down"),
    ("put card on s under market", "put (card on s) under market"),
    ("put top of market on place of first your frog on shore", "put (top of market) on (place of (first ((your frog) on shore)))"),
    ("put cards on reeds on plan_waste", "put (cards on reeds) on plan_waste"),
    ("put first cards on s on market", "put (first (cards on s)) on market"),
    ("move heron to first over of s", "move heron to (first (over of s))"),
    ("move heron to space day + 1 of shore", "move heron to (space (day + 1) of shore)"),
    ("move first frog on s to next of s", "move (first (frog on s)) to (next of s)"),
    ("place frog on first shore except reeds", "place frog on (first (shore except reeds))"),
    ("remove first your frog on reeds", "remove (first ((your frog) on reeds))"),
    ("do settle with day + 1, 2 * day", "do settle with (day + 1), (2 * day)"),
    ("do settle with count of cards on s, worth of card on s", "do settle with (count of (cards on s)), (worth of (card on s))"),
    ("do action of card on s", "do action of (card on s)"),
    ("do action of first cards on s", "do action of (first (cards on s))"),
    ("do pay_for with cost of card on s", "do pay_for with (cost of (card on s))"),
    ("pay cost of card on s", "pay cost of (card on s)"),
    ("turn cards on s plus cards on reeds face up", "turn ((cards on s) plus (cards on reeds)) face up"),
    ("reveal your hand plus your chest", "reveal ((your hand) plus (your chest))"),
    ("set target to first reeds except over of s", "set target to (first (reeds except (over of s)))"),
    ("set day to count of cards on s", "set day to (count of (cards on s))"),
    ("choose x in reeds plus over of s", "choose x in (reeds plus (over of s))"),
    ("choose n in 1..count of your hand - 1", "choose n in 1..((count of your hand) - 1)"),
    ("let x be first reeds except over of s", "let x be first (reeds except (over of s))"),
]  # fmt: skip


STEPS = ("put", "move", "place", "remove", "do", "pay", "turn", "reveal", "set", "let", "choose")
CONDITION = re.compile(r"\b(is|any|no|can)\b")


def line_with(phrase: str, number: int = 0) -> str:
    """A definition with a phrase, or a rule if it is a step."""
    if phrase.startswith(STEPS) and not phrase.startswith("place of"):
        return f"rule tried_{number} with s (shore)\n  {phrase}\n"
    value = f"1 if {phrase}" if CONDITION.search(phrase) else phrase
    return f"define tried_{number} of s (shore): {value}\n"


def with_line(line: str) -> dict[str, str]:
    return {**FILES, MODULE: RULES + MORE + line}


def faults(phrase: str) -> list[Problem]:
    _, problems = check("pond", of_texts(with_line(line_with(phrase))))
    return [one for one in problems if one.severity == "error"]


def test_phrases_with_one_sensible_reading_have_that_one() -> None:
    assert len(PHRASES) >= 60
    as_written, in_parentheses = (
        "".join(line_with(pair[side], at) for at, pair in enumerate(PHRASES)) for side in (0, 1)
    )
    assert as_written.count("(") < in_parentheses.count("(") / 2
    read, meant = (load("pond", of_texts(with_line(one))) for one in (as_written, in_parentheses))
    assert [(one.name, one.value) for one in read.defines] == [
        (one.name, one.value) for one in meant.defines
    ]
    assert read.hash == meant.hash


@pytest.mark.parametrize(
    "phrase",
    [
        "count of " * 30 + "reeds" + " plus reeds" * 30,
        "place of " * 60 + "frog on shore",
        "count of " * 30 + "nowhere" + " plus reeds" * 30 + " on shore",
    ],
)
def test_long_phrases_are_read_in_bounded_work(phrase: str) -> None:
    found: list[Problem] = []
    assert work_of(lambda: found.extend(faults(phrase))) < 3_000_000
    assert len(found) == 1
