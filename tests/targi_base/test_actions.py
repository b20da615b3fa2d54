"""The order of actions, how they are declined, and what replaces a used card: B29 to B35, B62, B76,
B77.
"""

from __future__ import annotations

from tests.targi_base.tables import after, at, has, offered, on


def test_tribe_and_goods_discards_lie_apart() -> None:  # B35
    state = at(
        "centre b1: well_1, marker of blue\nblue: nothing\ndo use_centre by blue with centre b1"
    )
    state = after(state, "discard")
    assert on(state, "tribe_discard") == "well_1" and on(state, "goods_discard") == "nothing"


def test_an_empty_goods_pile_is_made_of_its_discards_at_once() -> None:  # B34, B79, A49
    state = at(
        "centre b1: well_1, marker of blue\nblue: nothing\ngoods_pile: one_gold\ngoods_discard:"
        " rest of goods_pile\ndo use_centre by blue with centre b1"
    )
    state = after(state, "keep_in_hand")
    assert on(state, "centre b1") == "one_gold"
    assert len(state.cards("goods_pile")) > 9 and state.cards("goods_discard") == ()


def test_a_goods_pile_that_runs_empty_in_the_middle_of_a_draw_goes_on_with_the_discards() -> (
    None
):  # A49, B43
    state = at(
        "display a1 of blue: camel_6\nblue: nothing\ngoods_pile: one_gold\ngoods_discard:"
        " two_salt\nnowhere: rest of goods_pile\ndo draw_goods by blue with 2"
    )
    (gold,) = [one for one in offered(state) if one.endswith("one_gold")]
    assert [one for one in offered(state) if one.endswith("two_salt")]
    state = after(state, gold)
    assert has(state, "blue") == "1 gold"
    assert sorted(state.cards("goods_discard") + state.cards("goods_pile")) == [
        "one_gold",
        "two_salt",
    ]


def test_without_any_goods_card_nothing_is_drawn() -> None:  # A49
    state = at(
        "blue: nothing\nwhite: nothing\nnowhere: rest of goods_pile\ngoods_pile: nothing\ndo"
        " draw_goods by blue with 1"
    )
    assert has(state, "blue") == "nothing"


def test_an_empty_tribe_pile_is_made_of_its_discards_when_a_card_is_needed() -> (
    None
):  # A20, A49, B79
    text = (
        "centre: a1 two_dates, marker of blue; c1 two_salt, marker of blue\nblue: nothing\n"
        "tribe_pile: camp_1\n{}\nnowhere: rest of tribe_pile\ndo action_turn by blue"
    )
    state = after(at(text.format("tribe_discard: camp_2, camp_3")), "use_centre a1")
    assert on(state, "tribe_pile") == "nothing" and on(state, "tribe_discard") == "camp_2, camp_3"
    state = after(state, "use_centre c1")
    assert on(state, "centre c1") in ("camp_2", "camp_3") and len(state.cards("tribe_pile")) == 1
    state = after(at(text.format("tribe_discard: nothing")), "use_centre a1", "use_centre c1")
    assert on(state, "centre c1") == "nothing"
