"""The gains from each goods card: B8, B34."""

from __future__ import annotations

from tests.targi_base.tables import after, at, game, has, offered

COPIES = {"one_salt": 2, "one_pepper": 2, "one_dates": 2, "two_salt": 1, "two_pepper": 1}
COPIES |= {"two_dates": 1, "salt_dates": 1, "salt_pepper": 1, "dates_pepper": 1}
COPIES |= {"one_gold": 3, "one_point": 1, "choice": 3}


def test_there_are_19_goods_cards() -> None:  # B1, B8
    base = game()
    found = [
        card.id.partition(".")[0]
        for card in base.cards
        if card.kind == base.kinds.index("goods_card")
    ]
    assert {card: found.count(card) for card in found} == COPIES


def test_a_goods_card_of_choice_counts_for_the_good_taken() -> None:  # A12, A10
    state = at(
        "blue: nothing\ndisplay a1 of blue: oasis_4\n"
        "centre a1: choice, marker of blue\ndo use_centre by blue with centre a1"
    )
    found = {has(after(state, one), "blue") for one in offered(state)}
    assert found == {"1 dates", "2 salt", "1 pepper"}
