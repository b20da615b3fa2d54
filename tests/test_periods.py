"""Counts and memories of a period are reset when the period begins again, whichever module declared
them.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import play, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.records.notation import write
from tests.targi_base.tables import after, at, offered
from tests.texts import game_text

GARDEN = game_text("garden.targi")

TREES = """\
language: 2
set: trees
kind: tree
source: invented
cards:
  - id: plum
    name: {{en: Plum}}
    ability: "always, {scope}, when you gain seeds, even earlier this {period}: gain 1 seeds"
"""

SHEET = """\
language 2

game garden "A garden of two"
  rules garden
  deck nursery: trees
"""


def garden(scope: str, period: str, *chosen: str) -> State:
    """The garden after these choices."""
    trees = TREES.format(scope=scope, period=period)
    files = {"garden/garden.targi": GARDEN, "garden/trees.yaml": trees, "garden.targi": SHEET}
    state = start(load("garden", of_texts(files)), Seed(0))
    for one in chosen:
        state, _ = play(state, one)
    return state


@pytest.mark.parametrize("period", ["round", "morning"])
def test_a_memory_lasts_as_long_as_its_period(period: str) -> None:
    scope = f"once per {period}"
    assert garden(scope, period, "work", "rest").amount("ada", "seeds") == 1
    assert garden(scope, period, "work", "rest", "plant").amount("ada", "seeds") == 1
    assert garden(scope, period, "rest", "work", "work", "plant").amount("ben", "seeds") == 1


def test_a_memory_of_the_game_lasts_to_its_end() -> None:
    state = garden("once per game", "game", "work", "rest", "rest", "rest", "plant")
    assert state.amount("ada", "seeds") == 2


def test_a_position_tells_what_is_remembered_in_this_period_only() -> None:
    assert "remembered plum of ada" in write(garden("once per round", "round", "work"))
    assert "remembered" not in write(garden("once per round", "round", "work", "rest"))


# ---- the game: what came through a goods card in an earlier round counts no more (A10, B55, X12)

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
