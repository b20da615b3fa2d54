"""The effects of the 10 border cards of the expansion, and of the 6 of the base game that stay: X3,
X4, X34 to X39.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import result
from targi_dsl.api.state import State
from tests.targi_expansion.tables import (
    after,
    at,
    barred,
    exchanges,
    has,
    offered,
    on,
    things,
    ways,
)


def use(space: int, blue: str, more: str = "", name: str = "expansion") -> State:
    """Blue uses the border card of this number, and has another action left."""
    other = 2 if space != 2 else 3
    text = (
        f"round_number: 3\nblue: {blue}\nborder: {space} targi of blue; {other} targi of"
        f" blue\n{more}\ndo action_turn by blue"
    )
    return after(at(text, name), f"use_border {space}")


def unused(space: int, blue: str, more: str = "") -> State:
    """Blue has this border card to use, and two others."""
    border = f"border: {space} targi of blue; 2 targi of blue; 3 targi of blue"
    return at(f"round_number: 3\nblue: {blue}\n{border}\n{more}\ndo action_turn by blue")


def test_ten_border_cards_are_new_and_six_with_goods_stay() -> None:  # X3, X4
    state = at("do place_targi by blue")
    assert [on(state, f"border {number}") for number in range(1, 17)] == [
        "noble", "dates_2", "salt_3", "raid_1", "trader", "pepper_6", "dates_7", "raid_2", "fata_morgana",
        "silversmith", "pepper_11", "raid_3", "watering_hole", "tribal_expansion", "salt_15", "raid_4",
    ]  # fmt: skip
    base = {card.id for card in at("", "base").game.cards}
    assert "caravan" in base and "caravan" not in {card.id for card in state.game.cards}


@pytest.mark.parametrize(
    ("space", "good"),
    [(2, "dates"), (3, "salt"), (6, "pepper"), (7, "dates"), (11, "pepper"), (15, "salt")],
)
def test_the_six_cards_of_the_base_game_give_a_good(space: int, good: str) -> None:  # X3, X11
    assert has(use(space, "nothing"), "blue") == f"1 {good}"


# ---- 1: Noble


def noble(blue: str, hand: str, more: str = "") -> State:
    text = (
        f"round_number: 3\nblue: {blue}\nhand of blue: {hand}\nborder 6: robber\n{more}\ndo noble"
        " by blue"
    )
    return at(text)


def test_the_noble_displays_the_hand_card_for_its_cost() -> None:  # X35
    state = noble("1 salt, 2 gold", "camel_17")
    assert offered(state) == ["display_from_hand", "discard_from_hand"]
    state = after(state, "display_from_hand", "cell a1")
    assert on(state, "display a1 of blue") == "camel_17" and has(state, "blue") == "1 gold"


def test_the_noble_gives_a_water_and_a_good_of_choice_for_a_discarded_hand_card() -> None:  # X35
    state = after(noble("1 salt, 2 gold", "camel_17"), "discard_from_hand")
    assert on(state, "hand of blue") == "nothing" and on(state, "tribe_discard") == "camel_17"
    got = {good: has(after(state, choice), "blue") for good, choice in things(state).items()}
    assert got == {
        "dates": "1 dates, 1 salt, 2 gold, 1 water",
        "salt": "2 salt, 2 gold, 1 water",
        "pepper": "1 salt, 1 pepper, 2 gold, 1 water",
    }
    assert all(
        after(state, choice).seat == "white" for choice in things(state).values()
    )  # one good, and done


def test_a_card_taken_this_round_may_be_discarded_and_not_displayed_with_the_noble() -> (
    None
):  # X35, A13
    state = noble("1 salt, 2 gold", "camel_17", "taken_in of camel_17: 3")
    assert on(state, "tribe_discard") == "camel_17" and set(things(state)) == {
        "dates",
        "salt",
        "pepper",
    }


def test_the_noble_without_a_card_gives_nothing() -> None:  # X35
    assert offered(unused(1, "3 dates")) == ["use_border 2", "use_border 3", "done"]


# ---- 4, 8, 12, 16: raids


def raid(number: int, blue: str, more: str = "", white: str = "9 points") -> State:
    """The raid card of this number, with blue first."""
    return at(
        f"starter: blue\nblue: {blue}\nwhite: {white}\nborder {4 * number}: robber\n{more}\ndo"
        f" raid_{number}"
    )


RAIDS = [(1, "1 dates", 1), (2, "1 salt, 1 pepper", 1), (3, "1 dates, 1 salt, 1 pepper", 2)]


@pytest.mark.parametrize(("number", "goods", "points"), RAIDS)
def test_a_raid_asks_for_named_goods_or_points(number: int, goods: str, points: int) -> None:  # X34
    state = raid(number, f"{goods}, 5 points, 5 gold")
    assert offered(state) == [f"pay {goods}", f"pay {points} points"]
    assert has(after(state, f"pay {goods}"), "blue") == "5 gold, 5 points"
    assert (
        has(after(state, f"pay {points} points"), "blue") == f"{goods}, 5 gold, {5 - points} points"
    )


@pytest.mark.parametrize(
    ("number", "purse", "loss"),
    [(1, "9 salt, 9 pepper, 9 gold", 1), (2, "9 dates, 9 salt, 9 gold", 1), (2, "9 dates, 9 pepper", 1),
     (3, "9 dates, 9 salt, 9 gold", 2), (3, "9 dates, 9 pepper, 1 points", 2), (3, "9 salt, 9 pepper", 2)],
)  # fmt: skip
def test_other_goods_do_not_pay_it_and_the_opponent_gains_the_points(
    number: int, purse: str, loss: int
) -> None:
    # X34, X40
    white = "1 dates, 1 salt, 1 pepper, 9 points"
    state = raid(number, purse, white=white)
    assert (
        has(state, "blue") == purse
        and state.seat == "white"
        and state.amount("white", "points") == 9 + loss
    )


@pytest.mark.parametrize(("number", "goods", "points"), RAIDS)
def test_who_has_one_of_the_two_must_give_it(number: int, goods: str, points: int) -> None:  # X34
    assert has(raid(number, f"{goods}, 1 gold"), "blue") == "1 gold"
    assert has(raid(number, f"{points} points, 1 gold"), "blue") == "1 gold"


def test_who_can_pay_a_raid_with_water_made_into_its_goods_must() -> None:  # X34, A55
    state = raid(1, "2 water", white="1 dates, 9 points")
    assert has(state, "blue") == "nothing" and has(state, "white") == "1 dates, 9 points"
    state = raid(2, "4 water", white="1 salt, 1 pepper, 9 points")
    assert offered(state) == [] and exchanges(state) == [
        "water_for_goods salt",
        "water_for_goods pepper",
    ]
    poor = raid(1, "1 water", white="1 dates, 9 points")
    assert has(poor, "blue") == "1 water" and has(poor, "white") == "1 dates, 10 points"


LAST = "display of blue: a1 camp_10; b1 camel_10; c1 well_10; a2 oasis_10; b2 oasis_11"


def test_the_last_raid_asks_for_a_gold_or_the_last_tribe_card_on_the_right() -> (
    None
):  # X34, X54, A5
    state = raid(4, "9 dates, 9 points, 1 gold", LAST, "9 gold")
    assert offered(state) == ["give_toll", "give_last_card"]
    gold = after(state, "give_toll")
    assert has(gold, "blue") == "9 dates, 9 points" and on(gold, "display c1 of blue") == "well_10"
    card = after(state, "give_last_card")
    assert (
        has(card, "blue") == "9 dates, 1 gold, 9 points"
        and on(card, "display c1 of blue") == "nothing"
    )
    assert on(card, "tribe_discard") == "well_10" and on(card, "display b2 of blue") == "oasis_11"
    assert result(card).ended_by == "finish" and result(gold).ended_by == "finish"


def test_among_equals_on_the_right_the_owner_chooses_and_what_it_brought_is_gone() -> (
    None
):  # X34, A5, A6
    state = raid(
        4, "9 points", "display of blue: a1 camp_10; b1 well_14; a2 well_10; b2 oasis_10", "1 gold"
    )
    assert set(things(state)) == {"well_14", "oasis_10"}
    one, other = (after(state, things(state)[card]) for card in ("well_14", "oasis_10"))
    assert (on(one, "tribe_discard"), on(other, "tribe_discard")) == ("well_14", "oasis_10")
    assert result(other).scores[0] - result(one).scores[0] == 2 + 1 - 3


def test_the_last_raid_may_take_the_twelfth_card() -> None:  # A6, X40, X54
    rows = (
        "a1 well_10; b1 camel_10; c1 oasis_10; d1 targia_10; a2 camp_10; b2 well_11; c2 camel_11;"
        " d2 oasis_11"
    )
    state = raid(
        4,
        "1 points",
        f"display of blue: {rows}; a3 targia_11; b3 camp_11; c3 well_15; d3 camp_14",
        "1 gold",
    )
    assert set(things(state)) == {"targia_10", "oasis_11", "camp_14"}
    state = after(state, things(state)["camp_14"])
    assert result(state).ended_by == "finish" and on(state, "display d3 of blue") == "nothing"


def test_who_has_neither_gold_nor_card_loses_nothing_and_the_opponent_gains_3_points() -> (
    None
):  # A4, X34
    state = raid(4, "9 dates, 9 points", white="1 gold, 1 points")
    assert has(state, "blue") == "9 dates, 9 points" and has(state, "white") == "4 points"


def test_cards_are_given_in_the_last_raid_only() -> None:  # A5, X34
    for number, goods, _ in RAIDS:
        state = raid(number, f"{goods}, 9 points, 1 gold", LAST)
        assert all(one.startswith("pay") for one in offered(state))
        poor = raid(number, "1 gold", LAST, "1 dates, 1 salt, 1 pepper, 9 points")
        assert (
            has(poor, "blue") == "1 gold"
            and poor.seat == "white"
            and on(poor, "display c1 of blue") == "well_10"
        )


def test_points_do_not_pay_the_last_raid() -> None:  # X34, C14
    state = raid(4, "9 points", LAST, "1 gold")
    assert has(state, "blue") == "9 points" and on(state, "tribe_discard") == "well_10"


# ---- 5: Trader


def test_the_trader_gives_another_good_a_gold_or_a_water() -> None:  # X39
    state = use(5, "3 dates")
    assert {"2 dates for 1 salt", "2 dates for 1 pepper", "3 dates for 1 gold", "done"} <= set(
        offered(state)
    )
    assert has(after(state, "2 dates for 1 salt"), "blue") == "1 dates, 1 salt"
    assert has(after(state, "3 dates for 1 gold"), "blue") == "1 gold"
    (water,) = [one for one in offered(state) if one.endswith("for 1 water")]
    assert ways(after(state, water)) == {"2 dates, 1 water"}


def test_any_good_becomes_a_water_as_often_as_wanted() -> None:  # X39
    for good in ("dates", "salt", "pepper"):
        state = use(5, f"1 {good}")
        assert len(offered(state)) == 2 and "done" in offered(state)
        assert "1 water" in ways(after(state, offered(state)[0]))
    state = use(5, "3 salt")
    for _ in range(3):
        (water,) = [one for one in offered(state) if one.endswith("for 1 water")]
        state = after(state, water)
    assert state.amount("blue", "water") == 3 and state.amount("blue", "salt") == 0


def test_the_trader_takes_no_gold_and_no_water() -> None:  # X39, X19
    state = unused(5, "9 gold, 1 water")
    assert offered(state) == ["use_border 2", "use_border 3", "done"]


# ---- 9: Fata Morgana


def moves(state: State) -> set[str]:
    """Where the chosen marker can go."""
    return {one.rpartition(" ")[2] for one in offered(state) if one != "done"}


def mirage(here: str, more: str = "", name: str = "expansion") -> State:
    """Blue has one marker, here, and is to say where it goes."""
    state = use(
        9, "nothing", f"centre {here}: {{}}, marker of blue\n{more}".format(LYING[here]), name
    )
    return after(state, things(state)[here])


LYING = {"a1": "well_10", "b1": "two_dates", "b2": "camp_10", "c3": "oasis_10", "a2": "one_dates"}


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("a1", {"b1", "a2"}),
        ("b1", {"a1", "c1", "b2"}),
        ("b2", {"b1", "a2", "c2", "b3"}),
        ("c3", {"c2", "b3"}),
    ],
)
def test_the_fata_morgana_moves_a_marker_to_a_card_beside_it(
    here: str, there: set[str]
) -> None:  # X38
    assert moves(mirage(here)) == there


def test_the_marker_that_was_moved_is_used_where_it_now_is() -> None:  # X38
    state = mirage("b2")
    state = after(state, things(state)["b3"])
    assert state.place_of("marker 1 of blue") == "centre b3"
    assert "use_centre b3" in offered(state) and "use_centre b2" not in offered(state)


def test_it_goes_neither_to_a_marker_nor_to_a_card_face_down() -> None:  # X38, A16
    more = "centre: b1 two_dates, marker of white; a2 one_dates face down"
    assert moves(mirage("b2", more)) == {"c2", "b3"}
    state = unused(9, "nothing", f"centre a1: well_10, marker of blue\n{more}")
    assert "use_border 9" not in offered(state) and "use_centre a1" in offered(state)


def test_without_a_marker_it_does_nothing() -> None:  # X38, A16
    assert offered(unused(9, "nothing")) == ["use_border 2", "use_border 3", "done"]


def test_the_fata_morgana_of_the_base_game_still_reaches_every_card() -> None:  # X38, X44
    assert moves(mirage("b2", name="mixed_border")) == {
        "a1",
        "b1",
        "c1",
        "a2",
        "c2",
        "a3",
        "b3",
        "c3",
    }


# ---- 10: Silversmith


def test_the_silversmith_gives_a_point_for_any_two_goods_or_two_for_a_gold() -> None:  # X36, C13
    state = use(10, "2 dates, 2 gold")
    assert offered(state) == ["2 goods for 1 points", "1 gold for 2 points"]
    assert has(after(state, "2 goods for 1 points"), "blue") == "2 gold, 1 points"
    assert has(after(state, "1 gold for 2 points"), "blue") == "2 dates, 1 gold, 2 points"


@pytest.mark.parametrize(
    "purse", ["1 dates, 1 salt", "1 dates, 1 pepper", "1 salt, 1 pepper", "2 pepper"]
)
def test_the_two_goods_may_differ(purse: str) -> None:  # X36, C13
    assert ways(use(10, purse)) == {"1 points"}


def test_the_silversmith_exchanges_twice_and_not_more() -> None:  # X36, A32
    state = use(10, "9 gold")
    assert has(state, "blue") == "8 gold, 2 points" and offered(state) == [
        "new_silversmith_exchange",
        "done",
    ]
    state = after(state, "new_silversmith_exchange")
    assert has(state, "blue") == "7 gold, 4 points" and offered(state) == ["use_border 2", "done"]


def test_the_silversmith_does_not_work_without_an_exchange() -> None:  # X36, A58
    """So whatever a card gives for the action of the silversmith requires an exchange."""
    figures = "border: 2 targi of blue; 10 targi of blue"
    text = (
        "round_number: 3\nblue: {}\ndisplay of blue: a1 targia_6\n"
        + figures
        + "\ndo action_turn by blue"
    )
    assert "use_border 10" not in offered(at(text.format("1 dates"), "mixed"))
    assert has(after(at(text.format("2 dates"), "mixed"), "use_border 10"), "blue") == "2 points"


def test_after_one_exchange_one_may_stop() -> None:  # X36
    state = use(10, "9 gold")
    assert offered(after(state, "done")) == ["use_border 2", "done"]


def test_the_silversmith_takes_neither_a_single_good_nor_water() -> None:  # X36, X19
    assert offered(unused(10, "1 dates, 1 water")) == ["use_border 2", "use_border 3", "done"]


# ---- 13: Watering hole


def test_the_watering_hole_gives_two_water_and_no_goods_card() -> None:  # X4, X39
    state = use(13, "nothing", "goods_pile: two_dates, rest")
    assert has(state, "blue") == "2 water"
    assert on(state, "goods_discard") == "nothing" and state.cards("goods_pile")[0] == "two_dates"


# ---- 14: Tribal expansion


PILE = "tribe_pile: camel_10, camel_16, oasis_10, rest"


@pytest.mark.parametrize(
    ("choice", "place"), [("keep_in_hand", "hand of blue"), ("discard", "tribe_discard")]
)
def test_the_tribal_expansion_draws_a_card_and_settles_it(choice: str, place: str) -> None:  # X37
    state = use(14, "nothing", PILE)
    assert offered(state) == ["keep_in_hand", "discard"]
    assert on(after(state, choice), place) == "camel_10"
    shown = use(14, "1 dates, 2 salt, 2 pepper", PILE)
    shown = after(shown, "display", "cell a1")
    assert on(shown, "display a1 of blue") == "camel_10" and has(shown, "blue") == "nothing"


def test_for_a_water_the_drawn_card_goes_and_another_comes_as_often_as_wanted() -> None:  # X37, A56
    state = use(14, "2 water, 1 dates, 1 salt", PILE)
    assert offered(state) == ["pay_1_water", "done"]
    once = after(state, "pay_1_water")
    assert (
        has(once, "blue") == "1 dates, 1 salt, 1 water" and on(once, "tribe_discard") == "camel_10"
    )
    kept = after(once, "done")
    assert on(after(kept, "display", "cell a1"), "display a1 of blue") == "camel_16"
    twice = after(once, "pay_1_water")
    assert on(twice, "tribe_discard") == "camel_16, camel_10" and offered(twice) == [
        "keep_in_hand",
        "discard",
    ]
    assert (
        on(after(twice, "keep_in_hand"), "hand of blue") == "oasis_10"
        and has(twice, "blue") == "1 dates, 1 salt"
    )


def test_with_two_cards_drawn_both_go_and_two_come() -> None:  # A56, A52, X37
    more = "tribe_pile: camel_10, camel_16, oasis_10, well_10, rest\ndisplay a1 of blue: camel_7"
    state = after(use(14, "1 water", more, "mixed"), "pay_1_water")
    assert set(on(state, "tribe_discard").split(", ")) == {"camel_10", "camel_16"}
    assert set(things(state)) == {"oasis_10", "well_10"}
    state = after(state, things(state)["well_10"])
    assert on(state, "tribe_discard").startswith("oasis_10") and offered(state) == [
        "keep_in_hand",
        "discard",
    ]


def test_a_card_that_a_displayed_card_draws_is_not_drawn_anew() -> None:  # X37, A56
    more = "tribe_pile: well_8, camel_16, oasis_10, rest"
    state = use(14, "1 dates, 1 gold, 9 water", more, "mixed")
    state = after(state, "done", "display", "cell a1")
    assert on(state, "display a1 of blue") == "well_8"
    assert "pay_1_water" not in offered(state) and "keep_in_hand" in offered(state)


def test_only_the_tribal_expansion_of_the_expansion_draws_anew() -> None:  # X37
    text = (
        "round_number: 3\nblue: 9 water\ntribe_pile: camel_10, rest\ndo draw_tribe by blue with 1"
    )
    assert "pay_1_water" not in offered(at(text))


# ---- the robber's and the Targia's card


def test_a_corner_is_barred_and_so_is_the_robbers_card() -> None:  # X11, X34
    state = at("border 9: robber\ndo place_targi by blue")
    for number in (4, 8, 12, 16):
        assert barred(state, f"place_targi border {number}") == {"raid_card"}
    assert barred(state, "place_targi border 9") == {"robber_blocks"}


@pytest.mark.parametrize(("space", "left"), [(13, "2 water"), (2, "1 dates")])
def test_a_border_action_may_be_forgone_and_the_card_stays(
    space: int, left: str
) -> None:  # X11, X4
    text = (
        f"round_number: 3\nblue: nothing\nstarter: blue\nborder: 6 robber; {space} targi of"
        " blue\ndo {} by blue"
    )
    assert has(after(at(text.format("action_turn")), f"use_border {space}"), "blue") == left
    state = at(text.format("action_turn") + ", then take_back_unused by blue")
    assert has(after(state, "done"), "blue") == "nothing"
    assert on(after(state, "done"), f"border {space}") == {13: "watering_hole", 2: "dates_2"}[space]
