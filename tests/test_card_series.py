"""Entries of card files that produce one card for each value of a field; and a game made of them."""

from __future__ import annotations

import random

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.compiler.load import check, load
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from tests.small_game import FILES, SHEET


def series(entry: str) -> dict[str, str]:
    """The small game with one more set of cards, which has this entry."""
    cards = f"language: 2\nset: more_plans\nkind: plan\ncards:\n{entry}"
    sheet = SHEET.replace("plan_pile: pond_plans", "plan_pile: pond_plans + more_plans")
    return {**FILES, "pond/more_plans.yaml": cards, "pond.targi": sheet}


SORTS = ("reed", "lily", "newt")
PLAN = (
    "  - id: hut\n    for_each: {}\n    copies: 2\n    name: {{en: '{{sort}} hut {{worth}}'}}\n"
    "    cost: 1 grey\n{}"
)


def test_there_is_a_card_for_each_value_and_each_number() -> None:
    game, problems = check("pond", series(PLAN.format("sort, worth 2 to 3", "")))
    assert game is not None, problems
    huts = [card for card in game.cards if card.entry.startswith("hut")]
    assert len(huts) == 2 * 3 * 2
    assert {card.entry for card in huts} == {
        f"hut_{sort}_{worth}" for sort in SORTS for worth in (2, 3)
    }
    (card,) = [card for card in huts if card.id == "hut_lily_3"]
    assert (card.names["en"], card.shorts["en"]) == ("lily hut 3", "lily 3")
    assert (card.fields["sort"], card.fields["worth"]) == ("lily", 3)


def test_there_is_a_card_for_each_resource_of_a_group_and_a_kind_may_have_no_fields() -> None:
    texts = series(PLAN.format("bloom, worth 1 to 2", "    sort: reed\n"))
    texts["pond/pond.targi"] = texts["pond/pond.targi"].replace(
        "card plan\n",
        "resource blooms: roses, pinks\n\ncard blank\n\ncard plan\n  bloom: blooms, may be missing\n",
    )
    game, problems = check("pond", texts)
    assert game is not None, problems
    found = {card.fields["bloom"] for card in game.cards if card.entry.startswith("hut")}
    assert found == {"roses", "pinks"}


def test_there_is_a_card_for_each_space_that_has_a_name_or_a_value() -> None:
    plan = PLAN.replace("{sort}", "{inlet}")
    texts = series(plan.format("inlet, lane, worth", "    sort: reed\n"))
    texts["pond/pond.targi"] = texts["pond/pond.targi"].replace(
        "card plan\n",
        "space inlets: spots named muddy_one, sandy\n\nspace lanes: row by sort\n\n"
        "card plan\n  inlet: inlets, may be missing\n  lane: lanes, may be missing\n",
    )
    game, problems = check("pond", texts)
    assert game is not None, problems
    huts = [one for one in game.cards if "hut" in one.entry]
    found = {(one.fields["inlet"], one.fields["lane"]) for one in huts}
    assert found == {(inlet, lane) for inlet in ("muddy_one", "sandy") for lane in SORTS}
    assert {one.names["en"].partition(" hut")[0] for one in huts} == {"muddy one", "sandy"}
    texts["pond.targi"] = texts["pond.targi"].replace(
        "more_plans", "(more_plans where inlet is sandi)"
    )
    _, problems = check("pond", texts)
    (problem,) = (one for one in problems if one.code == "E513")
    assert problem.title == "unknown inlets `sandi`"


def test_a_range_of_the_rules_need_not_be_said_again_and_a_number_is_the_cards_own() -> None:
    game, problems = check("pond", series(PLAN.format("worth, number 4 to 5", "    sort: reed\n")))
    assert game is not None, problems
    found = {card.entry: card.fields["number"] for card in game.cards if "hut" in card.entry}
    assert found == {f"hut_{worth}_{number}": number for worth in (1, 2, 3) for number in (4, 5)}


def test_one_card_of_a_series_is_changed_by_its_id() -> None:
    texts = series(PLAN.format("sort, worth 2 to 3", ""))
    texts["mill/mill.targi"] = (
        'language 2\nmodule mill based on pond\nchange card hut_newt_2: cost "3 red"\n'
    )
    texts["pond.targi"] = texts["pond.targi"].replace("rules pond", "rules pond + mill")
    game, problems = check("pond", texts)
    assert game is not None, problems
    costs = {card.entry: card.fields["cost"] for card in game.cards if "hut" in card.entry}
    assert [name for name, cost in costs.items() if cost == "3 red"] == ["hut_newt_2"]


# ---- five trails ----


def points(cards: list[str]) -> int:
    """The score of the cards of one trail, by the rulebook: less 20, times the stakes, and 20 for
    eight.
    """
    climbs = [int(card.rpartition("_")[2]) for card in cards if card.startswith("stretch")]
    stakes = len(cards) - len(climbs)
    bonus = 20 if len(cards) >= 8 else 0
    return (sum(climbs) - 20) * (1 + stakes) + bonus if cards else 0


@pytest.mark.parametrize("seed", [2, 5])
def test_trails_climb_and_are_counted_as_the_rulebook_has_it(seed: int) -> None:
    game = load("five_trails")
    state, chance = start(game, Seed(seed)), random.Random(seed)
    while found := choices(state):
        lays = [one for one in found if str(one).startswith("<Choice 'lay")]
        state = play(state, chance.choice(lays or found))[0]
    seen = observe(state, "public")
    totals = []
    for player in game.players:
        trails = [seen.cards(f"trails {hue} of {player}") for hue in dict(game.values)["hue"]]
        totals.append(sum(points([one.split(".")[0] for one in trail]) for trail in trails))
    assert result(state).scores == tuple(totals)


def test_the_deck_has_sixty_cards_of_which_fifteen_are_stakes() -> None:
    game = load("five_trails")
    assert len(game.cards) == 60
    assert sum("climb" not in card.fields for card in game.cards) == 15


# ---- two traders ----


@pytest.mark.parametrize("seed", [3, 6])
def test_traders_keep_within_their_holds_and_sell_what_they_have(seed: int) -> None:
    game = load("two_traders")
    assert len(game.cards) == 6 * 6 + 2 + 2 + 4 + 5
    state, chance = start(game, Seed(seed)), random.Random(seed)
    while found := choices(state):
        state = play(state, chance.choice(found))[0]
        seen = observe(state, "public")
        assert all(len(seen.cards(f"hold of {player}")) <= 7 for player in game.players)
    mules = [len(seen.cards(f"stable of {player}")) for player in game.players]
    prizes = [part["mules"] for part in result(state).breakdown]
    assert prizes == [5 if own > min(mules) else 0 for own in mules]
