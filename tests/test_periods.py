"""What came through a goods card in an earlier round counts no more (A10, B55, X12); tests/corpus/periods.txt
has how long things are remembered.
"""

from __future__ import annotations

import pytest

from tests.targi_base.tables import after, at, offered

PLACED = (2, 3, 15, 13, 11, 14)
"""Where blue and white place their figures by turns: blue's lines cross in a1 and b1."""


@pytest.mark.parametrize(
    ("name", "card", "cost"),
    [
        ("base", "oasis_3", "1 salt, 1 pepper, 1 gold"),
        ("base", "oasis_4", "1 dates, 1 pepper, 1 gold"),
        ("base", "oasis_5", "1 pepper, 1 gold"),
        ("expansion", "well_17", "1 salt, 1 gold"),
    ],
)
@pytest.mark.parametrize("use", [(), ("use_centre a1",)])
def test_only_a_gain_of_this_round_counts(
    name: str, card: str, cost: str, use: tuple[str, ...]
) -> None:
    good = {"oasis_3": "dates", "oasis_4": "salt", "oasis_5": "pepper", "well_17": "water"}[card]
    state = at(
        f"round_number: 3\nborder 5: robber\nstarter: blue\nblue: {cost}\nwhite: nothing\n"
        f"centre: a1 two_{good}; b1 {card}\nremembered {card} of blue\ndo round",
        name,
    )
    for number in PLACED:
        state = after(state, next(one for one in offered(state) if one.endswith(f" {number}")))
    state = after(state, *use, "use_centre b1", "display", "cell a1")
    while offered(state)[0].startswith("pay"):
        state = after(state, offered(state)[0])
    assert state.amount("blue", good) == (3 if use else 0)
