"""A pile of each player is refilled when a player draws from it, as in a deck-building game."""

from __future__ import annotations

import pytest

from targi_dsl import Seed, load, start
from targi_dsl.api.state import State
from targi_dsl.compiler.project.discovery import of_texts

CARDS = """language: 2
set: coins
kind: coin
cards:
  - id: penny
    copies: 4
    name: {en: Penny}
    stamp: 1
"""
RULES = """language 2
module purses "Purses"
players ann, bob
resource fame
card coin
  stamp: 0 to 9
zone box: coin, face down
zone waste for each player: coin
zone pile for each player: coin, face down, refilled from waste when needed
variable turns: 0 to 9

rule setup
  each player
    put top of box on your pile
    put top of box on your pile

rule round
  each player
    DRAW
  set turns to turns + 1
  if turns is 5
    end game

score fame: your fame
"""
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
