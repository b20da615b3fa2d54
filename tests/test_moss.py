"""Moss and lichen: where patches grow and spores are blown, what is overgrown, how it ends."""

from __future__ import annotations

from targi_dsl.api import result
from tests.playing import Playing, drawn, playing

ROCK = [f"{column}{row}" for row in range(1, 8) for column in "abcdefg"]


def on(moss: str, lichen: str, spores: int = 1) -> Playing:
    """Moss to move; both have so many spores."""
    patches = [f"{spot} patch of moss" for spot in moss.split()]
    patches += [f"{spot} patch of lichen" for spot in lichen.split()]
    held = f"{spores} spores"
    return drawn("moss", f"rock: {'; '.join(patches)}", f"moss: {held}", f"lichen: {held}")


def spots(game: Playing, who: str) -> set[str]:
    """Where a player's patches are."""
    found = {game.state.place_of(f"patch {n} of {who}") for n in range(1, 50)}
    return {spot.removeprefix("rock ") for spot in found if spot}


def test_both_begin_in_two_corners_with_four_spores() -> None:
    game = playing("moss")
    assert (spots(game, "moss"), spots(game, "lichen")) == ({"a1", "g7"}, {"g1", "a7"})
    assert [game.has(who, "spores") for who in ("moss", "lichen")] == [4, 4]


def test_a_patch_grows_beside_one_of_its_own_also_diagonally() -> None:
    game = on("b2", "g7 b1")
    game.choose("grow")
    assert set(game.ids) == {f"grow {spot}" for spot in ["a1", "c1", "a2", "c2", "a3", "b3", "c3"]}


def test_a_spore_is_blown_two_spaces_away() -> None:
    game = on("a1", "g7 c2")
    game.choose("blow_spore")
    assert set(game.ids) == {f"blow_spore {spot}" for spot in ["c1", "a3", "b3", "c3"]}
    game.choose("blow_spore c1")
    assert game.has("moss", "spores") == 0


def test_without_a_spore_patches_only_grow() -> None:
    assert set(on("a1", "g7", spores=0).ids) == {"grow a2", "grow b1", "grow b2"}


def test_a_new_patch_overgrows_every_patch_of_the_opponent_beside_it() -> None:
    game = on("a1", "c3 c2 d4 g7", spores=0)
    game.choose("grow b2")
    assert spots(game, "moss") == {"a1", "b2", "c2", "c3"}
    assert spots(game, "lichen") == {"d4", "g7"}


def test_whoever_overgrows_the_last_patch_of_the_opponent_wins() -> None:
    game = on("a1", "c3", spores=0)
    game.choose("grow b2")
    assert result(game.state).outcomes == ("won", "playing")


def test_who_cannot_spread_misses_the_turn() -> None:
    game = on("a1", "a2 b1 b2 g7", spores=0)
    assert game.state.seat == "lichen"


def test_patches_and_spores_count_when_the_rock_is_covered() -> None:
    game = on("a1 b1 c1 d1 e1 f1", " ".join(ROCK[7:]), spores=3)
    assert result(game.state).over, "one space was left to grow on"
    assert result(game.state).breakdown == (
        {"patches": 9, "spores": 3},
        {"patches": 40, "spores": 3},
    )
