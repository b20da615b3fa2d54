"""Warnings of options that change nothing and of cards that are worse than others."""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts

SHEET = 'language 2\ngame hops "Hops"\n  rules hops\n  deck shop: frogs\n'
RULES = """\
language 2
module hops
players ann, ben
resource coins, seeds
option hats: plain or tall
card frog
  cost: cost
  legs: number
zone shop: frog, face up

rule setup
  each player: gain 9 coins and 9 seeds

rule round
  each player
    choose frog in cards on shop
    forbid too_dear: not can pay cost of frog
    pay cost of frog
    put frog on shop
    if option hats is tall: gain 1 coins
  if your_end: end game

define your_end: any (p in players where coins of p is 0)

score coins: your coins
"""
CARDS = """\
language: 2
set: frogs
kind: frog
cards:
  - {id: green, name: {en: Green}, cost: 2 coins, legs: 4}
  - {id: red, name: {en: Red}, cost: %s, legs: %s}
"""


def warnings(rules: str, cost: str, legs: int = 4) -> list[str]:
    files = {"hops.targi": SHEET, "hops/01.targi": rules, "hops/frogs.yaml": CARDS % (cost, legs)}
    _, problems = check("hops", of_texts(files))
    assert not [one for one in problems if one.severity == "error"], problems
    return [f"{one.code} {one.title}" for one in problems if one.code in ("W924", "W925")]


def test_an_option_that_nothing_asks_for_changes_nothing() -> None:
    idle = RULES.replace("    if option hats is tall: gain 1 coins\n", "")
    assert warnings(idle, "1 seeds") == ["W924 the option `hats` changes nothing"]
    assert warnings(RULES, "1 seeds") == []


@pytest.mark.parametrize(
    ("cost", "worse"),
    [
        ("3 coins", "red"),
        ("2 coins and 1 seeds", "red"),
        ("1 coins", "green"),
        ("1 coins or 5 seeds", "green"),
        ("3 coins or 4 coins", "red"),
        ("2 coins", ""),
        ("1 seeds", ""),
        ("1 coins and 1 seeds", ""),
        ("3 coins or 1 seeds", ""),
    ],
)
def test_a_card_that_costs_more_and_says_the_same_is_worse(cost: str, worse: str) -> None:
    better = "green" if worse == "red" else "red"
    told = f"W925 `{worse}` is worse than `{better}` in every way"
    assert warnings(RULES, cost) == ([told] if worse else [])


def test_a_card_that_says_something_else_is_not() -> None:
    assert warnings(RULES, "3 coins", 5) == []
