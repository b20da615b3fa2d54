"""Edges, corners and blocks of a grid as spaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl import choices, load, start, step
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
