"""Liar's dice as shipped, compared with its rule in Python: whoever doubts wrongly, or is doubted
rightly, is out.
"""

from __future__ import annotations

from random import Random

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe


def loser(state: State) -> str:
    """Who goes out if whoever is asked doubts now."""
    players = state.game.players
    outcomes = result(state).outcomes
    dice = [state.value("die", at) for at, outcome in enumerate(outcomes) if outcome == "playing"]
    shown = sum(die in (state.value("claimed_pips"), 6) for die in dice)
    claimer = players[state.value("claimer")]
    assert state.seat is not None
    return state.seat if shown >= state.value("claimed_dice") else claimer


@pytest.mark.parametrize("number", [2, 3, 4])
def test_games_go_as_the_rule_says(number: int) -> None:
    game = load("liars_dice", players=number)
    for seed in range(20):
        chance, state = Random(seed), start(game, Seed(seed))
        while state.seat is not None:
            before = claim_of(state)
            chosen = chance.choice([one.id for one in choices(state)])
            goes = game.players.index(loser(state)) if chosen == "doubt" else None
            state = play(state, chosen)[0]
            if goes is not None:
                assert result(state).outcomes[goes] == "out"
                assert state.seat != game.players[goes]
            elif chosen.startswith("pips") and state.value("claimed_dice"):
                assert claim_of(state) > before
        assert sorted(result(state).outcomes) == ["out"] * (number - 1) + ["won"]
        assert sorted(result(state).returns) == [-1] * (number - 1) + [1]


def claim_of(state: State) -> tuple[int, int]:
    """How many dice have been claimed, and of how many pips."""
    return state.value("claimed_dice"), state.value("claimed_pips")


def test_nobody_sees_the_dice_of_others_before_a_doubt() -> None:
    state = start(load("liars_dice"), Seed(5))
    seen = observe(state, "ann").describe()["variables"]["die"]
    assert seen == {"ann": state.value("die", 0), "ben": "?"}
    assert "doubt" not in [one.id for one in choices(state)]
