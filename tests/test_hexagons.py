"""Cards on hexagons lie as the hexagons hold them, at a terminal and in pictures."""

from __future__ import annotations

import re

import pytest

from targi_dsl import Seed, State, load, observe, start
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.ink import plain_text
from targi_dsl.display.picture import picture
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import Form, screen
from targi_dsl.view.words import Words

CARDS = "\n".join(
    f"  - {{id: tile_{number}, name: {{en: Tile {letter}}}, height: {number}}}"
    for number, letter in enumerate("ABCDEF", 1)
)
TEXTS = {
    "meadow.targi": """\
language 2
game meadow "Meadow"
  rules meadow
  deck bag: tiles
""",
    "meadow/meadow.targi": """\
language 2
module meadow
players ann, ben
space meadow: hex 2 by 3
card tile
  height: 1 to 6
zone bag: tile, face down
rule setup
  each s in meadow: put top of bag on s
  reveal cards on meadow
rule round
  each player
    choose s in (s in meadow where any cards on s) as "take the tile on {s}"
    put top of s on bag
  everybody wins
layout
  table meadow
  line bag
""",
    "tiles.yaml": f"language: 2\nset: tiles\nkind: tile\nsource: own\ncards:\n{CARDS}\n",
}


@pytest.fixture(scope="module")
def state() -> State:
    return start(load("meadow", of_texts(TEXTS)), Seed(1))


@pytest.mark.parametrize("form", [Form.FULL, Form.TWO_LINES, Form.ONE_LINE])
@pytest.mark.parametrize("columns", [40, 80])
def test_each_row_begins_half_a_space_further_right(state: State, form: Form, columns: int) -> None:
    scene = scene_of(state, Words(state.game), (), columns)
    lines = [plain_text(one) for one in screen(scene, form)]
    (upper,), (lower,) = ([one for one in lines if label in one] for label in ("b1", "b2"))
    each = upper.index("b1") - upper.index("a1")
    assert lower.index("a2") - upper.index("a1") == each // 2
    assert max(map(len, lines)) <= columns


def test_in_a_picture_each_card_lies_in_its_hexagon(state: State) -> None:
    drawn = picture(observe(state, "ann"))
    assert drawn.count("<polygon") == 6
    heights = {*re.findall(r">(\d)</text>", drawn)}
    assert heights >= set("123456"), "the numbers on the cards"


def test_cards_that_lie_together_leave_the_map_there() -> None:
    each, together = (
        "each s in meadow: put top of bag on s",
        "repeat 5 times: put top of bag on meadow a1",
    )
    rules = TEXTS["meadow/meadow.targi"].replace(each, together)
    game = load("meadow", of_texts(TEXTS | {"meadow/meadow.targi": rules}))
    drawn = screen(scene_of(start(game, Seed(1)), Words(game), (), 40))
    assert all(address in "".join(map(plain_text, drawn)) for address in ("b1", "c1", "a2", "c2"))
