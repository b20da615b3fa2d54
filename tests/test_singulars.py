"""The singular of a resource in rules, on cards and in decks."""

from __future__ import annotations

import re

import pytest

from targi_dsl.compiler.load import analyse, load
from targi_dsl.compiler.project.discovery import of_texts
from tests.small_game import CARDS, FILES, RULES, SHEET

PLURAL = {
    **FILES,
    "pond/pond.targi": RULES.replace(
        "resource pebbles: grey, red\nresource twigs, fame",
        "resource pebbles (one pebble): grey, red\nresource twigs (one twig) on shore\nresource fame",
    ).replace(
        "      do build\n",
        "      one of\n"
        "        do build\n"
        "        gain 1 twigs\n"
        "        gain 1 pebbles or 1 twigs\n"
        "        2 of one pebbles -> 1 other pebbles\n"
        "        move 1 twigs from you to shore 1\n",
    ),
    "pond/pond_plans.yaml": CARDS.replace('"once: gain 1 fame"', '"once: gain 1 twigs"'),
}
ONE = re.compile(r"(1 (?:other )?|of one )(pebble|twig)s")
SINGULAR = {name: ONE.sub(r"\1\2", text) for name, text in PLURAL.items()}
MODULE = "pond/pond.targi"


def test_a_singular_says_what_the_name_says() -> None:
    assert SINGULAR != PLURAL
    plural, singular = (load("pond", of_texts(files)) for files in (PLURAL, SINGULAR))
    assert singular.hash == plural.hash


def test_no_other_module_is_parsed_for_a_singular_on_a_card() -> None:
    other = {"far/far.targi": "language 2\nmodule far\n"}
    found = of_texts({**SINGULAR, **other})
    assert 'ability: "once: gain 1 twig"' in SINGULAR["pond/pond_plans.yaml"]
    load("pond", found)
    assert MODULE in found.cache.files
    assert not other.keys() & found.cache.files.keys()


@pytest.mark.parametrize(
    ("filtered", "left"),
    [("twigs is in cost", 3), ("twigs is in ability", 3), ("twigs is not in cost", 6)],
)
def test_filters_of_decks_go_by_the_name(filtered: str, left: int) -> None:
    sheet = SHEET.replace("pond_plans", f"pond_plans where {filtered}")
    game = load("pond", of_texts({**SINGULAR, "pond.targi": sheet}))
    assert len(game.cards) == left


def test_a_singular_stands_for_its_resource_in_the_index() -> None:
    index = analyse("pond", of_texts(SINGULAR)).index
    found = {one.name: one.symbol.name for one in index.occurrences if one.symbol is not None}
    assert (found["pebble"], found["twig"]) == ("pebbles", "twigs")
    assert all(one.symbol is not None for one in index.occurrences)
