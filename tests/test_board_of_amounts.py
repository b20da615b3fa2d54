"""A board with one resource on its spaces is drawn as a board, with the numbers that lie there."""

from __future__ import annotations

import pytest

from targi_dsl import Seed, load, start
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.ink import render_line
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import Form, screen
from targi_dsl.view.words import Words
from tests.texts import game_text

RULES = game_text("flies.targi")
SHEET = 'language 2\ngame pond "Pond"\n  rules pond\n'


def lines(shape: str, resources: str = "flies", rules: str = RULES) -> list[str]:
    """The table at the end of the game."""
    rules = rules.format(shape=shape, resources=resources, first=resources.partition(",")[0])
    game = load("pond", of_texts({"pond/pond.targi": rules, "pond.targi": SHEET}))
    view = scene_of(start(game, Seed(0)), Words(game))
    return [render_line(one, colour=False, plain=False) for one in screen(view, Form.TWO_LINES)]


BOARDS = {
    "grid 2 by 3": ["  a    b    c", "1 2A   ·    ·", "2 ·    12   ·"],
    "hex 2 by 2": ["  a   b", "1 2A  ·", "2   ·   12", "      a   b"],
}


@pytest.mark.parametrize("shape", BOARDS)
def test_numbers_of_one_resource_lie_on_a_board_beside_the_pieces(shape: str) -> None:
    drawn = [*BOARDS[shape], "number: flies"]
    assert lines(shape)[: len(drawn)] == drawn


def test_several_resources_are_told_by_name_in_cells() -> None:
    said = lines("grid 2 by 3", "flies, worms")
    assert said[0].startswith("a1") and "2 flies" in said[0]


def test_a_number_of_a_space_is_told_at_zero_only_if_it_begins_with_another() -> None:
    declared = (
        "variable mud for each field: 0 to 9\nvariable moss for each field: 0 to 9, starts as 1"
    )
    setup = "rule setup\n  set mud of field to 0\n  set moss of field to 0"
    rules = RULES.replace("rule setup", f"{declared}\n{setup}")
    said = lines("grid 2 by 2", rules=rules)
    assert "moss 0" in " ".join(said) and "mud" not in " ".join(said)


@pytest.mark.parametrize("condition", ["no heap", "any heap"])
def test_whether_there_are_spaces_is_certain(condition: str) -> None:
    sheet = f"language 2\ngame own based on nim\nextend rule round\n  if {condition}: end game\n"
    _, problems = check("own", of_texts({"own.targi": sheet}))
    assert ("W905", 4) in [(one.code, one.span.line) for one in problems if one.span]
