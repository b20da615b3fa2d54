"""The effects of the 33 tribe cards with an ability: when each applies, when it does not, and when
it applies again: B51, B55, B78.
"""

from __future__ import annotations

from itertools import product

import pytest

from targi_dsl.api.state import State
from targi_dsl.text.diagnostics import Problems
from tests.targi_base.tables import (
    FULL,
    after,
    at,
    barred,
    game,
    has,
    offered,
    on,
    paid,
    part,
    things,
    told,
    ways,
)

DISCOUNTS = {
    "well": "well_3",
    "camel": "camel_9",
    "oasis": "oasis_7",
    "targia": "targia_5",
    "camp": "camp_5",
}
PAIRS = {
    "well": "well_4",
    "camel": "camel_8",
    "oasis": "oasis_6",
    "targia": "targia_8",
    "camp": "camp_6",
}
EXTRAS = {"dates": "oasis_3", "salt": "oasis_4", "pepper": "oasis_5"}


def displays(card: str, purse: str, more: str = "") -> State:
    """Blue has displayed a card at a1 of an empty display."""
    state = at(
        f"round_number: 3\nborder 5: robber\nblue: {purse}\n{more}\ndo take_tribe_card by blue with {card}"
    )
    state = after(state, "display")
    return after(state, "cell a1") if "cell a1" in offered(state) else state


def test_33_cards_have_an_ability_and_12_have_none() -> None:  # B7, B78
    base = game()
    cards = [one for one in base.cards if one.kind == base.kinds.index("tribe_card")]
    plain = {one.id for one in cards if not one.fields.get("ability")}
    assert plain == {f"{symbol}_{n}" for symbol, n in product(DISCOUNTS, (1, 2))} | {
        "well_5",
        "oasis_9",
    }
    assert len(cards) - len(plain) == 33


# ---- one good less for a symbol: well_3, camel_9, oasis_7, targia_5, camp_5


@pytest.mark.parametrize(("symbol", "ability"), DISCOUNTS.items())
def test_a_later_card_of_the_symbol_costs_one_good_less_of_choice(
    symbol: str, ability: str
) -> None:  # B55, A7, A60
    cost = {
        "well": ("well_1", "2 dates, 1 salt, 2 pepper"),
        "camel": ("camel_1", "1 dates, 2 salt, 2 pepper"),
        "oasis": ("oasis_1", "2 dates, 1 salt, 2 pepper"),
        "targia": ("targia_1", "1 dates, 2 salt, 2 pepper"),
        "camp": ("camp_1", "2 dates, 2 salt, 1 pepper"),
    }[symbol]
    state = at(
        f"blue: {cost[1]}\ndisplay a1 of blue: {ability}\ndo display by blue with {cost[0]}, cost"
        f" of {cost[0]}"
    )
    assert ways(after(state, "cell b1")) == {"1 dates", "1 salt", "1 pepper"}


@pytest.mark.parametrize(("symbol", "ability"), DISCOUNTS.items())
def test_other_symbols_the_card_itself_and_the_opponent_pay_in_full(
    symbol: str, ability: str
) -> None:  # B55
    other = "camp_6" if symbol != "camp" else "well_6"
    purse = "1 dates, 1 pepper" if other == "camp_6" else "1 dates, 1 salt"
    text = "blue: {}\ndisplay a1 of {}: {}\ndo take_tribe_card by blue with {}"
    assert barred(at(text.format(purse, "blue", ability, other)), "display") == {"display.pay"}
    second = f"{symbol}_8" if symbol != "oasis" else "oasis_8"
    poor = {
        "well": "1 dates",
        "camel": "1 dates, 1 salt",
        "oasis": "2 salt",
        "targia": "1 dates, 1 salt",
        "camp": "1 dates",
    }[symbol]
    assert barred(at(text.format(poor, "white", ability, second)), "display") == {"display.pay"}


def test_discounts_touch_goods_only_and_never_gold() -> None:  # A7, B45
    state = at(
        "blue: 1 gold\ndisplay a1 of blue: camp_5\ndo take_tribe_card by blue with camp_8"
    )  # 1 dates and 1 gold
    assert ways(after(state, "display", "cell b1")) == {"nothing"}
    state = at("blue: 2 dates\ndisplay a1 of blue: camp_5\ndo take_tribe_card by blue with camp_8")
    assert barred(state, "display") == {"display.pay"}


def test_behind_a_slash_only_the_side_with_goods_is_reduced() -> None:  # A7, B47
    state = at(
        "blue: 3 dates, 1 gold\ndisplay a1 of blue: camel_9\ndo display by blue with camel_6, cost"
        " of camel_6"
    )
    assert has(after(state, "cell b1"), "blue") == "3 dates"
    state = at(
        "blue: 3 dates\ndisplay a1 of blue: camp_5\ndo display by blue with camp_7, cost of camp_7"
    )
    assert has(after(state, "cell b1"), "blue") == "1 dates"


def test_discounts_add_up_and_a_cost_may_come_down_to_nothing() -> None:  # A7, A40, A60
    noble = (
        "round_number: 3\nborder: 6 robber; 1 targi of blue; 2 targi of blue\nhand of blue:"
        " targia_8\nblue: {}\ndisplay of blue: a1 targia_3; b1 targia_5\ndo action_turn by blue"
    )
    state = after(
        at(noble.format("1 salt")), "use_border 1", "display_from_hand"
    )  # 1 dates and 2 salt, less 2
    state = after(state, "cell c1")
    assert has(state, "blue") == "nothing" and on(state, "display c1 of blue") == "targia_8"
    free = at(
        "blue: 1 gold\ndisplay a1 of blue: camp_5\ndo display by blue with camp_4, cost of camp_4"
    )
    assert has(after(free, "cell b1"), "blue") == "nothing"
    state = at(
        "round_number: 3\nborder 6: robber\nhand of blue: camp_9\nblue: nothing\n"
        "display of blue: a1 targia_3; b1 camp_5\ndo noble by blue"
    )
    state = after(state, "display_from_hand", "cell c1")
    assert on(state, "display c1 of blue") == "camp_9" and has(state, "blue") == "nothing"


def test_a_discount_is_used_in_full() -> None:  # A60
    state = at(
        "blue: 2 dates, 2 salt, 1 pepper\ndisplay a1 of blue: camp_5\ndo display by blue with"
        " camp_1, cost of camp_1"
    )
    assert "2 dates, 2 salt, 1 pepper" not in ways(after(state, "cell b1"))
    assert all(
        paid(told(after(state, "cell b1"), one)) != "2 dates and 2 salt and 1 pepper"
        for one in offered(after(state, "cell b1"))
    )


# ---- points for every two cards of a symbol: well_4, camel_8, oasis_6, targia_8, camp_6


@pytest.mark.parametrize(("symbol", "ability"), PAIRS.items())
def test_every_two_cards_of_the_symbol_give_a_point_at_the_end(
    symbol: str, ability: str
) -> None:  # B55, A23
    own = [f"{symbol}_{n}" for n in range(1, 10) if f"{symbol}_{n}" != ability]
    for others in range(6):
        cards = [ability, *own[:others], "camp_9" if symbol != "camp" else "well_9"]
        spaces = [f"{column}{row}" for row in (1, 2, 3) for column in "abcd"]
        lying = "; ".join(f"{space} {card}" for space, card in zip(spaces, cards, strict=False))
        state = at(f"display of blue: {lying}\nended by finish")
        assert part(state, ability) == (others + 1) // 2
        assert part(state, ability, "white") == 0


# ---- at once: well_6, well_7, well_8, well_9, camel_5, oasis_8


def test_well_6_gives_two_goods_of_choice_at_once() -> None:  # B51, A51
    state = displays("well_6", "1 dates, 2 salt")
    found = set()
    for one in offered(state):
        for two in offered(after(state, one)):
            found.add(has(after(state, one, two), "blue"))
    assert found == {
        "2 dates",
        "2 salt",
        "2 pepper",
        "1 dates, 1 salt",
        "1 dates, 1 pepper",
        "1 salt, 1 pepper",
    }


def test_well_7_turns_up_a_goods_card_which_counts_as_one() -> None:  # B51, A11
    assert (
        has(displays("well_7", "1 salt, 1 gold", "goods_pile: two_salt, rest"), "blue") == "2 salt"
    )
    state = at(
        "blue: 1 salt, 1 gold\ndisplay a1 of blue: oasis_4\ngoods_pile: two_salt, rest\ndo take_tribe_card"
        " by blue with well_7"
    )
    state = after(state, "display", "cell a2")
    assert has(state, "blue") == "3 salt" and on(state, "goods_discard") == "two_salt"


def test_well_8_draws_a_tribe_card_to_settle() -> None:  # B51, B44
    state = displays("well_8", "2 dates, 2 gold", "tribe_pile: camp_4, rest")
    assert offered(state) == ["display", "keep_in_hand", "discard"]
    state = after(state, "display", "cell b1")
    assert on(state, "display b1 of blue") == "camp_4" and has(state, "blue") == "nothing"


def test_well_9_gives_a_gold() -> None:  # B51
    assert has(displays("well_9", "1 dates, 2 salt"), "blue") == "1 gold"


def test_oasis_8_gives_one_of_each_good() -> None:  # B51
    assert has(displays("oasis_8", "2 salt, 1 pepper"), "blue") == "1 dates, 1 salt, 1 pepper"


def test_what_happens_at_once_happens_once() -> None:  # B51
    state = at(
        "display a1 of blue: oasis_8\nblue: 1 dates, 1 pepper\ndo take_tribe_card by blue with camp_9"
    )
    assert has(after(state, "display", "cell b1"), "blue") == "nothing"


def rearranging(cards: str) -> State:
    return at(f"blue: nothing\ndisplay of blue: {cards}\ndo rearrange by blue")


def lying(state: State) -> str:
    """Blue's display, space by space."""
    found = [(f"{c}{r}", on(state, f"display {c}{r} of blue")) for r in (1, 2, 3) for c in "abcd"]
    return "; ".join(f"{space} {card}" for space, card in found if card != "nothing")


def test_camel_5_may_swap_two_displayed_cards() -> None:  # B54, A22
    state = rearranging("a1 well_1; b1 camp_1; a2 camel_1")
    state = after(state, "swap_two", "card well_1", "other_card camel_1")
    assert lying(state) == "a1 camel_1; b1 camp_1; a2 well_1"


def test_camel_5_may_move_one_card_or_none() -> None:  # B54, A22, A51
    state = rearranging("a1 well_1; b1 camp_1; a2 camel_1")
    assert lying(after(state, "leave_all")) == "a1 well_1; b1 camp_1; a2 camel_1"
    state = after(state, "move_one", "card camp_1", "cell b2")
    assert lying(state) == "a1 well_1; a2 camel_1; b2 camp_1"


def test_camel_5_leaves_no_gap() -> None:  # B54, A22
    state = after(rearranging("a1 well_1; b1 camp_1; a2 camel_1"), "move_one")
    moves = {f"{card} {cell}" for card in offered(state) for cell in offered(after(state, card))}
    assert "card well_1 cell b2" not in moves and "card camp_1 cell d1" not in moves
    assert "card camp_1 cell b2" in moves and "card camel_1 cell c1" in moves


def test_camel_5_may_move_two_cards_judged_together() -> None:  # A22
    state = rearranging("a1 well_1; b1 camp_1; c1 oasis_1")
    state = after(
        state, "move_two", "card camp_1", "cell a2", "other_cell b1"
    )  # only oasis_1 can be the other
    assert lying(state) == "a1 well_1; b1 oasis_1; a2 camp_1"
    state = after(rearranging("a1 well_1; b1 camp_1"), "move_two", "card well_1", "cell a2")
    assert not {"other_cell c1", "other_cell a2"} & set(
        offered(state)
    )  # a gap, and the place of the other
    assert {"other_cell a1", "other_cell b2"} <= set(offered(state))


def test_camel_5_rearranges_when_it_is_displayed() -> None:  # B51, B54
    state = displays("camel_5", "2 pepper, 1 gold", "display a2 of blue: well_1")
    assert "leave_all" in offered(state)


# ---- at actions: camel_3, camel_6, camel_7, targia_6, targia_9


TURN = (
    "round_number: 3\nblue: {}\nborder: {} targi of blue; 2 targi of blue\n{}\ndo action_turn by"
    " blue"
)


def test_camel_3_lets_the_trader_change_goods_one_for_one() -> None:  # B55, B40
    theirs = at(TURN.format("1 dates", 5, "border 3: targi of blue\ndisplay a1 of white: camel_3"))
    assert "use_border 5" not in offered(theirs)
    state = after(at(TURN.format("1 dates", 5, "display a1 of blue: camel_3")), "use_border 5")
    seen = set[str]()
    for one in offered(state):
        then = after(state, one)
        seen |= {has(then, "blue")} | {has(after(then, two), "blue") for two in offered(then)}
    assert {"1 salt", "1 pepper"} <= seen
    gold = after(
        at(TURN.format("1 gold, 1 dates", 5, "display a1 of blue: camel_3")), "use_border 5"
    )
    assert not any("gold for" in one for one in offered(gold))


def test_camel_6_turns_up_two_goods_cards_at_the_caravan() -> None:  # B43
    pile = "goods_pile: two_dates, one_gold, rest\ndisplay a1 of {}: camel_6"
    state = after(at(TURN.format("nothing", 13, pile.format("blue"))), "use_border 13")
    assert set(things(state)) == {"two_dates", "one_gold"}
    state = after(state, things(state)["one_gold"])
    assert has(state, "blue") == "1 gold" and sorted(state.cards("goods_discard")) == [
        "one_gold",
        "two_dates",
    ]
    assert (
        has(after(at(TURN.format("nothing", 13, pile.format("white"))), "use_border 13"), "blue")
        == "2 dates"
    )


def test_camel_7_draws_two_tribe_cards_at_the_tribal_expansion() -> None:  # B44, A52
    pile = "tribe_pile: well_1, camp_1, rest\ndisplay a1 of {}: camel_7"
    state = after(at(TURN.format("nothing", 14, pile.format("blue"))), "use_border 14")
    assert set(things(state)) == {"well_1", "camp_1"}
    state = after(state, things(state)["camp_1"])
    assert on(state, "tribe_discard") == "well_1" and offered(state) == ["keep_in_hand", "discard"]
    assert on(after(state, "keep_in_hand"), "hand of blue") == "camp_1"
    assert on(after(state, "discard"), "tribe_discard") == "camp_1, well_1"
    state = after(at(TURN.format("nothing", 14, pile.format("white"))), "use_border 14")
    assert offered(state) == ["keep_in_hand", "discard"]


def test_targia_6_gives_a_point_for_each_use_of_the_silversmith() -> None:  # A58, B41
    state = after(at(TURN.format("2 dates", 10, "display a1 of blue: targia_6")), "use_border 10")
    assert has(state, "blue") == "2 points"
    state = after(
        at(TURN.format("2 gold", 10, "display a1 of blue: targia_6")),
        "use_border 10",
        "2 gold for 4 points",
    )
    assert has(state, "blue") == "5 points"
    state = after(at(TURN.format("2 dates", 10, "display a1 of white: targia_6")), "use_border 10")
    assert has(state, "blue") == "1 points" and has(state, "white").endswith("4 points")
    assert "use_border 10" not in offered(
        at(TURN.format("1 dates", 10, "border 3: targi of blue\ndisplay a1 of blue: targia_6"))
    )


def test_targia_9_moves_both_markers_at_the_fata_morgana() -> None:  # B42
    cards = (
        "centre: a1 two_dates, marker of blue; b1 well_1, marker of blue\ndisplay a1 of {}:"
        " targia_9"
    )
    state = after(
        at(TURN.format("nothing", 9, cards.format("blue"))), "use_border 9", "here a1", "there b2"
    )
    assert "here b1" in offered(state) and "done" in offered(state)
    state = after(state, "here b1", "there c2")
    assert sorted(state.place_of(f"marker {n} of blue") or "" for n in (1, 2)) == [
        "centre b2",
        "centre c2",
    ]
    state = after(
        at(TURN.format("nothing", 9, cards.format("white"))), "use_border 9", "here a1", "there b2"
    )
    assert "here b1" not in offered(state)


@pytest.mark.parametrize(("name", "there"), [("base", "there b1"), ("mixed", "there centre b1")])
def test_targia_9_does_not_move_one_marker_twice(name: str, there: str) -> None:  # B42
    """With the expansion's Fata Morgana, which leads to a neighbour only, it would come further
    than it may.
    """
    cards = (
        "centre: a1 two_dates, marker of blue; b1 well_1; c3 two_salt, marker of blue\ndisplay a1"
        " of blue: targia_9"
    )
    state = after(at(TURN.format("nothing", 9, cards), name), "use_border 9", "here a1", there)
    assert offered(state) == ["here c3", "done"]


def test_each_fata_morgana_moves_a_marker_anew() -> None:  # B42
    cards = "round_number: 3\ncentre: a1 two_dates, marker of blue; b1 well_1; c1 well_2"
    state = after(at(f"{cards}\ndo mirage by blue, then mirage by blue"), "here a1", "there b1")
    assert "here b1" in offered(state)


# ---- one more good of a goods card, once a round: oasis_3, oasis_4, oasis_5


@pytest.mark.parametrize(("good", "card"), EXTRAS.items())
def test_the_first_goods_card_of_a_round_with_the_good_gives_one_more(
    good: str, card: str
) -> None:  # B55, A10
    text = (
        f"blue: nothing\ndisplay a1 of blue: {card}\ncentre: a1 two_{good}, marker of blue; c1"
        f" one_{good}, marker of blue\ndo action_turn by blue"
    )
    state = after(at(text), "use_centre a1")
    assert has(state, "blue") == f"3 {good}"
    assert has(after(state, "use_centre c1"), "blue") == f"4 {good}"


@pytest.mark.parametrize(("good", "card"), EXTRAS.items())
def test_other_goods_gold_and_the_opponent_get_nothing_more(good: str, card: str) -> None:  # B55
    other = "salt" if good != "salt" else "dates"
    text = (
        "blue: nothing\ndisplay a1 of {}: {}\ncentre a1: {}, marker of blue\ndo use_centre by blue"
        " with centre a1"
    )
    assert has(at(text.format("blue", card, f"two_{other}")), "blue") == f"2 {other}"
    assert has(at(text.format("blue", card, "one_gold")), "blue") == "1 gold"
    assert has(at(text.format("white", card, f"two_{good}")), "blue") == f"2 {good}"


@pytest.mark.parametrize(("good", "card"), EXTRAS.items())
def test_its_window_opens_again_in_the_next_round(good: str, card: str) -> None:  # A10, B55
    text = (
        f"blue: nothing\ndisplay a1 of blue: {card}\nused {card}\ncentre a1: two_{good}, marker of"
        " blue\n"
    )
    assert (
        has(at(text + "do use_centre by blue with centre a1, then finish"), "blue") == f"2 {good}"
    )
    state = at(text + "starter: blue\nborder 5: robber\nwhite: nothing\ndo round")
    assert state.vector[next(one.window for one in state.game.abilities if one.name == card)] == 0
    state = at(
        f"blue: nothing\ndisplay a1 of blue: {card}\ncentre a1: two_{good}, marker of blue\n"
        "do use_centre by blue with centre a1, then finish"
    )
    assert has(state, "blue") == f"3 {good}"


@pytest.mark.parametrize(
    ("good", "card", "cost"),
    [
        ("dates", "oasis_3", "1 salt, 1 pepper, 1 gold"),
        ("salt", "oasis_4", "1 dates, 1 pepper, 1 gold"),
        ("pepper", "oasis_5", "1 pepper, 1 gold"),
    ],
)
def test_the_extra_good_comes_at_display_if_a_gain_came_earlier_this_round(
    good: str, card: str, cost: str
) -> None:
    # A10, B51, B55
    text = (
        f"blue: {cost}\ncentre: a1 two_{good}, marker of blue; b1 {card}, marker of blue\ndo"
        " action_turn by blue"
    )
    state = after(at(text), "use_centre a1", "use_centre b1", "display", "cell a1")
    assert state.amount("blue", good) == 3 and state.amount("blue", "gold") == 0
    state = after(at(text), "use_centre b1", "display", "cell a1")
    assert has(state, "blue") == "nothing"
    assert has(after(state, "use_centre a1"), "blue") == f"3 {good}"


def test_an_earlier_gain_of_another_good_or_from_a_border_card_does_not_count() -> None:  # A10, B52
    text = (
        "blue: 1 salt, 1 pepper, 1 gold\nborder: 2 targi of blue; 6 targi of blue\n"
        "centre: a1 two_pepper, marker of blue; b1 oasis_3, marker of blue\ndo action_turn by blue"
    )
    state = after(at(text), "use_border 2", "use_centre a1", "use_centre b1", "display", "cell a1")
    assert has(state, "blue") == "1 dates, 2 pepper"


# ---- at the end of a row: camel_4


@pytest.mark.parametrize(
    ("row", "points"),
    [
        ("a1 well_1; b1 camp_1; c1 oasis_1; d1 camel_4", 2),
        ("a1 well_1; b1 camp_1; c1 camel_4; d1 oasis_1", 0),
        ("a1 well_1; b1 camp_1; c1 camel_4", 0),
        ("a1 camel_4", 0),
        ("a1 well_1; a3 well_2; b3 camp_1; c3 oasis_1; d3 camel_4", 2),
    ],
)
def test_camel_4_gives_two_points_at_the_right_end_of_a_full_row(
    row: str, points: int
) -> None:  # B55
    assert part(at(f"display of blue: {row}\nended by finish"), "camel_4") == points


# ---- targia_3, targia_4, targia_7


def test_targia_3_makes_displays_with_the_noble_one_good_cheaper() -> None:  # B55, A7
    text = (
        "round_number: 3\nblue: 1 dates, 1 salt\nhand of blue: targia_8\n"
        "display a1 of {}: targia_3\nborder 6: robber\ndo {}"
    )
    state = at(text.format("blue", "noble by blue"))
    assert "display_from_hand" in offered(state)
    assert barred(at(text.format("white", "noble by blue, then finish")), "display_from_hand")
    centre = at(
        text.format("blue", "take_tribe_card by blue with camel_8")
    )  # 2 dates and 1 salt, and the hand is full
    assert on(centre, "tribe_discard") == "camel_8" and has(centre, "blue") == "1 dates, 1 salt"


def test_targia_4_may_place_a_figure_on_the_robbers_card() -> None:  # B55, B22
    text = "border 5: robber\ndisplay a1 of {}: targia_4\ndo place_targi by blue"
    assert "place_targi 5" in offered(at(text.format("blue")))
    assert barred(at(text.format("white")), "place_targi 5") == {"robber_blocks"}
    assert "occupied" in barred(
        at(text.format("blue").replace("robber", "robber, targi of white")), "place_targi 5"
    )


HAND = (
    "round_number: 3\nblue: 1 salt, 1 gold\nhand of blue: camel_7\n"
    "{}\nborder: 6 robber; 2 targi of blue; 3 targi of blue\n"
    "do action_turn by blue"
)


def test_targia_7_displays_from_the_hand_without_the_noble() -> None:  # B50, A14
    state = at(HAND.format("display a1 of blue: targia_7"))
    assert "display_without_noble" in offered(state)
    for first in ((), ("use_border 2",)):  # any time between one's actions
        then = after(state, *first, "display_without_noble")
        then = after(then, "cell b1")
        assert on(then, "display b1 of blue") == "camel_7" and "use_border 3" in offered(then)


def test_without_targia_7_or_in_the_round_of_taking_it_does_not() -> None:  # B50, A43, A62
    assert barred(at(HAND.format("display a1 of white: targia_7")), "display_without_noble") == {
        "noble_needed"
    }
    taken = at(HAND.format("display a1 of blue: targia_7\ntaken_in of camel_7: 3"))
    assert "display_without_noble" not in offered(taken)
    assert "too_soon" in barred(taken, "display_without_noble")


def test_with_the_option_only_the_noble_waits_for_a_later_round() -> None:  # A43
    text = HAND.format("display a1 of blue: targia_7\ntaken_in of camel_7: 3")
    assert "display_without_noble" in offered(at(text, wait_without_noble="waived"))
    noble = text.replace("do action_turn by blue", "do display_from_hand by blue")
    with pytest.raises(Problems, match="E615 `display_from_hand` cannot be answered"):
        at(noble, wait_without_noble="waived")


# ---- camp_3 stands with the raids; camp_4, camp_7, camp_8, camp_9


def test_camp_4_brings_a_gold_onto_itself() -> None:  # B55, A9
    state = displays("camp_4", "1 dates, 1 gold")
    base = state.game
    slot = next(one.slot for terms in base.terms for one in terms.stored)
    assert has(state, "blue") == "nothing" and state.vector[slot] == 1


STORED = "display a1 of blue: camp_4\nstored 1 gold on camp_4\n"


def test_the_gold_on_camp_4_pays_first_for_a_tribe_card() -> None:  # A9, A42
    state = at(f"{STORED}blue: 1 salt, 1 gold\ndo display by blue with camel_7, cost of camel_7")
    assert has(after(state, "cell b1"), "blue") == "1 gold"
    state = at(f"{STORED}blue: 1 salt\ndo display by blue with camel_7, cost of camel_7")
    assert has(after(state, "cell b1"), "blue") == "nothing"


def test_the_gold_on_camp_4_pays_the_gold_behind_a_slash() -> None:  # A9, A42, A59, B47
    state = at(f"{STORED}blue: 3 dates\ndo display by blue with camel_9, cost of camel_9")
    state = after(state, "cell b1")
    assert offered(state) == ["pay 1 gold", "pay 3 dates"]
    gold = after(state, "pay 1 gold")
    slot = next(one.slot for terms in state.game.terms for one in terms.stored)
    assert has(gold, "blue") == "3 dates" and gold.vector[slot] == 0
    assert after(state, "pay 3 dates").vector[slot] == 1


def test_the_gold_on_camp_4_pays_nothing_else() -> None:  # A9
    state = at(
        f"{STORED}blue: nothing\nborder: 10 targi of blue; 2 targi of blue; 3 targi of blue\ndo"
        " action_turn by blue"
    )
    assert "use_border 10" not in offered(state)
    theirs = at(f"{STORED}white: 1 salt\ndo take_tribe_card by white with camel_7")
    assert barred(theirs, "display") == {"display.pay"}


def test_a_card_that_leaves_the_display_begins_anew() -> None:  # A45
    state = at(f"{STORED}blue: nothing\ndo discard by blue with camp_4, then finish")
    slot = next(one.slot for terms in state.game.terms for one in terms.stored)
    assert on(state, "tribe_discard") == "camp_4" and state.vector[slot] == 0


def test_camp_7_makes_room_for_two_cards_in_the_hand() -> None:  # A48, B48
    text = "blue: nothing\ndisplay a1 of {}: camp_7\nhand of blue: {}\ndo take_tribe_card by blue with camel_7"
    assert offered(at(text.format("blue", "well_1"))) == ["keep_in_hand", "discard"]
    assert on(at(text.format("blue", "well_1, well_2")), "tribe_discard") == "camel_7"
    assert on(at(text.format("white", "well_1")), "tribe_discard") == "camel_7"


def test_with_two_cards_in_the_hand_each_waits_for_its_own_round() -> None:  # A62, A14
    state = at(
        "round_number: 3\nblue: 9 dates, 9 salt, 9 pepper, 9 gold\n"
        "hand of blue: well_1, well_2\ntaken_in of well_1: 3\n"
        "taken_in of well_2: 2\nborder 6: robber\ndo noble by blue"
    )
    state = after(state, "display_from_hand")
    state = after(state, "cell a1")
    assert on(state, "display a1 of blue") == "well_2"


def test_camp_8_may_face_the_opponent_once_a_round() -> None:  # B22, B27
    text = (
        "border: 2 targi of white; 3 targi of white; 6 robber\ndisplay a1 of {}: camp_8\n"
        "{}\ndo place_targi by blue, then place_targi by blue, then finish"
    )
    state = at(text.format("blue", ""))
    assert {"place_targi 9", "place_targi 10"} <= set(offered(state))
    assert barred(after(state, "place_targi 9"), "place_targi 10") == {"faces_opponent"}
    assert "place_targi 10" in offered(after(state, "place_targi 1"))
    assert barred(at(text.format("white", "")), "place_targi 9") == {"faces_opponent"}
    assert barred(at(text.format("blue", "used camp_8")), "place_targi 9") == {"faces_opponent"}


def test_the_window_of_camp_8_opens_again_in_the_next_round() -> None:  # B22
    state = at(
        "starter: white\nround_number: 3\nborder 5: robber\n"
        "display a1 of blue: camp_8\nused camp_8\nwhite: nothing\ndo round"
    )
    state = after(state, "place_targi 2")
    assert state.seat == "blue" and "place_targi 10" in offered(state)


def test_camp_9_allows_thirteen_goods() -> None:  # B62
    text = "blue: {} dates\ndisplay a1 of {}: camp_9\ndo keep_limits by blue, then finish"
    assert has(at(text.format(13, "blue")), "blue") == "13 dates"
    assert has(at(text.format(14, "blue")), "blue") == "13 dates"
    assert has(at(text.format(13, "white")), "blue") == "10 dates"


def test_an_ability_works_in_the_round_of_display() -> None:  # B51
    state = at(
        "starter: blue\nblue: 11 dates, 1 pepper\nwhite: nothing\n"
        "centre b1: camp_9, marker of blue\ndo actions, then finish"
    )
    state = after(state, "use_centre b1", "display", "cell a1")
    assert has(state, "blue") == "10 dates"
    full = at(f"display of blue: {FULL}\ndo finish")
    assert full.seat is None
