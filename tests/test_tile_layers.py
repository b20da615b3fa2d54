"""The tile layers: tiles are never lost; what its rules say is in its rule tests."""

from __future__ import annotations

from random import Random

import pytest

from targi_dsl import Seed, choices, load, result, start, step


@pytest.mark.parametrize("seed", range(2))
def test_tiles_are_never_lost_and_a_row_of_the_wall_ends_the_game(seed: int) -> None:
    state, chance = start(load("tile_layers", players=2 + seed), Seed(seed)), Random(seed)
    while state.seat is not None:
        state = step(state, chance.choice(choices(state)))
    places = [place.name for place in state.game.places]
    assert sum(len(state.cards(place)) for place in places) == 100
    rows = [
        sum(bool(state.cards(f"wall {column}{row} of {who}")) for column in "abcde")
        for who in state.game.players
        for row in range(1, 6)
    ]
    assert max(rows) == 5
    assert any(part["full_rows"] >= 2 for part in result(state).breakdown)
