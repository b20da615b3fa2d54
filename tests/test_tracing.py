"""Saved games looked into: what acted, why something could not be chosen, and what still holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.cli.commands.watch import how_far, random_record
from targi_dsl.compiler.load import load
from targi_dsl.records import write
from targi_dsl.records.testing import Games, read_tests, run_test
from targi_dsl.text.source import Source
from tests.commands import targi


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("saved") / "base.yaml"
    file.write_text(write(random_record(load("base"), "base")))
    return file


def test_a_choice_shows_the_rules_that_acted_under_those_that_did_them(record: Path) -> None:
    out = targi("trace", str(record), "--step", "6").out.splitlines()
    assert out[0].startswith("6. ")
    rules = {line.split()[0]: len(line) - len(line.lstrip()) for line in out[1:]}
    assert rules["markers"] == rules["actions"] < rules["action_turn"]
    (markers,) = (line for line in out if line.split()[0] == "markers")
    assert markers.endswith("  rules/base/07_markers.targi:5")


def test_a_trace_tells_only_what_the_seat_may_know(tmp_path: Path) -> None:
    file = tmp_path / "bazaar.yaml"
    game = load("bazaar")
    file.write_text(write(random_record(game, "bazaar")))
    told = {
        seat: targi("trace", str(file), "--seen-by", seat, "--json").document["choices"]
        for seat in (*game.players, "public")
    }
    texts = {
        seat: [act["event"]["text"] for one in found for act in one["acts"] if act["event"]]
        for seat, found in told.items()
    }
    assert len({tuple(those) for those in texts.values()}) == len(texts)
    secret = [row for row in zip(*texts.values(), strict=True) if len({*row}) > 1]
    assert len(secret) > 20
    assert all(row.count(row[-1]) < len(row) for row in secret)  # somebody knows more than all do


def test_why_names_every_reason_with_its_place(record: Path) -> None:
    done = targi("why", str(record), "1", "place_targi 4")
    assert done.code == 0
    assert "raid_card: " in done.out
    assert "rules/base/06_placement.targi:19" in done.out
    (reason,) = targi("why", str(record), "1", "place_targi 4", "--json").document["reasons"]
    assert reason["name"] == "raid_card"
    assert "raid_card: " in targi("why", str(record), "1", "border 4").out
    assert "It is offered." in targi("why", str(record), "1", "border 5").out


@pytest.mark.parametrize("arguments", [["trace", "--step"], ["why"]])
def test_a_choice_that_the_game_does_not_have_is_refused(
    record: Path, arguments: list[str]
) -> None:
    command, *option = arguments
    words = ["done"] if command == "why" else []
    assert targi(command, str(record), *option, "9999", *words).code == 2


def test_under_changed_rules_it_is_told_from_which_choice_a_game_goes_otherwise() -> None:
    record = random_record(load("base"), "base")
    length = len(record.choices)
    assert how_far(load("base"), record) == f"{length} of {length} choices still hold."
    told = how_far(load("base", options={"own_opposite": "forbidden"}), record)
    assert told.startswith("The game goes otherwise from choice ")
    assert "`place_targi 15` is not offered (" in told


def test_a_watch_checks_shows_changes_and_replays(tmp_path: Path) -> None:
    assert targi("new", "hop", "--folder", str(tmp_path)).code == 0
    sheet = tmp_path / "hop.targi"
    done = targi("watch", str(sheet), "--times", "1")
    assert done.code == 0
    assert "choices still hold." in done.out
    sheet.write_text(sheet.read_text().replace("language 2", "language 2\nnonsense"))
    done = targi("watch", str(sheet), "--times", "1")
    assert "nonsense" in done.out
    assert "The game cannot be played" in done.out


def test_a_watch_names_the_files_that_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert targi("new", "hop", "--folder", str(tmp_path)).code == 0
    sheet, part = tmp_path / "hop.targi", tmp_path / "hop" / "more.targi"
    part.parent.mkdir()
    edits = iter(
        (
            lambda: part.write_text("language 2\nmodule hop\n"),
            lambda: sheet.write_text(f"{sheet.read_text()}\n\nscore spare: 1\n"),
            part.unlink,
        )
    )
    monkeypatch.setattr("time.sleep", lambda _: next(edits)())
    out = targi("watch", str(sheet), "--times", "4").out
    assert "\nhop/more.targi is new\n" in out
    assert "\nhop.targi has changed\n\nrules\n  + score spare" in out
    assert "\nhop/more.targi is gone\n" in out


def test_a_game_played_is_kept_as_a_test_that_holds(tmp_path: Path) -> None:
    file = tmp_path / "x.test.targi"
    seats = ("--seat", "blue=busy", "--seat", "white=random")
    played = ("play", "base", *seats, "--json", "--seed", "3", "--test", str(file))
    options = ("--option", "own_opposite=forbidden")
    assert targi(*played).code == 0
    assert targi(*played, *options).code == 0
    text = file.read_text()
    assert text.count("option own_opposite: forbidden") == 1
    tests = read_tests(Source("x.test.targi", text))
    assert [run_test(tests, one, Games()).problems for one in tests.tests] == [(), ()]
    assert targi("play", "nim", *played[2 + len(seats) :]).code == 1
    assert file.read_text() == text
