"""Stairs: what beats what, who leads next, and what a deal is worth."""

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


def test_the_leader_plays_any_number_of_equal_cards() -> None:
    game = dealt("3 3 3 7", "4 5 6 6", "1 2 8 9")
    assert list(game.ids) == ["height 3", "height 7"]
    game.choose("height 3")
    assert list(game.ids) == ["number 1", "number 2", "number 3"]


def test_the_others_play_as_many_that_are_higher_or_pass() -> None:
    game = dealt("3 3 3 7", "3 4 4 5 6 6 6 2 2", "1 2 8 9")
    game.choose("height 3", "number 2")
    assert (game.state.seat, game.ids) == ("ben", ("beat", "pass"))
    game.choose("beat")
    assert game.ids == ("beat 4", "beat 6")


def test_whoever_cannot_beat_it_has_passed() -> None:
    game = dealt("3 3 7 7", "4 5 6 8", "1 2 9 9")
    game.choose("height 3", "number 2")
    assert game.state.seat == "cleo"


def test_whoever_has_passed_plays_no_more_until_the_next_lead() -> None:
    game = dealt("3 5 7 1 1", "9 9 8 8", "4 6 10 2")
    game.choose("height 3")
    seats = []
    for answer in ("pass", "beat", "beat 4", "beat", "beat 5", "beat", "beat 6", "pass"):
        seats.append(game.state.seat)
        game.choose(answer)
    assert seats == ["ben", "cleo", "cleo", "ann", "ann", "cleo", "cleo", "ann"]
    assert (game.state.seat, game.ids) == ("cleo", ("height 2", "height 10"))


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
