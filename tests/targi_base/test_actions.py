"""The order of actions, how they are declined, and what replaces a used card: B29 to B35, B62, B76,
B77.
"""

from __future__ import annotations

from tests.targi_base.tables import after, at, has, offered, on

ACTS = "starter: blue\nborder: 2 targi of blue; 6 targi of blue; 5 targi of white\n"


def test_the_starting_player_does_all_actions_then_the_other() -> None:  # B29
    state = at(ACTS + "blue: nothing\nwhite: 2 salt\ndo actions")
    assert state.seat == "blue" and offered(state) == ["use_border 2", "use_border 6", "done"]
    state = after(state, "use_border 6", "use_border 2")
    assert state.seat == "white" and "use_border 5" in offered(state)
    assert at("starter: white\n" + ACTS.partition("\n")[2] + "do actions").seat == "white"


def test_actions_may_be_done_in_any_order() -> None:  # B30
    state = at(ACTS + "blue: nothing\ndo actions")
    for first, then in (("2", "6"), ("6", "2")):
        assert (
            has(after(state, f"use_border {first}", f"use_border {then}"), "blue")
            == "1 dates, 1 pepper"
        )


def test_one_action_is_finished_before_the_next_begins() -> None:  # B30
    state = at("starter: blue\nborder: 5 targi of blue; 2 targi of blue\nblue: 4 dates\ndo actions")
    state = after(state, "use_border 5")
    assert not [one for one in offered(state) if one.startswith("use_border")]
    assert "use_border 2" in offered(after(state, "done"))


def test_every_action_may_be_forgone_and_figures_and_markers_come_back() -> (
    None
):  # B31, B77, C3, A44
    state = at(
        ACTS
        + "centre: b1 well_1, marker of blue; a1 two_dates, marker of blue\nblue: 9 gold\nwhite:"
        " nothing\ndo actions"
    )
    state = after(state, "done")
    assert on(state, "centre b1") == "well_1" and on(state, "centre a1") == "two_dates"
    assert state.place_of("targi 1 of blue") is None and state.place_of("marker 1 of blue") is None


def test_after_a_border_action_the_figure_comes_back_and_the_card_stays() -> None:  # B32
    state = at(ACTS + "do action_turn by blue")
    state = after(state, "use_border 2")
    assert "use_border 2" not in offered(state)
    assert on(state, "border 2") == "dates_2"
    assert [state.place_of(f"targi {n} of blue") for n in (1, 2, 3)].count("border 6") == 1


def test_a_used_goods_card_is_replaced_at_once_by_a_tribe_card_face_down() -> None:  # B33, B34, B35
    state = at(
        "centre: a1 two_dates, marker of blue; b1 well_1, marker of blue\n"
        "blue: nothing\ntribe_pile: camp_1, rest\ndo action_turn by blue"
    )
    state = after(state, "use_centre a1")
    assert has(state, "blue") == "2 dates"
    assert on(state, "centre a1") == "camp_1" and not state.face_up("camp_1")
    assert not state.knows("blue", "camp_1")
    assert state.cards("goods_discard") == ("two_dates",) and state.cards("tribe_discard") == ()


def test_a_used_tribe_card_is_replaced_at_once_by_a_goods_card_face_down() -> None:  # B33, B76, A17
    text = (
        "centre: b1 well_1, marker of blue; a1 two_dates, marker of blue\n"
        "blue: nothing\ngoods_pile: one_gold, rest\ndo action_turn by blue"
    )
    for choice in ("keep_in_hand", "discard"):
        state = after(at(text), "use_centre b1", choice)
        assert on(state, "centre b1") == "one_gold" and not state.face_up("one_gold")
        assert "use_centre b1" not in offered(state)


def test_tribe_and_goods_discards_lie_apart() -> None:  # B35
    state = at(
        "centre b1: well_1, marker of blue\nblue: nothing\ndo use_centre by blue with centre b1"
    )
    state = after(state, "discard")
    assert on(state, "tribe_discard") == "well_1" and on(state, "goods_discard") == "nothing"


def test_the_card_is_replaced_only_when_its_action_is_wholly_done() -> (
    None
):  # A50: what well_7 draws comes first
    state = at(
        "centre b1: well_7, marker of blue\nblue: 1 salt, 1 gold\n"
        "goods_pile: two_pepper, one_gold, rest\ndo use_centre by blue with centre b1"
    )
    state = after(state, "display", "cell a1")
    assert has(state, "blue") == "2 pepper" and on(state, "centre b1") == "one_gold"


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


def test_an_empty_place_in_the_centre_gives_nothing() -> None:  # A20
    state = at(
        "blue: 1 salt\nborder: 2 targi of blue; 3 targi of blue\n"
        "centre a1: nothing, marker of blue\ndo action_turn by blue"
    )
    if "use_centre a1" in offered(state):
        state = after(state, "use_centre a1")
    assert has(state, "blue") == "1 salt" and on(state, "centre a1") == "nothing"


def test_with_both_markers_on_one_card_the_first_to_use_it_sends_the_other_back() -> None:
    # A1, X33
    text = (
        "starter: blue\ncentre a1: two_dates, marker of blue, marker of white\n"
        "border 3: targi of white\nblue: nothing\nwhite: nothing\ndo actions"
    )
    state = at(text)
    assert state.seat == "blue"
    used = after(state, "use_centre a1")
    assert has(used, "blue") == "2 dates" and used.seat == "white"
    assert used.place_of("marker 1 of white") is None and offered(used) == ["use_border 3", "done"]
    state = after(state, "done")
    assert has(after(state, "use_centre a1"), "white") == "2 dates"


def test_after_the_actions_ten_goods_and_three_gold_are_kept_and_the_player_chooses() -> (
    None
):  # B62, C18, C25
    state = at("blue: 9 dates, 2 salt, 1 pepper, 5 gold\ndo keep_limits by blue")
    assert state.seat == "blue" and offered(state) == ["pay dates", "pay salt", "pay pepper"]
    assert has(after(state, "pay salt", "pay pepper"), "blue") == "9 dates, 1 salt, 3 gold"
    assert has(at("blue: 10 dates, 3 gold\ndo keep_limits by blue"), "blue") == "10 dates, 3 gold"


def test_during_the_actions_there_is_no_limit() -> None:  # B62
    state = at(
        "starter: blue\nborder: 2 targi of blue; 6 targi of blue\nblue: 10 dates\nwhite:"
        " nothing\ndo actions"
    )
    state = after(state, "use_border 2")
    assert has(state, "blue") == "11 dates"
    state = after(state, "use_border 6")
    assert offered(state) == ["pay dates", "pay pepper"]


def test_stored_gold_does_not_count_for_the_limit() -> None:  # A9
    state = at(
        "display a1 of blue: camp_4\nstored 1 gold on camp_4\nblue: 3 gold\ndo keep_limits by blue"
    )
    assert has(state, "blue") == "3 gold"


def test_the_limits_are_kept_after_ones_own_actions_before_the_other_begins() -> None:  # B62, C18
    state = at(
        "starter: blue\nborder: 2 targi of blue; 5 targi of white\n"
        "blue: 6 dates, 5 salt\nwhite: 9 pepper, 9 salt\ndo actions"
    )
    assert state.seat == "blue"
    state = after(state, "done")
    assert state.seat == "blue" and offered(state) == ["pay dates", "pay salt"]
    assert after(state, "pay salt").seat == "white"
