"""The command line: what each command prints, and the exit code of each way it can end (and
tests/corpus/usage.txt).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import targi_dsl
import targi_dsl.cli as commands
from targi_dsl.text import resources
from tests.commands import process, targi
from tests.games import VARIED, compiled

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here writes into the home of whoever runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("LC_ALL", raising=False)


def fits(document: object, schema: str) -> None:
    data = resources.read(f"schema/{schema}.json")
    assert data is not None
    Draft202012Validator(json.loads(data)).validate(document)


# ---- every command ----


@pytest.mark.parametrize(
    "arguments", [["--help"], *([name, "--help"] for name in commands.COMMANDS)]
)
def test_every_command_has_help(arguments: list[str]) -> None:
    done = targi(*arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Usage: targi")


def test_the_version_is_told() -> None:
    assert targi("--version").out == f"targi, version {targi_dsl.__version__}\n"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("play none", 1),
        ("validate none", 1),
        ("replay none.txt", 1),
        ("play nim --seat ann=human", 2),
    ],
)
def test_with_json_problems_are_one_document(said: str, code: int) -> None:
    done = targi(*said.split(), "--json")
    assert done.code == code
    fits(done.document, "problems")
    assert done.document["problems"]


def test_a_bug_of_ours_is_70_one_line_and_a_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the words of the fault")

    monkeypatch.setattr("targi_dsl.cli.commands.games.shelf", broken)
    done = targi("games")
    assert done.code == 70
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    (report,) = (tmp_path / "state" / "targi_dsl").iterdir()
    assert str(report) in done.err
    assert "ZeroDivisionError: the words of the fault" in report.read_text(encoding="utf-8")
    as_json = targi("games", "--json")
    assert as_json.code == 70
    fits(as_json.document, "problems")


def test_a_bug_whose_report_cannot_be_written_is_still_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    monkeypatch.setattr("targi_dsl.cli.commands.games.shelf", lambda: 1 // 0)
    done = targi("games")
    assert done.code == 70
    assert len(done.err.splitlines()) == 1
    assert "could not be written" in done.err


def test_a_reader_who_goes_away_is_no_fault() -> None:
    command = [sys.executable, str(ROOT / "cli.py"), "show", "tic_tac_toe", "rules"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


# ---- games, validate, show ----


def test_games_lists_what_is_shipped() -> None:
    assert re.search(r"^tic_tac_toe +Tic-tac-toe$", targi("games").out, re.MULTILINE)
    games = {game["name"]: game for game in targi("games", "--json").document["games"]}
    assert games["tic_tac_toe"] == {
        "name": "tic_tac_toe",
        "title": "Tic-tac-toe",
        "file": "rules/games/tic_tac_toe.targi",
    }


def test_everything_shipped_is_without_errors_and_warnings() -> None:
    done = targi("validate", "--json", "--games", "0")
    fits(done.document, "problems")
    assert done.code == 0, done.out
    assert [(one["code"], one["title"]) for one in done.document["problems"]] == []


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


# ---- play and replay ----

BY_CHANCE = ("--seat", "cross=random", "--seat", "nought=random")


def test_a_game_by_chance_is_the_same_for_the_same_seed() -> None:
    one = targi("play", "tic_tac_toe", "--seed", "5", *BY_CHANCE, "--json")
    assert one.code == 0
    fits(one.document, "result")
    assert (
        one.document == targi("play", "tic_tac_toe", "--seed", "5", *BY_CHANCE, "--json").document
    )
    assert one.document["decisions"] >= 4
    others = [
        targi("play", "tic_tac_toe", "--seed", str(seed), *BY_CHANCE, "--json").document
        for seed in range(6, 12)
    ]
    assert len({json.dumps([other["decisions"], other["winner"]]) for other in others}) > 1


def test_if_nobody_is_named_a_person_sits_down_to_a_lookahead_player_and_with_json_two_of_them() -> (
    None
):
    assert "cross (human), nought (lookahead)" in targi("play", "tic_tac_toe", answers="quit\n").out
    document = targi("play", "tic_tac_toe", "--seed", "1", "--json").document
    assert document["seats"] == {"cross": "lookahead", "nought": "lookahead"}


@pytest.mark.parametrize(
    ("game", "seats"),
    [("base", ("blue=random", "white=busy")), ("two_traders", ("mira=random", "tarik=lookahead"))],
)
def test_a_game_of_programs_is_the_same_to_the_byte_however_python_hashes(
    game: str, seats: tuple[str, str]
) -> None:
    who = [part for seat in seats for part in ("--seat", seat)]
    arguments = ["play", game, *who, "--seed", "7", "--think", "20", "--json"]
    one, other = (process(*arguments, PYTHONHASHSEED=seed) for seed in ("0", "4242"))
    assert (one.code, one.out) == (0, other.out)
    fits(one.document, "result")
    assert one.document["game"] == game and one.document["seed"] == 7
    assert one.document["rounds"] >= 1 and one.document["ended_by"]


def test_a_seat_has_its_own_number_of_playouts_also_in_a_saved_game(tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    seats = "--seat", "cross=lookahead:10"
    done = targi("play", "tic_tac_toe", "--seed", "1", *seats, "--save", file, answers="quit\n")
    again = targi("play", "tic_tac_toe", "--save", file, *seats, answers="quit\n")
    assert "cross (lookahead:10), nought (lookahead)" in done.out and again.code == 0
    assert "cross (lookahead:10), nought (lookahead)" in again.out
    games = targi("simulate", "tic_tac_toe", *seats, "--games", "1", "--json").document
    assert [one["player"] for one in games["players"]] == ["lookahead:10", "random"]


def test_a_person_answers_by_number_or_by_name(tmp_path: Path) -> None:
    done = targi("play", "tic_tac_toe", "--seed", "1", answers="1\n" * 9)
    assert (done.code, done.err) == (0, "")
    assert "wins" in done.out or "Nobody" in done.out


def test_who_leaves_finds_the_game_again(tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    left = targi("play", "tic_tac_toe", "--seed", "1", "--save", file, answers="1\nquit\n")
    assert left.code == 0
    again = targi("play", "tic_tac_toe", "--save", file, answers="1\n" * 9)
    assert again.code == 0
    whole = str(tmp_path / "whole.txt")
    targi("play", "tic_tac_toe", "--seed", "1", "--save", whole, answers="1\n" * 9)
    assert Path(file).read_text() == Path(whole).read_text(), "an interrupted game is the same game"


def test_the_end_of_input_leaves_politely(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    done = targi("play", "tic_tac_toe", "--save", str(file), answers="1\n")
    assert (done.code, done.err) == (0, "")
    assert file.exists()


def test_the_whole_table_says_what_stands_on_cards_for_a_longer_word() -> None:
    done = targi("play", "five_trails", answers="table\nquit\n")
    (told,) = re.findall(r"^on cards: (.*)", done.out, re.MULTILINE)
    assert told == "amb amber, cor coral, jad jade, sla slate, vio violet, c climb"
    done = targi("play", "lots", answers="table\nquit\n")
    assert "\non cards: w worth\n" in done.out, "its values are never shortened"
    for game in ("tic_tac_toe", "heiress"):
        assert "on cards" not in targi("play", game, answers="table\nquit\n").out


def test_an_answer_that_is_none_is_told_and_asked_again() -> None:
    done = targi("play", "tic_tac_toe", answers="77\nxyz\n\nquit\n")
    assert done.code == 0
    assert "no choice `77`" in done.out
    assert "no choice `xyz`" in done.out


def test_a_save_of_another_seed_is_not_taken_for_this_game(tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    targi("play", "tic_tac_toe", "--seed", "1", "--save", file, answers="1\n")
    done = targi("play", "tic_tac_toe", "--seed", "2", "--save", file)
    assert done.code == 1
    assert "E709" in done.err


def test_a_saved_game_is_replayed_to_its_end_or_to_a_choice(tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    played = targi("play", "tic_tac_toe", "--seed", "3", "--save", file, "--json").document
    replayed = targi("replay", file, "--json")
    assert replayed.document == played
    part = targi("replay", file, "--to", "2", "--json").document
    fits(part, "result")
    assert (part["decisions"], part["ended_by"], part["winner"]) == (2, None, None)
    assert (
        targi("replay", file).out.count("\n1. ") + targi("replay", file).out.startswith("1. ") == 1
    )


@pytest.mark.parametrize("name", VARIED)
def test_a_game_is_played_to_its_end_and_replayed(name: str, tmp_path: Path) -> None:
    by_chance = [part for seat in compiled(name).players for part in ("--seat", f"{seat}=random")]
    file = str(tmp_path / "game.txt")
    done = targi("play", name, "--seed", "1", *by_chance, "--save", file, "--json")
    assert done.code == 0, done.err
    fits(done.document, "result")
    assert targi("replay", file, "--json").document == done.document


# ---- the README, and the first pages of docs/ ----

AT_RANDOM = ("--seat", "blue=random", "--seat", "white=random")


def blocks(page: str = "README.md") -> Iterator[str]:
    """The indented parts of a page."""
    for found in re.finditer(
        r"(?:^(?: {4}.*)?\n)+", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE
    ):
        if text := re.sub("^ {4}", "", found[0].strip("\n"), flags=re.MULTILINE):
            yield text + "\n"


def test_the_session_on_the_page_about_playing_is_a_real_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of a terminal of 80 columns, with the answers after the prompts; `...` replaces an
    omitted part.
    """
    (session,) = (text for text in blocks("docs/playing.md") if text.startswith("$ targi"))
    command, _, shown = session.partition("\n")
    answers = "\n".join(re.findall("^> (.*)$", shown, re.MULTILINE)) + "\n"
    monkeypatch.chdir(tmp_path)
    told = targi(*command.split()[2:], answers=answers).out
    first, *parts = re.sub("^> .*\n", "> ", shown, flags=re.MULTILINE).split("...\n")
    assert told.startswith(first)
    for part in parts:
        found = told.find(part, len(first))
        assert found > 0, part
    assert told.endswith(parts[-1])


def test_the_rule_in_the_readme_is_a_shipped_one_and_its_variant_plays(tmp_path: Path) -> None:
    rule, sheet = (text for text in blocks() if text.startswith(("rule ", "language ")))
    assert rule in (ROOT / "rules/base/10_border_cards.targi").read_text(encoding="utf-8")
    path = write(tmp_path, "silver.targi", sheet)
    assert targi("validate", path).out.endswith(f"{path}: no problems\n")
    changes = re.findall("^ *([-+])(.*)$", targi("diff", "base", path).out, re.MULTILINE)
    assert [sign for sign, _ in changes] == ["-", "-", "+", "+"]
    assert targi("play", path, *AT_RANDOM, "--seed", "1", "--json").code == 0


def test_the_steps_of_a_first_variant_lead_to_one_that_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = re.findall(
        r"^\d+\. (.*)$", (ROOT / "docs/first-variant.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(steps) == 10
    words = [re.findall("`([^`]+)`", step) for step in steps]
    said = [word.split()[1:] for step in words for word in step if word.startswith("targi ")]
    monkeypatch.chdir(tmp_path)
    assert targi(*said[0]).code == 0
    assert "They do not differ" in targi("diff", "expansion", "my_dunes").out
    assert "They do not differ" in targi("diff", "expansion", "my_dunes.targi").out
    option, define, action = words[2][2], words[3][1], words[4][1]
    for file, pattern, instead in (
        ("my_dunes.targi", f"#  {option}", f"  {option}"),
        ("my_dunes.targi", "#  deck", "  deck"),
        ("my_dunes/my_dunes.targi", rf"#{define[:-1]}\d+", define),
        ("my_dunes/my_dunes_cards.yaml", r"action: .*", action),
    ):
        text = Path(file).read_text(encoding="utf-8")
        changed, times = re.subn(pattern, instead, text)
        assert times == 1, pattern
        Path(file).write_text(changed, encoding="utf-8")
    done = [targi(*one) for one in said[1:] if one[0] != "play"]
    assert [one.code for one in done] == [0] * 4
    validated, differing, *_ = done
    assert "no problems" in validated.out
    for part in (
        "opening: usual -> easier",
        "hand_limit: 1",
        "hand_limit: 2",
        "my_dunes_card",
        "24 -> 25",
    ):
        assert part in differing.out, part
    assert "gain 2 salt" in targi("show", "my_dunes.targi", "card", "my_dunes_card").out
    assert said[-1][:2] == ["play", "my_dunes"]
    assert targi("play", "my_dunes", *AT_RANDOM, "--seed", "1", "--json").code == 0


def test_the_answer_to_why_in_the_readme_is_a_real_one() -> None:
    (asked,) = (text for text in blocks() if text.startswith("> why"))
    question, _, answer = asked.removeprefix("> ").partition("\n")
    seats = ("--seat", "blue=human", "--seat", "white=random", "--seed", "7")
    assert answer in targi("play", "base", *seats, answers=f"{question}\nquit\n").out


def test_the_program_in_the_readme_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(
        r"^ {6}(from targi_dsl.*?)\n\n",
        (ROOT / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    exec(re.sub("^ {6}", "", program, flags=re.MULTILINE), {})
    assert re.fullmatch(r"\(\d+, \d+\)\n", capsys.readouterr().out)


def test_the_readme_says_the_two_commands_in_one_line_each() -> None:
    lines = [text.strip() for text in blocks() if text.startswith("python3 -m venv")]
    assert len(lines) == 2
    assert not any("\n" in line for line in lines)
    assert "targi play" in lines[0]
    assert lines[1].endswith("-m pytest -q -n 2")
