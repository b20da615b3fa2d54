"""docs/change-one-thing.md: each recipe is valid, makes the change it describes, and plays to the
end.
"""

from __future__ import annotations

import re

import pytest

from targi_dsl.api import rollout, start, uniform
from targi_dsl.cli.commands.diff import comparison
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.text.diagnostics import render
from targi_dsl.tools.diff import differences
from tests.documents import text_of
from tests.games import compiled

KEPT = CheckCache()
PAGE = text_of("change-one-thing.md")
HEAD = re.findall("```targi head\n(.*?)```", PAGE, re.DOTALL)[0]
RECIPES = {
    title: re.findall("^```(targi|yaml)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    for title, text in re.findall("^## (.*?)\n(.*?)(?=^## |\\Z)", PAGE, re.DOTALL | re.MULTILINE)
}
TOLD: dict[str, list[str]] = {
    "One number": ["-define gold_limit: 3", "+define gold_limit: 4"],
    "How the game begins": ["+  gain 1 date and 1 salt and 1 pepper and 3 gold and 4 points"],
    "One card's number": ["points: 3 -> 2"],
    "One card's price": ["cost: 2 dates and 1 salt and 2 pepper -> 2 gold"],
    "One card's name and text": ["name (en): Caravan -> The long caravan", "text (en): "],
    "What one card does": ["action: gain 1 date -> gain 2 dates", "Take 2 dates."],
    "A little more of what a card does": ["added to its action: nothing -> gain 1 point"],
    "One rule": ["-    2 of one good -> 1 point", "+    3 of one good -> 2 points"],
    "One more alternative in a rule": ["~ rule take_tribe_card", "+    sell_it:"],
    "One more step in a rule": ["~ rule round", "+    if no your hand: gain 1 date"],
    "One step fewer": ["-  set starter to next of starter"],
    "A new prohibition": ["+  forbid first_is_last: "],
    "A prohibition lifted": ["robber_blocks"],
    "A prohibition changed": ["+  forbid robber_blocks: robber is on space and your gold is 0"],
    "The board": ["+set goods_cells: centre b1, a2, b2, c2, b3"],
    "A smaller display": ["+space display for each player: grid 2 by 4", "+define full_display: 8"],
    "A new figure": ["+ piece oasis_spirit"],
    "A new good": ["+resource goods (one good): dates (one date), salt, pepper, incense"],
    "A new token": ["+ resource favour", "+ score favour"],
    "Something to remember": ["+ variable raids_seen"],
    "A free exchange": ["+ exchange coin_changer"],
    "When the game ends": ["+define full_display: 8"],
    "Another end": ["+  if any (p in players where gold of p is at least 3"],
    "Who wins": ["if cards_showing of camel is at least 6: you win"],
    "A part of the score": ["+ score gold_left"],
    "One part of the score fewer": ["- score mixed_rows"],
    "Another tie-break": [
        "-tie: most your gold, then most your goods",
        "+tie: most count of cards on your display",
    ],
    "Chance": ["+  roll luck from 1 to 3"],
    "A secret": ["+ variable bid"],
    "An option of the shipped game": ["own_opposite: allowed -> forbidden"],
    "An option of your own": ["rich: not there -> yes_please"],
    "Fewer cards in a deck": ["- well_2", "tribe_pile: 45 -> "],
    "More copies of a card": [
        "goods_pile: 19 -> 22 cards",
        "base_goods -> base_goods + 3 x one_gold of base_goods",
    ],
    "A deck drawn by chance": [
        "tribe_pile: 45 -> 30 drawn cards",
        "base_tribe -> draw 6 of each symbol from base_tribe",
    ],
    "A card of your own": ["+ fountain", "- salt_15"],
    "The border of both boxes": ["action: "],
    "The tribe cards of both boxes": ["+ well_1"],
    "Another language": ["name (de): Adelige -> Edelmann"],
    "Another number of players": ["players: 2 -> 3"],
    "Who begins": ["+  choose who in players at random"],
}
"""The output of `targi diff` for a recipe and the game that it is based on."""


def files_of(title: str) -> dict[str, str]:
    """The files of a recipe."""
    files = {}
    for kind, text in RECIPES[title]:
        if kind == "yaml":
            files["mine_cards.yaml"] = text
        else:
            files["mine.targi"] = text if text.startswith("language") else HEAD + text
    return files


def test_there_are_at_least_25_recipes_and_each_is_tried() -> None:
    assert len(RECIPES) >= 25
    assert RECIPES.keys() == TOLD.keys()


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_changes_what_it_says_and_plays_to_the_end(title: str) -> None:
    files = files_of(title)
    game, problems = check("mine", of_texts(files, KEPT))
    assert game is not None and problems == (), render(problems)
    base = re.findall("based on (\\w+)", files["mine.targi"])[0]
    found = differences(compiled(base), game)
    told = "\n".join(comparison(compiled(base), game, found))
    for part in TOLD[title]:
        assert part in told, told
    assert rollout(start(game, Seed(1)), uniform(Stream(1))).seat is None
