"""Cards named in rules, and tests of their fields."""

from __future__ import annotations

import random
from typing import cast

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.position import Position
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from tests.small_game import FILES


def number(value: str) -> int:
    """The value of an expression when the small game begins."""
    rules = FILES["pond/pond.targi"].replace("shuffle plan_pile\n", f"set sum_up to {value}\n", 1)
    rules += "variable sum_up: 0 to 50\n"
    cards = FILES["pond/pond_plans.yaml"].replace("id: den\n    copies: 3", "id: den")
    game = load(
        "pond", of_texts({**FILES, "pond/pond.targi": rules, "pond/pond_plans.yaml": cards})
    )
    (variable,) = [one for one in game.variables if one.name == "sum_up"]
    return Position(game, start(game, Seed(1)).vector).values(variable)[0]


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("worth of the card den", 3),
        ("count of the cards raft", 3),
        ("count of (plan_pile except the cards raft)", 4),
        ("1 if place of the card den is plan_pile", 1),
        ("count of (c in plan_pile where c has an ability)", 4),
        ("count of (c in plan_pile where c has no ability)", 3),
        ("count of (c in plan_pile where c has a cost and c is not the card den)", 6),
        ("1 if nothing has an ability otherwise 2", 2),
    ],
)
def test_a_card_is_named_and_asked_for_what_stands_on_it(value: str, amount: int) -> None:
    assert number(value) == amount


# ---- a small estate ----


@pytest.mark.parametrize("seed", [1, 4])
def test_an_estate_is_built_of_the_cards_that_there_are(seed: int) -> None:
    game = load("small_estate")
    state, chance = start(game, Seed(seed)), random.Random(seed)
    seen = observe(state, "public")
    assert [len(seen.cards(f"{zone} of greta")) for zone in ("hoard", "hand")] == [5, 5]
    while found := choices(state):
        state = play(state, chance.choice(found))[0]
    position = Position(game, state.vector)
    worth = dict.fromkeys(game.players, 0)
    for number, card in enumerate(game.cards):
        owner = game.places[position.place_of_card(number)].owner
        if owner >= 0:
            worth[game.players[owner]] += cast("int", card.fields.get("esteem", 0))
    assert result(state).scores == tuple(worth.values())
    castles = seen.cards("shelves a2")
    assert len(castles) == 4
