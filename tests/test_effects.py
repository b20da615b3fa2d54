"""What cards, options and goods are worth: what is given is a cause, what winners have is none."""

from __future__ import annotations

import numpy as np
import pytest

from targi_dsl import Problems
from targi_dsl.api import start
from targi_dsl.engine.chance import Seed
from targi_dsl.lab.effects import _pick, effects
from targi_dsl.lab.findings import Finding
from targi_dsl.lab.interventions import Intervention, home_regions, intervene
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.statistics.regression import slopes
from targi_dsl.lab.version import Version, game_of
from tests.texts import game_file


def found(name: str, sort: str, games: int, kind: str = "busy") -> dict[str, Finding]:
    """What is said of each thing of a game."""
    section = effects(Version(name), sort, kind, Runner(games)).sections[0]
    return {one.measure.split(" ", 1)[1]: one for one in section.findings}


def test_a_slope_is_told_from_one_that_goes_with_it() -> None:
    """Of two things that are mostly had together, only the first makes seats win."""
    rng = np.random.default_rng(0)
    cause = rng.normal(size=(4000, 2))
    uses = np.stack([cause, cause + 0.5 * rng.normal(size=cause.shape)], axis=2)
    wins = 0.1 * cause + rng.normal(size=cause.shape)
    uses -= uses.mean(axis=1, keepdims=True)
    wins -= wins.mean(axis=1, keepdims=True)
    alone, together = (slopes(uses, wins, together=one) for one in (False, True))
    assert alone[1].low > 0
    assert together[0].low < 0.1 < together[0].high and together[0].low > 0
    assert together[1].low < 0 < together[1].high


@pytest.mark.parametrize("name", ["base", "bazaar"])
def test_a_card_that_is_given_lies_with_the_seat_and_no_card_is_lost(name: str) -> None:
    version, count = Version(name), 0
    game, regions = game_of(version), home_regions(version)
    for number in range(40):
        state = start(game, Seed(number))
        for card, info in enumerate(game.cards):
            if info.kind not in regions:
                continue
            after = intervene(state, Intervention("", "card", (card,)), number % 2, regions)
            if after is None:
                continue
            count += 1
            place = game.places[after.position.place_of_card(card)]
            assert place.owner == number % 2 and place.region == regions[info.kind]
            lying = [one for at in range(len(game.places)) for one in after.position.cards_on(at)]
            assert (
                len(lying)
                == len(set(lying))
                == sum(state.position.place_of_card(one) >= 0 for one in range(len(game.cards)))
            )
    assert count > 500


def test_what_is_strong_is_found_where_the_raw_number_misses_it() -> None:
    cards = found("base", "cards", 60)
    best = cards["card camp_3"]
    assert best.verdict == "strong" and best.interval.low > 0.15
    raw = dict(best.beside)["raw"]
    assert raw.high - raw.low > best.interval.high - best.interval.low


def test_a_unit_more_of_points_is_worth_a_point() -> None:
    units = found("base", "resources", 100)
    points = dict(units["points"].beside)["points"]
    assert points.low <= 1 <= points.high


def test_where_one_player_wants_few_points_what_gives_them_is_a_trap() -> None:
    things = found(game_file("litter"), "resources", 40).items()
    told = [(name, one.verdict) for name, one in things]
    assert told == [("tools", "strong"), ("junk", "a trap")]


def test_an_option_that_wins_is_not_missed() -> None:
    """In pig whoever may never stop never scores."""
    options = found("pig", "options", 60)
    assert max(one.interval.value for one in options.values()) > 0.2


def test_it_stops_when_all_is_known_within_what_was_asked() -> None:
    runner = Runner(5000)
    section = effects(Version("dice_race"), "resources", "busy", runner, 0.1).sections[0]
    assert runner.played < 3000 + 1000
    assert all(one.interval.high - one.interval.low <= 0.2 for one in section.findings)


def test_a_game_without_cards_has_none_to_judge() -> None:
    section = effects(Version("tic_tac_toe"), "cards", "busy", Runner(5)).sections[0]
    assert not section.findings and "no cards" in section.about


def test_players_who_think_can_be_given_cards() -> None:
    assert found("kuhn_poker", "resources", 4, "lookahead:4")


def test_a_thing_is_known_by_its_name_without_what_it_is_and_by_no_part_of_it() -> None:
    spaces = [Intervention(f"space row {one} of ann", "use", (0,)) for one in (1, 2)]
    assert _pick(spaces, ["row 1 of ann"]) == (spaces[0],)
    with pytest.raises(Problems):
        _pick(spaces, ["ann"])
