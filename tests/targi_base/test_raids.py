"""The tolls of raids: B57 to B61, B64, and the card that protects from them."""

from __future__ import annotations

import pytest

from targi_dsl.api import result
from targi_dsl.api.state import State
from tests.targi_base.tables import after, at, has, offered


def raid(number: int, blue: str, white: str = "9 points", more: str = "", **options: str) -> State:
    """The raid card of this number, with blue first and the amounts that both have."""
    text = (
        f"starter: blue\nblue: {blue}\nwhite: {white}\nborder {4 * number}: robber\n{more}\ndo"
        f" raid_{number}"
    )
    return at(text, "base", **options)


@pytest.mark.parametrize(("number", "goods", "points"), [(1, 1, 1), (2, 2, 1), (3, 3, 2)])
def test_a_raid_asks_for_goods_or_points(number: int, goods: int, points: int) -> None:  # B58, B59
    state = raid(number, "9 dates, 9 points")
    assert offered(state) == [f"pay {goods} goods", f"pay {points} points"]
    assert has(after(state, f"pay {goods} goods"), "blue") == f"{9 - goods} dates, 9 points"
    assert has(after(state, f"pay {points} points"), "blue") == f"9 dates, {9 - points} points"


def test_goods_for_a_raid_may_be_mixed() -> None:  # B57, B58
    state = after(
        raid(3, "3 dates, 1 salt, 1 pepper, 4 points"),
        "pay 3 goods",
        "pay salt",
        "pay dates",
        "pay pepper",
    )
    assert has(state, "blue") == "2 dates, 4 points"


def test_the_last_raid_asks_for_a_gold_or_three_points() -> None:  # B59, C14, C27
    state = raid(4, "9 dates, 1 gold, 3 points", "3 points")
    assert offered(state) == ["pay 1 gold", "pay 3 points"]
    assert has(after(state, "pay 1 gold"), "blue") == "9 dates, 3 points"
    assert has(after(state, "pay 3 points"), "blue") == "9 dates, 1 gold"


def test_the_game_ends_when_the_fourth_raid_is_paid() -> None:  # B64, A34
    state = after(raid(4, "1 gold, 3 points", "1 gold, 3 points"), "pay 1 gold", "pay 3 points")
    assert state.seat is None and result(state).ended_by == "finish"
    assert has(state, "blue") == "3 points" and has(state, "white") == "1 gold"


def test_the_starting_player_chooses_first_and_the_other_sees_it() -> None:  # B57, A31
    for starter, other in (("blue", "white"), ("white", "blue")):
        state = at(
            f"starter: {starter}\nblue: 1 dates, 1 points\nwhite: 1 dates, 1 points\ndo raid_1"
        )
        assert state.seat == starter
        state = after(state, "pay 1 points")
        assert state.seat == other and has(state, starter) == "1 dates"


@pytest.mark.parametrize(("number", "loss"), [(1, 1), (2, 1), (3, 2), (4, 3)])
def test_who_has_nothing_loses_nothing_and_the_opponent_gains_the_points(
    number: int, loss: int
) -> None:  # B60, B61, C8, A2
    state = raid(number, "nothing", "9 salt, 9 gold, 9 points")
    assert (
        has(state, "white") == f"9 salt, 9 gold, {9 + loss} points"
        and has(state, "blue") == "nothing"
    )


def test_who_cannot_pay_one_way_in_full_pays_nothing() -> None:  # A2
    state = raid(3, "2 dates, 1 points", "3 salt, 1 points")
    assert has(state, "blue") == "2 dates, 1 points"
    assert has(state, "white") == "3 salt, 3 points"  # who now may choose


def test_who_can_pay_must_pay() -> None:  # A2
    assert has(raid(3, "2 dates, 2 points"), "blue") == "2 dates"
    assert has(raid(2, "1 dates, 1 points", "2 points"), "white") == "1 points"


def test_gold_is_no_good_at_a_raid() -> None:  # B45, A2
    assert has(raid(1, "3 gold", "1 points"), "blue") == "3 gold"


def test_with_the_option_only_the_last_unpaid_raid_gives_points() -> None:  # C8
    for number, points in ((1, 9), (2, 9), (3, 9), (4, 12)):
        state = raid(number, "nothing", "9 salt, 9 gold, 9 points", unpaid_raid="last")
        assert state.amount("white", "points") == points


# ---- the card against raids (camp_3)


def test_the_card_against_raids_frees_its_owner_from_all_later_ones() -> None:  # B56, C21, A46
    for number in (1, 2, 3, 4):
        state = raid(
            number,
            "2 dates, 3 points",
            "nothing",
            "display a1 of blue: camp_3\nward_used of blue: yes",
        )
        gain = {1: 1, 2: 1, 3: 2, 4: 3}[number]
        assert (
            has(state, "blue") == f"2 dates, {3 + gain} points" and has(state, "white") == "nothing"
        )


def test_with_the_option_it_frees_once() -> None:  # C21
    state = raid(2, "2 dates, 3 points", "nothing", "display a1 of blue: camp_3", raid_ward="next")
    assert has(state, "blue") == "2 dates, 4 points" and state.value("ward_used", 0) == 1
    again = raid(
        3,
        "2 dates, 3 points",
        "2 points",
        "display a1 of blue: camp_3\nward_used of blue: yes",
        raid_ward="next",
    )
    assert has(again, "blue") == "2 dates, 1 points"


def test_it_does_not_free_the_opponent() -> None:  # B56
    state = raid(1, "nothing", "1 points", "display a1 of blue: camp_3")
    assert has(state, "white") == "nothing"


def test_who_is_freed_from_the_fourth_raid_has_paid_it_and_the_game_ends() -> (
    None
):  # B56, B60, B64, A46
    state = raid(4, "nothing", "3 points", "display a1 of blue: camp_3")
    assert state.seat is None
    assert has(state, "blue") == "nothing" and has(state, "white") == "nothing"


def test_gold_stored_on_a_card_does_not_pay_a_raid() -> None:  # A9
    state = raid(4, "nothing", "1 gold", "display a1 of blue: camp_4\nstored 1 gold on camp_4")
    assert has(state, "white") == "1 gold, 3 points"


def test_a_raid_is_made_when_the_robber_comes_and_by_the_new_starting_player() -> None:  # B19, B57
    state = at(
        "starter: white\nborder 7: robber\nround_number: 6\nblue: 1 points\nwhite: 1 points, 2 salt"
    )
    assert state.seat == "white" and offered(state) == ["pay 2 goods", "pay 1 points"]
