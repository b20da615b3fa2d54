"""Decks of several card sets: borders in another order, borders drawn anew for each game, mixtures
of three sets, cards that share an id.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from targi_dsl.api import start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read
from targi_dsl.tools.draw import mix_sheets
from tests.commands import targi
from tests.games import compiled
from tests.permuted_borders import GAMES, faults, permuted
from tests.targi_base import tables

DRAWN = "mixed_border_drawn"
OVERLAID = """\
language 2
game overlaid "Five new border cards" based on mixed
  deck border_cards: base_border overlaid by draw 5 from expansion_border
"""


NEW = " of expansion_border"


def border(state: State) -> dict[str, str]:
    """The border cards by their spaces, each with its set."""
    cards = {card.id: card for card in state.game.cards}
    found = {}
    for space in range(1, 17):
        (card,) = state.cards(f"border {space}")
        assert cards[card].fields["number"] == space
        found[f"border {space}"] = f"{cards[card].entry} of {cards[card].set}"
    return found


def borders(game: Game, seeds: int) -> list[dict[str, str]]:
    return [border(start(game, Seed(seed))) for seed in range(seeds)]


def test_a_drawn_border_has_one_card_of_either_set_for_each_number() -> None:  # X44
    found = borders(compiled(DRAWN), 40)
    counts = {space: Counter(one[space] for one in found) for space in found[0]}
    both = [space for space, cards in counts.items() if len(cards) == 2]
    assert len(both) == 10 and all(min(counts[space].values()) > 5 for space in both)
    assert found == borders(compiled(DRAWN), 40)


def test_any_five_cards_replace_those_with_their_numbers() -> None:
    found = borders(load("overlaid", of_texts({"overlaid.targi": OVERLAID})), 30)
    drawn = Counter(card for one in found for card in one.values() if card.endswith(NEW))
    assert len(drawn) == 10
    assert {sum(card.endswith(NEW) for card in one.values()) for one in found} == {5}


USING = "round_number: 3\nblue: {}\nborder 10: {}, targi of blue\ndo action_turn by blue"


@pytest.mark.parametrize(
    ("card", "ways"),
    [
        ("silversmith", {"2 dates for 1 points", "1 gold for 2 points"}),
        ("silversmith.2", {"2 goods for 1 points", "1 gold for 2 points"}),
    ],
)
def test_each_of_two_cards_with_one_id_does_what_it_says(card: str, ways: set[str]) -> None:
    state = tables.at(USING.format("2 dates, 1 gold", card), DRAWN)
    offered = tables.offered(tables.after(state, "use_border 10"))
    assert {one for one in offered if not one.startswith("water_for")} == ways


@pytest.mark.parametrize("card", ["silversmith", "silversmith.2"])
def test_an_ability_that_names_the_card_holds_for_both(card: str) -> None:
    text = USING.format("1 gold", card) + "\ndisplay a1 of blue: targia_6"
    state = tables.after(tables.at(text, DRAWN), "use_border 10")
    assert tables.has(state, "blue") == "3 points"


TWINS = """\
language 2
game twins "Twins" based on base
  deck tribe_pile: base_tribe + own_tribe
"""
OWN = """\
language: 2
set: {name}
kind: {kind}
source: invented
cards:
  - {card}
"""
OWN_TRIBE = OWN.format(
    name="own_tribe",
    kind="tribe_card",
    card='{id: well_1, name: {en: My well}, symbol: well, points: 3, cost: 1 date, ability: "once: gain 5 gold"}',
)


def test_cards_of_one_id_can_be_in_play_together() -> None:
    game = load("twins", of_texts({"twins.targi": TWINS, "own_tribe.yaml": OWN_TRIBE}))
    text = "round_number: 2\nblue: 1 dates\ncentre: a1 well_1.2, marker of blue\ndo action_turn by blue"
    state = read(game, "after setup\n" + text, Seed(1))
    state = tables.after(state, "use_centre a1", "display")
    state = tables.after(state, tables.things(state)["a1"])
    assert tables.has(state, "blue") == "5 gold"


THREE = """\
language 2
game three "Three sets" based on mixed
  rules base_incense
  deck border_cards: draw 1 of each number from (base_border + expansion_border + third_border)
  deck tribe_pile: draw 9 of each symbol from (base_tribe + expansion_tribe + incense_tribe)
  settle opening_goods: expansion then base_incense
  settle layout: expansion then base_incense
"""
THIRD = OWN.format(
    name="third_border",
    kind="border_card",
    card='{id: noble, number: 1, name: {en: Noble}, action: "gain 1 gold"}',
)


def test_three_sets_are_mixed_and_drawn(tmp_path: Path) -> None:
    (tmp_path / "three.targi").write_text(THREE)
    (tmp_path / "third_border.yaml").write_text(THIRD)
    found = borders(load(str(tmp_path / "three.targi")), 30)
    assert {one["border 1"].split()[-1] for one in found} == {
        "base_border",
        "expansion_border",
        "third_border",
    }
    (sheet,) = mix_sheets(str(tmp_path / "three.targi"), 5, ("drawn",))
    (tmp_path / "drawn.targi").write_text(sheet.text)
    game = load(str(tmp_path / "drawn.targi"))
    assert len({*map(str, borders(game, 3))}) == 1
    sets = {card.set for card in game.cards if game.kinds[card.kind] == "tribe_card"}
    assert sets == {"base_tribe", "expansion_tribe", "incense_tribe"}


@pytest.mark.parametrize("sheet", [DRAWN, "overlaid"])
def test_what_is_left_of_a_border_makes_another(tmp_path: Path, sheet: str) -> None:
    (tmp_path / "overlaid.targi").write_text(OVERLAID)
    name = DRAWN if sheet == DRAWN else str(tmp_path / "overlaid.targi")
    out, rest = (str(tmp_path / f"{one}.targi") for one in ("out", "rest"))
    assert targi("mix", name, "--seed", "2", "--out", out, "--rest", rest).code == 0
    one, other = (borders(load(file), 1)[0] for file in (out, rest))
    same = {space for space, card in one.items() if other[space] == card}
    assert same == {f"border {number}" for number in (2, 3, 6, 7, 11, 15)}  # only one box has them


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("name", GAMES)
def test_rules_name_border_cards_and_not_where_they_are_printed(name: str, order: int) -> None:
    """`python -m tests.permuted_borders 200` lays the cards in 200 orders."""
    assert [*faults(name, permuted(name, order))] == []
