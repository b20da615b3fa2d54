"""Ladders: ratings are those that made the results, and the deal explains what it decides."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from bench.calibration import ladders
from targi_dsl.lab.ladder import bradley_terry, ladder
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.version import Version
from tests.commands import targi


@pytest.mark.parametrize("seats", [2, 3])
def test_ratings_are_those_that_made_the_results(seats: int) -> None:
    strengths, pairs = np.array([1.0, 3.0, 9.0]), [*combinations(range(3), 2)]
    shares = [
        strengths[one] / (strengths[one] + (seats - 1) * strengths[other]) for one, other in pairs
    ]
    found = bradley_terry(shares, pairs, 3, seats)
    assert np.allclose(found / found[0], strengths, rtol=1e-3)


def test_a_player_that_thinks_is_above_one_that_does_not() -> None:
    found = ladder(Version("tic_tac_toe"), ["random", "lookahead:40"], Runner(30))
    best = found.sections[0].findings[0]
    assert best.says.startswith("lookahead:40") and best.interval.low > 0.2
    depth = next(one for one in found.sections[0].findings if one.measure == "skill depth")
    assert depth.interval.low > 0.5


def test_equal_players_are_no_step_apart() -> None:
    found = ladder(Version("dice_race"), ["busy", "random"], Runner(300))
    depth = next(one for one in found.sections[0].findings if one.measure == "skill depth")
    assert depth.interval.low <= 0 and depth.interval.value < 0.3


def test_intervals_of_few_deals_hold_the_truth() -> None:
    """`python -m bench.calibration` has 1,000 repetitions; here are fewer."""
    for name, told, held in ladders(20, 20):
        assert held >= 0.87 * told, name


def test_without_cards_or_dice_the_deal_explains_nothing() -> None:
    (luck,) = ladder(Version("tic_tac_toe"), ["busy", "random"], Runner(200)).sections[1].findings
    assert luck.interval.low < 0.05 and luck.interval.high < 0.1


@pytest.mark.parametrize("line", ["ladder pig --player busy", "ladder thin_ice --player nobody"])
def test_what_is_no_ladder_is_one_message(line: str) -> None:
    done = targi("lab", *line.split(), "--games", "2")
    assert done.code == 2 and done.out == "" and "Traceback" not in done.err


def test_a_share_of_the_deal_that_is_seen_to_be_nothing_is_not_certain() -> None:
    (luck,) = ladder(Version("tic_tac_toe"), ["busy", "random"], Runner(40)).sections[1].findings
    assert luck.interval.value == 0 and luck.interval.high > 0.02
