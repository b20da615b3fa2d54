"""The rope party: how far the rope reaches, what the weather does, and how all win or lose."""

from __future__ import annotations

import pytest

from targi_dsl.api import result
from tests.playing import Playing, drawn

CLIMB_1, CLIMB_2 = "climb 1", "climb 2"


def at(ann: int, ben: int, *lines: str) -> Playing:
    """Ann to move with 3 strength, both on these ledges; calm weather."""
    ledges = f"ledge: {ann} climber of ann; {ben} climber of ben"
    return drawn("rope_party", ledges, "ann: 3 strength", "ben: 3 strength", *lines)


def after(sky: str, ann: int, ben: int, past: str = "calm.2") -> Playing:
    """The next weather is this: both have no strength, so that they have to rest before it."""
    ledges = f"ledge: {ann} climber of ann; {ben} climber of ben"
    return drawn("rope_party", ledges, f"sky: {sky}, rest", f"past: {past}")


def place(game: Playing, who: str) -> str | None:
    return game.state.place_of(f"climber of {who}")


def test_climbing_costs_a_strength_for_each_ledge() -> None:
    game = at(3, 3)
    game.choose(CLIMB_2)
    assert (place(game, "ann"), game.has("ann", "strength")) == ("ledge 5", 1)


def test_whoever_has_too_little_strength_cannot_climb() -> None:
    game = drawn("rope_party", "ledge: 1 climber of ann, climber of ben", "ann: 1 strength")
    assert CLIMB_1 in game.ids and CLIMB_2 not in game.ids


@pytest.mark.parametrize(
    ("ann", "ben", "ways"),
    [(3, 2, 2), (4, 2, 1), (5, 2, 0), (2, 8, 2), (11, 10, 1)],
    ids=["enough rope", "one ledge", "taut", "the last may follow", "the summit"],
)
def test_nobody_climbs_further_than_the_rope_or_the_summit(ann: int, ben: int, ways: int) -> None:
    assert sum(one.startswith("climb") for one in at(ann, ben).ids) == ways


def test_whoever_stands_above_hauls_another_up_by_a_ledge() -> None:
    assert not [one for one in at(4, 4).ids if "haul" in one]
    game = at(5, 4)
    game.choose("haul")
    assert (place(game, "ben"), game.has("ann", "strength")) == ("ledge 5", 2)


def test_rest_brings_two_strength() -> None:
    game = at(3, 3)
    game.choose("rest")
    assert game.has("ann", "strength") == 5


@pytest.mark.parametrize(("ann", "gusts"), [(4, 0), (5, 1), (11, 1)])
def test_wind_blows_from_the_fifth_ledge_to_below_the_summit(ann: int, gusts: int) -> None:
    game = after("wind", ann, 1)
    assert game.ids == (("hold_on", "slip") if gusts else game.ids)
    assert ("slip" in game.ids) == bool(gusts)


def test_whoever_does_not_hold_on_slips_down_a_ledge() -> None:
    game = after("wind", 6, 1)
    game.choose("slip")
    assert (place(game, "ann"), game.has("ann", "strength")) == ("ledge 5", 2)


def test_a_storm_blows_twice() -> None:
    game = after("storm", 7, 1)
    game.choose("slip", "slip")
    assert place(game, "ann") == "ledge 5"


def test_all_win_when_everybody_stands_on_the_summit() -> None:
    game = at(12, 11)
    game.choose("rest", CLIMB_1)
    assert result(game.state).outcomes == ("won", "won")


def test_all_lose_when_the_third_storm_breaks() -> None:
    assert after("storm.3", 1, 1, past="storm").state.seat == "ann"
    game = after("storm.3", 1, 1, past="storm, storm.2")
    assert result(game.state).outcomes == ("lost", "lost")


def test_all_lose_when_it_is_night() -> None:
    every = [
        f"{name}.{n}".removesuffix(".1") for name, most in CARDS.items() for n in range(1, most + 1)
    ]
    past = ", ".join(one for one in every if one not in ("calm", "storm.3", "storm.4"))
    game = drawn(
        "rope_party",
        "ledge: 1 climber of ann, climber of ben",
        "sky: calm",
        f"past: {past}",
        "nowhere: storm.3, storm.4",
    )
    assert result(game.state).outcomes == ("lost", "lost")


CARDS = {"calm": 5, "sun": 2, "shelter": 2, "wind": 5, "storm": 4}
