"""Metrics: what play of games is like whose answers are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl import Policy
from targi_dsl.ir.game import Game
from targi_dsl.lab.findings import amount
from targi_dsl.lab.interventions import policy
from targi_dsl.lab.metrics import metrics
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.version import Version
from targi_dsl.search.estimates import Interval


def found(name: str, games: int) -> dict[str, Interval]:
    """The measures of a game."""
    sections = metrics(Version(name), "busy", Runner(games)).sections
    return {one.measure: one.interval for section in sections for one in section.findings}


def test_in_tic_tac_toe_decisions_matter_and_nobody_trails_for_long() -> None:
    measures = found("tic_tac_toe", 40)
    assert measures["share of decisions that matter"].low > 0.1
    assert measures["drama"].high < 0.3
    assert measures["cut off"].value == 0


def test_nobody_knows_how_dice_will_fall() -> None:
    measures = found("dice_race", 20)
    assert measures["drama"].low > 0
    assert measures["changes of who is likely to win"].low > 0
    assert measures["share of the game that is left when settled"].high < 0.8


FLIP = """language 2
game flip "Flip"
players ann, ben
resource coins (one coin)
variable die: 1 to 6
variable turns: 0 to 6

rule setup
  nothing

rule round
  each player
    choose k in 1..6 as "waste {k}"
    roll die
  set turns to turns + 1
  if turns is 6: do finish

rule finish
  roll die
  if die is at most 3: ann gains 1 coin
  otherwise: ben gains 1 coin
  end game

score coins: your coins
"""


def test_where_a_die_decides_in_the_end_nobody_is_ahead(tmp_path: Path) -> None:
    path = tmp_path / "flip.targi"
    path.write_text(FLIP, encoding="utf-8")
    measures = found(str(path), 40)
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


RARE = """language 2
game rare "Rare"
players ann, ben
resource coins (one coin)
variable die: 1 to 36

rule setup
  nothing

rule round
  each player
    choose k in 1..6 as "wait {k}"
    gain (k) coins
  roll die
  if die is 1: do crash
  do finish

rule crash
  end game

rule finish
  end game

score points: your coins
"""


def test_a_way_to_end_that_is_rare_counts_in_all_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of the batches of games that are counted together have no crash."""
    (tmp_path / "rare.targi").write_text(RARE, encoding="utf-8")
    monkeypatch.setattr("targi_dsl.lab.metrics.COURSES", 1)
    measures = found(str(tmp_path / "rare.targi"), 400)
    ends = {name: one for name, one in measures.items() if name.startswith("ended by ")}
    assert ends.keys() == {"ended by crash", "ended by finish"}
    assert sum(one.value for one in ends.values()) == pytest.approx(1)
    assert ends["ended by crash"].holds(1 / 36)


def test_what_cannot_be_negative_is_not_said_to_be() -> None:
    assert found("nim", 12)["changes of who is likely to win"].low >= 0
    assert [amount("drama", -0.0004), amount("rounds", -0.004)] == ["0.0 %", "0.00"]
