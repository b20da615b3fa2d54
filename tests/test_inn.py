"""The Golden Carp: the cookbook, and when a week ends in each of its sheets; the rest is in its rule tests."""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.engine.chance import Seed
from tests.games import compiled
from tests.playing import drawn

HEARTH = "hearth: 1 flatbread; 2 omelette; 3 broth; 4 pie"


def test_the_cookbook_has_the_dishes_that_were_not_drawn() -> None:
    state = start(compiled("inn"), Seed(1))
    drawn_ = [*(state.cards(f"hearth {n}") for n in range(1, 5)), state.cards("recipes")]
    assert sum(map(len, drawn_)) == 14
    assert len(state.cards("cookbook")) == 6


@pytest.mark.parametrize(("name", "evenings"), [("inn", 10), ("inn_short", 6), ("inn_thrifty", 8)])
def test_the_game_ends_after_its_last_evening(name: str, evenings: int) -> None:
    for played, is_over in ((evenings - 2, False), (evenings - 1, True)):
        game = drawn(name, HEARTH, f"evenings_played: {played}")
        game.choose("wash_up", "wash_up")
        assert result(game.state).over == is_over


@pytest.mark.parametrize(("name", "dishes"), [("inn", 6), ("inn_short", 4), ("inn_thrifty", 4)])
def test_the_game_ends_with_a_full_menu(name: str, dishes: int) -> None:
    every = ["salad", "mill", "fish_cake", "porridge", "feast", "pantry"]
    for number, is_over in ((dishes - 1, False), (dishes, True)):
        game = drawn(name, HEARTH, f"menu of ben: {', '.join(every[:number])}")
        game.choose("wash_up", "wash_up")
        assert result(game.state).over == is_over
