"""What is told of a tribe card before its marker is used; and tribe cards online: C2."""

from __future__ import annotations

import pytest

from targi_dsl.display.choosing import offers
from targi_dsl.display.scene import scene_of
from targi_dsl.view.words import Words
from tests.targi_base.tables import after, at, offered, on


def test_online_a_card_that_can_be_paid_for_is_displayed_when_its_marker_is_used() -> None:  # C2
    payable = "blue: 1 salt, 1 gold\ndo take_tribe_card by blue with camel_7"
    assert offered(at(payable, "base_online")) == ["cell a1", "cell a2", "cell a3"]
    waiting = "blue: 1 salt, 1 gold\ncentre a1: camel_7, marker of blue\ndo action_turn by blue"
    turn = at(waiting, hold_though_payable="forbidden")
    assert on(after(turn, "done"), "hand of blue") == "nothing"


@pytest.mark.parametrize(
    ("owned", "hand", "lead"),
    [
        ("1 salt, 1 gold", "nothing", ""),
        ("nothing", "nothing", "you cannot pay for it now"),
        ("nothing", "well_1", "you cannot pay for it and your hand is full, so it is discarded"),
    ],
)
def test_who_cannot_pay_is_told_so_before_the_marker_is_used(
    owned: str, hand: str, lead: str
) -> None:
    held = "" if hand == "nothing" else f"\nhand of blue: {hand}"
    text = f"blue: {owned}\ncentre b1: camel_7, marker of blue{held}\nstarter: blue\ndo actions"
    state = at(text)
    view = scene_of(state, Words(state.game), ("blue",))
    (use,) = (one for one in offers(view) if one.offer.id == "use_centre b1")
    assert [one.words[0] for one in use.offer.leads] == ([lead] if lead else [])
