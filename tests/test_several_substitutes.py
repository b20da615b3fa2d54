"""Each `may replace` is used once in a payment, and several of them together."""

from __future__ import annotations

import pytest

from targi_dsl import choices, load, play, start
from targi_dsl.engine.chance import Seed

SHEET = """\
language 2
game gems "Gems"
players ann, ben
resource gems: rubies, pearls
resource gold, rings
{jokers}
rule setup
  ann gains {gold} gold and 2 rubies
rule round
  turn of ann
    one of
      do make_ring
      wait: nothing
  end game
rule make_ring
  pay 4 rubies
  gain 1 rings
score rings: your rings
"""
JOKER = "standing joker_{}: always: in make_ring, 1 gold may replace 1 rubies\n"


@pytest.mark.parametrize(
    ("gold", "jokers", "can"), [(2, 2, True), (2, 1, False), (1, 2, False), (3, 3, True)]
)
def test_as_many_are_replaced_as_there_are_jokers(gold: int, jokers: int, can: bool) -> None:
    lines = "".join(JOKER.format(number) for number in range(jokers))
    game = load("gems", {"gems.targi": SHEET.format(jokers=lines, gold=gold)})
    state = start(game, Seed(1))
    assert ("make_ring" in [one.id for one in choices(state)]) is can
    while can and state.seat is not None:
        state = play(state, choices(state)[0].id)[0]
    assert not can or state.amount("ann", "rings") == 1
