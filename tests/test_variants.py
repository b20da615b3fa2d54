"""The shipped variants: each changes something, its change takes effect, and it plays random games
without faults.
"""

from __future__ import annotations

import re

import pytest

from targi_dsl.api import result
from targi_dsl.api.state import State
from targi_dsl.cli.manual import about
from targi_dsl.compiler.load import check, load
from targi_dsl.information.observation import observe
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import render
from targi_dsl.tools.diff import differences
from targi_dsl.view.words import Words
from tests.games import ALL
from tests.targi_base.tables import after, at, has, offered, on

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


# ---- each reaches what it changes ----


def test_the_eighth_card_ends_the_short_game() -> None:
    seven = "a1 oasis_1; b1 oasis_3; c1 oasis_4; d1 oasis_9; a2 well_1; b2 targia_1; c2 camp_1"
    text = (
        f"blue: 1 salt, 1 gold\ndisplay of blue: {seven}\ncentre b1: camel_7, marker of"
        " blue\nstarter: blue\ndo actions, then uncovering, then check_end"
    )
    state = after(at(text, "base_short"), "use_centre b1", "display")
    assert on(state, "display d2 of blue") == "camel_7"
    while state.seat is not None and state.value("round_number") == 0:
        state = after(state, "done")
    assert state.seat is None and result(state).ended_by == "finish"
    longer = after(at(text), "use_centre b1", "display", "cell d2")
    assert longer.seat is not None


def test_on_the_wider_board_four_figures_cross_four_times() -> None:
    figures = "; ".join(f"{n} targi of blue" for n in (1, 2, 18, 19))
    text = f"starter: blue\nborder: {figures}; 7 robber\ndo markers"
    state = at(text, "base_wide")
    marked = {state.place_of(f"marker {n} of blue") for n in range(1, 5)}
    assert marked == {"centre a1", "centre a2", "centre b1", "centre b2"}


def test_on_the_wider_board_the_robber_raids_in_its_corners_and_ends_the_game_at_the_fourth() -> (
    None
):
    state = at(
        "starter: blue\nborder 4: robber\nround_number: 4\nblue: 1 points\nwhite: 1 points",
        "base_wide",
    )
    for _ in range(2):
        state = after(state, "pay 1 points") if "pay 1 points" in offered(state) else state
    assert state.place_of("robber") == "border 6"
    places = {one for one in offered(state) if one.startswith("place_targi")}
    assert places == {f"place_targi {n}" for n in range(1, 20) if n not in (5, 6, 10, 15)}
    last = at(
        "starter: blue\nborder 19: robber\nround_number: 16\nblue: nothing\nwhite: nothing",
        "base_wide",
    )
    assert (
        last.seat is None and result(last).ended_by == "finish" and has(last, "white") == "nothing"
    )


def test_incense_is_a_good() -> None:
    state = at(
        "starter: blue\nblue: 2 incense\nborder: 4 robber; 3 targi of blue\ndo actions",
        "base_incense",
    )
    assert state.amount("blue", "incense") == 2
    assert after(state, "use_border 3").amount("blue", "incense") == 3
    raid = at(
        "starter: blue\nblue: 1 incense, 1 points\nwhite: 1 points\ndo raid_1", "base_incense"
    )
    assert offered(raid) == ["pay 1 goods", "pay 1 points"]
    assert has(after(raid, "pay 1 goods"), "blue") == "1 points"


def test_open_hands_are_seen_by_all() -> None:
    text = "starter: blue\nhand of white: well_1\ndo placement"
    assert observe(at(text, "base_open_hands"), "blue").cards("hand of white") == ("well_1",)
    assert observe(at(text), "blue").cards("hand of white") == ("?tribe_card",)


@pytest.mark.parametrize(
    ("blue", "white", "starter"),
    [
        ("3 points", "4 points", "blue"),
        ("4 points", "3 points", "white"),
        ("4 points", "4 points", "white"),
    ],
)
def test_who_trails_begins_and_if_nobody_does_the_other(
    blue: str, white: str, starter: str
) -> None:
    state = at(f"starter: blue\nblue: {blue}\nwhite: {white}\ndo uncovering", "base_trailing_start")
    assert state.game.players[state.value("starter")] == starter


def test_the_points_of_displayed_cards_count_for_who_trails() -> None:
    text = (
        "starter: blue\nblue: 4 points\nwhite: 3 points\ndisplay of white: a1 well_1\ndo uncovering"
    )
    assert at(text, "base_trailing_start").value("starter") == 0


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


def test_the_easier_start_gives_one_more_of_each_good() -> None:
    usual, easier = (load(name) for name in ("expansion", "expansion_easier"))
    (option,) = differences(usual, easier).options
    assert (option.before, option.after) == ("usual", "easier")
    for name, number in (("expansion", 1), ("expansion_easier", 2)):
        state = at("do placement", name)
        assert [state.amount("blue", one) for one in ("dates", "salt", "pepper")] == [number] * 3


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
