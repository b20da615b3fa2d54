"""Thin ice: where otters begin, and what lies on the floes; the rest is in its rule tests."""

from __future__ import annotations

import pytest

from targi_dsl.api import start
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from tests.games import compiled
from tests.playing import Playing


@pytest.mark.parametrize(("players", "seed", "most"), [(2, 3, 1), (4, 40, 2)])
def test_otters_begin_in_turn_where_herrings_are_fewest(players: int, seed: int, most: int) -> None:
    game = Playing(start(load("thin_ice", players=players), Seed(seed)))
    names = game.state.game.players
    fewest, asked = list[int](), list[str | None]()
    while game.ids[0].startswith("setup"):
        asked.append(game.state.seat)
        taken = {game.state.place_of(f"otter {n} of {p}") for n in (1, 2) for p in names}
        free = [at for at in labels() if f"floe {at}" not in taken]
        fewest.append(min(herrings_on(game, at) for at in free))
        assert game.ids == tuple(
            f"setup {at}" for at in free if herrings_on(game, at) == fewest[-1]
        )
        game.choose(game.ids[0])
    assert max(fewest) == most
    assert players > 2 or asked == ["ann", "ben", "ann", "ben"]


def labels() -> list[str]:
    """The floes, row by row."""
    return [f"{column}{row}" for row in range(1, 7) for column in "abcdefg"]


def herrings_on(game: Playing, at: str) -> int:
    return game.state.value("herrings on floe", labels().index(at))


def test_every_floe_has_one_to_three_herrings() -> None:
    game = Playing(start(compiled("thin_ice"), Seed(3)))
    assert {herrings_on(game, at) for at in labels()} == {1, 2, 3}
