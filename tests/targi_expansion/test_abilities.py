"""The effects of the 28 tribe cards with an ability: when each applies, when it does not, and when
it applies again: X12, X30.
"""

from __future__ import annotations

import pytest

from targi_dsl.api.state import State
from tests.targi_expansion.tables import (
    after,
    at,
    barred,
    game,
    has,
    offered,
    on,
    part,
    things,
    ways,
)

DISCOUNTS = {
    "well": "well_18",
    "camel": "camel_18",
    "oasis": "oasis_18",
    "targia": "targia_18",
    "camp": "camp_18",
}
PAIRS = {
    "well": "well_14",
    "camel": "camel_13",
    "oasis": "oasis_13",
    "targia": "targia_13",
    "camp": "camp_15",
}
SYMBOLS = tuple(DISCOUNTS)
GIFT = "15 targia_figure, targi of blue; 2 targi of blue"
"""On the border, blue stands on the card of the Targia and on another."""


def displays(card: str, purse: str, more: str = "") -> State:
    """Blue has displayed a card at a1 of an empty display and paid for it."""
    text = f"round_number: 3\nborder 5: robber\nblue: {purse}\n{more}\ndo take_tribe_card by blue with {card}"
    return after(at(text), "display", "cell a1")


def turn(
    blue: str, cards: str, border: str = "2 targi of blue; 3 targi of blue", more: str = ""
) -> State:
    """Blue, with these cards in the display, has an action turn with Targis on these border cards."""
    return at(
        f"round_number: 3\nblue: {blue}\ndisplay of blue: {cards}\nborder: {border}\n{more}\ndo"
        " action_turn by blue"
    )


def test_28_cards_have_an_ability() -> None:  # X1, X12
    expansion = game()
    cards = [one for one in expansion.cards if one.kind == expansion.kinds.index("tribe_card")]
    assert sum(bool(one.fields.get("ability")) for one in cards) == 28


# ---- one good less for a symbol: well_18, camel_18, oasis_18, targia_18, camp_18


@pytest.mark.parametrize(
    ("symbol", "card", "cost"),
    [
        ("well", "well_10", "2 dates, 1 salt, 2 pepper"),
        ("camel", "camel_10", "1 dates, 2 salt, 2 pepper"),
        ("oasis", "oasis_10", "2 dates, 1 salt, 2 pepper"),
        ("targia", "targia_10", "1 dates, 2 salt, 2 pepper"),
        ("camp", "camp_10", "2 dates, 2 salt, 1 pepper"),
    ],
)
def test_a_later_card_of_the_symbol_costs_one_good_less_of_choice(
    symbol: str, card: str, cost: str
) -> None:
    # X12, A7, A60
    text = (
        f"blue: {cost}\ndisplay a1 of {{}}: {DISCOUNTS[symbol]}\ndo display by blue with {card},"
        f" cost of {card}"
    )
    assert ways(after(at(text.format("blue")), "cell b1")) == {"1 dates", "1 salt", "1 pepper"}
    assert ways(after(at(text.format("white")), "cell a1")) == {"nothing"}


@pytest.mark.parametrize(
    ("symbol", "card", "purse"),
    [
        ("well", "well_15", "1 dates, 1 salt"),
        ("camel", "camel_16", "1 salt"),
        ("oasis", "oasis_17", "1 salt"),
        ("targia", "targia_14", "2 salt"),
        ("camp", "camp_17", "1 salt"),
    ],
)
def test_it_does_so_for_every_later_card_and_not_for_other_symbols(
    symbol: str, card: str, purse: str
) -> None:
    # X12, A7
    ability = DISCOUNTS[symbol]
    text = f"blue: {purse}\ndisplay of blue: a1 {ability}; b1 {symbol}_11\ndo take_tribe_card by blue with {{}}"
    state = after(at(text.format(card)), "display", "cell c1")
    assert has(state, "blue") == "nothing" and on(state, "display c1 of blue") == card
    assert barred(at(text.format("camp_15" if symbol != "camp" else "targia_16")), "display") == {
        "display.pay"
    }


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_the_card_itself_is_paid_in_full(symbol: str) -> None:  # X12
    cost = {"well": "1 dates, 1 pepper", "camel": "2 dates, 1 pepper", "oasis": "1 dates, 1 salt, 1 water",
            "targia": "1 dates, 1 pepper", "camp": "1 dates, 1 pepper, 1 water"}[symbol]  # fmt: skip
    assert has(displays(DISCOUNTS[symbol], cost), "blue") == "nothing"
    poor = cost.replace("1 dates, ", "").replace("2 dates", "1 dates")
    assert barred(
        at(f"blue: {poor}\ndo take_tribe_card by blue with {DISCOUNTS[symbol]}"), "display"
    ) == {"display.pay"}


def test_discounts_touch_goods_only_and_neither_gold_nor_water() -> None:  # A7, X19
    state = at("blue: 1 salt\ndisplay a1 of blue: camp_18\ndo take_tribe_card by blue with camp_13")
    assert barred(state, "display") == {"display.pay"}  # 1 dates and 1 gold, or 1 dates and 2 water
    for purse in ("1 gold", "2 water"):
        state = at(
            f"blue: {purse}\ndisplay a1 of blue: camp_18\ndo take_tribe_card by blue with camp_13"
        )
        assert has(after(state, "display", "cell b1"), "blue") == "nothing"
    water = at(
        "blue: 2 water\ndisplay a1 of blue: oasis_18\ndo take_tribe_card by blue with oasis_16"
    )  # 1 gold or 3 water
    assert barred(water, "display") == {"display.pay"}


def test_discounts_do_not_reduce_a_bracket() -> None:  # A8, X15
    text = (
        "blue: 1 salt{}\ndisplay a1 of blue: camel_18\ndo display by blue with camel_16, cost of"
        " camel_16"
    )
    assert has(after(at(text.format("")), "cell b1"), "blue") == "nothing"
    state = after(at(text.format(", 1 pepper")), "cell b1")
    assert offered(state) == ["pay 1 salt", "pay 1 salt, 1 pepper, for 1 points"]


def test_discounts_add_up_and_a_cost_may_come_down_to_nothing() -> None:  # A40, A60
    text = (
        "round_number: 3\nblue: nothing\nhand of blue: camp_17\ndisplay of blue: a1"
        " camp_18{}\nborder 6: robber\ndo noble by blue"
    )
    state = at(text.format("; b1 targia_3"), "mixed")  # another good less with the Noble
    state = after(state, "display_from_hand", "cell c1")
    assert on(state, "display c1 of blue") == "camp_17" and has(state, "blue") == "nothing"
    assert on(at(text.format(""), "mixed"), "tribe_discard") == "camp_17"  # 1 good is missing


# ---- points for every two cards of a symbol: well_14, camel_13, oasis_13, targia_13, camp_15


@pytest.mark.parametrize(("symbol", "ability"), PAIRS.items())
def test_every_two_cards_of_the_symbol_give_a_point_at_the_end(
    symbol: str, ability: str
) -> None:  # X12, A23
    own = [f"{symbol}_{n}" for n in range(10, 19) if f"{symbol}_{n}" != ability]
    for others in range(6):
        cards = [ability, *own[:others], "camp_10" if symbol != "camp" else "well_10"]
        spaces = [f"{column}{row}" for row in (1, 2, 3) for column in "abcd"]
        lying = "; ".join(f"{space} {card}" for space, card in zip(spaces, cards, strict=False))
        state = at(f"display of blue: {lying}\nended by check_end")
        assert part(state, ability) == (others + 1) // 2
        assert part(state, ability, "white") == 0


# ---- at once: well_16, camel_15, oasis_15, targia_16


@pytest.mark.parametrize(
    ("card", "cost", "gives"),
    [("well_16", "1 gold", "3 water"), ("well_16", "1 salt, 2 water", "3 water"),
     ("oasis_15", "2 salt, 1 pepper", "1 gold"), ("targia_16", "2 dates, 1 salt", "2 pepper")],
)  # fmt: skip
def test_what_a_card_gives_at_once_comes_when_it_is_displayed(
    card: str, cost: str, gives: str
) -> None:  # X12, A51
    state = displays(card, cost, "goods_pile: two_pepper, rest")
    if state.seat == "blue":
        state = after(state, f"pay {cost}")
    assert has(state, "blue") == gives and on(state, "display a1 of blue") == card


def test_camel_15_gives_two_goods_of_choice_and_a_water_at_once() -> None:  # X12, A51
    state = displays("camel_15", "1 gold")
    found = set[str]()
    for one in offered(state):
        for two in offered(after(state, one)):
            found.add(has(after(state, one, two), "blue"))
    two_goods = {
        "2 dates",
        "2 salt",
        "2 pepper",
        "1 dates, 1 salt",
        "1 dates, 1 pepper",
        "1 salt, 1 pepper",
    }
    assert found == {f"{goods}, 1 water" for goods in two_goods}


def test_targia_16_turns_up_the_top_goods_card_which_counts_as_one_and_is_discarded() -> (
    None
):  # X12, A11, A51
    text = "display a2 of blue: {}\ngoods_pile: two_water, rest"
    state = displays("targia_16", "2 dates, 1 salt", text.format("well_17"))
    assert has(state, "blue") == "3 water" and on(state, "goods_discard") == "two_water"
    assert (
        has(displays("targia_16", "2 dates, 1 salt", text.format("well_18")), "blue") == "2 water"
    )


@pytest.mark.parametrize("card", ["well_16", "camel_15", "oasis_15", "targia_16"])
def test_what_comes_at_once_comes_once_and_not_from_the_hand(card: str) -> None:  # X12
    for place in ("display a2 of blue", "hand of blue", "display a1 of white"):
        state = at(
            f"blue: 1 dates, 1 salt\n{place}: {card}\ndo display by blue with camp_17, cost of"
            " camp_17"
        )
        assert has(after(state, "cell a1"), "blue") == "nothing"


# ---- one more water of a goods card, once a round: well_17


WATER = (
    "centre: b1 two_water, marker of blue; b3 two_water.2, marker of blue; a2 one_dates; c2"
    " one_salt"
)


def test_the_first_goods_card_of_a_round_with_water_gives_one_more() -> None:  # X12, A10
    state = after(turn("nothing", "a1 well_17", more=WATER), "use_centre b1")
    assert has(state, "blue") == "3 water"
    assert has(after(state, "use_centre b3"), "blue") == "5 water"
    for card in ("water_dates", "water_salt", "water_pepper"):
        text = f"blue: nothing\ndisplay a1 of blue: well_17\ncentre b1: {card}, marker of blue\n"
        state = at(text + "do use_centre by blue with centre b1")
        assert has(state, "blue") == f"1 {card.partition('_')[2]}, 2 water"


def test_a_card_that_the_targia_or_a_dune_turns_up_is_a_goods_card_too() -> None:  # X12, A11
    state = turn("1 pepper", "a1 well_17", GIFT, "goods_pile: two_water, rest")
    assert has(after(state, "use_border 15", "gift_first", "open_goods"), "blue") == "3 water"
    dune = "dunes 1: two_goods_cards, targi of blue\ngoods_pile: two_water, two_water.2, rest"
    assert (
        has(after(turn("nothing", "a1 well_17", "3 targi of blue", dune), "use_dune 1"), "blue")
        == "5 water"
    )


def test_water_that_no_goods_card_brings_and_the_opponents_brings_nothing_more() -> (
    None
):  # X12, A11
    state = turn("nothing", "a1 well_17", "13 targi of blue; 3 targi of blue")
    assert (
        has(after(state, "use_border 13"), "blue") == "2 water"
    )  # the Watering hole is no goods card
    dune = turn("nothing", "a1 well_17", "3 targi of blue", "dunes 1: four_water, targi of blue")
    assert has(after(dune, "use_dune 1"), "blue") == "4 water"
    other = turn("nothing", "a1 well_18", more=f"{WATER}\ndisplay a1 of white: well_17")
    assert has(after(other, "use_centre b1"), "blue") == "2 water"
    dates = turn("nothing", "a1 well_17", more=WATER.replace("b1 two_water", "b1 two_dates"))
    assert has(after(dates, "use_centre b1"), "blue") == "2 dates"


def test_the_window_of_well_17_opens_again_in_the_next_round() -> None:  # X12, A10
    text = f"blue: nothing\ndisplay a1 of blue: well_17\nused well_17\n{WATER}\n"
    assert has(at(text + "do use_centre by blue with centre b1"), "blue") == "2 water"
    fresh = text.replace(", marker of blue", "")
    state = at(f"{fresh}starter: blue\nround_number: 3\nborder 5: robber\nwhite: nothing\ndo round")
    for blue, white in ((2, 3), (15, 13), (11, 14)):  # blue's lines cross in a1 and b1
        state = after(state, f"place_targi border {blue}", f"place_targi border {white}")
    assert has(after(state, "use_centre b1"), "blue") == "3 water"


def test_the_extra_water_comes_at_display_if_water_came_earlier_this_round() -> None:  # X12, A10
    text = (
        "round_number: 3\nblue: 1 salt, 1 gold\nborder: 13 targi of blue; 6 targi of blue\n"
        "centre: b1 {}, marker of blue; a1 well_17, marker of blue\ndo action_turn by blue"
    )
    state = after(
        at(text.format("two_water")), "use_centre b1", "use_centre a1", "display", "cell a1"
    )
    assert has(after(state, "pay 1 salt, 1 gold"), "blue") == "3 water"
    state = after(at(text.format("two_water")), "use_centre a1", "display", "cell a1")
    assert (
        has(state, "blue") == "nothing" and has(after(state, "use_centre b1"), "blue") == "3 water"
    )
    state = after(
        at(text.format("two_dates")),
        "use_border 13",
        "use_centre b1",
        "use_centre a1",
        "display",
        "cell a1",
    )
    assert has(after(state, "pay 1 salt, 1 gold"), "blue") == "2 dates, 2 water"


# ---- in the display at the end: oasis_12, camp_13


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("a1 oasis_12; a2 well_10; a3 camp_10", 1),
        ("a1 oasis_12; a2 well_10; a3 well_11", 0),
        ("a1 oasis_12; b1 well_10; c1 camp_10", 0),
        ("a1 oasis_12; b1 well_11; a2 well_10; b2 camp_11; a3 camp_10; b3 targia_10", 2),
        ("a1 oasis_12; b1 well_11; a2 well_10; b2 camp_11; a3 camp_10", 1),
        ("a1 well_10; b1 camp_10; a2 oasis_12", 0),
    ],
)
def test_oasis_12_gives_a_point_for_each_column_of_three_symbols(
    cards: str, points: int
) -> None:  # X30, A38
    state = at(
        f"display of blue: {cards}\ndisplay of white: a1 camel_10; a2 well_12; a3 camp_12\nended by"
        " check_end"
    )
    assert part(state, "oasis_12") == points and part(state, "oasis_12", "white") == 0


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("a1 camp_13; b1 camp_10; c1 well_10; d1 oasis_10", 2),
        ("a1 camp_13; b1 camp_10; c1 well_10; d1 well_11", 2),
        ("a1 camp_13; b1 camp_10; c1 well_10", 0),
        ("a1 camp_13; b1 targia_10; c1 well_10; d1 oasis_10", 0),  # brings 2 points itself
        ("a1 camp_13; b1 camp_10; c1 camp_11; d1 camp_12", 0),  # brings 4 points itself
        ("a1 camp_13; a2 well_10; b2 well_11; c2 oasis_10; d2 oasis_11", 2),
        (
            (
                "a1 camp_13; b1 camp_10; c1 camp_11; d1 oasis_11; a2 well_10; b2 well_11; c2"
                " oasis_10; d2 well_12"
            ),
            4,
        ),
    ],
)
def test_camp_13_gives_two_points_for_each_full_row_that_brings_none(
    cards: str, points: int
) -> None:  # X30, A37
    rows = "a1 camel_10; b1 camel_11; c1 targia_11; d1 targia_12"
    state = at(f"display of blue: {cards}\ndisplay of white: {rows}\nended by check_end")
    assert part(state, "camp_13") == points and part(state, "camp_13", "white") == 0


def test_the_row_of_a_card_that_counts_at_its_right_end_brings_no_points_itself() -> None:  # A37
    cards = "display of blue: a1 camp_13; b1 camp_10; c1 well_10; d1 camel_4"
    state = at(f"{cards}\nended by check_end", "mixed")
    assert part(state, "camp_13") == 2 and part(state, "camel_4") == 2


# ---- at actions: camel_17, targia_12, well_12


def test_camel_17_lets_the_trader_change_goods_one_for_one() -> None:  # X12, X39
    state = after(
        turn("1 dates", "a1 camel_17", "5 targi of blue; 2 targi of blue"), "use_border 5"
    )
    assert offered(state) == ["1 goods for 1 water", "camel_17", "done"]
    state = after(state, "camel_17")
    assert offered(state) == ["1 dates for 1 salt", "1 dates for 1 pepper"]
    state = after(state, "1 dates for 1 salt")
    assert has(state, "blue") == "1 salt" and "camel_17" in offered(state)
    assert has(after(state, "camel_17", "1 salt for 1 pepper"), "blue") == "1 pepper"


def test_the_opponents_camel_17_does_not_and_it_changes_no_gold() -> None:  # X12, X39
    other = turn(
        "1 dates",
        "a1 camel_10",
        "5 targi of blue; 2 targi of blue",
        "display a1 of white: camel_17",
    )
    assert offered(after(other, "use_border 5")) == ["1 goods for 1 water", "done"]
    gold = turn("1 gold", "a1 camel_17", "5 targi of blue; 2 targi of blue; 3 targi of blue")
    assert offered(gold) == ["use_border 2", "use_border 3", "done"]


def test_targia_12_gives_a_water_whenever_the_gift_of_the_targia_is_used() -> None:  # X12, X17
    state = after(
        turn("1 pepper", "a1 targia_12", GIFT, "goods_pile: one_gold, rest"), "use_border 15"
    )
    state = after(state, "gift_first")
    assert (
        has(after(state, "gain_1_goods", things(after(state, "gain_1_goods"))["dates"]), "blue")
        == "1 dates, 1 pepper, 1 water"
    )
    card = after(state, "open_goods")
    assert has(card, "blue") == "1 gold, 1 water"


def test_without_the_gift_and_by_the_opponents_targia_12_no_water_comes() -> None:  # X12, X17
    state = after(turn("1 pepper", "a1 targia_12", GIFT), "use_border 15", "action_first")
    assert has(after(state, "decline"), "blue") == "1 salt, 1 pepper"
    elsewhere = turn(
        "1 pepper", "a1 targia_12", "15 targi of blue; 2 targi of blue; 6 targia_figure"
    )
    assert has(after(elsewhere, "use_border 15"), "blue") == "1 salt, 1 pepper"
    other = turn("1 pepper", "a1 targia_13", GIFT, "display a1 of white: targia_12")
    other = after(other, "use_border 15", "gift_first", "gain_1_goods")
    assert "water" not in has(after(other, offered(other)[0]), "blue")


NOBLE = (
    "round_number: 3\nborder 6: robber\nblue: {}\ndisplay a1 of {}: well_12\nhand of blue:"
    " {}\n{}\ndo {} by blue"
)


def test_well_12_pays_a_water_and_a_good_for_the_gold_of_a_card_at_the_noble() -> None:  # X30, A47
    state = at(
        NOBLE.format("1 dates, 2 salt, 1 water", "blue", "camel_17", "", "noble")
    )  # 1 salt and 1 gold
    state = after(state, "display_from_hand", "cell b1")
    assert ways(state) == {"1 salt", "1 dates"}
    rich = at(NOBLE.format("1 dates, 1 salt, 1 gold, 1 water", "blue", "camel_17", "", "noble"))
    rich = after(rich, "display_from_hand", "cell b1")
    assert offered(rich) == ["pay 1 salt, 1 gold", "pay 1 salt, 1 water, 1 goods"]
    assert has(after(rich, "pay 1 salt, 1 gold"), "blue") == "1 dates, 1 water"


def test_well_12_works_at_each_display_with_the_noble() -> None:  # X12, X30
    text = (
        "round_number: 3\nborder 6: robber\nblue: 1 dates, 1 salt, 1 water\ndisplay of blue: a1"
        " well_12{}\nhand of blue: {}\ndo noble by blue"
    )
    first = after(at(text.format("", "camel_17")), "display_from_hand", "cell b1")
    assert on(first, "display b1 of blue") == "camel_17" and has(first, "blue") == "nothing"
    second = after(at(text.format("; b1 camel_17", "well_14")), "display_from_hand", "cell c1")
    assert on(second, "display c1 of blue") == "well_14" and has(second, "blue") == "nothing"


@pytest.mark.parametrize(
    ("purse", "whose", "card", "more", "doing"),
    [
        ("1 dates, 1 salt, 1 water", "white", "camel_17", "", "noble"),
        ("1 dates, 1 salt, 1 water", "blue", "camel_17", "taken_in of camel_17: 3", "noble"),
        ("1 salt, 1 water", "blue", "camel_17", "", "noble"),
        ("1 dates, 1 salt", "blue", "camel_17", "", "noble"),
        ("2 dates, 2 salt, 1 water", "blue", "camp_10", "", "noble"),
    ],
)
def test_without_well_12_water_or_good_or_noble_gold_is_gold(
    purse: str, whose: str, card: str, more: str, doing: str
) -> None:  # X30, A47
    state = at(NOBLE.format(purse, whose, card, more, doing))
    assert (
        "display_from_hand" not in offered(state) and on(state, "display b1 of blue") == "nothing"
    )
    assert has(state, "blue") != "nothing"


def test_well_12_pays_for_no_card_from_elsewhere_and_not_without_the_noble() -> None:  # X30, A47
    state = at(
        "blue: 1 dates, 1 salt, 1 water\ndisplay a1 of blue: well_12\ndo take_tribe_card by blue with"
        " camel_17"
    )
    assert offered(state) == ["keep_in_hand", "discard"]
    more = "hand of blue: camel_17"
    assert "camp_17" not in offered(
        turn("1 dates, 1 salt, 1 water", "a1 well_12; b1 camp_17", more=more)
    )
    assert "camp_17" in offered(
        turn("1 dates, 1 salt, 1 gold", "a1 well_12; b1 camp_17", more=more)
    )
    draws = NOBLE.format(
        "2 dates, 1 salt, 2 water, 1 gold", "blue", "well_8", "tribe_pile: camel_17, rest", "noble"
    )
    state = after(at(draws, "mixed"), "display_from_hand", "cell b1", "pay 1 dates, 1 gold")
    assert offered(state) == [
        "keep_in_hand",
        "discard",
    ]  # the Noble displays well_8, which draws camel_17


def test_well_12_does_not_pay_the_gold_in_a_bracket() -> None:  # A59, X14
    state = at(NOBLE.format("2 dates, 2 salt, 1 water", "blue", "camel_14", "", "noble"))
    state = after(state, "display_from_hand", "cell b1")
    assert (
        has(state, "blue") == "1 dates, 1 water" and on(state, "display b1 of blue") == "camel_14"
    )


def test_the_good_for_the_gold_is_of_choice_and_not_reduced() -> None:  # A47, A7
    text = NOBLE.replace("a1 of {}: well_12", "of {}: a1 well_12; b1 camp_18")
    state = at(
        text.format("1 pepper, 1 water", "blue", "camp_13", "", "noble")
    )  # 1 dates less, and 1 gold
    assert has(after(state, "display_from_hand", "cell c1"), "blue") == "nothing"
    poor = at(text.format("1 water", "blue", "camp_13", "", "noble"))
    assert on(poor, "display c1 of blue") == "nothing" and on(poor, "tribe_discard") == "camp_13"


def test_behind_a_slash_only_the_side_with_gold_is_paid_so() -> None:  # A47, X13
    state = at(NOBLE.format("2 dates, 2 salt, 3 water", "blue", "camp_13", "", "noble"))
    state = after(state, "display_from_hand", "cell b1")
    assert {"pay 1 dates, 2 water", "pay 1 dates, 1 water, 1 goods"} <= set(offered(state))
    assert len([one for one in offered(state) if one.startswith("pay")]) == 2


# ---- where Targis may stand, and how much water is kept: targia_17, oasis_16


def test_targia_17_may_place_a_figure_on_the_robbers_card() -> None:  # X12, B22
    text = (
        "border: 6 robber; 2 targi of white\ndisplay a1 of {}: targia_17\n{}\ndo place_targi by"
        " blue"
    )
    state = at(text.format("blue", ""))
    assert "place_targi border 6" in offered(state)
    assert barred(at(text.format("white", "")), "place_targi border 6") == {"robber_blocks"}
    assert barred(state, "place_targi border 2") == {"occupied"}
    again = after(
        at(text.format("blue", "") + ", then robber_moves, then place_targi by blue"),
        "place_targi border 6",
    )
    assert "place_targi border 7" in offered(again)  # where the robber now stands


def kept(blue: str, more: str) -> str:
    """What blue has after the surplus water has been returned and none was exchanged."""
    state = at(f"blue: {blue}\n{more}\ndo keep_water by blue, then check_end")
    while "return_water" in offered(state):
        state = after(state, "return_water")
    return has(after(state, "done"), "blue") if offered(state) == ["done"] else has(state, "blue")


def test_oasis_16_lets_its_owner_keep_13_water() -> None:  # X12, X19
    assert kept("13 water", "display a1 of blue: oasis_16") == "13 water"
    assert kept("15 water", "display a1 of blue: oasis_16") == "13 water"
    assert kept("13 water", "display a1 of white: oasis_16") == "10 water"


# ---- once per game, in any turn of one's own: well_13, targia_15, camp_17, camel_12, camp_12,
# camp_16


HANDY = "hand of blue: camp_14"
ANY_TURN = [("well_13", "3 dates"), ("targia_15", "2 gold"), ("camp_17", "1 salt, 2 pepper")]


@pytest.mark.parametrize(("card", "purse"), ANY_TURN)
def test_a_card_with_an_action_marker_is_used_once_in_a_turn_of_ones_own(
    card: str, purse: str
) -> None:  # X12, A26
    state = turn(purse, f"a1 {card}", more=HANDY)
    assert card in offered(state) and card in offered(after(state, "use_border 2"))
    assert card not in offered(turn(purse, f"a1 {card}", more=f"{HANDY}\nused {card}"))
    assert card not in offered(
        turn(purse, "a1 well_10", more=f"{HANDY}\ndisplay a1 of white: {card}")
    )


@pytest.mark.parametrize(("card", "purse"), ANY_TURN)
def test_it_is_used_before_placing_too_but_not_in_the_opponents_turn(
    card: str, purse: str
) -> None:  # X12, A26
    text = (
        f"starter: blue\nround_number: 3\nblue: {purse}\nwhite: nothing\n{HANDY}\nborder 5:"
        " robber\n"
    )
    state = at(f"{text}display a1 of blue: {card}\ndo placement")
    assert offered(state) == [card, "done"]
    state = after(state, "done")
    assert "place_targi border 2" in offered(state) and card not in offered(state)
    state = after(state, "place_targi border 2")
    assert state.seat == "white" and card not in offered(state)
    state = after(state, "place_targi border 3")
    assert offered(state) == [card, "done"]  # it has not been used yet
    used = at(f"{text}display a1 of blue: {card}\nused {card}\ndo placement")
    assert "place_targi border 2" in offered(used)
    other = at(f"{text}display a1 of white: {card}\ndo placement")
    assert other.seat == "blue" and "place_targi border 2" in offered(other)


@pytest.mark.parametrize("option", ["needed", "waived"])
def test_the_option_also_lets_camp_17_display_what_was_taken_this_round(option: str) -> None:  # A43
    text = f"round_number: 3\nblue: 1 salt, 2 pepper\n{HANDY}\ntaken_in of camp_14: 3\n"
    text += "display a1 of blue: camp_17\nborder: 2 targi of blue\ndo {}"
    state = at(text.format("action_turn by blue"), wait_without_noble=option)
    assert ("camp_17" in offered(state)) == (option == "waived")
    noble = at(text.format("noble by blue"), wait_without_noble=option)
    assert "camp_14" in noble.cards("tribe_discard")  # the Noble cannot display it


@pytest.mark.parametrize(("card", "purse"), ANY_TURN)
def test_it_does_not_come_back_in_a_later_round(card: str, purse: str) -> None:  # X12
    text = (
        f"starter: blue\nround_number: 3\nblue: {purse}\n{HANDY}\nborder 5: robber\ndisplay a1 of"
        f" blue: {card}\n"
    )
    assert "place_targi border 2" in offered(at(f"{text}used {card}\ndo round"))
    assert offered(at(f"{text}do round")) == [card, "done"]


@pytest.mark.parametrize(
    ("card", "purse"),
    [("well_13", "1 dates, 3 salt, 3 pepper"), ("camp_17", "1 dates, 2 salt, 2 pepper")],
)
def test_it_can_be_used_at_once_when_its_card_is_displayed(card: str, purse: str) -> None:  # X12
    text = (
        f"round_number: 3\nblue: {purse}\n{HANDY}\nborder: 2 targi of blue; 3 targi of blue\n"
        f"centre a1: {card}, marker of blue\ndo action_turn by blue"
    )
    state = at(text)
    assert card not in offered(state)
    assert card in offered(after(state, "use_centre a1", "display", "cell a1"))


@pytest.mark.parametrize(("card", "purse"), [("well_13", "3 dates"), ("targia_15", "2 gold")])
def test_it_can_be_used_while_a_drawn_tribe_card_is_still_to_be_settled(
    card: str, purse: str
) -> None:  # X12, A52
    more = "tribe_pile: camel_16, camel_10, rest"
    state = turn(purse, f"a1 {card}", "14 targi of blue; 2 targi of blue", more)
    state = after(state, "use_border 14")
    assert offered(state) == [card, "done"]
    assert {"keep_in_hand", "discard"} <= set(offered(after(state, "done")))


def test_goods_changed_for_a_drawn_card_pay_for_it() -> None:  # X12, A26, A52
    more = "tribe_pile: camel_16, camel_10, rest"
    state = turn("2 dates", "a1 well_13", "14 targi of blue; 2 targi of blue", more)
    state = after(state, "use_border 14", "well_13", "1 dates for 1 salt", "done")
    state = after(state, "display", "cell b1")  # 1 dates and 1 salt
    assert on(state, "display b1 of blue") == "camel_16" and has(state, "blue") == "nothing"


def test_a_card_drawn_by_a_card_displayed_meanwhile_leaves_the_first_one_aside() -> (
    None
):  # X12, A52
    text = (
        "round_number: 3\nblue: 1 dates, 1 gold\ndisplay a1 of blue: camp_17\nhand of blue:"
        " well_8\ntribe_pile: camel_10, oasis_10, rest\nborder: 6 robber; 14 targi of blue; 2 targi"
        " of blue\ndo action_turn by blue"
    )
    state = after(at(text, "mixed"), "use_border 14", "camp_17", "cell b1")  # well_8 draws oasis_10
    assert on(after(state, "keep_in_hand"), "hand of blue") == "oasis_10"
    state = after(state, "discard")
    assert on(state, "tribe_discard") == "oasis_10"
    assert on(after(state, "keep_in_hand"), "hand of blue") == "camel_10"


def test_well_13_changes_any_number_of_goods_into_other_goods() -> None:  # X30, A26
    state = after(turn("2 dates, 1 gold", "a1 well_13"), "well_13")
    assert offered(state) == ["1 dates for 1 salt", "1 dates for 1 pepper", "done"]
    state = after(state, "1 dates for 1 salt", "1 dates for 1 pepper")
    assert has(state, "blue") == "1 salt, 1 pepper, 1 gold"
    assert offered(after(state, "done")) == ["use_border 2", "use_border 3", "done"]
    one = after(turn("2 dates, 1 gold", "a1 well_13"), "well_13", "1 dates for 1 salt", "done")
    assert has(one, "blue") == "1 dates, 1 salt, 1 gold" and "well_13" not in offered(one)


def test_well_13_without_goods_stays_for_later() -> None:  # X12, X19
    assert "well_13" not in offered(turn("3 gold, 1 water", "a1 well_13"))


def test_a_card_that_leaves_the_display_begins_anew() -> None:  # A45, X12
    text = (
        "round_number: 3\nblue: 9 dates, 9 salt, 9 pepper\ndisplay of blue: a1 well_13; a2"
        " camel_10\nused well_13\nhand of blue: camp_10\nborder: 2 targi of blue; 3 targi of"
        " blue\ndo {}action_turn by blue"
    )
    assert "well_13" not in offered(at(text.format("")))
    state = at(text.format("swap_with_hand by blue, then swap_with_hand by blue, then "))
    state = after(state, things(state)["well_13"])
    assert on(state, "hand of blue") == "well_13"
    state = after(state, things(state)["camp_10"])
    assert on(state, "display a1 of blue") == "well_13" and "well_13" in offered(state)


def test_targia_15_makes_one_exchange_of_the_silversmith_in_play() -> None:  # X12, A58
    state = after(turn("2 dates, 1 gold", "a1 targia_15"), "targia_15")
    assert offered(state) == ["2 goods for 1 points", "1 gold for 2 points"]
    assert has(after(state, "2 goods for 1 points"), "blue") == "1 gold, 1 points"
    gold = after(state, "1 gold for 2 points")
    assert has(gold, "blue") == "2 dates, 2 points" and "targia_15" not in offered(gold)
    mixed = after(turn("1 dates, 1 pepper", "a1 targia_15"), "targia_15")
    assert ways(mixed) == {"1 points"}


def test_with_the_silversmith_of_the_base_game_targia_15_has_his_rates() -> None:  # A58
    text = (
        "round_number: 3\nblue: {}\ndisplay a1 of blue: targia_15\nborder 2: targi of blue\ndo"
        " action_turn by blue"
    )
    state = after(at(text.format("4 dates, 2 gold"), "mixed_border"), "targia_15")
    assert offered(state) == [
        "2 dates for 1 points",
        "4 dates for 3 points",
        "1 gold for 2 points",
        "2 gold for 4 points",
    ]
    assert has(after(state, "4 dates for 3 points"), "blue") == "2 gold, 3 points"
    assert "targia_15" not in offered(at(text.format("1 dates, 1 salt, 1 pepper"), "mixed_border"))


def test_targia_15_is_not_the_action_of_the_silversmith_and_brings_no_bonus() -> None:  # A58
    text = (
        "round_number: 3\nblue: 1 gold\ndisplay of blue: a1 targia_15; b1 targia_6\nborder: {}\ndo"
        " action_turn by blue"
    )
    state = after(at(text.format("2 targi of blue; 3 targi of blue"), "mixed"), "targia_15")
    assert has(state, "blue") == "2 points"
    action = after(at(text.format("2 targi of blue; 10 targi of blue"), "mixed"), "use_border 10")
    assert has(action, "blue") == "3 points"


def test_targia_15_with_nothing_to_exchange_stays_for_later() -> None:  # X12
    assert "targia_15" not in offered(turn("1 dates, 1 water", "a1 targia_15"))


def test_camp_17_displays_the_hand_card_without_the_noble_for_its_cost() -> None:  # X12, A14
    state = turn("1 salt, 2 pepper", "a1 camp_17", more=HANDY)
    assert "display_without_noble" not in offered(state)
    state = after(state, "camp_17", "cell b1")
    assert on(state, "display b1 of blue") == "camp_14" and has(state, "blue") == "nothing"


def test_camp_17_needs_a_card_of_an_earlier_round_and_its_cost() -> None:  # A43, A62, X12
    assert "camp_17" not in offered(
        turn("1 salt, 2 pepper", "a1 camp_17", more=f"{HANDY}\ntaken_in of camp_14: 3")
    )
    assert "camp_17" in offered(
        turn("1 salt, 2 pepper", "a1 camp_17", more=f"{HANDY}\ntaken_in of camp_14: 2")
    )
    assert "camp_17" not in offered(turn("1 salt, 1 pepper", "a1 camp_17", more=HANDY))
    assert "camp_17" not in offered(turn("1 salt, 2 pepper", "a1 camp_17"))


DUNES = (
    "round_number: 3\ndisplay a1 of {}: camel_12\ndunes: 1 two_gold, targi of {}; 2"
    " three_goods\nborder: 6 robber; 2 targi of white; 3 targi of white\n{}\ndo place_targi by"
    " blue, then place_targi by blue"
)


def test_camel_12_may_stand_on_a_dune_of_the_opponent_once_per_game() -> None:  # X30, X22, A26
    state = at(DUNES.format("blue", "white", ""))
    assert "place_targi dunes 1" in offered(state)
    there = after(state, "place_targi dunes 1")
    assert "place_targi dunes 2" in offered(there) and barred(there, "place_targi dunes 1") == {
        "occupied"
    }
    assert "place_targi dunes 1" in offered(after(state, "place_targi dunes 2"))
    assert barred(at(DUNES.format("blue", "white", "used camel_12")), "place_targi dunes 1") == {
        "occupied"
    }


def test_camel_12_does_not_for_the_opponent_ones_own_dune_or_a_border_card() -> None:  # X30, X22
    assert barred(at(DUNES.format("white", "white", "")), "place_targi dunes 1") == {"occupied"}
    assert barred(at(DUNES.format("blue", "blue", "")), "place_targi dunes 1") == {"occupied"}
    assert barred(at(DUNES.format("blue", "white", "")), "place_targi border 2") == {"occupied"}


def test_camel_12_is_used_up_by_one_dune() -> None:  # X12, X30
    text = DUNES.replace("2 three_goods", "2 three_goods, targi of white").replace(
        "2 targi of white; 3 ", "3 "
    )
    state = at(text.format("blue", "white", ""))
    assert {"place_targi dunes 1", "place_targi dunes 2"} <= set(offered(state))
    state = after(state, "place_targi dunes 2")
    assert barred(state, "place_targi dunes 1") == {"occupied"}


EXPANSION = (
    "round_number: 3\nblue: {}\ndisplay of {}: a1 camp_12{}\nborder: 14 targi of blue; 2 targi of"
    " blue\ntribe_pile: camel_10, rest\ntribe_discard: {}\n{}\ndo action_turn by blue"
)


def test_camp_12_takes_the_top_tribe_discard_instead_of_the_tribal_expansion() -> None:  # X30, A48
    state = after(
        at(EXPANSION.format("1 dates, 1 salt", "blue", "", "camel_16, camel_14", "")),
        "use_border 14",
    )
    assert offered(state) == ["tribal_expansion", "camp_12"]
    drawn = after(state, "tribal_expansion")
    assert (
        offered(drawn) == ["keep_in_hand", "discard"]
        and on(after(drawn, "discard"), "tribe_discard")[:8] == "camel_10"
    )
    state = after(state, "camp_12")
    assert offered(state) == ["display", "hold_alone"]
    shown = after(state, "display", "cell b1")
    assert on(shown, "display b1 of blue") == "camel_16" and has(shown, "blue") == "nothing"
    held = after(state, "hold_alone")
    assert on(held, "hand of blue") == "camel_16" and on(held, "tribe_discard") == "camel_14"
    assert on(held, "tribe_pile")[:8] == "camel_10" and offered(held) == ["use_border 2", "done"]


def test_camp_12_works_wherever_that_action_is_had() -> None:  # X30, A57
    dune = "dunes 1: any_border_card, targi of blue"
    text = EXPANSION.replace("border: 14 targi of blue; 2", "border: 2").format(
        "1 dates", "blue", "", "camel_16", dune
    )
    state = after(at(text), "use_dune 1")
    assert offered(after(state, things(state)["14"])) == ["tribal_expansion", "camp_12"]


def test_camp_12_takes_a_card_to_an_empty_hand_only() -> None:  # X30, A48
    full = at(EXPANSION.format("1 dates, 1 salt", "blue", "", "camel_16", "hand of blue: camp_10"))
    assert offered(after(full, "use_border 14", "camp_12")) == [
        "cell b1",
        "cell a2",
        "cell a3",
    ]  # to be displayed
    text = EXPANSION.format(
        "1 dates, 1 salt", "blue", "; b1 camp_7", "camel_16", "hand of blue: camp_10"
    )
    two = after(at(text, "mixed"), "use_border 14")  # room for two cards, but the hand is not empty
    assert offered(after(two, "camp_12")) == ["cell c1", "cell a2", "cell a3"]
    assert "keep_in_hand" in offered(after(two, "tribal_expansion"))
    poor = at(EXPANSION.format("nothing", "blue", "", "camel_16", "hand of blue: camp_10"))
    assert (
        on(after(poor, "use_border 14"), "tribe_discard") == "camel_10, camel_16"
    )  # there is nothing but to draw


@pytest.mark.parametrize(
    ("whose", "pile", "more"),
    [("white", "camel_16", ""), ("blue", "nothing", ""), ("blue", "camel_16", "used camp_12")],
)
def test_without_camp_12_or_discards_or_when_used_the_tribal_expansion_draws(
    whose: str, pile: str, more: str
) -> None:
    # X12, X30
    state = after(at(EXPANSION.format("1 dates, 1 salt", whose, "", pile, more)), "use_border 14")
    assert offered(state) == ["keep_in_hand", "discard"]


def raid(blue: str, more: str = "", number: int = 1) -> State:
    """The raid card of this number, with blue first; white has everything."""
    return at(
        f"starter: blue\nblue: {blue}\nwhite: 9 dates, 9 salt, 9 pepper, 9 gold, 9 points\n"
        f"display a1 of white: camel_10\nborder {4 * number}: robber\n{more}\ndo raid_{number}"
    )


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_camp_16_frees_from_a_raid_once_per_game(number: int) -> None:  # X12, A26, A46
    purse = "3 dates, 3 salt, 3 pepper, 3 gold, 3 points"
    state = raid(purse, "display of blue: a1 camp_16; b1 camp_10", number)
    assert offered(state) == ["pay_toll", "camp_16"]
    freed = after(state, "camp_16")
    assert has(freed, "blue") == purse and on(freed, "display b1 of blue") == "camp_10"
    assert freed.seat == "white" and freed.amount("white", "points") == 9
    used = raid(purse, "display of blue: a1 camp_16; b1 camp_10\nused camp_16", number)
    assert offered(used)[0].startswith(("pay", "give")) and "camp_16" not in offered(used)


@pytest.mark.parametrize(("number", "loss"), [(1, 1), (2, 1), (3, 2)])
def test_who_is_freed_by_camp_16_has_paid_and_the_opponent_gains_nothing(
    number: int, loss: int
) -> None:  # A46, X12
    state = raid("nothing", "display a1 of blue: camp_16", number)
    assert after(state, "camp_16").amount("white", "points") == 9
    assert after(state, "pay_toll").amount("white", "points") == 9 + loss


def test_at_the_last_raid_camp_16_may_be_kept_by_using_it() -> None:  # A46, X12
    state = raid("nothing", "display a1 of blue: camp_16", 4)
    assert on(after(state, "camp_16"), "display a1 of blue") == "camp_16"
    given = after(state, "pay_toll")
    assert on(given, "display a1 of blue") == "nothing" and on(given, "tribe_discard") == "camp_16"


def test_camp_16_does_not_free_the_opponent() -> None:  # X12, A46
    text = "display a1 of white: camp_16"
    state = at(f"starter: blue\nblue: 1 dates, 1 points\n{text}\nborder 4: robber\ndo raid_1")
    assert offered(state) == ["pay 1 dates", "pay 1 points"]
