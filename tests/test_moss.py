"""Moss and lichen: how a covered rock counts; the rest is in its rule tests."""

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


def test_patches_and_spores_count_when_the_rock_is_covered() -> None:
    game = on("a1 b1 c1 d1 e1 f1", " ".join(ROCK[7:]), spores=3)
    assert result(game.state).over, "one space was left to grow on"
    assert result(game.state).breakdown == (
        {"patches": 9, "spores": 3},
        {"patches": 40, "spores": 3},
    )


def test_both_begin_with_four_spores() -> None:
    game = playing("moss")
    assert [game.has(who, "spores") for who in ("moss", "lichen")] == [4, 4]
