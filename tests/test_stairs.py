"""Stairs: what ends a deal and the game, and how many cards are dealt; the rest is in its rule tests."""

from __future__ import annotations

from collections import Counter

import pytest

from targi_dsl.api import result, start
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from tests.playing import Playing, drawn

LEADING = (
    "in round at after climb: ann",
    "in climb at after play_first: ann, ann, ann, ann, ben, cleo",
    "in play_first at ask: ann",
)


def dealt(*hands: str, first_leader: str = "ann") -> Playing:
    """Ann leads, and the three hold cards of these heights."""
    copies, lines = Counter[str](), list[str]()
    for who, heights in zip(("ann", "ben", "cleo"), hands, strict=True):
        cards = list[str]()
        for height in heights.split():
            copies[height] += 1
            cards.append(f"step_{height}.{copies[height]}".removesuffix(".1"))
        lines.append(f"hand of {who}: {', '.join(cards)}")
    return drawn("stairs", *lines, f"first_leader: {first_leader}", *LEADING)


def test_an_empty_hand_ends_the_deal_and_counts_the_cards_of_the_others() -> None:
    game = dealt("3 3", "9 9 8", "4 6 10 2 5")
    game.choose("height 3", "number 2")
    assert [game.has(who, "points") for who in ("ann", "ben", "cleo")] == [8, 0, 0]
    assert game.state.seat == "ben", "the next leads the next deal"


def test_the_game_ends_when_everybody_has_led_a_deal() -> None:
    game = dealt("3 3", "9 9 8", "4 6 10 2 5", first_leader="cleo")
    game.choose("height 3", "number 2")
    assert result(game.state).over
    assert result(game.state).scores == (8, 0, 0)


@pytest.mark.parametrize(("players", "cards"), [(3, 13), (4, 10), (5, 8)])
def test_all_cards_are_dealt_alike(players: int, cards: int) -> None:
    state = start(load("stairs", players=players), Seed(1))
    hands = [state.cards(f"hand of {who}") for who in state.game.players]
    assert [len(hand) for hand in hands] == [cards] * players
