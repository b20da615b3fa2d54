"""docs/recipes.md: every frame stands in the game it names, or can be added to it."""

from __future__ import annotations

import pytest

from targi_dsl.text.diagnostics import render
from tests.documents import WORLDS, Block, blocks, problems_with, stands_in, text_of

RECIPES = blocks("recipes.md")


def test_every_recipe_names_a_kind_of_text_and_a_game() -> None:
    assert len(RECIPES) == text_of("recipes.md").count("\n```") // 2 > 20
    assert all(len(block.words) == 2 and block.words[1] in WORLDS for block in RECIPES)


@pytest.mark.parametrize("block", RECIPES, ids=[block.name for block in RECIPES])
def test_a_recipe_can_be_said_in_its_game(block: Block) -> None:
    kind, game = block.words
    problems = () if stands_in(game, block) else problems_with(game, kind, block)
    assert not problems, render(problems)
