"""The bazaar: when windows of a round and of a game open again, and that rule tests name every
favour and every stall with an ability.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games import compiled
from tests.playing import Playing, drawn

RULES = Path(__file__).parent.parent / "rules/bazaar"


def test_rule_tests_name_every_favour_and_every_stall_with_an_ability() -> None:
    game = compiled("bazaar")
    favours = {one.entry for one in game.cards if game.kinds[one.kind] == "favour"}
    able = {re.split("[ .]", one.name)[0] for one in game.abilities if one.card >= 0}
    texts = [(RULES / f"0{name}.test.targi").read_text() for name in ("5_favours", "6_stalls")]
    named = {*re.findall(r"\w+", " ".join(texts))}
    assert favours | able <= named | {"kiln", "ink_seller"}, "these two are tested below"


def offered(game: Playing, until_day: int) -> dict[int, bool]:
    """Whether the kiln or ink seller of crimson is offered, by day; crimson uses it whenever it is."""
    found: dict[int, bool] = {}
    while game.state.value("day") <= until_day and game.state.seat is not None:
        use = [one for one in game.ids if one in ("kiln", "ink_seller")]
        if use:
            assert not found.get(game.state.value("day")), "twice in a round"
            found[game.state.value("day")] = True
        quiet = [one for one in game.ids if one in ("done", "decline", "rest", "gain_3_coins")]
        game.choose(*[*use, *quiet, *game.ids][:1])
    return found


@pytest.mark.parametrize(
    ("stall", "days"), [("kiln", {1: True, 2: True, 3: True}), ("ink_seller", {1: True})]
)
def test_a_window_opens_again_when_its_period_begins(stall: str, days: dict[int, bool]) -> None:
    game = drawn(
        "bazaar",
        f"street of crimson: {stall}",
        "crimson: 5 tin",
        "hand of crimson: windfall, lucky_day",
        "square: 2 crier",
    )
    assert offered(game, 3) == days
