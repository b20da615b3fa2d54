"""The Targia figure: her path round the border, and the effect of her card: X8, X16 to X18, X48,
X50.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Seed
from tests.targi_expansion.tables import (
    after,
    at,
    barred,
    exchanges,
    game,
    has,
    offered,
    on,
    things,
    told,
)


def meets(space: int, blue: str = "nothing", more: str = "") -> State:
    """Blue's turn, with a Targi on the card where the Targia stands, and another on a border card."""
    other = 2 if space != 2 else 3
    return at(
        f"round_number: 3\nstarter: blue\nblue: {blue}\nwhite: nothing\nborder: 6 robber; {space}"
        f" targia_figure, targi of blue; {other} targi of blue\n{more}\ndo actions"
    )


def way(**options: str) -> list[tuple[str | None, str | None]]:
    """The places of the robber and the Targia while Targi are placed, round by round of a game."""
    state = at(
        "starter: blue\nblue: 99 points, 9 gold\nwhite: 99 points, 9 gold\ndo round", **options
    )
    found = dict[int, tuple[str | None, str | None]]()
    while state.seat is not None:
        choices = offered(state)
        if choices[0].startswith("place_targi"):
            found[state.value("round_number")] = (
                state.place_of("robber"),
                state.place_of("targia_figure"),
            )
        state = after(state, "done" if "done" in choices else choices[-1])
    return list(found.values())


def stations(*numbers: int | None) -> list[str | None]:
    return [f"border {number}" if number else None for number in numbers]


ROBBER = stations(1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)


# ---- her way


def test_she_waits_beside_15_and_steps_onto_it_in_round_1() -> None:  # X8, X16
    assert at("do check_end").place_of("targia_figure") == "border 15"
    state = start(game(), Seed(3))
    assert state.place_of("targia_figure") == "border 15" and state.place_of("robber") == "border 1"


@pytest.mark.parametrize(
    ("here", "there"), [(15, 14), (14, 13), (11, 10), (2, 1), (1, 15), (13, 11), (9, 7), (5, 3)]
)
def test_she_moves_one_card_against_the_clock_after_the_robber_and_jumps_corners(
    here: int, there: int
) -> None:  # X16, X18, A29
    text = (
        f"starter: blue\nround_number: 4\nblue: 2 points\nborder: 5 robber; {here}"
        " targia_figure\ndo {}"
    )
    moved = at(text.format("robber_moves, then targia_moves, then place_targi by blue"))
    assert (
        moved.place_of("targia_figure") == f"border {there}"
        and moved.place_of("robber") == "border 6"
    )
    assert at(text.format("round")).place_of("targia_figure") == f"border {there}"


def test_the_robber_moves_before_her() -> None:  # X16, B17
    state = at(
        "starter: blue\nround_number: 4\nborder: 5 robber; 11 targia_figure\nhand of blue:"
        " nothing\ndo place_targi"
    )
    texts = list[str]()
    while state.value("round_number") == 4:
        events = told(state, offered(state)[-1])
        texts += [one.text for one in events]
        state = after(state, offered(state)[-1])
    assert texts.index("robber goes from border 5 to border 6") < texts.index(
        "targia_figure goes from border 11 to border 10"
    )


def test_she_meets_neither_the_robber_nor_a_corner_in_twelve_rounds() -> (
    None
):  # X16, X18, X50, A29, C12, C28
    assert way() == list(
        zip(ROBBER, stations(15, 14, 13, 11, 10, 9, 7, 6, 5, 3, 2, 1), strict=True)
    )


def test_with_the_option_she_visits_the_corners_and_meets_the_robber_in_round_7() -> (
    None
):  # X50, C28, A29
    visited = stations(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4)
    assert way(targia_corners="visited") == list(zip(ROBBER, visited, strict=True))


def test_with_the_option_she_moves_at_the_end_of_a_round() -> None:  # C12, X16
    later = stations(None, 15, 14, 13, 11, 10, 9, 7, 6, 5, 3, 2)
    assert way(targia_time="end_of_round") == list(zip(ROBBER, later, strict=True))
    text = (
        "starter: blue\nround_number: 4\nborder: 5 robber; 11 targia_figure\ndo actions, then"
        " uncovering, then round"
    )
    assert at(text, targia_time="end_of_round").place_of("targia_figure") == "border 11"
    assert at(text).place_of("targia_figure") == "border 10"
    both = stations(None, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5)
    assert way(targia_time="end_of_round", targia_corners="visited") == list(
        zip(ROBBER, both, strict=True)
    )


def test_at_a_raid_she_moves_after_the_robber_has_moved_on() -> None:  # A30, X16
    state = at(
        "starter: blue\nround_number: 3\nborder: 3 robber; 13 targia_figure\nblue: 1 points, 1"
        " dates\nwhite: nothing"
    )
    assert state.place_of("robber") == "border 4" and state.place_of("targia_figure") == "border 13"
    state = after(state, "pay 1 points")
    assert state.place_of("robber") == "border 5" and state.place_of("targia_figure") == "border 11"


# ---- she does not block


def test_the_targia_on_a_corner_gives_nothing_for_nobody_stands_there() -> None:  # X50, C28
    text = "round_number: 4\nborder: 6 robber; 12 targia_figure\ndo place_targi by blue"
    assert barred(at(text, targia_corners="visited"), "place_targi border 12") == {"raid_card"}
    dune = (
        "round_number: 4\nstarter: blue\nborder: 6 robber; 12 targia_figure; 2 targi of blue\nblue:"
        " nothing\ndunes 1: any_border_card, targi of blue\ndo actions"
    )
    assert "12" not in things(after(at(dune, targia_corners="visited"), "use_dune 1"))


def test_the_targia_on_the_robbers_card_is_out_of_reach_unless_the_robber_may_be_ignored() -> (
    None
):  # X50, X17, B22
    text = (
        "starter: blue\nround_number: 6\nborder: 7 robber; 10 targia_figure; 2 targi of blue; 13"
        " targi of white\nblue: nothing\nwhite: 1 points\n{}do robber_moves, then targia_moves,"
        " then place_targi by blue, then actions"
    )
    state = at(text.format(""), targia_corners="visited")
    assert state.place_of("robber") == state.place_of("targia_figure") == "border 9"
    assert barred(state, "place_targi border 9") == {"robber_blocks"}
    state = at(text.format("display a1 of blue: targia_17\n"), targia_corners="visited")
    state = after(
        state, "place_targi border 9", "use_border 9"
    )  # the Fata Morgana has no marker to move
    assert sorted(offered(state)) == ["gain dates", "gain pepper", "gain salt"]


# ---- what she gives, besides the action of her card


def test_the_gift_may_be_taken_though_the_action_is_forgone() -> None:  # A28
    state = after(
        meets(15, "1 dates"), "use_border 15", "gift_first", "gain_1_goods", "gain dates", "decline"
    )
    assert has(state, "blue") == "2 dates" and offered(state) == ["use_border 2", "done"]
    noble = after(
        meets(1), "use_border 1"
    )  # without a hand card there is nothing for the Noble to do
    assert has(after(noble, "gain salt"), "blue") == "1 salt"


def test_both_the_good_and_the_card_are_not_to_be_had() -> None:  # X17
    state = after(
        meets(15, "3 dates"),
        "use_border 15",
        "action_first",
        "targia_gift",
        "gain_1_goods",
        "gain dates",
    )
    assert has(state, "blue") == "4 dates, 1 salt" and offered(state) == ["use_border 2", "done"]


CARDS = "goods_pile: one_gold, choice, two_salt, one_dates, rest"


def opens(blue: str, cards: str = CARDS) -> State:
    """Blue, on the Targia's card with this purse, has a goods card turned up before the action."""
    return after(meets(15, blue, cards), "use_border 15", "gift_first", "open_goods")


def test_for_a_good_the_top_goods_card_is_turned_up_and_taken() -> None:  # X17, X48
    state = opens("2 dates, 1 pepper")
    assert set(things(state)) == {"dates", "pepper"}  # which good goes back is the player's choice
    state = after(state, "pay pepper")
    assert has(state, "blue") == "2 dates" and offered(state) == ["pay_and_turn_up", "done"]
    state = after(state, "done")
    assert has(state, "blue") == "2 dates, 1 gold" and on(state, "goods_discard") == "one_gold"


def test_who_is_not_content_pays_again_and_turns_up_the_next_as_often_as_wanted() -> (
    None
):  # X17, X48
    state = after(opens("4 dates"), "pay_and_turn_up")
    assert has(state, "blue") == "2 dates" and on(state, "goods_discard") == "one_gold"
    state = after(state, "pay_and_turn_up")
    assert has(state, "blue") == "1 dates" and state.cards("goods_discard") == (
        "choice",
        "one_gold",
    )
    kept = after(state, "done")
    assert has(kept, "blue") == "1 dates, 2 salt"
    assert (
        state.cards("goods_pile")[0] == "one_dates" and kept.cards("goods_discard")[0] == "two_salt"
    )
    last = after(state, "pay_and_turn_up")  # nothing left to pay with: the last one is taken
    assert has(last, "blue") == "1 dates" and len(last.cards("goods_discard")) == 4


def test_a_goods_card_that_is_turned_up_is_taken_or_paid_past_and_not_left() -> None:  # A54
    state = after(opens("1 dates, 1 gold", "goods_pile: one_point, rest"))
    assert "pay_and_turn_up" not in offered(state) and has(state, "blue") == "1 gold, 1 points"
    assert on(state, "goods_discard") == "one_point"


def test_the_good_she_asks_for_may_come_from_water() -> None:  # X17, X20, A27
    state = opens("2 water")
    assert offered(state) == [] and len(exchanges(state)) == 3
    state = after(state, "water_for_goods salt")
    assert has(state, "blue") == "1 gold" and on(state, "goods_discard") == "one_gold"


def test_a_goods_card_she_turns_up_counts_as_one() -> None:  # A11, X17
    cards = "goods_pile: two_water, rest\ndisplay a1 of blue: well_17"
    assert has(opens("1 dates", cards), "blue") == "3 water"


def test_an_empty_goods_pile_is_made_of_its_discards_also_with_the_refused_card() -> (
    None
):  # X48, A49, B34
    lost = "goods_pile: one_gold\ngoods_discard: two_salt\nnowhere: rest of goods_pile"
    state = opens("3 dates", lost)
    assert state.cards("goods_pile") == ("two_salt",) and state.cards("goods_discard") == ()
    state = after(state, "pay_and_turn_up")  # the gold is refused, and alone makes the new pile
    assert state.cards("goods_pile") == ("one_gold",)
    state = after(state, "pay_and_turn_up")
    assert has(state, "blue") == "1 gold" and state.cards("goods_pile") == ("two_salt",)


def test_an_ability_that_speaks_of_her_gift_works_for_both_gifts() -> None:  # X17, X12: targia_12
    more = "\ndisplay a1 of blue: targia_12"
    good = after(
        meets(15, "1 dates", CARDS + more),
        "use_border 15",
        "gift_first",
        "gain_1_goods",
        "gain salt",
    )
    assert has(good, "blue") == "1 dates, 1 salt, 1 water"
    card = opens("1 dates", CARDS + more)
    assert has(card, "blue") == "1 gold, 1 water"
    none = after(meets(15, "1 dates", CARDS + more), "use_border 15", "action_first", "decline")
    assert has(none, "blue") == "1 dates, 1 salt"
