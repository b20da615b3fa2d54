"""The costs and points of the 45 tribe cards of the expansion, slashes, water and brackets: X13,
X14, X15.
"""

from __future__ import annotations

import pytest

from targi_dsl.api.state import State
from tests.targi_expansion.tables import (
    FULL,
    after,
    at,
    barred,
    game,
    has,
    offered,
    on,
    paid,
    part,
    told,
)

# Points and cost of the 45 cards, as designed for the cards that are not known (X1, X13, X14).
CARDS = """\
well_10 3: 2 dates and 1 salt and 2 pepper
well_11 3: 1 dates and 1 salt and 1 gold or 1 dates and 1 salt and 3 water
well_12 2: 1 salt and 1 pepper and 1 gold or 1 salt and 1 pepper and 2 water
well_13 2: 1 dates and 2 salt and 1 pepper
well_14 2: 1 dates and 1 gold
well_15 1: 1 dates and 2 salt
well_16 1: 1 gold or 1 salt and 2 water
well_17 1: 1 salt and 1 gold or 1 salt and 2 water
well_18 1: 1 dates and 1 pepper
camel_10 3: 1 dates and 2 salt and 2 pepper
camel_11 3: 1 salt and 1 pepper and 1 gold or 1 salt and 1 pepper and 3 water
camel_12 2: 2 dates and 1 salt and 1 pepper
camel_13 2: 2 pepper and 1 gold or 2 pepper and 2 water
camel_14 2: 1 dates and 2 salt
camel_15 1: 1 gold or 1 dates and 2 water
camel_16 1: 1 dates and 1 salt
camel_17 1: 1 salt and 1 gold
camel_18 1: 2 dates and 1 pepper
oasis_10 3: 2 dates and 1 salt and 2 pepper
oasis_11 3: 1 dates and 1 pepper and 1 gold or 1 dates and 1 pepper and 3 water
oasis_12 2: 1 dates and 1 salt and 2 pepper
oasis_13 2: 1 salt and 1 gold or 1 salt and 2 water
oasis_14 2: 1 dates and 2 pepper
oasis_15 1: 2 salt and 1 pepper
oasis_16 1: 1 gold or 3 water
oasis_17 1: 1 salt and 1 pepper
oasis_18 1: 1 dates and 1 salt and 1 water
targia_10 3: 1 dates and 2 salt and 2 pepper
targia_11 3: 1 dates and 1 salt and 1 gold or 1 dates and 1 salt and 3 water
targia_12 2: 2 dates and 1 gold or 2 dates and 2 water
targia_13 2: 1 dates and 1 salt and 2 pepper
targia_14 2: 2 salt and 1 pepper
targia_15 1: 1 pepper and 1 gold or 1 pepper and 2 water
targia_16 1: 2 dates and 1 salt
targia_17 1: 1 gold or 1 pepper and 2 water
targia_18 1: 1 dates and 1 pepper
camp_10 3: 2 dates and 2 salt and 1 pepper
camp_11 3: 1 salt and 1 pepper and 1 gold or 1 salt and 1 pepper and 3 water
camp_12 2: 1 pepper and 1 gold or 1 pepper and 2 water
camp_13 2: 1 dates and 1 gold or 1 dates and 2 water
camp_14 2: 1 salt and 2 pepper
camp_15 1: 1 dates and 2 pepper
camp_16 1: 1 dates and 1 gold or 1 dates and 2 water
camp_17 1: 1 dates and 1 salt
camp_18 1: 1 dates and 1 pepper and 1 water
"""

# What may be paid in addition, and the points for it.
BRACKETS = {
    "well_15": ("1 pepper", 1),
    "camel_14": ("1 gold", 2),
    "camel_16": ("1 pepper", 1),
    "oasis_14": ("2 water", 1),
    "oasis_17": ("1 dates", 1),
    "targia_14": ("1 gold", 2),
    "camp_14": ("1 dates and 1 salt", 1),
}

PRINTED = {
    card: (int(points), costs.split(" or "))
    for card, points, costs in (line.replace(":", "").split(" ", 2) for line in CARDS.splitlines())
}
ALTERNATIVES = [(card, cost) for card, (_, costs) in PRINTED.items() for cost in costs]
PLAIN = {
    f"{symbol}_{n}" for symbol in ("well", "camel", "oasis", "targia", "camp") for n in (10, 11)
} | BRACKETS.keys()


def amounts(*costs: str) -> dict[str, int]:
    """How much of everything some costs are together."""
    found = dict.fromkeys(("dates", "salt", "pepper", "gold", "water"), 0)
    for part_ in " and ".join(costs).split(" and "):
        number, resource = part_.split()
        found[resource] += int(number)
    return {resource: number for resource, number in found.items() if number}


def purse(*costs: str) -> str:
    return ", ".join(f"{number} {resource}" for resource, number in amounts(*costs).items())


def less(cost: str, resource: str) -> str:
    """A cost with one unit of a resource missing."""
    return ", ".join(f"{number - (one == resource)} {one}" for one, number in amounts(cost).items())


def paying(card: str, blue: str) -> State:
    """Blue, who has this, is to pay for a card that goes to a1."""
    return after(at(f"blue: {blue}\ndo display by blue with {card}, cost of {card}"), "cell a1")


def payments(state: State) -> list[str]:
    return [one for one in offered(state) if one.startswith("pay ")]


def test_there_are_45_cards_17_of_them_without_an_ability() -> None:  # X1, X12
    expansion = game()
    cards = [one for one in expansion.cards if one.kind == expansion.kinds.index("tribe_card")]
    assert {one.id for one in cards} == PRINTED.keys() and len(PRINTED) == 45
    assert {one.id for one in cards if not one.fields.get("ability")} == PLAIN and len(PLAIN) == 17


@pytest.mark.parametrize(("card", "cost"), ALTERNATIVES, ids=lambda one: str(one).replace(" ", "_"))
def test_a_card_costs_exactly_this(card: str, cost: str) -> None:  # X1, X13
    state = at(f"blue: {purse(cost)}\ndo take_tribe_card by blue with {card}")
    state = after(state, "display")
    way = f"pay {purse(cost)}"
    chosen = ["cell a1", way] if way in payments(after(state, "cell a1")) else ["cell a1"]
    assert paid(told(state, *chosen)) == cost
    assert on(after(state, *chosen), "display a1 of blue") == card
    for resource in amounts(cost):
        poor = at(f"blue: {less(cost, resource)}\ndo take_tribe_card by blue with {card}")
        assert "display" not in offered(poor) and barred(poor, "display") == {"display.pay"}


@pytest.mark.parametrize("card", PRINTED)
def test_a_card_is_worth_this(card: str) -> None:  # X1, X41
    assert (
        part(at(f"display a1 of blue: {card}\nended by check_end"), "tribe_cards")
        == PRINTED[card][0]
    )


@pytest.mark.parametrize("card", [card for card, (_, costs) in PRINTED.items() if len(costs) > 1])
def test_with_a_slash_the_payer_chooses(card: str) -> None:  # X13
    state = paying(card, "9 dates, 9 salt, 9 pepper, 9 gold, 9 water")
    costs = PRINTED[card][1]
    assert payments(state) == [f"pay {purse(cost)}" for cost in costs]
    for cost in costs:
        assert paid(told(state, f"pay {purse(cost)}")) == cost


def test_water_stands_for_gold_only_where_a_slash_says_so() -> None:  # X13, X19
    state = at(
        "blue: 1 dates, 2 water\ndo take_tribe_card by blue with well_14"
    )  # 1 dates and 1 gold
    assert "display" not in offered(state) and barred(state, "display") == {"display.pay"}
    other = at(
        "blue: 1 dates, 2 water\ndo take_tribe_card by blue with camp_13"
    )  # the same or 1 dates and 2 water
    assert "display" in offered(other)


def test_too_little_water_does_not_pay_the_side_with_water() -> None:  # X13
    state = at("blue: 1 dates, 1 salt, 2 water\ndo take_tribe_card by blue with well_11")
    assert barred(state, "display") == {"display.pay"}


def test_the_sides_of_a_slash_are_not_mixed() -> None:  # X13
    state = at(
        "blue: 1 dates, 1 salt, 1 water\ndo take_tribe_card by blue with targia_17"
    )  # 1 gold or 1 pepper and 2 water
    assert barred(state, "display") == {"display.pay"}
    state = paying("targia_17", "1 gold, 1 pepper, 1 water")
    assert (
        has(state, "blue") == "1 pepper, 1 water" and on(state, "display a1 of blue") == "targia_17"
    )


# ---- brackets


EXTRAS = [(card, extra, points) for card, (extra, points) in BRACKETS.items()]


@pytest.mark.parametrize(("card", "extra", "points"), EXTRAS)
def test_the_bracket_is_paid_in_addition_for_its_points(
    card: str, extra: str, points: int
) -> None:  # X14, X15
    (cost,) = PRINTED[card][1]
    state = paying(card, purse(cost, extra))
    plain, full = f"pay {purse(cost)}", f"pay {purse(cost, extra)}, for {points} points"
    assert payments(state) == [plain, full]
    assert has(after(state, plain), "blue") == purse(extra)
    assert has(after(state, full), "blue") == f"{points} points"
    assert paid(told(state, full)) == purse(cost, extra).replace(", ", " and ")


@pytest.mark.parametrize(("card", "extra"), [one[:2] for one in EXTRAS])
def test_who_cannot_pay_the_bracket_too_pays_the_cost_alone(
    card: str, extra: str
) -> None:  # X14, X15
    (cost,) = PRINTED[card][1]
    for resource, number in amounts(extra).items():
        state = paying(card, less(f"{cost} and {extra}", resource))
        left = {
            one: more for one, more in (amounts(extra) | {resource: number - 1}).items() if more
        }
        assert {one: state.amount("blue", one) for one in left} == left and "points" not in has(
            state, "blue"
        )
        assert on(state, "display a1 of blue") == card


@pytest.mark.parametrize("card", BRACKETS)
def test_at_the_end_only_what_stands_outside_the_bracket_counts(card: str) -> None:  # X14, X41
    (cost,), (extra, points) = PRINTED[card][1], BRACKETS[card]
    state = at(
        f"blue: {purse(cost, extra)}\ndisplay of blue: {FULL.replace(card, 'camp_17')}\n"
        f"do display by blue with {card}, cost of {card}, then check_end"
    )
    state = after(state, f"pay {purse(cost, extra)}, for {points} points")
    assert (
        part(state, "tribe_cards") == 10 * 3 + 1 + PRINTED[card][0]
        and part(state, "tokens") == points
    )


def test_the_bracket_cannot_be_paid_instead_of_the_cost() -> None:  # X15
    state = at("blue: 9 pepper, 9 gold\ndo take_tribe_card by blue with camel_14")
    assert barred(state, "display") == {"display.pay"}


# ---- twelve cards


def test_with_twelve_cards_no_more_can_be_displayed_and_the_game_ends_after_the_round() -> (
    None
):  # X40, A21
    text = f"blue: 1 dates, 1 salt\ndisplay of blue: {FULL}{{}}\n"
    full = at(text.format("; d3 camel_16") + "do take_tribe_card by blue with camp_17")
    assert offered(full) == ["keep_in_hand", "discard"] and "display_full" in barred(
        full, "display"
    )
    assert at(text.format("; d3 camel_16") + "do check_end").seat is None
    assert at(text.format("") + "do check_end").seat is not None
