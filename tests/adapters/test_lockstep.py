"""Shipped games are the games that OpenSpiel has under these names."""

from __future__ import annotations

import pyspiel
import pytest

from tests.adapters.lockstep import Different, Pairing, Path, random_game, tree
from tests.adapters.pairings import PAIRINGS, cell

GAMES = 5
"""Random games of each; a thousand are played by `python -m tests.adapters.pairings`."""


@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.sheet)
def test_random_games_are_the_same_on_both_sides(pairing: Pairing) -> None:
    assert all(random_game(pairing, seed) > 0 for seed in range(GAMES))


def test_the_end_of_a_tree_is_the_same_to_the_last_node() -> None:
    both = next(one for one in PAIRINGS if one.sheet == "tic_tac_toe").begin()
    for action in (4, 0, 8, 2):
        both = both.after(action)
    assert tree(both) == {"nodes": 186, "games": 86}


def test_another_game_is_found_out() -> None:
    def turned(state: pyspiel.State, action: int) -> Path:
        return (f"round {cell(8 - action if action else 3, 3)}",)

    with pytest.raises(Different, match="two actions of one path"):
        random_game(Pairing("tic_tac_toe", "tic_tac_toe", ("cross", "nought"), turned), 0)
    mine = Pairing("tic_tac_toe", "tic_tac_toe", ("nought", "cross"), PAIRINGS[0].path)
    with pytest.raises(Different, match="nought moves there, here cross"):
        random_game(mine, 0)
