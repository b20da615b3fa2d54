"""The gains from each goods card: B8, B34."""

from __future__ import annotations

import pytest

from tests.targi_base.tables import after, at, game, has, offered, on

# What the 19 goods cards show, as listed in public.
CARDS = {
    "one_salt": (2, "1 salt"),
    "one_pepper": (2, "1 pepper"),
    "one_dates": (2, "1 dates"),
    "two_salt": (1, "2 salt"),
    "two_pepper": (1, "2 pepper"),
    "two_dates": (1, "2 dates"),
    "salt_dates": (1, "1 dates, 1 salt"),
    "salt_pepper": (1, "1 salt, 1 pepper"),
    "dates_pepper": (1, "1 dates, 1 pepper"),
    "one_gold": (3, "1 gold"),
    "one_point": (1, "1 points"),
}


def test_there_are_19_goods_cards() -> None:  # B1, B8
    base = game()
    found = [
        card.id.partition(".")[0]
        for card in base.cards
        if card.kind == base.kinds.index("goods_card")
    ]
    assert {card: found.count(card) for card in found} == {
        card: copies for card, (copies, _) in CARDS.items()
    } | {"choice": 3}


@pytest.mark.parametrize(("card", "gives"), [(card, gives) for card, (_, gives) in CARDS.items()])
def test_a_goods_card_gives_what_it_shows_and_is_discarded(
    card: str, gives: str
) -> None:  # B8, B34
    state = at(
        f"blue: nothing\nwhite: nothing\ncentre a1: {card}, marker of blue\ndo use_centre by blue"
        " with centre a1"
    )
    assert has(state, "blue") == gives and has(state, "white") == "nothing"
    assert on(state, "goods_discard") == card


@pytest.mark.parametrize("good", ["dates", "salt", "pepper"])
def test_a_goods_card_of_choice_gives_one_good_of_three(good: str) -> None:  # B8, A12
    state = at(
        "blue: nothing\ncentre a1: choice, marker of blue\ndo use_centre by blue with centre a1"
    )
    assert len(offered(state)) == 3
    (way,) = [one for one in offered(state) if good in one]
    assert has(after(state, way), "blue") == f"1 {good}"


def test_a_goods_card_of_choice_counts_for_the_good_taken() -> None:  # A12, A10
    state = at(
        "blue: nothing\ndisplay a1 of blue: oasis_4\n"
        "centre a1: choice, marker of blue\ndo use_centre by blue with centre a1"
    )
    found = {has(after(state, one), "blue") for one in offered(state)}
    assert found == {"1 dates", "2 salt", "1 pepper"}
