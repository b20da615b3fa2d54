"""A free exchange with a condition is offered while it holds, and makes no price payable."""

from __future__ import annotations

import pytest

from targi_dsl import choices, load, start
from targi_dsl.engine.chance import Seed

SHEET = """\
language 2
game debts "Debts"
players ann, ben
resource coins, honour
variable day: 0 to 9
exchange pawn: 2 honour -> 1 coins{condition}
rule setup
  ann gains 4 honour
rule round
  turn of ann
    one of
      work: gain 1 coins
      wait: nothing
      settle:
        pay 1 coins
  end game
score coins: your coins
"""


@pytest.mark.parametrize(
    ("condition", "offered"),
    [
        ("", ["work", "wait", "settle", "pawn"]),
        (" if your honour is at least 4", ["work", "wait", "pawn"]),
        (" if day is odd", ["work", "wait"]),
        (" if you like", ["work", "wait", "pawn"]),
    ],
)
def test_nobody_is_made_to_use_it(condition: str, offered: list[str]) -> None:
    state = start(load("debts", {"debts.targi": SHEET.format(condition=condition)}), Seed(1))
    assert [one.id for one in choices(state)] == offered
