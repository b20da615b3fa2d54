"""The shipped variants: each changes something, its change takes effect, and it plays random games
without faults.
"""

from __future__ import annotations

import re

import pytest

from targi_dsl.api.state import State
from targi_dsl.cli.manual import about
from targi_dsl.compiler.load import check, load
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import render
from targi_dsl.tools.diff import differences
from targi_dsl.view.words import Words
from tests.games import ALL
from tests.targi_base.tables import after, at, offered

BASED_ON = {
    "base_short": "base",
    "base_wide": "base",
    "base_incense": "base",
    "base_open_hands": "base",
    "base_trailing_start": "base",
    "base_robber_returns": "base",
    "expansion_easier": "expansion",
}


@pytest.mark.parametrize("name", BASED_ON)
def test_a_variant_has_no_problems_and_changes_something(name: str) -> None:
    found, problems = check(name)
    assert found is not None and not problems, render(problems)
    assert differences(load(BASED_ON[name]), found)


@pytest.mark.parametrize("name", BASED_ON)
def test_a_variant_says_in_one_sentence_what_it_is(name: str) -> None:
    lines = (resources.read(f"rules/games/{name}.targi") or b"").decode().splitlines()
    assert re.match("# ", lines[1]) and lines[2].startswith("game ")
    if name.startswith("base_"):
        assert lines[1].count(":") == 1 and "tests" in lines[1] and lines[1].endswith(".")


def test_random_games_of_every_variant_are_played() -> None:
    assert BASED_ON.keys() <= set(ALL)


# ---- what a variant changes is in its rule tests, but for whole games ----


def robbed(state: State) -> list[str]:
    """Where the robber is in each placement up to the end; raids are paid in points."""
    seen = list[str]()
    while state.seat is not None:
        ids = offered(state)
        choice = next((one for one in ids if re.fullmatch("done|pay [0-9] points", one)), ids[0])
        if choice.startswith("place_targi"):
            seen.append(str(state.place_of("robber")).removeprefix("border "))
        state = after(state, choice)
    return list(dict.fromkeys(f"{number}" for number in _runs(seen)))


def _runs(seen: list[str]) -> list[str]:
    """Each stay once, the second one at the same place marked."""
    found = list[str]()
    for at_, number in enumerate(seen):
        if at_ == 0 or seen[at_ - 1] != number:
            found.append(f"{number} again" if number in found else number)
    return found


def test_the_robber_walks_back_after_the_second_raid() -> None:
    text = "starter: blue\nround_number: 0\nblue: 20 points\nwhite: 20 points\ndo round"
    walked = robbed(at(text, "base_robber_returns"))
    back = ["6 again", "5 again", "3 again", "2 again", "1 again"]
    assert walked == ["1", "2", "3", "5", "6", "7", *back]


# ---- what has no effect in a mix ----


@pytest.mark.parametrize(
    ("name", "decks"),
    [("mixed", {}), ("mixed_border", {}), ("expansion", {"tribe_pile": "base_tribe"})],
)
def test_a_card_of_the_caravan_has_no_effect_in_a_border_without_one(
    name: str, decks: dict[str, str]
) -> None:
    found, problems = check(name, decks=decks)
    assert found is not None and problems == ()  # the card file says why that is meant
    number = [card.id for card in found.cards].index("camel_6")
    assert "  No effect here: this game has no `caravan`." in about(Words(found), number)


def test_in_a_border_with_a_caravan_it_has() -> None:
    found, problems = check(
        "expansion", decks={"border_cards": "base_border", "tribe_pile": "base_tribe"}
    )
    assert found is not None and not problems
