"""Points at the end: B65 to B69; the tie-break; and the example with 33 points."""

from __future__ import annotations

import pytest

from targi_dsl.api import result
from targi_dsl.api.state import State
from tests.targi_base.tables import at, part

EXAMPLE = """\
blue: 3 points
display of blue: a1 oasis_1; b1 oasis_3; c1 oasis_4; d1 oasis_9
display of blue: a2 well_6; b2 targia_4; c2 camp_4; d2 camel_4
display of blue: a3 well_4; b3 camel_9; c3 camel_3; d3 targia_7
ended by finish
"""


def over(text: str) -> State:
    return at(text + "\nended by finish")


def test_the_example_of_the_rulebook_has_33_points() -> None:  # B69, B65, B66, C6
    found = result(at(EXAMPLE))
    parts = {name: number for name, number in found.breakdown[0].items() if number}
    assert parts == {
        "tokens": 3,
        "tribe_cards": 21,
        "well_4": 1,
        "camel_4": 2,
        "equal_rows": 4,
        "mixed_rows": 2,
    }
    assert found.scores[0] == 33 and found.winner == "blue"


def test_tokens_count_one_each() -> None:  # B65, A35
    assert part(over("blue: 17 points"), "tokens") == 17


def test_hand_goods_and_gold_score_nothing() -> None:  # B67
    state = over("blue: 9 dates, 9 salt, 9 pepper, 9 gold\nhand of blue: well_1")
    assert result(state).scores[0] == 0


@pytest.mark.parametrize(
    ("row", "equal", "mixed"),
    [
        (("well_1", "well_2", "well_5", "well_9"), 4, 0),
        (("well_1", "camel_1", "oasis_1", "camp_1"), 0, 2),
        (("well_1", "targia_1", "oasis_1", "camp_1"), 0, 2),
        (("well_1", "well_2", "oasis_1", "camp_1"), 0, 0),
        (("well_1", "well_2", "well_5", "camp_1"), 0, 0),
        (("well_1", "well_2", "camp_1", "camp_2"), 0, 0),
        (("well_1", "well_2", "well_5"), 0, 0),
        (("well_1", "camel_1", "oasis_1"), 0, 0),
    ],
)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_full_rows_of_one_symbol_give_4_and_of_four_symbols_2(
    row: tuple[str, ...], equal: int, mixed: int, number: int
) -> None:  # B66, C25
    cards = "; ".join(f"{column}{number} {card}" for column, card in zip("abcd", row, strict=False))
    state = over(f"display of blue: {cards}")
    assert part(state, "equal_rows") == equal and part(state, "mixed_rows") == mixed
    assert part(state, "equal_rows", "white") == 0


def test_two_rows_of_one_symbol_give_eight() -> None:  # B66
    state = over(
        "display of blue: a1 well_1; b1 well_2; c1 well_5; d1 well_9; a3 camp_1; b3 camp_2; c3"
        " camp_6; d3 camp_8"
    )
    assert part(state, "equal_rows") == 8


@pytest.mark.parametrize(
    ("blue", "white", "winner"),
    [
        ("9 points", "8 points, 9 gold", "blue"),
        ("9 points, 1 gold", "9 points, 3 salt", "blue"),
        ("9 points, 1 gold, 1 dates", "9 points, 1 gold, 1 salt, 1 pepper", "white"),
        ("9 points, 1 gold, 2 dates", "9 points, 1 gold, 1 salt, 1 pepper", None),
    ],
)
def test_a_tie_goes_to_the_most_gold_then_the_most_goods_then_nobody(
    blue: str, white: str, winner: str | None
) -> None:  # B68
    assert result(over(f"blue: {blue}\nwhite: {white}")).winner == winner


def test_stored_gold_does_not_break_a_tie() -> None:  # A9, B68
    cards = "display a1 of blue: camp_4\nstored 1 gold on camp_4\ndisplay a1 of white: camp_3"
    assert result(over(f"blue: 1 points\nwhite: 1 points\n{cards}")).winner is None
