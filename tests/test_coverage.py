"""What of a game is used: by random games, by rule tests, and on a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from targi_dsl.compiler.load import load
from targi_dsl.tools.coverage import shares, trace_games, unused
from tests.commands import targi

SHEET = 'language 2\ngame hops "Hops"\n  rules hops\n'
RULES = """\
language 2
module hops
players ann, ben
resource coins
option hats: plain or tall

rule setup
  nothing

rule round
  turn of ann
    if your coins is at least 3: do finish
    one of
      leap_far: do leap
      rest: nothing

rule leap
  forbid too_rich: your coins is 3
  gain 1 coins
  if option hats is tall: gain 2 coins

rule unseen
  gain 1 coins

rule finish
  end game

score coins: your coins
"""
TESTS = """\
language 2
tests of hops

test "three leaps end the game"
  when leap_far; leap_far; leap_far
  then
    asked: nobody
    ann: 3 coins
"""

WORDS = ("rule unseen", "rule leap", "if option hats")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hops").mkdir()
    (tmp_path / "hops.targi").write_text(SHEET)
    (tmp_path / "hops/01.targi").write_text(RULES)
    (tmp_path / "hops/01.test.targi").write_text(TESTS)
    return tmp_path


def test_what_random_games_never_use_is_listed_by_line(folder: Path) -> None:
    trial = trace_games(load(str(folder / "hops.targi")), range(20))
    assert trial.faults == {}
    assert trial.winners == {"ann": 20}
    assert min(trial.lengths) >= 3
    assert shares(trial.covered)["rule"] == (4, 5)
    found = {(item.sort, item.line, item.name) for item in unused(trial.covered)}
    assert found == {
        ("rule", 22, "unseen"),
        ("statement", 23, ""),
        ("branch", 20, "holds"),
        ("prohibition", 18, "too_rich"),
        ("option", 0, "hats: tall"),
    }


def test_a_trial_names_what_was_never_used_as_the_coverage_does(folder: Path) -> None:
    sheet = str(folder / "hops.targi")
    _, *never = targi("coverage", sheet, "--games", "5").out.split("never used: ")
    assert never
    assert f"never used: {never[0].rstrip()}" in targi("try", sheet, "--games", "5").out
    _, *nothing = targi("coverage", "pig", "--games", "5").out.split("never used: ")
    assert nothing == ["nothing\n"]
    assert "never used: nothing" in targi("try", "pig", "--games", "5").out


def test_no_further_game_begins_when_games_take_long_unless_their_number_is_given(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = str(folder / "hops.targi")
    monkeypatch.setattr("targi_dsl.cli.commands.coverage.MOST_ELEMENTS", 0)
    for command, number in (("try", 200), ("coverage", 100)):
        line = f"stopped after 1 game, which take long; to play more: --games {number}\n"
        assert line in targi(command, sheet).out
        assert "stopped" not in targi(command, sheet, "--games", "2").out


def test_a_condition_that_never_held_is_called_so(folder: Path) -> None:
    out = targi("coverage", str(folder / "hops.targi"), "--games", "5").out
    assert "01.targi:20  the condition holds\n" in out


def test_where_something_was_first_used_is_told_by_seed_and_question(folder: Path) -> None:
    trial = trace_games(load(str(folder / "hops.targi")), range(5))
    (finish,) = (first for item, first in trial.firsts.items() if item.name == "finish")
    assert (finish.seed, finish.questions) == (0, trial.lengths[0])


def test_rule_tests_show_what_they_do_not_use(folder: Path) -> None:
    done = targi("test", str(folder), "--coverage", "--json").document
    assert done["coverage"]["shares"]["rule"] == {"number": 5, "used": 4}
    never = {(one["sort"], one["name"]) for one in done["coverage"]["items"] if not one["times"]}
    assert ("option", "hats: tall") in never
    assert ("option", "hats: plain") not in never
    (rest,) = (one["problems"] for one in done["tests"])
    assert rest == []


def test_the_page_colours_every_line(folder: Path) -> None:
    page = folder / "page.html"
    done = targi("test", str(folder), "--coverage", "--html", str(page))
    assert done.code == 0
    assert "rules                    4 of     5" in done.out
    spans = [line for line in page.read_text().splitlines() if line.startswith("<span")]
    found = {words: line.split('"')[1] for line in spans for words in WORDS if words in line}
    assert found == {"rule unseen": "never", "rule leap": "used", "if option hats": "partly"}
    assert targi("test", str(folder), "--html", str(page)).code == 2


def test_a_trial_tells_faults_with_their_seeds(folder: Path) -> None:
    sheet = str(folder / "hops.targi")
    done = targi("try", sheet, "--games", "5")
    assert done.code == 0
    assert "faults: none" in done.out
    assert "rule unseen" in done.out
    (folder / "hops/01.targi").write_text(RULES.replace("do finish", "pay 9 coins"))
    done = targi("try", sheet, "--games", "2", "--seed", "7")
    assert done.code == 1
    assert "fault: E6" in done.out
    assert "--seed 7" in done.out
    assert [
        one["seed"] for one in targi("try", sheet, "--games", "2", "--json").document["faults"]
    ] == [0, 1]


def test_random_games_of_a_shipped_game_are_covered() -> None:
    document = targi("coverage", "pig", "--games", "5", "--json").document
    assert document["shares"]["rule"]["used"] == document["shares"]["rule"]["number"]


@pytest.mark.parametrize(("name", "moves_cards"), [("crazy_eights", True), ("quoridor", False)])
def test_rule_tests_are_covered_whatever_they_look_at(name: str, moves_cards: bool) -> None:
    done = targi("test", name, "--coverage")
    assert done.code == 0
    cards = re.search(r"^cards +(\d+) of", done.out, re.MULTILINE)
    assert (cards is not None and int(cards[1]) > 0) == moves_cards
