"""The box of the expansion, chance, the order of what happens and whole games, which no rule test
states; all else is in `rules/expansion` and `rules/games`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from targi_dsl.api import start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.constants import NOTHING
from tests.targi_base.tables import after, at, game, offered, told

SPOTS = ("dunes 1", "dunes 2", "dunes 3")
ROBBER = (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)


def open_dunes(state: State) -> list[str]:
    """The dunes that lie open, from left to right."""
    return [card for spot in SPOTS for card in state.cards(spot)]


def test_the_box_has_20_dunes_45_tribe_24_goods_and_16_border_cards_and_a_targia() -> (
    None
):  # X1, X2, X3, X4, X5
    expansion = game("expansion")
    assert Counter(expansion.kinds[card.kind] for card in expansion.cards) == {
        "tribe_card": 45,
        "goods_card": 24,
        "border_card": 16,
        "dune": 20,
    }
    assert Counter((piece.kind, piece.owner) for piece in expansion.pieces) == {
        ("targi", 0): 3,
        ("targi", 1): 3,
        ("marker", 0): 2,
        ("marker", 1): 2,
        ("robber", NOTHING): 1,
        ("targia_figure", NOTHING): 1,
    }
    assert "caravan" not in {card.id for card in expansion.cards}


def test_nine_tribe_cards_have_each_symbol_and_28_of_all_an_ability() -> None:  # X1, X3, X12
    expansion = game("expansion")
    cards = [one for one in expansion.cards if expansion.kinds[one.kind] == "tribe_card"]
    symbols = ("well", "camel", "oasis", "targia", "camp")
    assert {one.id for one in cards} == {f"{one}_{n}" for one in symbols for n in range(10, 19)}
    assert sum(bool(one.fields.get("ability")) for one in cards) == 28


def test_the_pile_of_dunes_is_shuffled_by_the_seed() -> None:  # X7
    one, other, again = (start(game("expansion"), Seed(seed)) for seed in (3, 4, 3))
    assert open_dunes(one) == open_dunes(again)
    assert one.cards("dune_pile") == again.cards("dune_pile") != other.cards("dune_pile")
    assert not any(one.face_up(card) for card in one.cards("dune_pile"))


@pytest.mark.parametrize("name", ["mixed", "mixed_border"])
def test_mixed_play_draws_nine_of_each_symbol_from_both_boxes(name: str) -> None:  # X43, X44
    found = []
    for seed in (3, 4):
        state = start(game(name), Seed(seed))
        fields = {
            card.id: card.fields
            for card in state.game.cards
            if state.game.kinds[card.kind] == "tribe_card"
        }
        places = [f"centre {column}{row}" for column in "abc" for row in (1, 2, 3)] + ["tribe_pile"]
        deck = [card for place in places for card in state.cards(place) if card in fields]
        assert len(fields) == 90 and len(deck) == 45
        assert set(Counter(fields[card]["symbol"] for card in deck).values()) == {9}
        found.append(frozenset(deck))
        numbers = {int(card.rpartition("_")[2]) for card in deck}
        assert min(numbers) < 10 <= max(numbers)
    assert found[0] != found[1]


def test_after_a_raid_the_robber_moves_then_the_targia_then_the_dunes() -> None:  # A30, X16, X27
    state = at(
        "starter: blue\nround_number: 7\nborder: 7 robber; 10 targia_figure\nblue: 1 points, 1"
        " salt, 1 pepper\nwhite: nothing\ndunes 1: two_gold",
        "expansion",
    )
    events = [one.text for one in told(state, "pay 1 points")]
    steps = [
        next(n for n, text in enumerate(events) if text.startswith(one))
        for one in ("blue pays", "robber goes", "targia_figure goes", "2 gold goes")
    ]
    assert steps == sorted(steps)


@pytest.mark.parametrize(
    ("options", "targia"),
    [
        ({}, (15, 14, 13, 11, 10, 9, 7, 6, 5, 3, 2, 1)),
        ({"targia_corners": "visited"}, (15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4)),
        ({"targia_time": "end_of_round"}, (None, 15, 14, 13, 11, 10, 9, 7, 6, 5, 3, 2)),
        (
            {"targia_time": "end_of_round", "targia_corners": "visited"},
            (None, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5),
        ),
    ],
)
def test_where_robber_and_targia_are_in_twelve_rounds_of_placement(
    options: dict[str, str], targia: tuple[int | None, ...]
) -> None:
    # X16, X18, X50, A29, C12, C28
    text = "starter: blue\nblue: 99 points, 9 gold\nwhite: 99 points, 9 gold\ndo round"
    state = at(text, "expansion", **options)
    found = dict[int, tuple[str | None, str | None]]()
    while state.seat is not None:
        choices = [one for one in offered(state) if not one.startswith("water_for_")]
        if choices[0].startswith("place_targi"):
            here = state.place_of("robber"), state.place_of("targia_figure")
            found[state.value("round_number")] = here
        state = after(state, "done" if "done" in choices else choices[-1])
    stations = [
        (f"border {one}", f"border {other}" if other else None)
        for one, other in zip(ROBBER, targia, strict=True)
    ]
    assert list(found.values()) == stations


def test_twenty_dunes_suffice_also_if_all_are_used_as_soon_as_they_come() -> None:  # X28, X27
    text = "starter: blue\nblue: 99 points\nwhite: 99 points\ndune_pile: rest\ndo round"
    state, rounds = at(text, "expansion"), set[int]()
    while state.seat is not None:
        choices = [one for one in offered(state) if not one.startswith("water_for_")]
        dune = next((one for one in choices if one.startswith("place_targi dunes")), None)
        if choices[0].startswith("place_targi"):
            rounds.add(state.value("round_number"))
            assert open_dunes(state)
        pay = [one for one in choices if one.startswith("pay") and "points" in one]
        state = after(state, dune or ("done" if "done" in choices else (pay or choices)[0]))
    assert len(rounds) == 12 and len(state.cards("dune_pile")) == 0
