"""What is told of a tribe card before its marker is used."""

from __future__ import annotations

import pytest

from targi_dsl.display.choosing import offers
from targi_dsl.display.scene import scene_of
from targi_dsl.view.words import Words
from tests.targi_base.tables import at

FULL = "; ".join(
    f"{column}{row} {suit}_{row}"
    for column, suit in zip("abcd", ("well", "camel", "oasis", "camp"), strict=True)
    for row in (1, 2, 3)
)
"""Twelve cards, one on each space of a display."""


@pytest.mark.parametrize(
    ("owned", "more", "lead"),
    [
        ("1 salt, 1 gold", "", ""),
        ("nothing", "", "you cannot display it now"),
        ("1 salt, 1 gold", f"display of blue: {FULL}", "you cannot display it now"),
        (
            "nothing",
            "hand of blue: well_1",
            "you cannot display it and your hand is full, so it is discarded",
        ),
    ],
)
def test_who_cannot_display_a_card_is_told_so_before_the_marker_is_used(
    owned: str, more: str, lead: str
) -> None:
    text = f"blue: {owned}\ncentre b1: camel_7, marker of blue\n{more}\nstarter: blue\ndo actions"
    state = at(text)
    view = scene_of(state, Words(state.game), ("blue",))
    (use,) = (one for one in offers(view) if one.offer.id == "use_centre b1")
    assert [one.words[0] for one in use.offer.leads] == ([lead] if lead else [])


@pytest.mark.parametrize(
    ("sheet", "beside", "hand", "is_told"),
    [
        ("base", "", "well_1", True),
        ("expansion", "", "well_10", True),
        ("expansion", ", targia_figure", "well_10", False),
        ("expansion", ", targia_figure", "nothing", False),
    ],
)
def test_whoever_cannot_display_the_card_in_hand_is_told_that_the_noble_takes_it(
    sheet: str, beside: str, hand: str, is_told: bool
) -> None:
    """With the gift of the Targia it need not be displayed, or may be paid for."""
    held = "" if hand == "nothing" else f"hand of blue: {hand}\n"
    text = f"border: 1 targi of blue{beside}\n{held}starter: blue\ndo actions"
    state = at(text, sheet)
    view = scene_of(state, Words(state.game), ("blue",))
    (use,) = (one for one in offers(view) if one.offer.id == "use_border 1")
    told = [one.words[0] for one in use.offer.leads if "discarded" in one.words[0]]
    assert bool(told) == is_told
