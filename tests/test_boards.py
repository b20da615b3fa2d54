"""Boards: spaces by name, directions, diagonals, hexagons, spots, reachable spaces, lines."""

from __future__ import annotations

import pytest

from targi_dsl import Seed, result, start
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts

RULES = """\
language 2
module trial "Trial"
players ann, ben
space field: {shape}
space ring: ring of 5
space line: row of 4
space spots: 4 spots
space yard for each player: grid 2 by 2
relation hop on spots: 1 to 2, 2 to 3, 3 to 4
set wall: field b1, b2
piece stone: 9 for each player
piece walker: 1
rule setup
  {setup}
rule round
  end game
score found: {score}
"""
FAR = """\
define far of s (field): neighbours of neighbours of s plus neighbours of s
"""
SHEET = 'language 2\ngame trial "Trial"\n  rules trial\n'


def texts(score: str, shape: str = "grid 3 by 3", setup: str = "nothing") -> dict[str, str]:
    """A game that ends at once, with these counts."""
    rules = RULES.format(shape=shape, score=score, setup=setup)
    return {"trial/trial.targi": rules, "trial.targi": SHEET}


def found(score: str, shape: str = "grid 3 by 3", setup: str = "nothing") -> int:
    """The value of an expression for the first player."""
    return result(start(load("trial", of_texts(texts(score, shape, setup))), Seed(0))).scores[0]


def refused(score: str, shape: str = "grid 3 by 3") -> list[tuple[str, str, str]]:
    """The codes, titles and hints of the problems."""
    return [
        (one.code, one.title, one.hint) for one in check("./trial.targi", texts(score, shape))[1]
    ]


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("number of field b2", 5),
        ("number of ring 4", 4),
        ("number of yard b1 of you", 2),
        ("number of yard a2 of opponent", 3),
        ("1 if owner of yard a2 of opponent is opponent", 1),
        ("number of next of ring 5", 1),
        ("number of upper_left of field b2", 1),
        ("number of lower_right of field b2", 9),
        ("number of upper_right of field c3", 0),
        ("count of neighbours of field b2", 4),
        ("count of directions of field b2", 4),
        ("count of directions of field a1", 2),
        ("sum of number of way of field b2 for (way in directions of field b2)", 20),
        ("count of direction", 8),
        ("count of directions of ring 1", 0),
        ("count of hop of spots 4", 0),
    ],
)
def test_a_space_is_found_by_its_name_and_from_there_by_direction(
    score: str, expected: int
) -> None:
    assert found(score) == expected


@pytest.mark.parametrize(
    ("shape", "neighbours", "ways"),
    [("grid 3 by 3", 4, 4), ("grid 3 by 3 with diagonals", 8, 8), ("hex 3 by 3", 6, 6)],
)
def test_neighbours_follow_from_the_shape(shape: str, neighbours: int, ways: int) -> None:
    assert found("count of neighbours of field b2", shape) == neighbours
    assert found("count of directions of field b2", shape) == ways


def test_the_rows_of_a_hex_board_lie_half_a_space_further_right_than_those_above() -> None:
    assert found("number of upper_right of field b2", "hex 3 by 3") == 3
    assert found("number of lower_left of field b2", "hex 3 by 3") == 7
    assert found("number of lower_right of field b2", "hex 3 by 3") == 8
    assert refused("number of above of field b2", "hex 3 by 3") == [
        ("E201", "`field` has no `above`", "")
    ]


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("reached from field a1 by neighbours within field", 9),
        ("reached from field a1 by right within field", 3),
        ("reached from field a1 by right within wall", 1),
        ("reached from field a1 by neighbours within wall", 2),
        ("reached from field a1 by neighbours within (field except wall)", 7),
        ("reached from field a1 by right within (field except wall)", 1),
        ("reached from field a1 by neighbours within (field a1 plus field c3)", 1),
        ("reached from (field a1 plus field c3) by below within (field except wall)", 4),
        ("reached from spots 2 by hop within spots", 3),
        ("reached from ring 3 by next within ring", 5),
        ("reached from field b2 by far within field", 9),
        ("(s in field where any (w in directions of s where w of s is field b2))", 4),
        ("reached from nothing by next within ring", 0),
    ],
)
def test_what_steps_reach(score: str, expected: int) -> None:
    rules = texts(f"count of ({score})")
    rules["trial/trial.targi"] += FAR
    state = start(load("trial", of_texts(rules)), Seed(0))
    assert result(state).scores[0] == expected


@pytest.mark.parametrize(
    ("where", "shape", "expected"),
    [
        ("row 2 of field", "grid 3 by 5", 5),
        ("column 2 of field", "grid 3 by 5", 3),
        ("(field a1 plus field b2 plus field c3)", "grid 3 by 5", 3),
        ("(field c1 plus field b2 plus field a3)", "grid 3 by 5", 3),
        ("(field a1 plus field c1 plus field d1)", "grid 3 by 5", 2),
        ("(field a1 plus field c2)", "grid 3 by 5", 1),
        ("(field a1 plus field b2 plus field c3)", "hex 3 by 3", 1),
        ("(field c1 plus field b2 plus field a3)", "hex 3 by 3", 3),
        ("(s in field where no s within field)", "grid 3 by 5", 0),
        ("ring", "grid 3 by 5", 5),
        ("(ring 1 plus ring 2 plus ring 5)", "grid 3 by 5", 3),
        ("(line 1 plus line 2 plus line 4)", "grid 3 by 5", 2),
        ("spots", "grid 3 by 5", 1),
    ],
)
def test_the_longest_line(where: str, shape: str, expected: int) -> None:
    assert found(f"longest line in {where}", shape) == expected


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("stone is on field", 1),
        ("stone is on field b2", 1),
        ("stone is not on field a1", 1),
        ("your stone is on ring 3", 1),
        ("stone of opponent is on field plus ring", 0),
        ("first your stone is on field", 1),
        ("first stone of opponent is on field", 0),
        ("first stone of opponent is not on field", 1),
        ("walker is on line", 0),
        ("walker is on next of line 4", 0),
        ("walker is not on line 2 or no stone on field", 1),
    ],
)
def test_whether_a_piece_or_any_of_several_lies_there(condition: str, holds: int) -> None:
    setup = "turn of ann: place stone on field b2 then place stone on ring 3"
    assert found(f"1 if {condition} otherwise 0", setup=setup) == holds
