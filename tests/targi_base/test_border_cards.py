"""The effects of the 16 border cards; the Noble is tested with the tribe cards, the raids
separately.
"""

from __future__ import annotations

import pytest

from targi_dsl.api.state import State
from tests.targi_base.tables import after, at, barred, has, offered, on


def use(space: int, blue: str, more: str = "") -> State:
    """Blue uses the border card of this number, and has another action left."""
    other = 2 if space != 2 else 3
    text = (
        f"round_number: 3\nblue: {blue}\n"
        f"border: {space} targi of blue; {other} targi of blue\n{more}\ndo action_turn by blue"
    )
    return after(at(text), f"use_border {space}")


@pytest.mark.parametrize(
    ("space", "good"),
    [(2, "dates"), (3, "salt"), (6, "pepper"), (7, "dates"), (11, "pepper"), (15, "salt")],
)
def test_six_border_cards_give_a_good(space: int, good: str) -> None:  # B11, B39
    assert has(use(space, "nothing"), "blue") == f"1 {good}"


def test_a_border_card_with_goods_is_no_goods_card() -> None:  # B45, B52, A11
    cards = "display of blue: a1 oasis_3; b1 oasis_4; c1 oasis_5"
    for space, good in ((2, "dates"), (15, "salt"), (6, "pepper")):
        assert has(use(space, "nothing", cards), "blue") == f"1 {good}"


# ---- 4, 8, 12, 16: raids


@pytest.mark.parametrize(
    ("space", "card"), [(4, "raid_1"), (8, "raid_2"), (12, "raid_3"), (16, "raid_4")]
)
def test_the_corners_hold_the_raids(space: int, card: str) -> None:  # B10, B11
    state = at("do place_targi by blue")
    assert on(state, f"border {space}") == card
    assert barred(state, f"place_targi {space}") == {"raid_corner"}


# ---- 5: trader


def test_the_trader_gives_another_good_for_two_equal_ones_and_a_gold_for_three() -> None:  # B40
    state = use(5, "3 dates, 1 salt")
    assert offered(state) == [
        "2 dates for 1 salt",
        "2 dates for 1 pepper",
        "3 dates for 1 gold",
        "done",
    ]
    assert has(after(state, "2 dates for 1 salt"), "blue") == "1 dates, 2 salt"
    assert has(after(state, "2 dates for 1 pepper"), "blue") == "1 dates, 1 salt, 1 pepper"
    assert has(after(state, "3 dates for 1 gold"), "blue") == "1 salt, 1 gold"


def test_the_trader_trades_as_often_as_wanted() -> None:  # B40
    state = use(5, "9 dates")
    state = after(
        state,
        "3 dates for 1 gold",
        "2 dates for 1 salt",
        "2 dates for 1 salt",
        "2 dates for 1 pepper",
    )
    assert offered(state) == ["2 salt for 1 dates", "2 salt for 1 pepper", "done"]
    assert has(after(state, "2 salt for 1 dates"), "blue") == "1 dates, 1 pepper, 1 gold"


def test_the_trader_takes_no_mixed_goods_and_no_gold() -> None:  # B40, B45
    state = at(
        "blue: 1 dates, 1 salt, 1 pepper, 9 gold\nborder: 5 targi of blue; 2 targi of blue; 3 targi"
        " of blue\ndo action_turn by blue"
    )
    assert "use_border 5" not in offered(state)


# ---- 9: Fata Morgana


MIRAGE = (
    "centre: a1 two_dates, marker of blue; b1 well_1, marker of white; b2 two_salt; c1 two_pepper"
    " face down\n"
)


def test_the_fata_morgana_moves_an_unused_marker_to_an_unused_card() -> None:  # B42, A16
    state = use(
        9, "nothing", MIRAGE + "centre: a2 well_2; c2 well_3; a3 one_gold; b3 well_4; c3 one_point"
    )
    state = after(state, "here a1")
    assert [one for one in offered(state) if one.startswith("there")] == [
        f"there {one}" for one in ("a2", "b2", "c2", "a3", "b3", "c3")
    ]
    state = after(state, "there b2")
    assert state.place_of("marker 1 of blue") == "centre b2"
    assert "use_centre b2" in offered(state) and "use_centre a1" not in offered(state)


def test_a_face_down_card_and_one_with_a_marker_are_no_target() -> None:  # A16
    state = use(9, "nothing", MIRAGE)
    state = after(state, "here a1")
    assert not {"there a1", "there b1", "there c1"} & set(offered(state))


def test_the_fata_morgana_with_nothing_free_does_nothing() -> None:  # B42, A16
    down = "; ".join(
        f"{cell} {card} face down"
        for cell, card in zip(
            ("b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"),
            (
                "well_1",
                "one_salt",
                "well_2",
                "one_gold",
                "well_3",
                "two_dates",
                "well_4",
                "two_salt",
            ),
            strict=True,
        )
    )
    state = at(
        "blue: nothing\nborder: 9 targi of blue; 2 targi of blue\n"
        f"centre: a1 one_point, marker of blue; {down}\ndo action_turn by blue"
    )
    assert "use_border 9" not in offered(state)
    assert state.place_of("marker 1 of blue") == "centre a1"


def test_the_fata_morgana_with_the_marker_used_does_nothing() -> None:  # B42
    state = at(
        "blue: nothing\nborder: 9 targi of blue; 2 targi of blue; 3 targi of blue\ndo action_turn"
        " by blue"
    )
    assert offered(state) == ["use_border 2", "use_border 3", "done"]


# ---- 10: silversmith


@pytest.mark.parametrize(
    ("purse", "ways"),
    [
        ("2 dates", {"2 dates for 1 points": "1 points"}),
        ("4 salt", {"2 salt for 1 points": "2 salt, 1 points", "4 salt for 3 points": "3 points"}),
        (
            "2 pepper, 1 gold",
            {
                "2 pepper for 1 points": "1 gold, 1 points",
                "1 gold for 2 points": "2 pepper, 2 points",
            },
        ),
        ("2 gold", {"1 gold for 2 points": "1 gold, 2 points", "2 gold for 4 points": "4 points"}),
    ],
)
def test_the_silversmith_makes_one_of_four_exchanges(
    purse: str, ways: dict[str, str]
) -> None:  # B41, A32, C13
    if len(ways) == 1:  # which is made without a question
        assert [has(use(10, purse), "blue")] == list(ways.values())
        return
    state = use(10, purse)
    assert offered(state) == list(ways)
    for way, left in ways.items():
        done = after(state, way)
        assert has(done, "blue") == left and "use_border 10" not in offered(done)


def test_the_silversmith_takes_no_mixed_goods() -> None:  # B41
    state = at(
        "blue: 1 dates, 1 salt, 1 pepper\n"
        "border: 10 targi of blue; 2 targi of blue; 3 targi of blue\ndo action_turn by blue"
    )
    assert "use_border 10" not in offered(state)


# ---- 13 and 14: caravan, tribal expansion


def test_the_caravan_takes_what_the_top_goods_card_shows_and_discards_it() -> None:  # B43, A11
    state = use(13, "nothing", "goods_pile: two_dates, one_gold, rest")
    assert has(state, "blue") == "2 dates"
    assert on(state, "goods_discard") == "two_dates" and state.cards("goods_pile")[0] == "one_gold"


@pytest.mark.parametrize(
    ("choice", "place"),
    [
        ("display", "display a1 of blue"),
        ("keep_in_hand", "hand of blue"),
        ("discard", "tribe_discard"),
    ],
)
def test_the_tribal_expansion_draws_a_tribe_card_and_settles_it(
    choice: str, place: str
) -> None:  # B44
    state = use(14, "1 salt, 1 gold", "tribe_pile: camel_7, rest")
    assert offered(state) == ["display", "keep_in_hand", "discard"]
    state = after(state, choice)
    state = after(state, "cell a1") if choice == "display" else state
    assert on(state, place) == "camel_7"
    assert has(state, "blue") == ("nothing" if choice == "display" else "1 salt, 1 gold")


def test_the_tribal_expansion_with_a_full_hand_displays_or_discards() -> None:  # B44, B48
    state = use(14, "1 salt, 1 gold", "tribe_pile: camel_7, rest\nhand of blue: well_1")
    assert offered(state) == ["display", "discard"]


def test_the_tribal_expansion_without_any_card_gives_nothing() -> None:  # B44, A20
    assert (
        has(
            use(
                14,
                "1 salt",
                "tribe_pile: nothing\nnowhere: rest of tribe_pile\nborder 3: targi of blue",
            ),
            "blue",
        )
        == "1 salt"
    )


@pytest.mark.parametrize(
    ("chosen", "discards"),
    [("camp_2", "camel_1, well_9"), ("well_9", "camel_1, camp_2"), ("camel_1", "well_9, camp_2")],
)
def test_the_others_of_several_drawn_tribe_cards_are_discarded_as_they_were_drawn(  # A52
    chosen: str, discards: str
) -> None:
    drawn = "tribe_pile: camp_2, well_9, camel_1, rest\ntribe_discard: nothing\nblue: nothing\n"
    state = after(at(drawn + "do draw_tribe by blue with 3"), f"card {chosen}")
    assert on(state, "tribe_discard") == discards and on(state, "set_aside of blue") == chosen
    assert on(after(state, "keep_in_hand"), "hand of blue") == chosen
