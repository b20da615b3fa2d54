"""A pile of each player is refilled when a player draws from it, as in a deck-building game."""

from __future__ import annotations

import pytest

from targi_dsl import Seed, load, start
from targi_dsl.api.state import State
from targi_dsl.compiler.project.discovery import of_texts
from tests.texts import game_text

CARDS = """language: 2
set: coins
kind: coin
cards:
  - id: penny
    copies: 4
    name: {en: Penny}
    stamp: 1
"""
RULES = game_text("purses.targi")
SHEET = 'language 2\n\ngame purses "Purses"\n  rules purses\n  deck box: coins\n'


def played(draw: str) -> State:
    files = {
        "purses/purses.targi": RULES.replace("DRAW", draw),
        "purses/coins.yaml": CARDS,
        "purses.targi": SHEET,
    }
    return start(load("purses", of_texts(files)), Seed(3))


@pytest.mark.parametrize(
    "draw",
    [
        "put top of your pile on your waste, face up",
        "let drawn be top of your pile\n    put drawn on your waste, face up",
        "put bottom of pile of you on your waste, face up",
    ],
)
def test_an_empty_pile_of_a_player_is_refilled_from_his_waste(draw: str) -> None:
    state = played(draw)
    for player in ("ann", "bob"):  # two cards each, five draws: refilled before the third and fifth
        assert len(state.cards(f"pile of {player}")) == 1
        assert len(state.cards(f"waste of {player}")) == 1
