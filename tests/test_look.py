"""The look of things: how it is declared, how modules change it, and where it appears."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import targi_dsl
from targi_dsl import Seed, load, start
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.picture import svg
from targi_dsl.display.picture.svg import paint
from targi_dsl.display.scene import scene_of
from targi_dsl.ir.look import COLOURS, SHAPES, Look, Shape
from targi_dsl.view.equipment import equipment
from targi_dsl.view.words import Words

RULES = """language 2
module camp
players red, oak
resource wood
values bark: smooth, rough
card log
  bark: bark
  worth: 1 to 3
space site: row of 3
zone heap: log
piece tent: 2 for each player
piece dog: 1
rule setup
  nothing
rule round
  end game
score wood: your wood
"""
SHEET = 'language 2\ngame camp "Camp"\n  rules camp\n'
LOOK = """
look
  wood: symbol "▲", letter "W", colour brown, shape hexagon
  log: colour brown, shows worth, bark
  oak: colour violet, letter "K"
  dog: colour amber
"""


def texts(look: str = LOOK, more: str = "") -> dict[str, str]:
    files = {"camp.targi": SHEET, "camp/camp.targi": RULES + look}
    if more:
        files["camp.targi"] = SHEET.replace("rules camp", "rules camp + hut")
        files["hut/hut.targi"] = "language 2\nmodule hut based on camp\n" + more
    return files


def test_a_look_is_kept_by_name_and_is_no_part_of_what_is_played() -> None:
    game, plain = load("camp", of_texts(texts())), load("camp", of_texts(texts("")))
    assert game.look["wood"] == Look("▲", "W", "brown", "hexagon")
    assert game.look["log"].shows == ("worth", "bark")
    assert game.hash == plain.hash and not plain.look


def test_a_module_changes_single_parts_of_a_look_and_adds_others() -> None:
    more = "extend look\n  wood: colour green\n  tent: shape triangle\n"
    look = load("camp", of_texts(texts(more=more))).look
    assert look["wood"] == Look("▲", "W", "green", "hexagon")
    assert look["tent"].shape == "triangle" and look["dog"].colour == "amber"


def test_a_look_that_is_replaced_leaves_nothing_of_the_old_one() -> None:
    look = load("camp", of_texts(texts(more='replace look\n  dog: letter "D"\n'))).look
    assert dict(look) == {"dog": Look(letter="D")}


def test_the_screen_takes_colours_and_letters_from_the_look() -> None:
    game = load("camp", of_texts(texts()))
    scene = scene_of(start(game, Seed(0)), Words(game))
    assert scene.colours == {"red": "bright_red", "oak": "magenta"}
    assert (scene.marks["tent", "red"], scene.marks["tent", "oak"]) == ("[R]", "[K]")


def test_no_two_seats_have_one_colour() -> None:
    rules = RULES.replace("red, oak", "ada, bob, cy")
    look = "\nlook\n  cy: colour violet\n"
    files = {"camp.targi": SHEET, "camp/camp.targi": rules + look}
    game = load("camp", of_texts(files))
    colours = scene_of(start(game, Seed(0)), Words(game)).colours
    assert len({*colours.values()}) == 3 and colours["cy"] == "magenta"


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_can_be_said(colour: str) -> None:
    game = load("camp", of_texts(texts(f"\nlook\n  dog: colour {colour}\n")))
    assert game.look["dog"].colour == colour


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_can_be_said_and_is_drawn(shape: Shape) -> None:
    game = load("camp", of_texts(texts(f"\nlook\n  dog: shape {shape}\n")))
    assert game.look["dog"].shape == shape
    drawn = {one: svg.shape(one, paint("red"), 20).body for one in SHAPES}
    same = [one for one in SHAPES if drawn[one] == drawn[shape]]
    assert same == [shape] or {*same} == {"disc", "pit"}  # a pit is a disc with an edge around it


def test_the_shapes_of_the_grammar_are_those_that_are_drawn() -> None:
    grammar = Path(targi_dsl.__file__).with_name("syntax") / "grammar.lark"
    line = re.search("^!outline: (.*)$", grammar.read_text(encoding="utf-8"), re.MULTILINE)
    assert line is not None and {*re.findall(r"\w+", line[1])} == {*SHAPES}


def test_kinds_of_pieces_that_look_alike_have_marks_of_their_own() -> None:
    game = equipment(Words(load("checkers")))
    man, king = (svg.piece(game, kind, "white", 24).body for kind in ("man", "king"))
    assert ">K</text>" in king and "<text" not in man
