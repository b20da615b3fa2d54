"""Metrics: what play of games is like whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from targi_dsl import Policy
from targi_dsl.ir.game import Game
from targi_dsl.lab.findings import amount
from targi_dsl.lab.interventions import policy
from targi_dsl.lab.measures import columns, rows_of
from targi_dsl.lab.metrics import metrics
from targi_dsl.lab.runner import Runner, in_all_seats
from targi_dsl.lab.version import Version, game_of
from targi_dsl.search.estimates import Interval
from tests.texts import game_file


def found(name: str, games: int) -> dict[str, Interval]:
    """The measures of a game."""
    sections = metrics(Version(name), "busy", Runner(games)).sections
    return {one.measure: one.interval for section in sections for one in section.findings}


def test_in_tic_tac_toe_decisions_matter_and_nobody_trails_for_long() -> None:
    measures = found("tic_tac_toe", 40)
    assert measures["share of decisions that matter"].low > 0.1
    assert measures["drama"].high < 0.3
    assert measures["cut off"].value == 0


def test_the_margin_is_that_of_the_first_over_the_second_where_the_lowest_score_wins() -> None:
    game, runner = game_of(Version("stray_cats")), Runner(50)
    for (batch,) in runner.play([in_all_seats(Version("stray_cats"), "busy")], 50):
        measured = columns(game, rows_of(game, batch))
        points = np.sort([measured[f"points of {seat}"] for seat in game.players], axis=0)
        assert (measured["margin"] == points[1] - points[0]).all() and points[2].any()


def test_nobody_knows_how_dice_will_fall() -> None:
    measures = found("dice_race", 20)
    assert measures["drama"].low > 0
    assert measures["changes of who is likely to win"].low > 0
    assert measures["share of the game that is left when settled"].high < 0.8


def test_where_a_die_decides_in_the_end_nobody_is_ahead() -> None:
    measures = found(game_file("flip"), 40)
    assert measures["drama"].low <= 0 < measures["drama"].high
    assert measures["changes of who is likely to win"].high < 0.5


def test_only_with_three_seats_somebody_makes_kings() -> None:
    assert "share of decisions that make kings" in found("bazaar", 3)
    assert "share of decisions that make kings" not in found("base", 2)


def test_playouts_have_other_luck_than_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = list[int]()

    def noted(game: Game, kind: str, seed: int) -> Policy:
        seeds.append(seed)
        return policy(game, kind, seed)

    monkeypatch.setattr("targi_dsl.lab.metrics.policy", noted)
    metrics(Version("tic_tac_toe"), "busy", Runner(1))
    assert seeds[0] == 0 and min(seeds[1:]) > 1_000_000


def test_a_way_to_end_that_is_rare_counts_in_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of the batches of games that are counted together have no crash."""
    monkeypatch.setattr("targi_dsl.lab.metrics.COURSES", 1)
    measures = found(game_file("rare"), 400)
    ends = {name: one for name, one in measures.items() if name.startswith("ended by ")}
    assert ends.keys() == {"ended by crash", "ended by finish"}
    assert sum(one.value for one in ends.values()) == pytest.approx(1)
    assert ends["ended by crash"].holds(1 / 36)


def test_what_cannot_be_negative_is_not_said_to_be() -> None:
    assert found("nim", 12)["changes of who is likely to win"].low >= 0
    assert [amount("drama", -0.0004), amount("rounds", -0.004)] == ["0.0 %", "0.00"]
