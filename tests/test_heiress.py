"""The heiress as shipped: who is out, who must wait, and who wins."""

from __future__ import annotations

from random import Random

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed

RANKS = ["watchman", "clerk", "duellist", "nurse", "steward", "broker", "widow", "young_heiress"]


def held(state: State, player: str) -> list[int]:
    """The ranks of the cards in a hand."""
    return [RANKS.index(card.split(".")[0]) + 1 for card in state.cards(f"hand of {player}")]


def played_out(number: int, seed: int) -> State:
    """A random game; the invariants of every choice are checked along the way."""
    state, chance = start(load("heiress", players=number), Seed(seed)), Random(seed)
    while state.seat is not None:
        ids = [one.id for one in choices(state)]
        outcomes = dict(zip(state.game.players, result(state).outcomes, strict=True))
        assert outcomes[state.seat] == "playing"
        assert all(not held(state, p) for p, outcome in outcomes.items() if outcome == "out")
        if 7 in held(state, state.seat) and {5, 6} & set(held(state, state.seat)):
            turns = [one for one in ids if one.startswith("take_turn")]
            assert turns in ([], ["take_turn widow"])
        state = play(state, chance.choice(ids))[0]
    return state


@pytest.mark.parametrize("number", [2, 3, 4])
def test_the_last_or_the_highest_wins(number: int) -> None:
    for seed in range(8):
        state = played_out(number, seed)
        end = result(state)
        left = [p for p in state.game.players if held(state, p)]
        best = max(held(state, p)[0] for p in left)
        winners = left if len(left) == 1 else [p for p in left if held(state, p)[0] == best]
        assert end.winners == tuple(winners)
        assert {"won", "out"} >= set(end.outcomes) or len(left) > 1
        assert len(left) == 1 or not state.cards("pile")
