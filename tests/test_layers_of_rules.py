"""Layered modules: every change is reported with its locations, and the result knows
its origins.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import start
from targi_dsl.api.position import Position
from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import Items, PlayerPart, places_of
from tests.small_game import CARDS, FILES, pond

MODULE, PLANS = "pond/pond.targi", "pond/pond_plans.yaml"


def test_a_layout_is_extended_for_the_table_and_for_each_player() -> None:
    files = pond({"dry": "extend layout\n  line heron\n  each player\n    line your fame\n"})
    files[MODULE] += "\nlayout\n  table shore\n  each player\n    line your twigs\n"
    assert [type(part).__name__ for part in load("pond", of_texts(files)).layout] == [
        "Table", "Items", "PlayerPart", "PlayerPart",
    ]  # fmt: skip
    assert [
        len(part.parts) for part in load("pond", of_texts(files)).layout if hasattr(part, "parts")
    ] == [2, 2]


def test_the_rest_of_a_deck_lies_where_the_sheet_says() -> None:
    sheet = (
        'language 2\ngame pond "Pond"\n  rules pond\n  deck plan_pile: draw 5 from pond_plans\n'
        "  deck plan_waste: the rest of plan_pile\n"
    )
    game = load("pond", of_texts({MODULE: FILES[MODULE], PLANS: CARDS, "pond.targi": sheet}))
    places = [
        game.places[Position(game, start(game, Seed(4)).vector).place_of_card(card)].name
        for card in range(len(game.cards))
    ]
    assert sorted(set(places)) == ["plan_pile", "plan_waste"]
    assert places.count("plan_pile") == 5


def test_what_a_bracket_adds_is_not_the_cost_of_a_card() -> None:  # X14
    sheet = (
        "language 2\ngame trial based on expansion\n  deck tribe_pile: expansion_tribe where gold"
        " is not in cost\n"
    )
    ids = {card.id for card in load("trial", of_texts({"trial.targi": sheet})).cards}
    assert "camel_14" in ids
    assert "well_10" in {card.id for card in load("expansion").cards}


@pytest.mark.parametrize(
    ("base", "rule"), [("base", "silversmith_exchange"), ("expansion", "use_abilities")]
)
def test_offering_without_a_part_adds_to_the_only_question(base: str, rule: str) -> None:
    sheet = f'language 2\ngame longer "Longer" based on {base}\nextend rule {rule} offering\n'
    game, problems = check("longer", of_texts({"longer.targi": f"{sheet}  wait: gain 1 points\n"}))
    assert game is not None and not any(one.severity == "error" for one in problems)
    before, now = (sum(len(one.ways) for one in of.program.questions) for of in (load(base), game))
    assert now == before + 1


def test_spaces_by_which_a_module_makes_a_region_larger_stand_behind_the_rest() -> None:
    rules = "replace space border: ring of 20\n"
    rules += "replace space display for each player: grid 4 by 4, abilities active\n"
    text = f"language 2\ngame longer based on base\n{rules}"
    game, _ = check("longer", of_texts({"longer.targi": text}))
    assert game is not None
    shown = {*places_of(game.layout)}
    assert all(place.is_zone for place in game.places if place.name not in shown)


def test_a_list_with_more_values_makes_larger_the_regions_by_it_that_are_shown() -> None:
    files = pond({"dry": "extend values sort: perch\n"})
    files[MODULE] += "\nspace lanes: row by sort\nspace dens: row by sort\nlayout\n  table\n"
    files[MODULE] += "    lanes newt | lanes reed\n    lanes lily | -\n"
    shown = [*places_of(load("pond", of_texts(files)).layout)]
    assert "lanes perch" in shown and not any(one.startswith("dens") for one in shown)


def _regions_shown(game: Game) -> set[str]:
    shown = {*places_of(game.layout)}
    return {place.region for place in game.places if place.name in shown}


def test_what_a_module_adds_and_no_line_of_the_layout_shows_stands_behind_the_rest() -> None:
    head = "language 2\ngame wider based on base\nextend resource goods: incense\nresource figs\n"
    more = "space stream: row of 3\nzone chest for each player: tribe_card\npool pot: gold\n"
    more += 'variable wind: 0 to 3 as "strength of the wind"\nvariable calm: 0 to 3\n'
    more += 'variable luck for each player: 0 to 9 as "luck"\n'
    wider, problems = check("wider", of_texts({"wider.targi": head + more}))
    assert wider is not None
    assert {one.code for one in problems} == {"W919"}, "nothing uses them"
    shared = [part for part in wider.layout if not isinstance(part, PlayerPart)]
    players = [part for part in wider.layout if isinstance(part, PlayerPart)]
    *_, stream, amounts = shared
    assert [*places_of([stream])] == ["stream 1", "stream 2", "stream 3"]
    assert isinstance(amounts, Items)
    assert [one.name for one in amounts.items] == ["pot", "wind"], "words tell what is for people"
    lines = [[one.name for one in line.items] for part in players for line in part.parts
             if isinstance(line, Items)]  # fmt: skip
    assert [line[-2:] for line in lines if "points" in line] == [["incense", "figs"]] * 2
    assert lines.count(["chest"]) == lines.count(["luck"]) == 2
    same = "language 2\ngame same based on base\nreplace zone drawn: goods_card\n"
    replaced, _ = check("same", of_texts({"same.targi": same}))
    assert replaced is not None
    assert "drawn" not in _regions_shown(replaced)
    own = f"{head}{more}extend layout\n  table stream\n"
    told, _ = check("wider", of_texts({"wider.targi": own}))
    assert told is not None
    names = _regions_shown(told)
    assert "stream" in names
    assert "chest" not in names, "a module with a layout says what is seen"
