"""What stops a game on trial is told with its place and its seed, and what is accepted without a word
does not stop.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.accepted import batch
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.simulation.smoke_test import smoke_test
from tests.commands import targi
from tests.faulty_games import FAULTY, PONDS, wrong
from tests.games import compiled

RACE = """\
language 2
game race "A race"

players ann, ben
space track: row of 5
piece runner: 1 for each player
define here: number of place of your runner

rule setup
  each player: place runner on track 1

rule round
  each player
    # The next line is the one in question.
    choose ahead in (t in track where number of t is more than here) as "to {ahead}"
    move your runner to ahead
    if here is 6: you win
"""

SHARED = """\
language 2
game shared "A heap for three"

players 2 to 4: ann, ben, cleo, dora
resource chips
variable left: 0 to 8, starts as 8

rule setup
  each player
    choose taken in 2..3 where taken is at most left
    set left to left - taken
    gain (taken) chips

rule round
  end game

score chips: your chips
"""

PLACES = dict(zip(PONDS, (place for _, _, place, _ in FAULTY), strict=True))


@pytest.mark.parametrize(("name", "place"), PLACES.items())
def test_what_stops_a_game_is_told_at_its_place_with_its_seed(name: str, place: str) -> None:
    (problem,) = smoke_test(wrong(name), 8)
    assert (problem.code, problem.severity) == ("W926", "warning")
    assert problem.span is not None
    assert place.partition("\n")[0] in problem.span.text or problem.span.text in place
    assert "with seed " in problem.text


@pytest.mark.parametrize("name", ["pig", "kuhn_poker", "bazaar"])
def test_a_game_that_goes_on_is_tried_without_a_word(name: str) -> None:
    assert smoke_test(compiled(name), 8) == ()


def race(folder: Path, comment: str) -> str:
    path = folder / "race.targi"
    path.write_text(RACE.replace("The next line is the one in question.", comment))
    return str(path)


def test_validate_tells_how_to_play_the_game_again(tmp_path: Path) -> None:
    path = race(tmp_path, "Always onwards.")
    done = targi("validate", path, "--json")
    (problem,) = done.document["problems"]
    assert done.code == 0
    assert (problem["code"], problem["line"]) == ("W926", 15)
    assert problem["title"] == "play can stop here: `round` cannot be answered"
    again = problem["hint"].split()
    assert again[:2] == ["targi", "play"]
    assert "`round` cannot be answered" in targi(*again[1:]).err
    assert targi("validate", path, "--level", "W926=error").code == 1


def test_a_game_is_tried_with_each_number_of_players(tmp_path: Path) -> None:
    path = tmp_path / "shared.targi"
    path.write_text(SHARED)
    (problem,) = targi("validate", str(path), "--json").document["problems"]
    assert problem["code"] == "W926" and problem["hint"].endswith(" --players=4")


def test_the_trial_can_be_left_out_and_its_warning_allowed(tmp_path: Path) -> None:
    path = race(tmp_path, "Always onwards.")
    assert "no problems" in targi("validate", path, "--games", "0").out
    path = race(tmp_path, "allow W926: the last one to move wins by agreement")
    assert "no problems" in targi("validate", path).out


@pytest.mark.parametrize("sheet", ["amazons", "auction", "clobber"])
def test_changed_files_that_are_accepted_without_a_word_do_not_stop(sheet: str) -> None:
    found = batch(sheet, 5, 3)
    assert [one for one in found if one.ended in ("stopped", "died")] == []
    assert sum(one.ended == "played" for one in found) == 5


def test_where_a_module_has_changed_the_rule_that_stops_is_told() -> None:
    text = "language 2\ngame early based on base\nextend rule display after display_full\n"
    game, _ = check("early", of_texts({"early.targi": f"{text}  gain 1 date\n"}))
    assert game is not None
    (problem,) = smoke_test(game)
    assert problem.span is not None
    assert problem.span.source.name.endswith("09_tribe_cards.targi")
    told = [(label.span.line, label.text) for label in problem.labels]
    assert told == [(3, "extended here, in module early")]


PLOTS = """\
language 2
game plots "Plots"
  option crowding: forbidden
  option border: closed
players ann, ben
space field: grid 2 by 2
piece hut: 9 for each player
option crowding: allowed or forbidden
option border: open or closed
variable day: 0 to 2
define usable: field except (row 1 of field) if option border is closed otherwise field
define free: (s in usable where option crowding is allowed or no hut on s)
rule setup
  nothing
rule round
  each player
    choose spot in free
    place hut on spot
  set day to day + 1
  if day is 2: end game
score huts: count of place of your hut
"""


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        (
            PLOTS,
            "No game on trial stops with `option border: open` or with `option crowding: allowed`.",
        ),
        (PLOTS.replace("day is 2", "day is 1"), ""),
    ],
)
def test_options_that_together_stop_a_game_are_named(tmp_path: Path, sheet: str, told: str) -> None:
    (tmp_path / "plots.targi").write_text(sheet)
    problems = targi("validate", str(tmp_path / "plots.targi"), "--json").document["problems"]
    assert [(one["code"], one["text"].startswith(told)) for one in problems] == (
        [("W926", True)] if told else []
    )


@pytest.mark.parametrize(("end", "codes"), [("day is 3", []), ("day is 0", ["W926"])])
def test_a_game_of_which_none_on_trial_ends_is_told(
    tmp_path: Path, end: str, codes: list[str]
) -> None:
    lines = ["language 2", 'game days "Days"', "players ann, ben", "variable day: 0 to 3"]
    lines += ("rule setup", "  nothing", "rule round", "  turn of ann", "    choose number in 1..3")
    lines += ("    set day to number", f"    if {end}: end game", "score days: day", "")
    (tmp_path / "days.targi").write_text("\n".join(lines))
    problems = targi("validate", str(tmp_path / "days.targi"), "--json").document["problems"]
    assert [one["code"] for one in problems] == codes


@pytest.mark.parametrize(
    ("start", "titles"),
    [
        ("set mover to ann", []),
        ("nothing", ["`mover` is never set", "nobody ever has a choice"]),
    ],
)
def test_a_game_in_which_nobody_ever_has_a_choice_is_told(
    tmp_path: Path, start: str, titles: list[str]
) -> None:
    lines = ["language 2", 'game days "Days"', "players ann, ben", "variable day: 0 to 3"]
    lines += ("variable mover: player", "rule setup", f"  {start}", "rule round")
    lines += ("  turn of mover", "    choose number in 1..3", "    gain (number) fish")
    lines += ("  set mover to next of mover", "  set day to day + 1", "  if day is 3: end game")
    lines += ("resource fish", "score fish: your fish", "")
    (tmp_path / "days.targi").write_text("\n".join(lines))
    problems = targi("validate", str(tmp_path / "days.targi"), "--json").document["problems"]
    assert [one["title"] for one in problems] == titles
