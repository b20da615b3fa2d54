"""The tile layers as shipped: where tiles may go, what breaks, and what a wall is worth."""

from __future__ import annotations

from random import Random

import pytest

from targi_dsl import Seed, choices, load, result, start, step
from tests.playing import Playing, drawn

AT_TURN = ("in round at after take_tiles: ann, ann, ann, ann, ben", "in take_tiles at ask: ann")


def kilns(*lines: str) -> Playing:
    """Ann takes from a kiln with two azure, a honey and a coral tile, or from another."""
    tiles = ("1 tile_azure, tile_azure.2, tile_honey, tile_coral", "2 tile_jade, tile_ivory")
    return drawn("tile_layers", f"kiln: {'; '.join(tiles)}", *lines, *AT_TURN)


def test_all_tiles_of_a_glaze_are_taken_and_the_rest_goes_to_the_yard() -> None:
    game = kilns()
    game.choose("from_kiln 1", "colour azure", "to_row 2")
    assert len(game.state.cards("bench 2 of ann")) == 2
    assert len(game.state.cards("kiln 10")) == 2


def test_what_does_not_fit_breaks() -> None:
    game = kilns()
    game.choose("from_kiln 1", "colour azure", "to_row 1")
    assert [len(game.state.cards(f"bench {row} of ann")) for row in (1, 6)] == [1, 1]


def test_a_row_has_tiles_of_one_glaze_that_its_wall_still_lacks() -> None:
    lines = ("bench of ann: 3 tile_jade.2; 4 tile_azure.3", "wall of ann: e5 tile_azure.4")
    game = kilns(*lines)
    game.choose("from_kiln 1", "colour azure")
    assert game.ids == ("to_row 1", "to_row 2", "to_row 4", "to_row 6")


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
