"""The singular of a resource in rules, on cards and in decks."""

from __future__ import annotations

import re

import pytest

from targi_dsl.compiler.load import analyse, check, load
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
    ("old", "new", "code", "title"),
    [
        ("gain 1 twig\n", "gain 2 twig\n", "E201", "`twig` is a singular"),
        ("gain 1 twig\n", "gain (day) twig\n", "E201", "`twig` is a singular"),
        ("gain 1 twig\n", "gain 1 twik\n", "E201", "unknown resource `twik`"),
        ("(one twig)", "(one pebble)", "E202", "`pebble` already counts something else"),
        ("(one twig)", "(one red)", "E202", "`red` already counts something else"),
        ("(one twig)", "(one fame)", "E202", "`fame` is already a resource"),
    ],
)
def test_what_a_singular_cannot_say_is_refused(old: str, new: str, code: str, title: str) -> None:
    text = SINGULAR[MODULE]
    assert text.count(old) == 1
    problems = check("pond", of_texts({**SINGULAR, MODULE: text.replace(old, new)}))[1]
    assert [(one.code, one.title) for one in problems if one.code == code] == [(code, title)]


def test_a_singular_is_suggested_where_it_may_stand() -> None:
    text = SINGULAR[MODULE]
    files = {**SINGULAR, MODULE: text.replace("gain 1 twig\n", "gain 1 twik\n")}
    (problem,) = check("pond", of_texts(files))[1]
    assert "Did you mean `twig`?" in str(problem.hint)


def test_a_repair_of_a_singular_is_the_name() -> None:
    text = SINGULAR[MODULE].replace("gain 1 twig\n", "gain 2 twig\n")
    (problem,) = check("pond", of_texts({**SINGULAR, MODULE: text}))[1]
    assert [edit.new for edit in problem.edits] == ["twigs"]


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
