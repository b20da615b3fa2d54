"""The gem market as shipped: what may be taken, what jewels save, and whom patrons like."""

from __future__ import annotations

from random import Random

import pytest

from targi_dsl import Seed, choices, load, result, start, step
from tests.playing import Playing, drawn

GEMS = ("rubies", "topazes", "emeralds", "sapphires", "opals")
MARKET = "market a3: ruby_pin face up"


def at_market(*lines: str) -> Playing:
    """Ann's turn; four gems of each kind lie in the bank."""
    return drawn("gem_market", *(f"{gem} of bank: 4" for gem in GEMS), *lines)


def test_a_player_takes_up_to_three_different_gems_or_two_alike_of_four() -> None:
    game = at_market()
    game.choose("take_three", "take_three rubies", "take_three opals")
    assert (game.has("ann", "rubies"), game.has("ann", "opals")) == (1, 1)
    game.choose("take_two")
    assert game.ids == tuple(f"take_two {gem}" for gem in ("topazes", "emeralds", "sapphires"))


@pytest.mark.parametrize(
    ("made", "paid"), [("", (1, 1, 1, 1)), ("topaz_pin, opal_ring", (0, 1, 1, 0))]
)
def test_each_jewel_saves_a_gem_of_its_kind(made: str, paid: tuple[int, ...]) -> None:
    own = f"workshop of ann: {made}" if made else "# nothing made yet"
    game = at_market("ann: 1 topazes, 1 emeralds, 1 sapphires, 1 opals", MARKET, own)
    game.choose("buy_jewel")
    assert tuple(1 - game.has("ann", gem) for gem in GEMS[1:]) == paid


def test_no_more_than_ten_gems_are_kept() -> None:
    game = at_market("ann: 9 rubies")
    game.choose("take_three", "take_three topazes", "take_three opals")
    assert game.ids == ("pay rubies", "pay topazes", "pay opals")


def test_a_patron_comes_to_three_jewels_of_the_kind_it_likes() -> None:
    game = at_market(
        "ann: 1 topazes, 1 emeralds, 1 sapphires, 1 opals",
        MARKET,
        "workshop of ann: ruby_ring, ruby_brooch",
        "hall: baroness, tenor",
    )
    game.choose("buy_jewel")
    assert game.state.cards("guests of ann") == ("baroness",)
    assert result(game.state).scores[0] == 3


@pytest.mark.parametrize(("players", "number"), [(2, 4), (3, 5), (4, 6)])
def test_gems_are_never_made_or_lost(players: int, number: int) -> None:
    state, chance = start(load("gem_market", players=players), Seed(players)), Random(players)
    while state.seat is not None:
        state = step(state, chance.choice(choices(state)))
    held = [sum(state.amount(name, gem) for name in state.game.players) for gem in GEMS]
    kept = [state.value(f"{gem} of bank") for gem in GEMS]
    assert [sum(both) for both in zip(held, kept, strict=True)] == [number] * len(GEMS)
    assert max(result(state).scores) >= 15
