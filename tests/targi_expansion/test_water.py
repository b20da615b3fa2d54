"""Water: not a good, exchanged at any decision of its owner, limited, worth points: X19 to X21,
A27, A41, A55.

Also everything else a cost may contain: slashes, brackets, substitutes: X13 to X15, A8, A47, A59.
"""

from __future__ import annotations

import pytest

from targi_dsl.api.state import State
from tests.targi_expansion.tables import after, at, exchanges, has, offered, on, ways

FOR_GOODS = [f"water_for_goods {good}" for good in ("dates", "salt", "pepper")]
ALL = ["water_for_gold", *FOR_GOODS]

TURN = (
    "round_number: 3\nstarter: blue\nwhite: nothing\nborder: 6 robber; 2 targi of blue; 3 targi of"
    " white\n"
)


def turn(blue: str, more: str = "") -> State:
    """Blue's action turn, with a Targi on a border card."""
    return at(f"{TURN}blue: {blue}\n{more}\ndo actions")


def settles(card: str, blue: str, more: str = "", name: str = "expansion") -> State:
    """Blue has drawn this tribe card, and has another thing to do afterwards."""
    return at(
        f"{TURN}blue: {blue}\n{more}\ndo take_tribe_card by blue with {card}, then action_turn by blue",
        name,
    )


def pays(card: str, blue: str, more: str = "", name: str = "expansion") -> State:
    """Blue displays this tribe card, and pays for it."""
    state = after(settles(card, blue, more, name), "display")
    cells = [one for one in offered(state) if one.startswith("cell")]
    return after(state, cells[0]) if cells else state


# ---- no good


def test_water_is_no_good_where_goods_are_given() -> None:  # X19, X2
    assert has(raid(1, "3 gold, 1 water"), "blue") == "3 gold, 1 water"
    assert "use_border 10" not in offered(turn("1 dates, 1 water", "border 10: targi of blue"))
    state = after(turn("2 dates, 1 water", "border: 5 targi of blue"), "use_border 5")
    assert not [one for one in offered(state) if one.startswith(("1 water", "2 water"))]


def test_water_is_no_good_where_goods_are_taken() -> None:  # X19
    state = at(f"{TURN}blue: nothing\ndunes 1: three_goods, targi of blue\ndo actions")
    assert sorted(offered(after(state, "use_dune 1"))) == ["gain dates", "gain pepper", "gain salt"]


def test_water_does_not_count_for_the_limit_of_goods() -> None:  # X19, X51
    assert has(after(turn("9 dates, 9 water"), "done"), "blue") == "9 dates, 9 water"


def test_a_discount_never_saves_water() -> (
    None
):  # X19, A7: oasis_18 costs 1 dates and 1 salt and 1 water
    more = "display of blue: a1 camel_10; b1 oasis_13"
    assert "display" not in offered(settles("oasis_18", "1 dates, 1 salt", more))
    state = at(
        f"{TURN}border 1: targi of blue\nblue: 1 water\nhand of blue: camp_18\ntaken_in of camp_18:"
        " 1\ndunes 1: card_for_less, targi of blue\ndo actions"
    )
    assert has(after(state, "use_dune 1", "cell a1"), "blue") == "nothing"
    dry = at(
        f"{TURN}border 1: targi of blue\nblue: 9 gold\nhand of blue: camp_18\ntaken_in of camp_18:"
        " 1\ndunes 1: card_for_less, targi of blue\ndo actions"
    )
    assert "use_dune 1" not in offered(dry)


# ---- the exchanges


def test_it_may_be_done_again_and_again_and_the_question_stays() -> None:  # X20, A27
    state = turn("9 water")
    before = offered(state)
    state = after(state, "water_for_gold", "water_for_goods salt", "water_for_goods salt")
    assert has(state, "blue") == "2 salt, 1 gold, 2 water" and offered(state) == before


def test_only_whoever_decides_exchanges_his_own_water() -> None:  # A27
    state = at(TURN.replace("nothing", "9 water") + "blue: 1 water\ndo actions")
    assert state.seat == "blue" and exchanges(state) == []
    assert exchanges(after(state, "done")) == ALL


@pytest.mark.parametrize(
    "text",
    [
        "do place_targi by blue",
        "border 1: targi of blue\nhand of blue: well_10\ndo action_turn by blue",
        "do take_tribe_card by blue with well_10",
        "dunes: 1 wild_card, targi of blue; 2 three_goods, targi of blue\ndo actions",
        "display a1 of blue: well_13\ndo use_abilities by blue",
        "do raid_2",
        "tribe_pile: well_10, rest\ndo tribal_expansion by blue",
        "display a1 of blue: wild_card\ndo finish",
    ],
)
def test_water_is_exchanged_at_any_decision_of_its_owner(text: str) -> None:  # X20, A27, B57
    state = at(f"{TURN}blue: 4 water, 2 points, 3 dates, 2 salt, 2 pepper\n{text}")
    assert state.seat == "blue" and len(offered(state)) > 1 and exchanges(state) == ALL
    left = offered(state)
    state = after(state, "water_for_goods pepper")
    assert "3 dates, 2 salt, 3 pepper" in has(state, "blue") and "2 water" in has(state, "blue")
    assert set(left) <= set(offered(state)) and state.seat == "blue"


def test_the_water_exchange_in_the_middle_of_a_payment() -> None:  # X20, A27
    state = after(turn("2 dates, 1 salt, 4 water", "border 10: targi of blue"), "use_border 10")
    state = after(state, "2 goods for 1 points", "pay dates")
    assert has(state, "blue") == "1 dates, 1 salt, 4 water" and exchanges(state) == ALL
    state = after(state, "water_for_goods pepper")
    assert (
        offered(state) == ["pay dates", "pay salt", "pay pepper"] and exchanges(state) == FOR_GOODS
    )
    assert has(after(state, "pay pepper"), "blue") == "1 dates, 1 salt, 1 points, 2 water"


def test_what_is_only_paid_with_exchanged_water_is_offered_and_exchanged() -> None:  # X20, A27
    state = settles(
        "well_10", "2 dates, 1 salt, 1 pepper, 2 water"
    )  # 2 dates and 1 salt and 2 pepper
    assert "display" in offered(state)
    state = pays("well_10", "2 dates, 1 salt, 1 pepper, 2 water")
    assert on(state, "display a1 of blue") == "well_10" and has(state, "blue") == "nothing"
    assert "display" not in offered(settles("well_10", "2 dates, 1 salt, 1 pepper, 1 water"))


def test_water_that_must_be_paid_is_not_there_to_be_exchanged() -> (
    None
):  # X13, X20: oasis_18 costs a water too
    assert "display" not in offered(settles("oasis_18", "1 dates, 2 water"))
    state = pays("oasis_18", "1 dates, 3 water")
    assert on(state, "display a1 of blue") == "oasis_18" and has(state, "blue") == "nothing"


# ---- raids

RAID = "starter: blue\nblue: {}\nwhite: {}\nborder {}: robber\ndo raid_{}"


def raid(
    number: int, blue: str, white: str = "9 points, 9 dates, 9 salt, 9 pepper, 9 gold"
) -> State:
    return at(RAID.format(blue, white, 4 * number, number))


def test_the_water_exchange_in_the_middle_of_a_raid() -> None:  # X20, A27
    state = raid(1, "2 water, 1 points")
    assert offered(state) == ["pay 1 points"] and exchanges(state) == FOR_GOODS
    state = after(state, "water_for_goods dates")
    assert offered(state) == ["pay 1 dates", "pay 1 points"]
    assert has(after(state, "pay 1 dates"), "blue") == "1 points"
    assert has(after(raid(1, "2 water, 1 points"), "pay 1 points"), "blue") == "2 water"


def test_nobody_exchanges_himself_into_being_unable_to_pay() -> None:  # A55
    state = raid(3, "6 water")
    assert (
        offered(state) == [] and exchanges(state) == FOR_GOODS
    )  # no gold, which would leave too little
    state = after(state, "water_for_goods salt")
    assert exchanges(state) == ["water_for_goods dates", "water_for_goods pepper"]
    assert has(after(state, "water_for_goods dates"), "blue") == "nothing"


def test_a_raid_that_can_be_paid_otherwise_leaves_the_water_free() -> None:  # A55, A27
    state = after(raid(3, "6 water, 2 points"), "water_for_gold")
    assert (
        has(state, "blue") == "1 gold, 3 water" and state.seat == "white"
    )  # only the points were left to give


def test_the_last_raid_may_be_paid_with_a_gold_made_of_water_or_with_a_card() -> (
    None
):  # A55, X34, X54
    text = (
        "starter: blue\nblue: {}\nwhite: 1 gold\nborder 16: robber\ndisplay a1 of blue: well_10\ndo"
        " raid_4"
    )
    state = at(text.format("3 water"))
    assert offered(state) == ["give_toll", "give_last_card"] and exchanges(state) == ALL
    assert has(after(state, "water_for_gold", "give_toll"), "blue") == "nothing"
    kept = after(state, "give_toll")
    assert on(kept, "display a1 of blue") == "well_10" and has(kept, "blue") == "nothing"
    given = after(state, "water_for_goods dates")  # only the card is left to give
    assert on(given, "display a1 of blue") == "nothing" and has(given, "blue") == "1 dates, 1 water"


# ---- the limit


def test_the_limit_holds_at_the_end_of_ones_own_turn_before_the_other_begins() -> (
    None
):  # X19, A41, C18
    text = (
        TURN.replace("nothing", "15 water")
        + "dunes 1: four_water, targi of blue\nblue: 9 water\ndo actions"
    )
    state = after(at(text), "use_dune 1")
    assert has(state, "blue") == "13 water" and "use_border 2" in offered(
        state
    )  # during the turn there is none
    state = after(state, "done")
    assert state.seat == "blue" and has(state, "white") == "15 water"
    assert after(state, "done").seat == "white"


# ---- costs with a slash or a bracket, and what may stand for gold


def test_with_a_slash_the_same_water_may_become_the_gold_or_be_paid() -> None:  # X13, X20
    state = pays("well_17", "1 salt, 3 water")  # 1 salt, and 1 gold or 2 water
    assert offered(state) == ["pay 1 salt, 2 water"]
    assert has(after(state, "pay 1 salt, 2 water"), "blue") == "1 water"
    made = after(state, "water_for_gold")
    assert has(made, "blue") == "nothing" and on(made, "display a1 of blue") == "well_17"


def test_a_bracket_in_water_or_with_exchanged_water() -> None:  # X14, X20
    state = pays("oasis_14", "1 dates, 2 pepper, 2 water")  # (plus 2 water for 1 points)
    assert has(after(state, "pay 1 dates, 2 pepper, 2 water, for 1 points"), "blue") == "1 points"
    state = pays(
        "camp_14", "1 salt, 2 pepper, 1 dates, 2 water"
    )  # (plus 1 dates and 1 salt for 1 points)
    assert offered(state) == ["pay 1 salt, 2 pepper"]
    state = after(state, "water_for_goods salt")
    assert has(after(state, "pay 1 dates, 2 salt, 2 pepper, for 1 points"), "blue") == "1 points"


def test_no_bracket_for_a_card_displayed_for_a_substitute_cost() -> None:  # A8, X14
    marked = "centre a1: camel_14, marker of blue\ndunes 1: card_for_water, targi of blue"
    state = after(turn("1 water, 1 gold, 9 dates, 9 salt", marked), "use_dune 1", "cell a1")
    assert (
        has(state, "blue") == "9 dates, 9 salt, 1 gold"
        and on(state, "display a1 of blue") == "camel_14"
    )
    swap = "hand of blue: camel_14\ndisplay a1 of blue: well_10\ndunes 1: swap_cards, targi of blue"
    state = after(turn("1 gold", swap), "use_dune 1")
    assert has(state, "blue") == "1 gold" and on(state, "display a1 of blue") == "camel_14"


NOBLE = "border 1: targi of blue\ndisplay a1 of blue: well_12\nhand of blue: {}\ntaken_in of {}: 1"


def test_a_bracketed_cost_with_a_substitute() -> (
    None
):  # A59, A47, X14: not at the Noble, who replaces a gold of the cost
    state = after(
        turn("1 dates, 2 salt, 1 pepper, 1 water", NOBLE.format("camel_14", "camel_14")),
        "use_border 1",
    )
    state = after(state, "display_from_hand", "cell b1")
    assert (
        has(state, "blue") == "1 pepper, 1 water" and on(state, "display b1 of blue") == "camel_14"
    )
    rich = turn("1 dates, 2 salt, 1 pepper, 1 water, 1 gold", NOBLE.format("camel_14", "camel_14"))
    rich = after(rich, "use_border 1", "display_from_hand", "cell b1")
    assert offered(rich) == ["pay 1 dates, 2 salt", "pay 1 dates, 2 salt, 1 gold, for 2 points"]


def test_stored_gold_pays_a_bracketed_cost() -> None:  # A59: camp_4 of the base game
    more = "display a1 of blue: camp_4\nstored 1 gold on camp_4"
    state = pays("camel_14", "1 dates, 2 salt", more, "mixed")
    assert has(after(state, "pay 1 dates, 2 salt, 1 gold, for 2 points"), "blue") == "2 points"


def test_the_substitute_at_the_noble_is_a_water_and_any_good_for_one_gold() -> None:  # A47, X30
    more = NOBLE.format("camel_17", "camel_17")  # 1 salt and 1 gold
    state = after(
        turn("2 salt, 1 pepper, 1 water", more), "use_border 1", "display_from_hand", "cell b1"
    )
    assert ways(state) == {"1 salt", "1 pepper"}
    assert "display" not in offered(
        settles("camel_17", "2 salt, 1 water", "display a1 of blue: well_12")
    )
    dry = after(turn("2 salt, 1 pepper", more), "use_border 1")
    assert on(dry, "display b1 of blue") == "nothing"


def test_the_substitute_may_be_made_of_exchanged_water() -> None:  # A47, X20, A27
    more = NOBLE.format("camel_17", "camel_17")
    state = after(turn("1 salt, 3 water", more), "use_border 1", "display_from_hand", "cell b1")
    for exchange in ("water_for_gold", "water_for_goods pepper"):
        paid = after(state, exchange)
        assert on(paid, "display b1 of blue") == "camel_17" and has(paid, "blue") == "nothing"
