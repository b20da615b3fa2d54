"""The 5 water cards, and the goods pile they are shuffled into: X1, X3, X5."""

from __future__ import annotations

import pytest

from tests.targi_expansion.tables import after, at, exchanges, game, has, offered, on

WATER = {
    "two_water": "2 water",
    "two_water.2": "2 water",
    "water_dates": "1 dates, 1 water",
    "water_salt": "1 salt, 1 water",
    "water_pepper": "1 pepper, 1 water",
}
BASE = (
    "one_salt", "one_pepper", "one_dates", "two_salt", "two_pepper", "two_dates", "salt_dates", "salt_pepper",
    "dates_pepper", "choice", "one_gold", "one_point",
)  # fmt: skip


def is_goods(card: str) -> bool:
    return card in WATER or card.partition(".")[0] in BASE


def test_the_goods_pile_holds_the_19_goods_cards_and_5_with_water() -> None:  # X1, X3, X5
    expansion, base = game(), at("", "base").game
    mine, theirs = (
        {card.id for card in one.cards if card.kind == one.kinds.index("goods_card")}
        for one in (expansion, base)
    )
    assert mine - theirs == WATER.keys() and theirs < mine and len(mine) == 24


def test_four_goods_cards_lie_in_the_centre_and_twenty_in_the_pile() -> None:  # X5, X52, C11
    state = at("do place_targi by blue")
    cells = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
    assert [cell for cell in cells if is_goods(on(state, f"centre {cell}"))] == [
        "b1",
        "a2",
        "c2",
        "b3",
    ]
    pile = on(state, "goods_pile").split(", ")
    assert len(pile) == 20 and all(is_goods(card) for card in pile)


@pytest.mark.parametrize(("card", "gives"), WATER.items())
def test_a_water_card_gives_what_it_shows_and_is_discarded(card: str, gives: str) -> None:  # X1, X5
    text = (
        "blue: nothing\nwhite: nothing\ncentre b1: {}, marker of blue\ndo use_centre by blue with"
        " centre b1"
    )
    state = at(text.format(card))
    assert has(state, "blue") == gives and has(state, "white") == "nothing"
    assert on(state, "goods_discard") == card


def test_a_used_water_card_is_replaced_by_a_tribe_card_face_down() -> None:  # X5, X52
    text = (
        "blue: nothing\ncentre b1: water_salt, marker of blue\ntribe_pile: camel_10, rest\n"
        "border: 2 targi of blue; 3 targi of blue\ndo action_turn by blue"
    )
    state = after(at(text), "use_centre b1")
    assert on(state, "centre b1") == "camel_10" and offered(state) == [
        "use_border 2",
        "use_border 3",
        "done",
    ]


def test_water_of_a_card_can_be_used_at_once() -> None:  # X5, X20
    text = (
        "blue: nothing\ncentre b1: {}, marker of blue\nborder: 2 targi of blue; 3 targi of blue\ndo"
        " action_turn by blue"
    )
    state = at(text.format("two_water"))
    assert exchanges(state) == []
    state = after(state, "use_centre b1")
    assert has(after(state, "water_for_goods salt"), "blue") == "1 salt"
    assert exchanges(after(at(text.format("water_salt")), "use_centre b1")) == []


@pytest.mark.parametrize("good", ["dates", "salt", "pepper"])
def test_a_water_card_with_a_good_counts_for_that_good_too(good: str) -> None:  # X5, A11
    extra = {"dates": "oasis_3", "salt": "oasis_4", "pepper": "oasis_5"}[good]
    text = (
        "blue: nothing\ndisplay a1 of blue: {}\ncentre b1: water_{}, marker of blue\n"
        "do use_centre by blue with centre b1"
    )
    assert has(at(text.format(extra, good), "mixed"), "blue") == f"2 {good}, 1 water"
    assert has(at(text.format("well_17", good), "mixed"), "blue") == f"1 {good}, 2 water"
