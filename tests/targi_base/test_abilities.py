"""The effects of the 33 tribe cards with an ability: when each applies, when it does not, and when
it applies again: B51, B55, B78.
"""

from __future__ import annotations

from itertools import product

import pytest

from tests.targi_base.tables import (
    after,
    at,
    barred,
    game,
    has,
    offered,
    on,
    paid,
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


# ---- at actions: camel_3, camel_6, camel_7, targia_6, targia_9


TURN = (
    "round_number: 3\nblue: {}\nborder: {} targi of blue; 2 targi of blue\n{}\ndo action_turn by"
    " blue"
)


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
    state = after(
        at(f"{cards}\ndo move_marker by blue, then move_marker by blue"), "here a1", "there b1"
    )
    assert "here b1" in offered(state)


# ---- targia_3, targia_4, targia_7


HAND = (
    "round_number: 3\nblue: 1 salt, 1 gold\nhand of blue: camel_7\n"
    "{}\nborder: 6 robber; 2 targi of blue; 3 targi of blue\n"
    "do action_turn by blue"
)


def test_with_the_option_only_the_noble_waits_for_a_later_round() -> None:  # A43
    text = HAND.format("display a1 of blue: targia_7\ntaken_in of camel_7: 3")
    assert "display_without_noble" in offered(at(text, wait_without_noble="waived"))
    noble = at(
        text.replace("do action_turn by blue", "do noble by blue"), wait_without_noble="waived"
    )
    assert on(noble, "tribe_discard") == "camel_7"  # it cannot be displayed


# ---- camp_3 stands with the raids; camp_4, camp_7, camp_8, camp_9


STORED = "display a1 of blue: camp_4\nstored 1 gold on camp_4\n"


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


def test_the_window_of_camp_8_opens_again_in_the_next_round() -> None:  # B22
    state = at(
        "starter: white\nround_number: 3\nborder 5: robber\n"
        "display a1 of blue: camp_8\nused camp_8\nwhite: nothing\ndo round"
    )
    state = after(state, "place_targi 2")
    assert state.seat == "blue" and "place_targi 10" in offered(state)
