"""The table shows what everybody may know: open cards among others, and the values of spaces."""

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

RULES = game_text("open.targi")
CARDS = """language: 2
set: chips
kind: chip
cards:
  - {id: teal, number: 4, name: {en: Teal}, colour: blue}
  - {id: azure, number: 3, name: {en: Azure}, colour: blue}
  - {id: navy, number: 2, name: {en: Navy}, colour: blue}
  - {id: crimson, number: 1, name: {en: Crimson}, colour: red}
"""
SHEET = 'language 2\ngame open "Open"\n  rules open\n  deck pack: chips\n'


def files(rules: str = RULES) -> dict[str, str]:
    return {"open.targi": SHEET, "open/open.targi": rules, "chips.yaml": CARDS}


@pytest.mark.parametrize("form", [Form.FULL, Form.TWO_LINES])
def test_open_cards_and_values_of_spaces_are_on_the_table(form: Form) -> None:
    state = start(load("open", of_texts(files())), Seed(1))
    view = scene_of(state, Words(state.game), ("ann",), 80)
    shown = " ".join(render_line(line, colour=False, plain=False) for line in screen(view, form))
    face = " (blue)" if form is Form.FULL else ""
    assert f"dealer 2 (Navy{face}, 1 hidden)" in shown
    assert "Teal, Azure" in shown, "a stack of open cards"
    assert "pips 3" in shown and "full" in shown


def test_a_variable_of_spaces_in_a_line_is_told_where_it_is_shown() -> None:
    rules = RULES.replace("  line dealer\n", "  line dealer, pips\n")
    (problem,) = check("open", of_texts(files(rules)))[1]
    assert (problem.code, problem.title) == ("E204", "whose `pips`?")
    assert problem.text == "Each space has one, which a table of these spaces shows."
