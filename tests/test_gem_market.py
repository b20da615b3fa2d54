"""The gem market: gems are never made or lost; what its rules say is in its rule tests."""

from __future__ import annotations

from random import Random

import pytest

from targi_dsl import Seed, choices, load, result, start, step

GEMS = ("rubies", "topazes", "emeralds", "sapphires", "opals")


@pytest.mark.parametrize(("players", "number"), [(2, 4), (3, 5), (4, 6)])
def test_gems_are_never_made_or_lost(players: int, number: int) -> None:
    state, chance = start(load("gem_market", players=players), Seed(players)), Random(players)
    while state.seat is not None:
        state = step(state, chance.choice(choices(state)))
    held = [sum(state.amount(name, gem) for name in state.game.players) for gem in GEMS]
    kept = [state.value(f"{gem} of bank") for gem in GEMS]
    assert [sum(both) for both in zip(held, kept, strict=True)] == [number] * len(GEMS)
    assert max(result(state).scores) >= 15
