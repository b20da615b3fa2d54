"""A module that is based on another replaces a line of a rule, or makes it conditional."""

from __future__ import annotations

import pytest

from targi_dsl import choices, result, start, step
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed

MODULE = """\
language 2
module walk
players ann, ben
resource coins
score coins: your coins
rule setup
  nothing
rule round
  turn of ann
    do rest
    one of
      walk as "walk on": gain 1 coins
      stay: gain 2 coins
  end game
rule rest
  gain 10 coins
"""
SHEET = 'language 2\ngame walk "A walk"\n  rules walk + detour\n'


def files(change: str) -> dict[str, str]:
    detour = f"language 2\nmodule detour based on walk\n{change}\n"
    return {"walk/walk.targi": MODULE, "detour/detour.targi": detour, "walk.targi": SHEET}


@pytest.mark.parametrize(
    ("change", "coins"),
    [
        ("extend rule round instead of rest\n  nothing", 1),
        ("extend rule round instead of rest\n  if your coins is 1: do rest", 1),
        ("extend rule round instead of rest\n  if your coins is 0: do rest", 11),
        ("extend rule round instead of rest\n  do rest\n  do rest", 21),
        ("extend rule round instead of walk\n  gain 5 coins", 15),
    ],
)
def test_what_replaces_a_line_is_done_in_its_place(change: str, coins: int) -> None:
    state = start(load("walk", files(change)), Seed(1))
    assert [one.id for one in choices(state)] == ["walk", "stay"]
    assert result(step(state, choices(state)[0])).scores[0] == coins


def test_an_alternative_is_replaced_by_others() -> None:
    change = "extend rule round instead of walk offering\n  run: gain 7 coins\n  nothing"
    state = start(load("walk", files(change)), Seed(1))
    assert [one.id for one in choices(state)] == ["run", "nothing", "stay"]


def test_only_a_named_part_is_replaced() -> None:
    (problem,) = check("walk", of_texts(files("extend rule round instead of wlk\n  nothing")))[1]
    assert (problem.code, problem.hint) == ("E404", "Did you mean `walk`?")
