"""Tuning: what is wanted is found and holds on other deals, and what cannot be had is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from targi_dsl import Problems, load
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.tune import FRESH, Target, Vary, tune
from targi_dsl.lab.version import Version
from tests.commands import targi
from tests.texts import game_file


def test_a_number_of_rounds_is_found() -> None:
    found = tune(
        Version("bazaar"), [Vary.of("days: 3..7")], [Target("rounds", 4)], "busy", Runner(200)
    )
    assert found.version.sets == (("days", "4"),)
    assert found.result.sections[1].findings[0].verdict == "met"


def test_what_cannot_be_had_is_told_with_how_near_one_comes() -> None:
    vary, target = Vary.of("days: 3..4"), Target("rounds", 9)
    found = tune(Version("bazaar"), [vary], [target], "busy", Runner(100))
    (told,) = found.result.sections[1].findings
    assert found.version.sets == (("days", "4"),)
    assert told.verdict == "not met" and "nearer than -5" in told.says


def test_of_several_targets_there_is_a_front() -> None:
    targets = [Target("rounds", 5), Target("points", 0)]
    found = tune(Version("bazaar"), [Vary.of("days: 3..5")], targets, "busy", Runner(100))
    told = {one.says.split(":")[0] for one in found.result.sections[0].findings}
    assert {"days 3", "days 5"} <= told


def test_of_many_candidates_a_sampler_picks_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tune.__globals__, "RACING", 6)
    found = tune(
        Version("pig"), [Vary.of("goal: 10..60")], [Target("rounds", 3)], "busy", Runner(60)
    )
    assert 2 <= int(found.result.sections[0].about.split()[0]) <= 6
    told = [abs(one.interval.value - 3) for one in found.result.sections[0].findings]
    assert told == sorted(told)


def test_options_and_decks_may_be_others() -> None:
    varied = [Vary.of("option bumping: gentle | rough")]
    found = tune(Version("dice_race"), varied, [Target("points", 19)], "busy", Runner(400))
    assert found.version.options == (("bumping", "rough"),)
    assert "  option bumping: rough\n" in found.version.text("mine", "Mine")
    assert Vary.of("deck pile: some_cards + more | 9 of any").values == (
        "some_cards + more",
        "9 of any",
    )


def test_candidates_that_are_no_valid_games_are_left_out() -> None:
    vary, target = Vary.of("street_length: -1..4"), Target("rounds", 5)
    found = tune(Version("bazaar"), [vary], [target], "busy", Runner(20))
    assert "no valid games, so left out: 1" in found.result.sections[0].remarks[0]
    with pytest.raises(Problems) as error:
        tune(Version("base"), [Vary.of("figures_each: -3..-1")], [target], "busy", Runner(20))
    assert "no candidate is a valid game" in error.value.problems[0].title


def test_the_nearest_is_written_as_a_variant_that_diff_shows(tmp_path: Path) -> None:
    path = tmp_path / "Quick-2.b.targi"
    line = ["--vary", "define days: 4..6", "--target", "mean rounds 4", "--games", "40"]
    done = targi("lab", "tune", "bazaar", *line, "--write", str(path))
    assert done.code == 0, done.err
    assert load(str(path)).title
    assert "days" in targi("diff", "bazaar", str(path)).out
    again = targi("lab", "tune", "bazaar", *line, "--write", str(path))
    assert again.code == 1 and again.out == ""


@pytest.mark.parametrize(
    ("vary", "target", "code", "meant"),
    [
        ("define dayz: 3..4", "rounds 4", 1, "days"),
        ("define days: 3..4", "mean round 4", 1, "rounds"),
        ("define days: 4..3", "rounds 4", 2, "nothing that may be another"),
        ("define days", "rounds 4", 2, "nothing that may be another"),
        ("option dayz: one | two", "rounds 4", 1, "dayz"),
        ("option days: one | one", "rounds 4", 2, "nothing that may be another"),
        ("define days: 3..4", "rounds", 2, "target"),
    ],
)
def test_what_cannot_be_tuned_is_one_message(vary: str, target: str, code: int, meant: str) -> None:
    done = targi("lab", "tune", "bazaar", "--vary", vary, "--target", target, "--games", "5")
    assert done.code == code and done.out == "" and meant in done.err
    assert "Traceback" not in done.err


def test_an_end_that_the_first_game_does_not_have_may_be_sought() -> None:
    version = Version(game_file("two_ends"))
    for name in ("early", "late"):
        target = Target(f"ended by {name}", 0.5)
        found = tune(version, [Vary.of("most: 1..3")], [target], "busy", Runner(40))
        assert found.result.sections[0].findings


def test_without_time_for_fresh_deals_nothing_is_told_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play, played = Runner.play, list[int]()

    def until_fresh(runner: Runner, jobs: Any, games: int = 0, seconds: float = 0) -> Any:
        played.append(jobs[0].shift)
        return iter(()) if jobs[0].shift >= FRESH else play(runner, jobs, games, seconds)

    monkeypatch.setattr(Runner, "play", until_fresh)
    target = [Target("rounds", 4)]
    found = tune(Version("bazaar"), [Vary.of("days: 3..5")], target, "busy", Runner(40))
    fresh = found.result.sections[1]
    assert played and not fresh.findings and "no time was left" in fresh.about
