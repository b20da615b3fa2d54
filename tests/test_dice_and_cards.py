"""Crazy Eights, Oh Hell and the Pearl divers as shipped."""

from __future__ import annotations

import pytest

from targi_dsl import Asked, Seed, choices, load, result, start
from tests.playing import Playing, drawn, playing

# ---- crazy eights ----

AT_TURN = ("in round at after take_turn: ann, ann, 1, ann", "in take_turn at ask: ann")


def holding(ann: str, ben: str, *lines: str) -> Playing:
    """Ann to play a card after the two of clubs."""
    hands = (
        f"hand of ann: {ann}",
        f"hand of ben: {ben}",
        "pile: card_clubs_two",
        "suit_called: clubs",
    )
    return drawn("crazy_eights", "dealer: ben", *hands, *lines, *AT_TURN)


@pytest.mark.parametrize(("players", "cards"), [(2, 7), (3, 5), (5, 5)])
def test_two_players_have_seven_cards_and_more_have_five(players: int, cards: int) -> None:
    state = start(load("crazy_eights", players=players), Seed(5))
    assert {len(state.cards(f"hand of {who}")) for who in state.game.players} <= {cards, cards + 1}


def test_a_card_has_the_suit_or_the_rank_of_the_one_before_or_is_an_eight() -> None:
    game = holding(
        "card_clubs_ace, card_hearts_two, card_spades_eight, card_spades_ten", "card_clubs_six"
    )
    cards = ("card_clubs_ace", "card_hearts_two", "card_spades_eight")
    assert game.ids == (*(f"play_card {card}" for card in cards), "draw")


def test_whoever_plays_an_eight_names_the_suit_that_comes_next() -> None:
    game = holding(
        "card_spades_eight, card_spades_ten", "card_clubs_six, card_hearts_six, card_hearts_ace"
    )
    game.choose("play_card card_spades_eight", "call_suit hearts")
    assert game.state.seat == "ben"
    assert game.ids == ("play_card card_hearts_six", "play_card card_hearts_ace", "draw")


def test_a_player_may_pass_after_five_cards_and_not_before() -> None:
    game = holding("card_clubs_ace, card_spades_ten", "card_clubs_six")
    for _ in range(4):
        game.choose("draw")
        assert "pass" not in game.ids
    game.choose("draw")
    assert "pass" in game.ids and "draw" not in game.ids


def test_an_empty_hand_ends_the_game_and_the_others_lose_what_they_hold() -> None:
    game = holding(
        "card_clubs_ace", "card_hearts_eight, card_clubs_king, card_hearts_ace, card_clubs_six"
    )
    game.choose("play_card card_clubs_ace")
    assert result(game.state).scores == (0, -(50 + 10 + 1 + 6))


# ---- oh hell ----


def test_the_bids_may_not_add_up_to_the_number_of_tricks() -> None:
    game = playing("oh_hell", rolled=[4])
    assert (game.state.seat, len(game.ids)) == ("ben", 5)
    game.choose("make_bid 1", "make_bid 2")
    assert game.state.seat == "ann", "the dealer bids last"
    assert game.ids == tuple(f"make_bid {number}" for number in (0, 2, 3, 4))


@pytest.mark.parametrize(("players", "most"), [(3, 17), (4, 12), (5, 10)])
def test_chance_says_how_many_cards_there_are_as_far_as_the_pack_goes(
    players: int, most: int
) -> None:
    chance = choices(start(load("oh_hell", players=players), Asked()))
    assert [one.id for one in chance] == [f"roll {number}" for number in range(1, most + 1)]


# ---- pearl divers ----


def at_sea(*lines: str, rolled: tuple[int, ...]) -> Playing:
    """Ann's throw."""
    return drawn("pearl_divers", *lines, rolled=rolled)


def test_four_dice_make_two_pairs_and_equal_ones_are_offered_once() -> None:
    game = at_sea(rolled=(1, 2, 3, 6))
    assert game.ids == tuple(f"throw {total}" for total in (3, 4, 5, 7, 8, 9))
    assert at_sea(rolled=(3, 3, 3, 3)).ids == ("throw_again", "stop")


def test_divers_begin_at_the_top_or_below_ones_own_buoy() -> None:
    game = at_sea("sea: e2 buoy of ann; i4 buoy of ben", rolled=(2, 3, 4, 5))
    game.choose("throw 5")
    places = {game.state.place_of(f"diver {n}") for n in (1, 2, 3)}
    assert places == {"sea e3", "sea i1", None}


def test_a_turn_is_lost_if_no_diver_can_go_down() -> None:
    game = at_sea(
        "sea: b1 diver; c1 diver; d1 diver; e2 buoy of ann", rolled=(6, 6, 6, 6, 1, 2, 3, 6)
    )
    assert game.state.seat == "ben"
    assert {game.state.place_of(f"diver {n}") for n in (1, 2, 3)} == {None}


def test_a_grotto_explored_to_the_ground_is_closed() -> None:
    game = at_sea("sea: b3 buoy of ben", rolled=(1, 1, 6, 5))
    assert game.ids == ("throw 6", "throw 7", "throw 11")


def test_three_grottoes_explored_to_the_ground_win() -> None:
    game = at_sea("sea: b3 buoy of ann; l3 buoy of ann; c4 buoy of ann", rolled=(1, 2, 5, 5))
    game.choose("throw 3", "stop")
    assert result(game.state).winner == "ann"
