"""The Golden Carp: guests, provisions, dishes and recipes, and what its variants change."""

from __future__ import annotations

import pytest

from targi_dsl.api import play, result, start
from targi_dsl.engine.chance import Asked, Seed
from targi_dsl.records.notation import read
from tests.games import compiled
from tests.playing import Playing, drawn

HEARTH = "hearth: 1 flatbread; 2 omelette; 3 broth; 4 pie"


def serving(*lines: str, name: str = "inn") -> Playing:
    """Ann has a turn."""
    return drawn(name, HEARTH, *lines, "do serve by ann")


def menu(game: Playing) -> tuple[str, ...]:
    return game.state.cards("menu of ann")


def test_the_cookbook_has_the_dishes_that_were_not_drawn() -> None:
    state = start(compiled("inn"), Seed(1))
    drawn_ = [*(state.cards(f"hearth {n}") for n in range(1, 5)), state.cards("recipes")]
    assert sum(map(len, drawn_)) == 14
    assert len(state.cards("cookbook")) == 6


@pytest.mark.parametrize(("guest", "coins"), [("miller", 1), ("monk", 2), ("scholar", 0)])
def test_a_guest_pays_for_every_dish_that_they_like(guest: str, coins: int) -> None:
    text = "position of inn\nmenu of ben: flatbread, broth\ndo welcome by ann\n"
    state, _ = play(read(compiled("inn"), text, Asked()), f"random newcomer {guest}")
    assert state.amount("ben", "coins") == coins


def test_two_provisions_cost_a_coin_and_fit_into_the_larder() -> None:
    game = serving("ann: 1 coins, 6 flour")
    game.choose("shop", "gain trout", "gain trout")
    assert (game.has("ann", "trout"), game.has("ann", "coins")) == (2, 0)
    assert "shop" not in serving("ann: 1 coins, 7 flour").ids
    assert "shop" not in serving("ann: 6 flour").ids


def test_a_dish_of_the_hearth_or_the_notes_is_cooked_for_its_price() -> None:
    game = serving("ann: 2 flour, 2 eggs", "notes of ann: salad")
    assert [one for one in game.ids if "cook" in one] == ["cook omelette", "cook flatbread"]
    game.choose("cook omelette")
    assert (menu(game), game.has("ann", "eggs")) == (("omelette",), 0)
    assert "cook salad" in serving("ann: 2 herbs", "notes of ann: salad").ids


def test_one_recipe_is_noted_from_the_cookbook_for_a_coin() -> None:
    game = serving("ann: 1 coins", "cookbook: feast, mill")
    game.choose("look_up", "look_up feast")
    assert game.state.cards("notes of ann") == ("feast",)
    assert "look_up" not in serving("ann: 1 coins", "notes of ann: salad").ids


def test_recipes_are_replaced_only_if_none_can_be_cooked() -> None:
    assert "sweep_hearth" not in serving("ann: 2 eggs").ids
    game = serving("ann: 1 eggs", "ben: 9 coins", "recipes: mill, hens, salad, porridge, rest")
    game.choose("sweep_hearth", "gain herbs")
    assert {*game.state.cards("scraps")} == {"pie", "broth", "omelette", "flatbread"}
    assert [*game.state.cards("hearth 1"), *game.state.cards("hearth 4")] == ["mill", "porridge"]


def test_thrifty_cooks_replace_no_recipes_if_they_can_cook_a_noted_one() -> None:
    lines = ("ann: 2 herbs", "notes of ann: salad")
    assert "sweep_hearth" in serving(*lines).ids
    assert "sweep_hearth" not in serving(*lines, name="inn_thrifty").ids


@pytest.mark.parametrize(
    ("dish", "price", "coins"), [("herb_bed", "herbs", 1), ("hens", "herbs", 0)]
)
def test_a_herb_bed_brings_a_coin_when_herbs_are_paid(dish: str, price: str, coins: int) -> None:
    game = serving(f"menu of ann: {dish}", "ann: 2 herbs, 1 eggs", "notes of ann: salad")
    game.choose("cook salad")
    assert (game.has("ann", price), game.has("ann", "coins")) == (0, coins)


def test_hens_lay_two_eggs_for_flour_once_a_round() -> None:
    game = serving("menu of ann: hens", "ann: 2 flour")
    game.choose(next(one for one in game.ids if "hens" in one))
    assert (game.has("ann", "flour"), game.has("ann", "eggs")) == (1, 2)
    assert "wash_up" in game.ids and not [one for one in game.ids if "hens" in one]


def test_a_mill_saves_a_flour_of_every_dish() -> None:
    game = serving("menu of ann: mill", "ann: 1 flour")
    game.choose("cook flatbread")
    assert game.has("ann", "flour") == 0


def test_a_pantry_has_room_for_three_provisions_more() -> None:
    assert "shop" in serving("menu of ann: pantry", "ann: 1 coins, 9 flour").ids
    assert "shop" not in serving("menu of ann: pantry", "ann: 1 coins, 10 flour").ids


def test_the_score_counts_dishes_guests_and_coins() -> None:
    game = drawn("inn", "menu of ann: flatbread, omelette", "ann: 7 coins", "ended by round")
    assert result(game.state).breakdown[0] == {"dishes": 3, "guests": 6, "purse": 2}


@pytest.mark.parametrize(("name", "evenings"), [("inn", 10), ("inn_short", 6), ("inn_thrifty", 8)])
def test_the_game_ends_after_its_last_evening(name: str, evenings: int) -> None:
    for played, is_over in ((evenings - 2, False), (evenings - 1, True)):
        game = drawn(name, HEARTH, f"evenings_played: {played}")
        game.choose("wash_up", "wash_up")
        assert result(game.state).over == is_over


@pytest.mark.parametrize(("name", "dishes"), [("inn", 6), ("inn_short", 4), ("inn_thrifty", 4)])
def test_the_game_ends_with_a_full_menu(name: str, dishes: int) -> None:
    every = ["salad", "mill", "fish_cake", "porridge", "feast", "pantry"]
    for number, is_over in ((dishes - 1, False), (dishes, True)):
        game = drawn(name, HEARTH, f"menu of ben: {', '.join(every[:number])}")
        game.choose("wash_up", "wash_up")
        assert result(game.state).over == is_over
