"""Edges, corners and blocks of a grid as spaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl import choices, load, result, start, step
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.picture import picture
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from tests.commands import targi

SHEET = """\
language 2
game fences "Fences"
players ann, ben
space board: grid 2 by 4
space fence: edges of board
space post: corners of board
space half: blocks 2 by 2 of board
piece plank: 6 for each player
resource coins
score coins: your coins
rule setup
  nothing
"""
ROUND = """\
rule round
  each player
    choose f in (e in fence where no plank on e)
    place plank on f
    if no (e in fence where no plank on e) or no (p in your plank where place of p is nothing): end game
"""


def holds(condition: str) -> bool:
    rules = f"rule round\n  turn of ann\n    if {condition}: gain 1 coins\n  end game\n"
    return result(start(load("fences", {"fences.targi": SHEET + rules}), Seed(1))).scores[0] == 1


@pytest.mark.parametrize(
    "condition",
    [
        "count of fence is 22 and count of post is 15 and count of half is 2",
        "fence of board a1 is (fence ha1, fence ha2, fence va1, fence vb1)",
        "board of fence vc1 is (board b1, board c1) and board of fence ha1 is (board a1, board a1)",
        "post of fence ve2 is (post e2, post e3) and count of fence of post b2 is 4",
        "board of post b2 is (board a1, board b1, board a2, board b2)",
        "fence of board b1 within fence of board c1 is (fence vc1, fence vc1)",
        "fence of (board a1, board b1) within fence of board a2 is (fence ha2, fence ha2)",
        "next of fence ha1 is fence hb1 and previous of fence vb2 is fence vb1",
        "next of fence hd3 is nothing and next of fence va2 is nothing",
        "half of board b2 is half a1 and half of board c1 is half b1",
        "board of half b1 is (board c1, board d1, board c2, board d2)",
        "right of post a1 is post b1 and right of half a1 is half b1",
        "row of fence hb3 is 3 and column of fence hb3 is 2 and row of fence vd2 is 2",
        "longest line in (fence ha1, fence hb1, fence hd1) is 2",
    ],
)
def test_the_parts_of_a_grid_touch_as_they_lie(condition: str) -> None:
    assert holds(condition)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("space rail: edges of track", "space GRID: grid 8 by 8"),
        ("space rail: edges of fence", "space GRID: grid 8 by 8"),
        ("space rail: edges of bord", "space bord: grid 8 by 8"),
        ("space part: blocks 3 by 3 of board", "blocks 2 by 2 of board"),
        ("space rail for each player: edges of board", "space rail"),
    ],
)
def test_what_has_no_such_parts_is_refused(line: str, hint: str) -> None:
    text = f"{SHEET}{ROUND}space track: ring of 6\n{line}\n"
    (problem,) = check("fences", of_texts({"fences.targi": text}))[1]
    assert (problem.code, problem.hint) == ("E339", hint)


def test_a_grid_is_drawn_with_its_lines() -> None:
    state = start(load("fences", {"fences.targi": SHEET + ROUND}), Seed(1))
    state = step(state, choices(state)[0])
    assert picture(observe(state, "ann")).count("stroke-linecap") == 1


def test_the_screen_shows_the_lines(tmp_path: Path) -> None:
    sheet = tmp_path / "fences.targi"
    sheet.write_text(SHEET + ROUND)
    shown = targi("play", str(sheet), "--seed", "1", "--seat", "ben=random", answers="1\nquit\n")
    assert "   ·╌╌╌·╌╌╌·╌╌╌·╌╌╌·" in shown.out and "   ·───·" in shown.out
