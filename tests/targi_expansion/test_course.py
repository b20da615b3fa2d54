"""The course of the expansion: its beginning, rounds and raids, action markers, end, ties and
options.
"""

from __future__ import annotations

from collections import Counter

import pytest

from targi_dsl.api import result, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.constants import NOTHING
from tests.targi_base import tables
from tests.targi_expansion.tables import (
    FULL,
    after,
    at,
    barred,
    chosen,
    game,
    has,
    offered,
    on,
    part,
    things,
    told,
)

# ---- the box and the setup


def test_the_box_has_20_dunes_45_tribe_24_goods_and_16_border_cards_and_a_targia() -> (
    None
):  # X1, X2, X3, X4, X5
    expansion = game()
    assert Counter(expansion.kinds[card.kind] for card in expansion.cards) == {
        "tribe_card": 45,
        "goods_card": 24,
        "border_card": 16,
        "dune": 20,
    }
    pieces = Counter((piece.kind, piece.owner) for piece in expansion.pieces)
    assert pieces["targia_figure", NOTHING] == pieces["robber", NOTHING] == 1
    assert (
        pieces["targi", 0] == pieces["targi", 1] == 3
        and pieces["marker", 0] == pieces["marker", 1] == 2
    )
    assert "water" in expansion.resources


def test_the_tribe_cards_are_those_of_the_expansion_nine_of_each_symbol() -> None:  # X1, X3
    expansion = game()
    cards = {card.id for card in expansion.cards if expansion.kinds[card.kind] == "tribe_card"}
    assert cards == {
        f"{symbol}_{n}"
        for symbol in ("well", "camel", "oasis", "targia", "camp")
        for n in range(10, 19)
    }


def test_ten_border_cards_take_the_places_of_those_with_their_numbers() -> None:  # X3, X4, X11
    state = start(game(), Seed(3))
    order = (
        "noble dates_2 salt_3 raid_1 trader pepper_6 dates_7 raid_2 "
        "fata_morgana silversmith pepper_11 raid_3 watering_hole tribal_expansion salt_15 raid_4"
    )
    assert [on(state, f"border {number}") for number in range(1, 17)] == order.split()


@pytest.mark.parametrize(
    ("card", "gain"),
    [
        ("two_water", "2 water"),
        ("two_water.2", "2 water"),
        ("water_dates", "1 dates, 1 water"),
        ("water_salt", "1 salt, 1 water"),
        ("water_pepper", "1 pepper, 1 water"),
    ],
)
def test_five_goods_cards_show_water(card: str, gain: str) -> None:  # X1, X5
    state = at(
        f"blue: nothing\nborder: 2 targi of blue\ncentre a1: {card}, marker of blue\ndo action_turn"
        " by blue"
    )
    state = after(state, "use_centre a1")
    assert has(state, "blue") == gain and on(state, "goods_discard") == card


def test_four_goods_and_five_tribe_cards_lie_in_the_centre_face_up() -> None:  # X5, X52, C11
    state = start(game(), Seed(3))
    kinds = {card.id: state.game.kinds[card.kind] for card in state.game.cards}
    rows = [[kinds[on(state, f"centre {column}{row}")] for column in "abc"] for row in (1, 2, 3)]
    goods, tribe = "goods_card", "tribe_card"
    assert rows == [[tribe, goods, tribe], [goods, tribe, goods], [tribe, goods, tribe]]
    assert all(
        state.face_up(on(state, f"centre {column}{row}")) for column in "abc" for row in (1, 2, 3)
    )
    assert len(state.cards("goods_pile")) == 20 and len(state.cards("tribe_pile")) == 40


def test_used_cards_are_replaced_as_in_the_base_game() -> None:  # X52, X11
    state = at(
        "blue: nothing\nborder 2: targi of blue\ncentre: a1 well_10, marker of blue; b1 two_salt,"
        " marker of blue\ngoods_pile: two_water, rest\ntribe_pile: camp_10, rest\ndo action_turn by"
        " blue"
    )
    state = after(state, "use_centre a1", "discard", "use_centre b1")
    assert on(state, "centre a1") == "two_water" and on(state, "centre b1") == "camp_10"
    assert not state.face_up("two_water") and not state.face_up("camp_10")


@pytest.mark.parametrize("player", ["blue", "white"])
def test_everybody_begins_with_one_of_each_good_two_water_a_gold_and_four_points(
    player: str,
) -> None:  # X9, X51
    state = start(game(), Seed(3))
    assert has(state, player) == "1 dates, 1 salt, 1 pepper, 1 gold, 4 points, 2 water"
    assert on(state, f"hand of {player}") == "nothing"


def test_the_easier_start_gives_two_of_each_good() -> None:  # X9
    for easier in (game(opening="easier"), tables.game("expansion_easier")):
        for player in ("blue", "white"):
            found = has(start(easier, Seed(3)), player)
            assert found == "2 dates, 2 salt, 2 pepper, 1 gold, 4 points, 2 water"


def test_white_starts_unless_the_option_says_blue() -> None:  # X10, C10, C23
    assert start(game(), Seed(3)).seat == "white"
    assert start(game(starting_player="blue"), Seed(3)).seat == "blue"


def test_robber_and_targia_wait_beside_1_and_15() -> None:  # X8
    state = start(game(), Seed(3))
    assert state.place_of("robber") == "border 1" and state.place_of("targia_figure") == "border 15"


# ---- the round


def test_the_parts_of_a_round_come_in_their_order() -> None:  # X11, X16, X27, B17, A30
    state = at(
        "starter: blue\nround_number: 4\nborder: 5 robber; 11 targia_figure\ndunes: 1 nothing; 2"
        " nothing; 3 nothing"
    )
    assert state.place_of("robber") == "border 6" and state.place_of("targia_figure") == "border 10"
    assert sum(len(state.cards(f"dunes {n}")) for n in (1, 2, 3)) == 1
    seen = list[str]()
    while state.value("round_number") == 5:
        choice = "done" if "done" in offered(state) else offered(state)[0]
        seen.append(choice.partition(" ")[0])
        state = after(state, choice)
    assert seen[:6] == ["place_targi"] * 6 and set(seen[6:]) == {"done"}
    assert state.value("round_number") == 6 and state.seat == "white"


def test_a_round_with_a_raid_has_the_raid_before_everything_else() -> None:  # A30, B19, X27
    state = at(
        "starter: blue\nround_number: 4\nborder: 7 robber; 11 targia_figure\n"
        "blue: 1 points\nwhite: 1 points, 1 salt, 1 pepper"
    )
    assert state.seat == "white" and offered(state) == ["pay 1 salt, 1 pepper", "pay 1 points"]
    assert state.place_of("targia_figure") == "border 11"
    events = [one.text for one in told(state, "pay 1 points")]
    steps = [
        "white pays",
        "robber goes from border 8 to border 9",
        "targia_figure goes from border 11 to border 10",
    ]
    found = [next(n for n, text in enumerate(events) if text.startswith(step)) for step in steps]
    assert found == sorted(found)


def test_the_starting_player_does_all_actions_then_the_other() -> None:  # X11, B29
    state = at(
        "starter: white\nborder: 2 targi of blue; 6 targi of white\ndunes 1: two_gold, targi of"
        " white\nblue: nothing\nwhite: nothing\ndo actions"
    )
    assert state.seat == "white" and offered(state) == ["use_border 6", "use_dune 1", "done"]
    assert after(state, "use_border 6", "use_dune 1").seat == "blue"


# ---- action markers

MARKERS = (
    "round_number: 3\nstarter: blue\nborder: 6 robber; 2 targi of blue; 3 targi of white\nblue:"
    " {}\nwhite: 1 dates\n"
)


def test_an_action_marker_is_used_at_once_in_the_turn_of_display() -> None:  # X12
    text = MARKERS.format("3 dates, 2 salt, 1 pepper")
    state = at(f"{text}centre a1: well_13, marker of blue\ndo actions")
    state = after(state, "use_centre a1", "display", "cell a1")
    assert has(state, "blue") == "2 dates" and "well_13" in offered(state)
    assert (
        has(after(state, "well_13", "1 dates for 1 pepper", "done"), "blue") == "1 dates, 1 pepper"
    )


def test_an_action_marker_is_used_between_the_actions_and_once_a_game() -> None:  # X12
    state = at(MARKERS.format("1 dates") + "display a1 of blue: well_13\ndo actions, then round")
    state = after(state, "well_13", "1 dates for 1 pepper", "done")
    assert state.seat == "blue" and offered(state) == ["use_border 2", "done"]
    state = after(state, "done", "done")
    assert state.value("round_number") == 4 and "well_13" not in offered(state)
    while not (state.seat == "blue" and "done" in offered(state)):
        state = after(
            state,
            (
                "done"
                if "done" in offered(state)
                else next(o for o in offered(state) if "border" in o)
            ),
        )
    assert "well_13" not in offered(state)


def test_an_action_marker_is_used_in_a_turn_of_placement_before_the_targi_is_placed() -> (
    None
):  # X12, A26
    text = (
        MARKERS.format("1 dates, 1 pepper")
        + "display a1 of blue: well_13\ndo placement, then actions"
    )
    state = at(text)
    assert state.seat == "blue" and offered(state) == ["well_13", "done"]
    assert after(state, "done").seat == "blue" and offered(after(state, "done"))[0].startswith(
        "place_targi"
    )
    state = after(state, "well_13", "1 dates for 1 salt", "done")
    assert has(state, "blue") == "1 salt, 1 pepper" and offered(state)[0].startswith("place_targi")


def test_an_action_marker_is_not_used_in_the_opponents_turn() -> None:  # X12, A26
    state = at(MARKERS.format("1 dates") + "display a1 of white: well_13\ndo actions")
    assert offered(state) == ["use_border 2", "done"]
    state = after(state, "done")
    assert state.seat == "white" and "well_13" in offered(state)


def test_an_action_marker_is_used_while_a_drawn_card_waits() -> None:  # X12
    text = (
        MARKERS.format("2 dates")
        + "display a1 of blue: well_13\ntribe_pile: camel_16, rest\nborder 14: targi of blue\n"
    )
    state = after(at(text + "do actions"), "use_border 14")
    assert offered(state) == ["well_13", "done"] and "camel_16" not in state.cards("tribe_discard")
    state = after(state, "well_13", "1 dates for 1 salt", "done")
    assert "display" in offered(state)  # 1 dates and 1 salt
    assert on(after(state, "display", "cell b1"), "display b1 of blue") == "camel_16"


def test_the_action_marker_against_raids_is_used_in_a_raid_and_only_there() -> (
    None
):  # X12, A26, A46
    raid = (
        "starter: blue\nborder 12: robber\nblue: 2 points\nwhite: 2 points\ndisplay a1 of blue:"
        " camp_16\n{}do raid_3"
    )
    state = at(raid.format(""))
    assert offered(state) == ["pay_toll", "camp_16"]
    freed = after(state, "camp_16")
    assert has(freed, "blue") == "2 points" and has(freed, "white") == "nothing"
    assert has(after(state, "pay_toll"), "blue") == "nothing"
    assert has(at(raid.format("used camp_16\n")), "blue") == "nothing"
    assert "camp_16" not in offered(
        at(MARKERS.format("1 dates") + "display a1 of blue: camp_16\ndo actions")
    )


# ---- the raids

RICH = "3 dates, 3 salt, 3 pepper, 3 gold, 3 points, 1 water"


def raid(number: int, blue: str = RICH, white: str = RICH, more: str = "", **options: str) -> State:
    """The raid of this number, with blue first and the amounts that both have."""
    text = (
        f"starter: blue\nborder {4 * number}: robber\nblue: {blue}\nwhite: {white}\n{more}\ndo"
        f" raid_{number}"
    )
    return at(text, **options)


@pytest.mark.parametrize(
    ("number", "goods", "points", "left"),
    [
        (1, "1 dates", "1 points", "2 dates, 3 salt, 3 pepper"),
        (2, "1 salt, 1 pepper", "1 points", "3 dates, 2 salt, 2 pepper"),
        (3, "1 dates, 1 salt, 1 pepper", "2 points", "2 dates, 2 salt, 2 pepper"),
    ],
)
def test_raids_name_the_goods_to_be_given(
    number: int, goods: str, points: str, left: str
) -> None:  # X34, B57
    state = raid(number)
    assert offered(state) == [f"pay {goods}", f"pay {points}"]
    assert has(after(state, f"pay {goods}"), "blue") == f"{left}, 3 gold, 3 points, 1 water"
    assert f"3 gold, {3 - int(points[0])} points, 1 water" in has(
        after(state, f"pay {points}"), "blue"
    )
    assert after(state, f"pay {goods}").seat == "white"


@pytest.mark.parametrize(("number", "loss"), [(1, 1), (2, 1), (3, 2)])
def test_who_has_not_the_named_goods_loses_nothing_and_the_opponent_gains(
    number: int, loss: int
) -> None:  # X34, A2, C8
    blue = {1: "9 salt, 9 pepper", 2: "9 dates, 9 salt", 3: "9 dates, 9 pepper, 1 points"}[number]
    state = raid(number, blue)
    assert has(state, "blue") == blue
    assert f"{3 + loss} points" in has(state, "white")
    assert "3 points" in has(raid(number, blue, unpaid_raid="last"), "white")


def test_no_tribe_card_is_given_in_another_raid() -> None:  # A5, X34
    for number in (1, 2, 3):
        state = raid(number, "9 gold", "9 gold", "display a1 of blue: well_10")
        assert on(state, "display a1 of blue") == "well_10" and "give_last_card" not in offered(
            state
        )
        rich = raid(number, more="display a1 of blue: well_10")
        assert not [one for one in offered(rich) if not one.startswith("pay")]


CARDS = "display of blue: a1 well_10; b1 camel_10; a2 camp_10"


def test_the_last_raid_takes_a_gold_or_the_last_card_on_the_right_as_the_player_likes() -> (
    None
):  # X34, X54, C14, A5
    state = raid(4, more=CARDS + "\ndisplay a1 of white: camp_11")
    assert offered(state) == ["give_toll", "give_last_card"]  # and no points
    gold = after(state, "give_toll")
    assert "2 gold, 3 points" in has(gold, "blue") and on(gold, "display b1 of blue") == "camel_10"
    card = after(state, "give_last_card")
    assert "3 gold, 3 points" in has(card, "blue")
    assert on(card, "display b1 of blue") == "nothing" and on(card, "tribe_discard") == "camel_10"
    assert (
        on(card, "display a1 of blue") == "well_10" and on(card, "display a2 of blue") == "camp_10"
    )
    over = after(card, "give_last_card")
    assert (
        over.seat is None
        and result(over).ended_by == "finish"
        and on(over, "display a1 of white") == "nothing"
    )


def test_of_several_cards_in_the_last_column_the_owner_chooses() -> None:  # A5
    cards = (
        "display of blue: a1 well_10; b1 camel_10; c1 oasis_10; a2 camp_10; b2 targia_10\n"
        "display of blue: a3 camp_11; b3 camp_12; c3 well_11"
    )
    state = after(raid(4, more=cards), "give_last_card")
    assert state.seat == "blue" and set(things(state)) == {"oasis_10", "well_11"}
    state = after(state, things(state)["well_11"])
    assert on(state, "tribe_discard") == "well_11" and on(state, "display c1 of blue") == "oasis_10"


def test_points_and_ability_of_the_given_card_are_lost() -> None:  # A5, A45
    lost = raid(4, "nothing", "1 gold", "display of blue: a1 well_10; b1 well_14")
    assert lost.seat is None and part(lost, "tribe_cards") == 3
    assert (
        result(lost).breakdown[0].get("well_14", 0) == 0 and on(lost, "tribe_discard") == "well_14"
    )


def test_who_has_neither_gold_nor_card_gives_nothing_and_the_opponent_gains_three_points() -> (
    None
):  # A4, X34, B60
    state = raid(4, "9 dates, 9 points, 2 water", "1 gold, 1 points")
    assert state.seat is None
    assert has(state, "blue") == "9 dates, 9 points, 2 water" and has(state, "white") == "4 points"
    assert has(raid(4, "9 dates", "1 gold, 1 points", unpaid_raid="last"), "white") == "4 points"


def test_the_twelfth_card_may_be_given_and_the_game_ends_all_the_same() -> None:  # A6
    state = raid(4, white="1 gold", more=f"display of blue: {FULL}; d3 camp_12")
    state = chosen(state, "give_last_card", "camp_12")
    assert on(state, "display d3 of blue") == "nothing"
    assert state.seat is None and part(state, "tribe_cards") == 31


def test_the_starting_player_gives_first_in_the_last_raid() -> None:  # X34, B57, A31
    text = (
        "starter: white\nborder 16: robber\nblue: 1 gold\nwhite: 1 gold\ndisplay a1 of {}:"
        " well_10\ndo raid_4"
    )
    assert at(text.format("white")).seat == "white"
    both = at(text.format("white").replace("do raid", "display a1 of blue: well_11\ndo raid"))
    assert both.seat == "white" and after(both, "give_toll").seat == "blue"


def test_the_game_ends_at_once_after_the_fourth_raid() -> None:  # X40, X34, B64
    text = (
        "starter: blue\nround_number: 12\nborder: 15 robber; 1 targia_figure\nblue: 1 gold\nwhite:"
        " 1 gold\ndo round"
    )
    state = at(text)
    assert (
        state.seat is None
        and result(state).ended_by == "finish"
        and state.place_of("robber") == "border 16"
    )
    assert has(state, "blue") == "nothing" and state.place_of("targia_figure") == "border 1"


# ---- the end

ENDING = (
    "round_number: 6\nstarter: {starter}\n"
    "border: 6 robber; 2 targi of {other}; 15 targi of {other}; 3 targi of {first}\n"
    "blue: 1 dates, 1 salt\nwhite: 1 dates, 1 salt\ndisplay of {first}: "
    + FULL
    + "\ncentre a1: camp_17, marker of {first}\ndo actions, then uncovering, then check_end"
)


def test_the_game_ends_after_the_round_of_a_twelfth_card() -> None:  # X40, X11, B63
    state = at(ENDING.format(first="blue", other="white", starter="blue"))
    state = after(state, "use_centre a1", "display")
    assert state.seat == "blue"  # who finishes his own actions
    state = after(state, "use_border 3")
    assert state.seat == "white" and "use_border 2" in offered(
        state
    )  # and the other still has his turn
    state = after(state, "use_border 2", "use_border 15")
    assert state.seat is None and result(state).ended_by == "finish"
    assert (
        after(at(ENDING.format(first="white", other="blue", starter="blue")), "done").seat
        == "white"
    )


def test_points_are_tokens_cards_their_bonuses_rows_and_water() -> None:  # X41, X21
    state = at(
        "blue: 3 points, 5 water\nwhite: nothing\n"
        "display of blue: a1 well_10; b1 well_11; c1 well_14; d1 well_15\n"
        "display of blue: a2 well_16; b2 camel_10; c2 camp_10; d2 oasis_10\nended by finish"
    )
    parts = {name: number for name, number in result(state).breakdown[0].items() if number}
    assert parts == {
        "tokens": 3,
        "tribe_cards": 19,
        "equal_rows": 4,
        "mixed_rows": 2,
        "well_14": 2,
        "water": 2,
    }
    assert result(state).scores == (32, 0) and result(state).winner == "blue"


@pytest.mark.parametrize(
    ("blue", "white", "water", "goods"),
    [
        ("9 points", "8 points, 9 gold, 1 water", "blue", "blue"),
        ("9 points, 1 gold", "9 points, 1 water, 9 salt", "blue", "blue"),
        ("9 points, 1 gold, 1 water", "9 points, 1 gold, 9 salt", "blue", "white"),
        ("9 points, 1 gold, 1 water, 1 dates", "9 points, 1 gold, 1 water, 2 salt", None, "white"),
        (
            "9 points, 1 gold, 1 water, 2 dates",
            "9 points, 1 gold, 1 water, 1 salt, 1 pepper",
            None,
            None,
        ),
        ("9 points, 2 water", "10 points, 1 gold", "white", "white"),
    ],
)
def test_a_tie_goes_to_the_most_gold_then_the_most_water_or_goods_then_nobody(
    blue: str, white: str, water: str | None, goods: str | None
) -> None:  # X42, C9
    text = f"blue: {blue}\nwhite: {white}\nended by finish"
    assert result(at(text)).winner == water
    assert result(at(text, tie="goods")).winner == goods


def test_there_is_no_raid_after_the_twelfth_card() -> None:  # X40, A34
    text = ENDING.format(first="blue", other="white", starter="blue").replace(
        "6 robber", "7 robber"
    )
    state = after(at(text), "use_centre a1", "display", "done", "done")
    assert state.seat is None and state.place_of("robber") == "border 7"


# ---- both boxes


@pytest.mark.parametrize("name", ["mixed", "mixed_border"])
def test_mixed_play_draws_nine_of_each_symbol_from_both_boxes(name: str) -> None:  # X43, X44
    found = []
    for seed in (3, 4):
        state = start(tables.game(name), Seed(seed))
        fields = {
            card.id: card.fields
            for card in state.game.cards
            if state.game.kinds[card.kind] == "tribe_card"
        }
        places = [f"centre {column}{row}" for column in "abc" for row in (1, 2, 3)] + ["tribe_pile"]
        deck = [card for place in places for card in state.cards(place) if card in fields]
        assert len(fields) == 90 and len(deck) == 45
        assert set(Counter(fields[card]["symbol"] for card in deck).values()) == {9}
        found.append(frozenset(deck))
        numbers = {int(card.rpartition("_")[2]) for card in deck}
        assert min(numbers) < 10 <= max(numbers)
    assert found[0] != found[1]


def test_border_cards_of_both_boxes_may_be_mixed() -> None:  # X44
    state = tables.at(
        "starter: blue\nborder 4: robber\nblue: 1 pepper, 1 points\nwhite: nothing\ndo raid_1",
        "mixed_border",
    )
    assert "pay 1 goods" in tables.offered(state)  # the raid of the base game, for any good
    hole = tables.at(
        "blue: nothing\nborder: 13 targi of blue; 2 targi of blue\ndo action_turn by blue",
        "mixed_border",
    )
    assert has(after(hole, "use_border 13"), "blue") == "2 water"


def test_a_corner_no_one_stands_on_in_the_expansion_either() -> None:  # X11, B22
    state = at("border 6: robber\ndo place_targi by blue")
    for corner in (4, 8, 12, 16):
        assert barred(state, f"place_targi border {corner}") == {"raid_card"}
    assert barred(state, "place_targi border 6") == {"robber_blocks"}
