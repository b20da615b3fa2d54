"""Thin ice: where otters begin and slide, what melts, and what counts in the end."""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from tests.games import compiled
from tests.playing import Playing, drawn


def standing(ice: dict[str, int], *otters: str) -> Playing:
    """Ann to move; all floes but these have melted."""
    herrings = [f"herrings on floe {at}: {number}" for at, number in ice.items()]
    stand = "; ".join(f"{at} otter of {who}" for who, at in (one.split() for one in otters))
    return drawn("thin_ice", *herrings, f"floe: {stand}")


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


def test_an_otter_slides_in_a_straight_line_up_to_water_or_another_otter() -> None:
    ice = dict.fromkeys(("a1", "b1", "c1", "d1", "a2", "a3", "a4", "b2", "g6"), 1)
    game = standing(ice, "ann a1", "ben d1", "ben a4")
    assert game.ids == ("to_floe b1", "to_floe c1", "to_floe a2", "to_floe a3")


def test_the_floe_that_is_left_melts_and_its_herrings_are_taken() -> None:
    game = standing({"a1": 3, "b1": 2, "c1": 1, "g1": 1, "f1": 1, "e1": 1}, "ann a1", "ben g1")
    game.choose("to_floe b1")
    assert (game.has("ann", "herrings"), herrings_on(game, "a1"), herrings_on(game, "b1")) == (
        3,
        0,
        2,
    )


def test_who_cannot_slide_misses_turns_and_the_game_ends_when_nobody_can() -> None:
    ice = {"a1": 3, "d4": 2, "e4": 1, "f4": 1}
    game = standing(ice, "ann a1", "ben d4")
    assert game.state.seat == "ben"
    game.choose("to_floe e4")
    ended = result(game.state)
    assert ended.over
    assert ended.breakdown == ({"herrings": 0, "last_floes": 3}, {"herrings": 3, "last_floes": 1})
