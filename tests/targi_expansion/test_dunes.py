"""The dunes, where several rules meet: X7, X22 to X32, X49, X53. What each of them brings is in
`rules/expansion/04_dunes.test.targi`.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import result, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Seed
from targi_dsl.records.notation import write
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
    ways,
)

PLENTY = "9 dates, 9 salt, 9 pepper, 9 gold, 9 water"
SPOTS = ("dunes 1", "dunes 2", "dunes 3")


def stands(card: str, blue: str = "nothing", more: str = "", name: str = "expansion") -> State:
    """Blue's turn in round 3, with a Targi on this dune and another on a border card."""
    return at(
        "round_number: 3\nstarter: blue\nborder: 6 robber; 2 targi of blue\n"
        f"dunes 1: {card}, targi of blue\nblue: {blue}\nwhite: nothing\n{more}\ndo actions",
        name,
    )


def used(card: str, blue: str = "nothing", more: str = "", name: str = "expansion") -> State:
    """Blue has begun to use this dune."""
    return after(stands(card, blue, more, name), "use_dune 1")


def dunes() -> list[str]:
    """The dunes of the game."""
    return [card.id for card in game().cards if game().kinds[card.kind] == "dune"]


def gives_nothing(card: str, blue: str, more: str = "") -> bool:
    """Whether this dune cannot be used, and is discarded all the same."""
    state = stands(card, blue, more)
    return "use_dune 1" not in offered(state) and on(after(state, "done"), "dune_discard") == card


def open_dunes(state: State) -> list[str]:
    """The dunes that lie open, from left to right."""
    return [card for spot in SPOTS for card in state.cards(spot)]


def placed(state: State) -> set[str]:
    """Where a Targi may be placed."""
    return {one.removeprefix("place_targi ") for one in offered(state)}


# ---- the four texts of the rulebook: card_for_water, free_card, swap_cards, wild_card

MARKED = (
    "centre: a1 well_10, marker of blue; c1 camel_14, marker of blue; b1 two_salt; a3 camp_10,"
    " marker of white"
)


def test_card_for_water_is_not_made_cheaper() -> None:  # A8
    state = after(
        used("card_for_water", "1 water", MARKED + "\ndisplay a1 of blue: camel_18"),
        "display_for_water c1",
    )
    assert has(after(state, "cell b1"), "blue") == "nothing"


def test_card_for_water_does_not_without_water_a_marked_tribe_card_or_room() -> None:  # X29
    assert gives_nothing("card_for_water", "9 dates, 9 gold", MARKED)
    assert gives_nothing(
        "card_for_water", "9 water", "centre: a3 camp_10, marker of white; a1 well_10"
    )
    assert gives_nothing("card_for_water", "9 water", "centre b1: two_salt, marker of blue")
    assert gives_nothing(
        "card_for_water", "9 water", "centre a1: well_10 face down, marker of blue"
    )
    full = f"centre a1: well_12, marker of blue\ndisplay of blue: {FULL}; d3 camp_12"
    assert gives_nothing("card_for_water", "9 water", full)


def test_free_card_does_not_with_no_free_tribe_card() -> None:  # X29, A19
    cells = (
        "a1 one_gold; a2 one_gold.2; a3 well_10, marker of white; b1 two_salt; b2 well_11, marker"
        " of blue; b3 two_dates; c1 camp_10 face down; c2 camp_11 face down; c3 camel_10 face down"
    )
    state = stands("free_card", PLENTY, f"centre: {cells}")
    assert "use_dune 1" not in offered(state) and "take_free_card.cell" in barred(
        state, "use_dune 1"
    )


THREE = "display of blue: a1 well_16; b1 camel_10; a2 oasis_10"


def swapped(
    hand: str, card: str, more: str = "", name: str = "expansion", blue: str = "nothing"
) -> State:
    """Blue has let this hand card, the first of these, change places with this displayed card."""
    state = used("swap_cards", blue, f"hand of blue: {hand}\n{more}", name)
    return chosen(state, "swap_with_hand", hand.partition(",")[0], card)


def test_a_hand_that_a_swap_leaves_above_its_limit_is_kept_and_takes_no_more() -> (
    None
):  # A61: camp_7 holds two cards
    more = "display of blue: a1 camp_7; b1 camel_10\ncentre b2: well_11, marker of blue"
    state = swapped("well_10, oasis_10", "camp_7", more, "mixed")
    assert set(state.cards("hand of blue")) == {"oasis_10", "camp_7"}
    state = after(state, "use_centre b2")
    assert on(state, "tribe_discard") == "well_11" and len(state.cards("hand of blue")) == 2


def test_a_card_taken_this_round_may_be_swapped_and_what_comes_back_waits_for_a_later_one() -> (
    None
):  # A62
    state = swapped(
        "oasis_15",
        "well_16",
        THREE + "\ntaken_in of oasis_15: 3\nborder 1: targi of blue",
        blue="1 gold",
    )
    assert on(state, "display a1 of blue") == "oasis_15"
    state = after(state, "use_border 1")  # the Noble may only discard it
    assert on(chosen(state, "dates"), "tribe_discard") == "well_16"


def test_a_card_that_leaves_the_display_begins_anew() -> None:  # A45
    more = "display a1 of blue: well_13\nused well_13\nborder 3: targi of blue"
    state = used("swap_cards", "1 dates", "hand of blue: camel_10\n" + more)
    assert "well_13" not in offered(state) and on(state, "hand of blue") == "well_13"
    again = at(
        "round_number: 3\nborder: 6 robber; 2 targi of blue; 3 targi of blue\nblue: 1 dates\nhand"
        " of blue: camel_10\ndisplay a1 of blue: well_13\nused well_13\ndo swap_cards by blue, then"
        " swap_cards by blue, then action_turn by blue"
    )
    assert on(again, "display a1 of blue") == "well_13" and "well_13" in offered(again)


def test_gold_stored_on_a_card_that_leaves_the_display_is_gone() -> (
    None
):  # A45: camp_4 of the base game
    more = "display of blue: a1 camp_4; b1 camel_10\nstored 1 gold on camp_4"
    assert "stored 1 gold on camp_4" in write(stands("swap_cards", "nothing", more, "mixed"))
    state = swapped("oasis_15", "camp_4", more, "mixed")
    assert (
        on(state, "hand of blue") == "camp_4"
        and "stored" not in write(state)
        and has(state, "blue") == "1 gold"
    )


def test_a_dune_in_the_display_changes_places_like_a_tribe_card() -> None:  # X29, A25
    state = chosen(
        used("swap_cards", "nothing", "display of blue: a1 camel_10; b1 wild_card"), "camel_10"
    )
    assert (
        on(state, "display a1 of blue") == "wild_card"
        and on(state, "display b1 of blue") == "camel_10"
    )


def test_swap_cards_does_not_with_one_displayed_card_and_no_hand_card() -> None:  # X29
    assert gives_nothing("swap_cards", PLENTY, "display a1 of blue: camel_10")
    assert gives_nothing("swap_cards", PLENTY, "hand of blue: camel_10")


def test_wild_card_does_not_without_two_water_or_room() -> None:  # X29, A21
    assert gives_nothing("wild_card", "9 dates, 9 gold, 1 water")
    assert gives_nothing("wild_card", "9 water", f"display of blue: {FULL}; d3 camp_12")


def test_wild_card_counts_as_the_twelfth_card_and_its_symbol_is_chosen_at_the_end() -> (
    None
):  # A25, X29, X40
    state = used("wild_card", "2 water", f"display of blue: {FULL}")
    state = after(state, "use_border 2")  # d3 was the only place left
    assert on(state, "display d3 of blue") == "wild_card"
    text = (
        f"starter: blue\ndisplay of blue: {FULL}; d3 wild_card\nborder 6: robber\n"
        "display a1 of white: camp_12\ndo check_end"
    )
    state = at(text)
    assert state.seat == "blue" and set(things(state)) == {
        "well",
        "camel",
        "oasis",
        "targia",
        "camp",
    }
    over = after(state, things(state)["oasis"])
    assert over.seat is None and result(over).ended_by == "finish"


def ended(row: str, symbol: str, more: str = "") -> State:
    """The end with this row for blue, and the symbol that blue then says."""
    state = at(
        "starter: white\nblue: nothing\nwhite: nothing\nborder 6: robber\ndisplay of blue:"
        f" {row}\n{more}\ndo finish"
    )
    assert state.seat == "blue"
    return after(state, things(state)[symbol])


def test_wild_card_has_no_points_and_the_symbol_its_owner_says_for_all_purposes() -> (
    None
):  # X29, A25
    row = "a1 well_10; b1 well_11; c1 well_14; d1 wild_card"
    state = ended(row, "well")
    assert (
        part(state, "tribe_cards") == 8
        and part(state, "equal_rows") == 4
        and part(state, "well_14") == 2
    )
    state = ended(row, "camp")
    assert (
        part(state, "equal_rows") == 0
        and part(state, "mixed_rows") == 0
        and part(state, "well_14") == 1
    )
    row = "a1 well_10; b1 camel_10; c1 oasis_10; d1 wild_card"
    assert (
        part(ended(row, "camp"), "mixed_rows") == 2 and part(ended(row, "oasis"), "mixed_rows") == 0
    )
    column = "a1 oasis_12; a2 camel_10; a3 wild_card"
    assert (
        part(ended(column, "well"), "oasis_12") == 1
        and part(ended(column, "camel"), "oasis_12") == 0
    )


# ---- what the others give


def test_points_for_gold_pays_one_gold_for_four_points() -> None:  # X1, X29
    assert has(used("points_for_gold", "2 gold"), "blue") == "1 gold, 4 points"
    assert gives_nothing("points_for_gold", "9 dates, 9 points, 2 water")


def test_points_for_water_pays_up_to_twice_two_water_for_two_points() -> None:  # X1, X29
    state = used("points_for_water", "6 water")
    assert has(after(state, "done"), "blue") == "6 water"
    state = after(state, "2 water for 2 points")
    assert has(after(state, "done"), "blue") == "2 points, 4 water"
    state = after(state, "2 water for 2 points")
    assert has(state, "blue") == "4 points, 2 water" and "2 water for 2 points" not in offered(
        state
    )
    assert gives_nothing("points_for_water", "1 water, 9 gold")


def test_gold_for_goods_pays_up_to_twice_any_two_goods_for_a_gold() -> None:  # X1, X29
    state = used("gold_for_goods", "4 dates, 3 salt")
    once = after(state, "2 goods for 1 gold")
    assert ways(once) == {
        "2 dates, 3 salt, 1 gold",
        "3 dates, 2 salt, 1 gold",
        "4 dates, 1 salt, 1 gold",
    }
    state = after(once, "pay dates", "pay salt", "2 goods for 1 gold", "pay dates", "pay dates")
    assert has(state, "blue") == "1 dates, 2 salt, 2 gold" and offered(state) == [
        "use_border 2",
        "done",
    ]
    assert gives_nothing("gold_for_goods", "1 dates, 1 water, 9 points")


def test_two_goods_cards_are_turned_up_one_after_the_other_and_count_as_such() -> (
    None
):  # X1, X29, A11
    state = used("two_goods_cards", "nothing", "goods_pile: two_dates, choice, two_water, rest")
    assert has(state, "blue") == "2 dates" and on(state, "goods_discard") == "two_dates"
    assert has(after(state, "1 salt"), "blue") == "2 dates, 1 salt"
    more = "goods_pile: two_water, water_salt, rest\ndisplay a1 of blue: well_17"
    assert has(used("two_goods_cards", "nothing", more), "blue") == "1 salt, 4 water"


@pytest.mark.parametrize(
    "drawn", [("well_11", "camp_17", "camel_11"), ("camp_17", "camel_11", "well_11")]
)
def test_the_tribe_cards_not_chosen_are_discarded_in_the_order_they_were_drawn(
    drawn: tuple[str, ...],
) -> None:  # A52
    state = used("three_tribe_cards", "nothing", f"tribe_pile: {', '.join(drawn)}, rest")
    for kept in drawn:
        others = tuple(card for card in reversed(drawn) if card != kept)
        assert after(state, things(state)[kept], "keep_in_hand").cards("tribe_discard") == others


def test_three_tribe_cards_are_fewer_if_there_are_not_so_many() -> None:  # A20, A52
    state = used(
        "three_tribe_cards", "nothing", "tribe_pile: well_11, camp_17\nnowhere: rest of tribe_pile"
    )
    state = after(state, things(state)["camp_17"], "keep_in_hand")
    assert on(state, "hand of blue") == "camp_17" and on(state, "tribe_discard") == "well_11"
    none = used("three_tribe_cards", "nothing", "nowhere: rest of tribe_pile\ntribe_pile: nothing")
    assert on(none, "hand of blue") == "nothing" and on(none, "dune_discard") == "three_tribe_cards"


def test_any_border_card_is_used_that_has_no_targi_on_it_and_no_raid() -> None:  # A57
    more = (
        "border: 3 targi of white; 15 targia_figure\nhand of blue: well_10\ntaken_in of well_10: 1"
    )
    state = used("any_border_card", "2 gold, 2 salt, 1 dates", more)
    assert {int(one) for one in things(state)} == {
        1,
        5,
        6,
        7,
        10,
        11,
        13,
        14,
        15,
    }  # on 6 the robber
    back = after(
        stands("any_border_card", "2 gold, 2 salt, 1 dates", more), "use_border 2", "use_dune 1"
    )
    assert "2" in things(back)


def test_any_border_card_gives_no_gift_of_the_targia() -> None:  # A57
    more = "border 15: targia_figure"
    state = used("any_border_card", "nothing", more)
    state = after(state, things(state)["15"])
    assert has(state, "blue") == "1 salt" and offered(state) == ["use_border 2", "done"]


def test_with_any_border_card_abilities_that_speak_of_the_card_work() -> None:  # A57
    more = (
        "display of blue: a1 well_12; b1 camel_17\nhand of blue: targia_12\ntaken_in of"
        " targia_12: 1"
    )
    state = used(
        "any_border_card", "3 dates, 1 pepper, 1 water", more
    )  # targia_12: 2 dates and 1 gold, or 2 water
    noble = after(state, things(state)["1"], "display_from_hand", "cell c1")
    assert ways(noble) == {"1 dates", "1 pepper"}
    trader = after(state, things(state)["5"], "camel_17")
    assert "1 pepper for 1 salt" in offered(trader)


def test_any_border_card_may_be_the_tribal_expansion_with_its_water() -> None:  # A57, X37
    state = used("any_border_card", "1 water", "tribe_pile: well_11, camp_10, rest")
    state = after(state, things(state)["14"])
    state = after(state, next(one for one in offered(state) if one not in ("done", "decline")))
    assert on(state, "tribe_discard") == "well_11"


HELD = "hand of blue: {}\ntaken_in of {}: 2\n"


def test_card_for_less_displays_the_hand_card_for_two_goods_less_of_choice() -> None:  # A7, A60
    more = HELD.format("well_10", "well_10")  # 2 dates and 1 salt and 2 pepper
    state = after(used("card_for_less", "9 dates, 9 salt, 9 pepper", more), "cell a1")
    found = ways(state)
    assert "7 dates, 8 salt, 9 pepper" in found and "9 dates, 8 salt, 7 pepper" in found
    assert all(sum(int(one) for one in left.split() if one.isdigit()) == 24 for left in found)


@pytest.mark.parametrize(("option", "offers"), [("needed", False), ("waived", True)])
def test_the_option_also_lets_card_for_less_display_what_was_taken_this_round(
    option: str, offers: bool
) -> None:  # A43, A62
    text = (
        "round_number: 3\nblue: 9 dates, 9 salt, 9 pepper\nhand of blue: well_10\n"
        "taken_in of well_10: 3\ndunes: 1 card_for_less, targi of blue\ndo action_turn by blue"
    )
    assert ("use_dune 1" in offered(at(text, wait_without_noble=option))) == offers


def test_card_for_less_never_saves_gold_or_water() -> None:  # A7
    more = HELD.format("targia_12", "targia_12")  # 2 dates and 1 gold or 2 dates and 2 water
    assert has(after(used("card_for_less", "1 gold", more), "cell a1"), "blue") == "nothing"
    assert has(after(used("card_for_less", "2 water", more), "cell a1"), "blue") == "nothing"
    assert gives_nothing("card_for_less", "9 dates, 1 water", more)


def test_card_for_less_adds_to_other_discounts_and_may_make_a_card_free() -> None:  # A7, A40
    more = HELD.format("well_18", "well_18") + "display a1 of blue: camp_18"
    assert has(after(used("card_for_less", "nothing", more), "cell b1"), "blue") == "nothing"
    more = HELD.format("camp_10", "camp_10") + "display a1 of blue: camp_18"
    assert "8 dates, 8 salt, 9 pepper" in ways(
        after(used("card_for_less", "9 dates, 9 salt, 9 pepper", more), "cell b1")
    )


def test_card_for_less_saves_on_the_hand_card_only() -> (
    None
):  # A7: well_8 draws a tribe card at once
    more = HELD.format("well_8", "well_8") + "tribe_pile: well_10, rest"
    state = after(
        used("card_for_less", "2 dates, 1 salt, 2 pepper, 1 gold", more, "mixed"), "cell a1"
    )
    state = after(state, "display", "cell a2")
    assert has(state, "blue") == "nothing" and on(state, "display a2 of blue") == "well_10"


# ---- how they lie and come


def test_at_first_three_dunes_lie_open_and_the_rest_is_a_pile_shuffled_by_the_seed() -> (
    None
):  # X7, X1
    one, other, again = (start(game(), Seed(seed)) for seed in (3, 4, 3))
    assert [len(one.cards(spot)) for spot in SPOTS] == [1, 1, 1] and len(
        one.cards("dune_pile")
    ) == 17
    assert all(one.face_up(card) for card in open_dunes(one))
    assert not any(one.face_up(card) for card in one.cards("dune_pile"))
    assert open_dunes(one) == open_dunes(again) and one.cards("dune_pile") == again.cards(
        "dune_pile"
    )
    assert one.cards("dune_pile") != other.cards("dune_pile")


def test_in_the_round_after_a_raid_round_the_dunes_are_not_renewed_again() -> None:  # X27
    state = at(
        "starter: blue\nround_number: 3\nborder: 3 robber; 13 targia_figure\nblue: 1 points\nwhite:"
        " 1 points"
    )
    lying = open_dunes(state)
    while state.value("round_number") == 4:
        state = after(
            state,
            (
                "done"
                if "done" in offered(state)
                else next(o for o in offered(state) if "border" in o)
            ),
        )
    assert state.value("round_number") == 5 and open_dunes(state) == lying


def test_the_dunes_are_renewed_after_the_raid_the_robber_and_the_targia() -> None:  # A30, X27, X16
    state = at(
        "starter: blue\nround_number: 7\nborder: 7 robber; 10 targia_figure\nblue: 1 points, 1"
        " salt, 1 pepper\nwhite: nothing\ndunes 1: two_gold"
    )
    assert offered(state)[-1] == "pay 1 points"  # the raid itself: nothing has moved on yet
    assert state.place_of("robber") == "border 8" and "two_gold" in open_dunes(state)
    events = [one.text for one in told(state, "pay 1 points")]
    steps = [
        next(n for n, text in enumerate(events) if text.startswith(one))
        for one in ("blue pays", "robber goes", "targia_figure goes", "2 gold goes")
    ]
    assert steps == sorted(steps)


def test_with_an_empty_dune_pile_none_comes_and_the_discarded_ones_stay_away() -> (
    None
):  # X53, X27, X28
    gone = ", ".join(card for card in dunes() if card not in ("two_gold", "wild_card"))
    empty = f"\ndunes: 1 nothing; 2 nothing; 3 nothing\ndune_discard: {gone}"
    state = at(f"round_number: 4\nborder 5: robber{empty}, two_gold, wild_card\ndune_pile: nothing")
    assert open_dunes(state) == [] and len(state.cards("dune_discard")) == 20
    assert not [one for one in placed(state) if one.startswith("dunes")]
    raid = (
        "starter: blue\nround_number: 3\nborder: 3 robber; 13 targia_figure\nblue: 1 points\nwhite:"
        " 1 points"
    )
    state = at(f"{raid}{empty}\ndune_pile: two_gold, wild_card")
    assert open_dunes(state) == ["two_gold", "wild_card"] and len(state.cards("dune_discard")) == 18


def test_twenty_dunes_suffice_also_if_all_are_used_as_soon_as_they_come() -> None:  # X28, X27
    state, rounds = (
        at("starter: blue\nblue: 99 points\nwhite: 99 points\ndune_pile: rest\ndo round"),
        set[int](),
    )
    while state.seat is not None:
        choices = offered(state)
        dune = next((one for one in choices if one.startswith("place_targi dunes")), None)
        if choices[0].startswith("place_targi"):
            rounds.add(state.value("round_number"))
            assert open_dunes(state)
        pay = [one for one in choices if one.startswith("pay") and "points" in one]
        state = after(state, dune or ("done" if "done" in choices else (pay or choices)[0]))
    assert len(rounds) == 12 and len(state.cards("dune_pile")) == 0


# ---- standing on them


def test_all_three_targi_may_stand_on_dunes() -> None:  # X22, X24
    state = at(
        "starter: blue\nround_number: 3\nborder 6: robber\ndo placement, then markers, then actions"
    )
    for blue, white in (("dunes 1", "border 1"), ("dunes 2", "border 2"), ("dunes 3", "border 13")):
        state = after(state, f"place_targi {blue}", f"place_targi {white}")
    assert {state.place_of(f"targi {n} of blue") for n in (1, 2, 3)} == set(SPOTS)
    assert [state.place_of(f"marker {n} of blue") for n in (1, 2)] == [None, None]
    assert sorted(str(state.place_of(f"marker {n} of white")) for n in (1, 2)) == [
        "centre a3",
        "centre b3",
    ]


def test_a_dune_is_finished_before_the_next_action_begins() -> None:  # X25
    state = used("points_for_water", "4 water")
    assert not [one for one in offered(state) if one.startswith("use_")]
    assert "use_border 2" in offered(after(state, "done"))


# ---- both players on one dune: camp_12's owner comes to an occupied one


def test_camel_12_places_a_targi_on_a_dune_the_opponent_occupies_once_a_game() -> (
    None
):  # X30, X22, X31
    text = (
        "starter: white\nround_number: 3\nborder: 6 robber; 3 targi of white\ndisplay a1 of blue:"
        " camel_12\ndunes: 1 two_gold, targi of white; 2 wild_card, targi of blue; 3 four_water,"
        " targi of white\n{}do place_targi by blue, then place_targi by blue, then actions"
    )
    state = at(text.format(""))
    assert {"dunes 1", "dunes 3"} <= placed(state) and "dunes 2" not in placed(state)
    assert barred(state, "place_targi border 3") == {"occupied"}  # it speaks of dunes
    state = after(state, "place_targi dunes 1")
    assert barred(state, "place_targi dunes 3") == {"occupied"}
    assert barred(at(text.format("used camel_12\n")), "place_targi dunes 1") == {"occupied"}


def test_both_markers_on_one_card_that_a_dune_takes_away() -> None:  # X33, A1, A18
    more = "centre a1: well_10, marker of blue, marker of white\nborder 3: targi of white"
    state = after(used("card_for_water", "1 water", more), "cell a1")
    assert state.place_of("marker 1 of white") is None
    state = after(state, "done")
    assert state.seat == "white" and offered(state) == ["use_border 3", "done"]


# ---- the dune in the display at the last raid

LAST = (
    "starter: blue\nround_number: 12\nborder: 15 robber; 1 targia_figure\nblue: {}\nwhite: 1 gold\n"
    "display of blue: {}\ndisplay a1 of white: camp_10\ndo round"
)


def test_the_display_joining_dune_at_the_last_raid_is_given_like_a_tribe_card() -> (
    None
):  # X34, X29, A5, A45
    state = after(
        at(LAST.format("1 gold", "a1 well_10; b1 wild_card")), "give_last_card", "give_toll"
    )
    assert state.seat is None and on(state, "display b1 of blue") == "nothing"
    assert "wild_card" in state.cards("dune_discard") and "wild_card" not in state.cards(
        "tribe_discard"
    )
    assert has(state, "blue") == "1 gold" and result(state).scores[0] == 3


def test_the_display_joining_dune_kept_at_the_last_raid_has_its_symbol_chosen_then() -> (
    None
):  # X29, X34, A25
    row = "a1 well_10; b1 well_11; c1 well_15; d1 wild_card"
    state = after(at(LAST.format("1 gold", row)), "give_toll", "give_toll")
    assert state.seat == "blue" and set(things(state)) == {
        "well",
        "camel",
        "oasis",
        "targia",
        "camp",
    }
    state = after(state, things(state)["well"])
    assert state.seat is None and part(state, "equal_rows") == 4
    lost = after(
        at(LAST.format("nothing", "a1 well_10; b1 wild_card")), "give_toll"
    )  # who has no gold must give it
    assert lost.seat is None and result(lost).scores[0] == 3
