"""Options that other tests do not ask for: points on which the rulebooks leave a choice."""

from __future__ import annotations

import pytest

from targi_dsl.api import play
from tests.targi_base.tables import after, at, has, offered, on, told

DISPLAY = "do display by blue with camel_7, cost of camel_7"
GOLD = f"blue: 1 salt, 1 gold\ndisplay a1 of blue: camp_4\n{DISPLAY}"


def test_by_choice_the_gold_on_camp_4_pays_once_or_is_kept() -> None:  # A42
    laid = after(at(GOLD, stored_gold="by_choice"), "cell b1")
    assert offered(laid) == ["pay 1 salt, 1 gold", "pay 1 salt"]
    assert has(after(laid, "pay 1 salt, 1 gold"), "blue") == "nothing"
    assert has(after(laid, "pay 1 salt"), "blue") == "1 gold"
    used = at(GOLD.replace("\ndo", "\nused camp_4.3\ndo", 1), stored_gold="by_choice")
    assert has(after(used, "cell b1"), "blue") == "nothing"


def test_by_choice_camp_4_pays_nothing_but_tribe_cards_and_is_new_when_displayed_again() -> None:
    # A9, A42, A45
    state = at(
        "blue: 1 dates, 1 gold\ndo display by blue with camp_4, cost of camp_4",
        stored_gold="by_choice",
    )
    assert has(after(state, "cell a1"), "blue") == "nothing"
    smith = "blue: nothing\ndisplay a1 of blue: camp_4\nborder: 10 targi of blue; 2 targi of blue\ndo action_turn by blue"
    assert "use_border 10" not in offered(at(smith, stored_gold="by_choice"))


@pytest.mark.parametrize(("option", "pile"), [("immediate", 2), ("late", 0)])
def test_the_goods_pile_is_made_anew_at_once_or_when_a_card_is_needed(
    option: str, pile: int
) -> None:  # B79, A49
    state = at(
        "goods_pile: one_gold\ngoods_discard: one_salt, one_pepper\nnowhere: rest of goods_pile\n"
        "centre: a1 well_1, marker of blue; b1 well_2, marker of blue\nblue: nothing\n"
        "do action_turn by blue",
        goods_reshuffle=option,
    )
    state = after(state, "use_centre a1", "keep_in_hand")
    assert len(state.cards("goods_pile")) == pile
    state = after(state, "use_centre b1")
    assert on(state, "centre b1") in ("one_salt", "one_pepper")


WELL = (
    "goods_pile: two_dates, two_salt, rest\nblue: 2 dates, 2 salt, 2 pepper, 2 gold\n"
    "centre a1: well_7, marker of blue\ndo action_turn by blue"
)


@pytest.mark.parametrize(
    ("option", "drawn", "laid"),
    [("after_ability", "two_dates", "two_salt"), ("before_ability", "two_salt", "two_dates")],
)
def test_a_displayed_card_is_replaced_after_its_ability_or_before(
    option: str, drawn: str, laid: str
) -> None:  # B33, A50
    state = after(at(WELL, centre_refill=option), "use_centre a1", "display", "cell a1")
    while any(one.startswith("pay") for one in offered(state)):
        state, _ = play(state, offered(state)[0])
    assert on(state, "goods_discard") == drawn and on(state, "centre a1") == laid


def test_tokens_that_the_box_lacks_are_told_at_the_end_of_a_turn() -> None:  # B2, B36, A3
    state = at(
        "blue: 5 dates, 3 gold, 30 points\nwhite: 5 dates, 3 gold, 12 points\n"
        "border: 2 targi of blue; 3 targi of white\ndo actions"
    )
    events = told(state, "use_border 2", "done")
    assert [one.number for one in events if one.what == "tokens_noted"] == [2]
