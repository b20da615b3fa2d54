"""Advice, and the analysis of saved games."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from targi_dsl import Seed, State, choices, load, observe, start, step
from targi_dsl.search import Budget
from targi_dsl.search.advice import advice
from targi_dsl.search.analysis import judgement
from targi_dsl.search.estimates import mean_of
from tests.commands import targi
from tests.texts import game_file


def board(*squares: str) -> State:
    """Tic-tac-toe after these squares were taken."""
    state = start(load("tic_tac_toe"), Seed(0))
    for square in squares:
        state = step(state, next(one for one in choices(state) if one.id.endswith(square)))
    return state


def judged(state: State, square: str) -> tuple[str, bool, bool, float]:
    seen = observe(state, str(state.seat))
    (id_,) = (one for one in seen.choices if one.endswith(square))
    found = judgement(seen, id_, 1, Budget(400))
    return found.best[-2:], found.is_mistake, found.is_turning_point, found.lost.value


def test_a_missed_win_is_a_mistake_and_a_turning_point() -> None:
    state = board("a1", "b1", "a2", "b2")
    assert judged(state, "c1")[:3] == ("a3", True, True)
    assert judged(state, "a3") == ("a3", False, False, 0)


def test_advice_says_how_much_better_a_choice_is_and_what_the_others_do_then() -> None:
    state = board("a1", "b2", "b1")
    found = advice(observe(state, str(state.seat)), 1, Budget(1_000))
    assert found.choice.endswith("c1") and found.other != found.choice
    assert found.difference.low > 0
    assert found.reply is not None
    after, answer = found.reply
    assert after.seat != state.seat and answer.endswith("a3"), "nought has two in a row"


def test_a_single_choice_is_compared_with_no_other() -> None:
    state = start(load("heiress"), Seed(15))
    (only,) = choices(state)
    found = advice(observe(state, str(state.seat)), 1, Budget(100))
    assert found.choice == found.other == only.id
    told = targi("play", "heiress", "--seed", "15", "--advice", answers="quit\n").out
    assert "would choose 1) play Watchman" in told and "Better than" not in told


def test_where_the_seat_itself_goes_on_there_is_no_reply() -> None:
    state = start(load("pig"), Seed(0))
    found = advice(observe(state, str(state.seat)), 1, Budget(100))
    assert found.reply is None or found.reply[0].seat != state.seat


@pytest.mark.parametrize(("count", "errors"), [(2, 12.706), (3, 4.303), (5, 2.776), (31, 2.042)])
def test_a_mean_of_few_values_has_no_narrower_interval_than_in_the_textbook(
    count: int, errors: float
) -> None:
    found = mean_of([*range(count)])
    error = ((count + 1) / 12) ** 0.5
    assert found.value == (count - 1) / 2
    assert 0.999 < (found.high - found.value) / error / errors < (1.05 if count > 2 else 1.4)


def test_of_few_values_that_are_equal_nothing_is_known() -> None:
    assert not mean_of([4.0]).is_known and not mean_of([0.3] * 29).is_known
    assert mean_of([4.0] * 30).low == pytest.approx(3.9)


def test_two_playouts_tell_of_no_mistake() -> None:
    found = judgement(seen := observe(board(), "cross"), seen.choices[0], 1, Budget(1))
    assert not found.lost.is_known and not found.is_mistake and not found.is_turning_point


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("saved") / "game.yaml"
    targi("play", "tic_tac_toe", *["--seat", "cross=random", "--seat", "nought=random", "--seed", "5"],
          "--save", str(file))  # fmt: skip
    return file


def test_a_saved_game_is_analysed_in_words_and_as_json(saved: Path) -> None:
    told = targi("analyse", str(saved), "--think", "300").out
    assert "cross: " in told and " mistakes, which cost " in told
    found = json.loads(targi("analyse", str(saved), "--think", "300", "--json").out)
    assert found["decisions"][0]["number"] == 1
    mistakes = [one for one in found["decisions"] if one["lost"]["value"] > 0]
    assert told.count("Better by") <= len(mistakes)


def test_an_analysis_is_a_page_with_a_curve_for_each_seat(saved: Path, tmp_path: Path) -> None:
    file = tmp_path / "analysis.html"
    told = targi("analyse", str(saved), "--think", "300", "--html", str(file)).out
    text = file.read_text(encoding="utf-8")
    page = ElementTree.fromstring(text[text.index("<svg") : text.index("</svg>") + 6])
    drawn = [one.get("points", "").split() for one in page.iter("polyline")]
    curves = [points for *points, last in drawn if points[-1] == last]  # so one alone is drawn
    decisions = json.loads(targi("analyse", str(saved), "--think", "300", "--json").out)[
        "decisions"
    ]
    assert sum(map(len, curves)) == len(decisions) and len(curves) == 2
    high = {one.split(",")[1] for curve in curves for one in curve}
    assert len(high) > 1, "chances change"
    assert told.count("chance of ") == 2
    turns = [line for line in told.splitlines() if line.startswith("turning point")]
    assert len([*page.iter("title")]) == len(turns) > 0
    assert text.count("class=mistake") == told.count("Better by ") > 0
    assert text.count("<tr") == len(decisions) + 1


@pytest.mark.parametrize("given", ["0", "0s", "-1", "9999999", "601s", "2m", ""])
def test_a_thought_of_no_trial_or_of_hours_is_refused(given: str) -> None:
    said = targi("play", "tic_tac_toe", "--json", "--think", given)
    assert said.code == 2
    assert "is neither a number of playouts from 1 to" in said.err


def test_a_level_is_a_number_of_playouts() -> None:
    def game(*more: str) -> object:
        return json.loads(targi("play", "tic_tac_toe", "--json", "--seed", "3", *more).out)

    assert game("--level", "3") == game("--think", "100")
    said = targi("play", "tic_tac_toe", "--json", "--level", "2", "--think", "100")
    assert said.code == 2 and "give one of them" in said.err
    said = targi("play", "tic_tac_toe", "--json", "--level", "6")
    assert "'6' is not a whole number from 1 to 5" in said.err


def test_where_no_choice_matters_none_costs_a_chance_to_win() -> None:
    state = start(load(game_file("coin")), Seed(1))
    seen = observe(state, str(state.seat))
    costs = [
        judgement(seen, seen.choices[0], seed, Budget(192)).lost_chance.value for seed in range(60)
    ]
    assert abs(sum(costs) / len(costs)) < 0.04
    told = [advice(seen, seed, Budget(192)).difference.value for seed in range(600)]
    assert abs(sum(told) / len(told)) < 0.06, "the best of six equal choices is no better"


def test_games_that_cannot_go_on_are_not_what_a_choice_costs() -> None:
    """In some of them the total leaves its range; right is better by a point at first."""
    state = start(load(game_file("fault")), Seed(1))
    seen = observe(state, str(state.seat))
    for seed in range(6):
        found = judgement(seen, seen.choices[0], seed, Budget(400))
        assert abs(found.lost.value) < 5 and found.lost.high - found.lost.value < 4
        better = advice(seen, seed, Budget(400)).difference
        assert better.high - better.value < 4
