"""Tribe cards from the centre, the hand and the display: B46 to B54, and the price of each of the
45 cards.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import choices
from targi_dsl.display.choosing import offers
from targi_dsl.display.view import view_of
from targi_dsl.view.words import Words
from tests.targi_base.tables import FULL, after, at, barred, has, offered, on, paid, part, told

# Points and cost of the 45 cards, as listed in public (B7, B47, C19, C20, C26).
CARDS = """\
well_1 3: 2 dates and 1 salt and 2 pepper
well_2 3: 1 dates and 1 salt and 1 gold
well_3 2: 1 dates and 2 salt and 1 pepper
well_4 2: 2 dates and 1 salt and 1 pepper
well_5 2: 1 salt and 1 pepper and 1 gold
well_6 1: 1 dates and 2 salt
well_7 1: 1 salt and 1 gold
well_8 1: 1 dates and 1 gold
well_9 1: 1 dates and 1 gold or 1 dates and 2 salt
camel_1 3: 1 dates and 2 salt and 2 pepper
camel_2 3: 1 dates and 1 salt and 1 gold
camel_3 2: 1 dates and 2 salt and 1 pepper
camel_4 2: 2 dates and 2 salt and 1 pepper
camel_5 2: 2 pepper and 1 gold
camel_6 1: 1 gold or 1 dates and 1 salt and 1 pepper
camel_7 1: 1 salt and 1 gold
camel_8 1: 2 dates and 1 salt
camel_9 1: 1 gold or 3 dates
oasis_1 3: 2 dates and 1 salt and 2 pepper
oasis_2 3: 1 dates and 1 salt and 1 gold
oasis_3 2: 1 salt and 1 pepper and 1 gold
oasis_4 2: 1 dates and 1 pepper and 1 gold
oasis_5 2: 1 pepper and 1 gold
oasis_6 1: 2 salt and 1 pepper
oasis_7 1: 1 salt and 1 gold or 1 salt and 2 pepper
oasis_8 1: 2 salt and 1 pepper
oasis_9 1: 1 salt and 1 pepper and 1 gold
targia_1 3: 1 dates and 2 salt and 2 pepper
targia_2 3: 1 dates and 1 pepper and 1 gold
targia_3 2: 1 dates and 1 salt and 2 pepper
targia_4 2: 2 dates and 1 gold
targia_5 2: 1 dates and 1 salt and 2 pepper
targia_6 1: 2 pepper and 1 gold
targia_7 1: 1 pepper and 1 gold or 3 pepper
targia_8 1: 1 dates and 2 salt
targia_9 1: 1 dates and 1 gold
camp_1 3: 2 dates and 2 salt and 1 pepper
camp_2 3: 1 dates and 1 pepper and 1 gold
camp_3 2: 1 pepper and 1 gold
camp_4 2: 1 dates and 1 gold
camp_5 2: 1 dates and 1 salt and 2 pepper
camp_6 1: 1 dates and 2 pepper
camp_7 1: 1 dates and 1 gold or 3 dates
camp_8 1: 1 dates and 1 gold
camp_9 1: 1 dates and 1 pepper
"""

ALTERNATIVES = [
    (card, int(points), cost)
    for card, points, costs in (line.replace(":", "").split(" ", 2) for line in CARDS.splitlines())
    for cost in costs.split(" or ")
]


def purse(cost: str) -> str:
    return cost.replace(" and ", ", ")


def less(cost: str, number: int) -> str:
    """A cost with one unit of its part of this number missing."""
    parts = cost.split(" and ")
    count, resource = parts[number].split()
    parts[number] = f"{int(count) - 1} {resource}"
    return ", ".join(parts)


def test_there_are_45_cards() -> None:  # B1, B6
    assert len(CARDS.splitlines()) == 45


@pytest.mark.parametrize(
    ("card", "points", "cost"), ALTERNATIVES, ids=lambda one: str(one).replace(" ", "_")
)
def test_a_card_costs_exactly_this(
    card: str, points: int, cost: str
) -> None:  # B7, B46, B47, C20, C26
    state = at(f"blue: {purse(cost)}\ncentre b1: nothing\ndo take_tribe_card by blue with {card}")
    events = told(state, "display", "cell a1")
    assert paid(events) == cost
    for number in range(len(cost.split(" and "))):
        poor = at(f"blue: {less(cost, number)}\ndo take_tribe_card by blue with {card}")
        assert offered(poor) == ["keep_in_hand", "discard"] and barred(poor, "display") == {
            "display.pay"
        }


@pytest.mark.parametrize(
    ("card", "points"), [one[:2] for one in {one[0]: one for one in ALTERNATIVES}.values()]
)
def test_a_card_is_worth_this(card: str, points: int) -> None:  # B7, B65, C19
    assert part(at(f"display a1 of blue: {card}\ndo round"), "tribe_cards") == points


@pytest.mark.parametrize("card", [one.split()[0] for one in CARDS.splitlines() if " or " in one])
def test_with_a_slash_the_payer_chooses(card: str) -> None:  # B47, C26
    state = after(
        at(
            f"blue: 9 dates, 9 salt, 9 pepper, 9 gold\ndo display by blue with {card}, cost of"
            f" {card}"
        ),
        "cell a1",
    )
    ways = [cost for name, _, cost in ALTERNATIVES if name == card]
    assert [one.id for one in choices(state)] == [f"pay {purse(way)}" for way in ways]
    for way in ways:
        assert paid(told(state, f"pay {purse(way)}")) == way


def test_gold_stands_for_goods_only_where_a_slash_says_so() -> None:  # B47, C26, B45
    state = at("blue: 9 gold\ndo take_tribe_card by blue with camel_8")
    assert barred(state, "display") == {"display.pay"}


# ---- settled: displayed, to the hand, or away


def test_a_tribe_card_is_displayed_or_kept_or_discarded() -> None:  # B46, B48, C2
    state = at("blue: 1 salt, 1 gold\ndo take_tribe_card by blue with camel_7")
    assert offered(state) == ["display", "keep_in_hand", "discard"]
    assert on(after(state, "keep_in_hand"), "hand of blue") == "camel_7"
    assert on(after(state, "discard"), "tribe_discard") == "camel_7"
    assert on(after(state, "display", "cell a2"), "display a2 of blue") == "camel_7"


def test_the_hand_holds_one_card() -> None:  # B48
    state = at(
        "blue: 1 salt, 1 gold\nhand of blue: well_1\ndo take_tribe_card by blue with camel_7"
    )
    assert offered(state) == ["display", "discard"] and barred(state, "keep_in_hand") == {
        "hand_full"
    }


def test_with_the_option_a_card_may_be_discarded_only_if_the_hand_is_full() -> None:  # C2
    state = at(
        "blue: 1 salt, 1 gold\ndo take_tribe_card by blue with camel_7",
        discard_with_empty_hand="forbidden",
    )
    assert offered(state) == ["display", "keep_in_hand"] and barred(state, "discard") == {
        "room_in_hand"
    }
    full = "blue: 1 salt, 1 gold\nhand of blue: well_1\ndo take_tribe_card by blue with camel_7"
    assert offered(at(full, discard_with_empty_hand="forbidden")) == ["display", "discard"]


@pytest.mark.parametrize("hand", ["nothing", "well_1"])
def test_with_the_option_a_card_that_can_be_paid_for_is_displayed(hand: str) -> None:  # C2
    payable = f"blue: 1 salt, 1 gold\nhand of blue: {hand}\ndo take_tribe_card by blue with camel_7"
    state = at(payable, hold_though_payable="forbidden")
    assert offered(state) == ["cell a1", "cell a2", "cell a3"]
    unpayable = at(payable.replace("1 gold", "2 dates"), hold_though_payable="forbidden")
    ways = ["keep_in_hand", "discard"] if hand == "nothing" else ["place_targi 2"]
    assert offered(unpayable)[: len(ways)] == ways
    assert offered(at(payable, "base_online")) == offered(state)
    waiting = payable.replace(
        "do take_tribe_card by blue with camel_7", "centre a1: camel_7, marker of blue"
    )
    turn = at(f"{waiting}\ndo action_turn by blue", hold_though_payable="forbidden")
    assert on(after(turn, "done"), "hand of blue") == hand


def test_a_card_kept_remembers_its_round() -> None:  # B50
    state = at(
        "round_number: 3\nborder 5: robber\nblue: nothing\ndo take_tribe_card by blue with well_1"
    )
    base = state.game
    numbers = [card.id for card in base.cards if card.kind == base.kinds.index("tribe_card")]
    assert after(state, "keep_in_hand").value("taken_in", numbers.index("well_1")) == 3


def test_a_hand_card_cannot_be_got_rid_of_but_by_the_noble() -> None:  # B49, B50, A14
    state = at(
        "round_number: 3\nhand of blue: camel_7\nblue: 9 salt, 9 gold\n"
        "border: 2 targi of blue; 6 targi of blue\ndo action_turn by blue"
    )
    assert offered(state) == ["use_border 2", "use_border 6", "done"]
    assert barred(state, "display_without_noble") == {"noble_needed"}


# ---- the noble


def noble(hand: str, purse_: str = "9 dates, 9 salt, 9 pepper, 9 gold", more: str = "") -> str:
    return (
        f"round_number: 3\nblue: {purse_}\nhand of blue: {hand}\n{more}\nborder 6: robber\ndo noble"
        " by blue"
    )


def test_the_noble_displays_the_hand_card_for_its_cost_or_discards_it_free() -> None:  # B38, B49
    state = at(noble("well_1", "2 dates, 1 salt, 2 pepper, 1 gold"))
    assert offered(state) == ["display_from_hand", "discard_from_hand"]
    shown = after(state, "display_from_hand", "cell a1")
    assert has(shown, "blue") == "1 gold" and on(shown, "display a1 of blue") == "well_1"
    away = after(state, "discard_from_hand")
    assert (
        has(away, "blue") == "2 dates, 1 salt, 2 pepper, 1 gold"
        and on(away, "tribe_discard") == "well_1"
    )


def test_a_card_taken_this_round_waits_but_may_be_discarded() -> None:  # B50, A13, A62
    state = at(
        noble("well_1", more="taken_in of well_1: 3\nborder 1: targi of blue").replace(
            "noble by blue", "action_turn by blue"
        )
    )
    state = after(state, "use_border 1")
    assert on(state, "tribe_discard") == "well_1"
    earlier = at(noble("well_1", more="taken_in of well_1: 2"))
    assert offered(earlier) == ["display_from_hand", "discard_from_hand"]


def test_the_noble_without_a_card_does_nothing() -> None:  # B38
    state = at(
        "blue: 3 dates\nborder: 1 targi of blue; 2 targi of blue; 3 targi of blue\ndo action_turn"
        " by blue"
    )
    assert offered(state) == ["use_border 2", "use_border 3", "done"]


# ---- the display


def test_rows_are_filled_from_the_left_and_begun_in_any_order() -> None:  # B53
    state = at(
        "blue: 9 salt, 9 gold\ndisplay of blue: a1 well_1; b1 well_2; a3 well_3\n"
        "do display by blue with camel_7, cost of camel_7"
    )
    assert offered(state) == ["cell c1", "cell a2", "cell b3"]


def test_displayed_cards_stay() -> None:  # B54
    state = at(
        "blue: 1 dates, 2 salt\ndisplay a1 of blue: well_1\ndo take_tribe_card by blue with targia_8"
    )
    assert on(after(state, "display", "cell a2"), "display a1 of blue") == "well_1"


def test_with_twelve_cards_no_more_can_be_displayed() -> None:  # A21
    state = at(
        f"blue: 9 salt, 9 gold\ndisplay of blue: {FULL}; d3 camp_2\ndo take_tribe_card by blue with camel_7"
    )
    assert offered(state) == ["keep_in_hand", "discard"]
    assert "display_full" in barred(state, "display")


def test_a_marker_on_a_tribe_card_can_be_used_with_a_full_display() -> None:  # A21, B76
    state = at(
        f"blue: 9 salt, 9 gold\ndisplay of blue: {FULL}; d3 camp_2\ncentre b1: camel_7, marker of"
        " blue\nhand of blue: well_9\ndo use_centre by blue with centre b1"
    )
    assert on(state, "tribe_discard") == "camel_7"


def test_a_card_drawn_unseen_is_its_owners_secret_and_one_from_the_centre_is_not() -> (
    None
):  # B71, A36
    drawn = after(
        at("tribe_pile: well_1, rest\nblue: nothing\ndo draw_tribe by blue with 1"), "keep_in_hand"
    )
    assert drawn.knows("blue", "well_1") and not drawn.knows("white", "well_1")
    taken = after(
        at(
            "centre b1: well_1, marker of blue\nblue: nothing\ndo use_centre by blue with centre b1"
        ),
        "keep_in_hand",
    )
    assert taken.knows("blue", "well_1") and taken.knows("white", "well_1")


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
    view = view_of(state, Words(state.game), ("blue",))
    (use,) = (one for one in offers(view) if one.offer.id == "use_centre b1")
    assert [one.words[0] for one in use.offer.leads] == ([lead] if lead else [])
