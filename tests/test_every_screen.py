"""Every game of the library at a terminal: nothing one must read scrolls away, whatever is typed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from targi_dsl.cli.prompt import Prompt
from targi_dsl.cli.session import Session
from targi_dsl.cli.terminal import Terminal
from targi_dsl.codegen.tiered import ENGINES
from targi_dsl.records import Autosave, Record, read, read_record_file, recap
from tests.commands import targi
from tests.games import QUICK, compiled
from tests.terminal import ROWS, Emulated, use_folder

GAMES = (*QUICK, "gomoku", "hex", "reversi")
DECISIONS = {80: 10, 40: 5}
"""How many times somebody is asked, by the columns of the terminal."""


def played(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch, folder: Path, answers: list[str]
) -> Emulated:
    """A game of people, up to its end or so many decisions."""
    game, emulated = compiled(name), Emulated(columns, answers, DECISIONS[columns])
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(ROWS))
    monkeypatch.setattr(sys, "stdout", emulated)
    monkeypatch.setattr(sys, "stdin", emulated)
    seats = dict.fromkeys(game.players, "random") | {game.players[0]: "human"}
    record = Record(name, game.hash, dict(game.options), 5, seats, (), {})
    terminal = Terminal()
    assert terminal.draws
    autosave = Autosave(folder / "game.yaml", terminal.say)
    Prompt(Session(game, record, autosave, terminal)).play()
    return emulated


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_folder(tmp_path, monkeypatch)


@pytest.mark.parametrize("columns", DECISIONS)
@pytest.mark.parametrize("name", GAMES)
def test_the_question_and_its_choices_never_scroll_away(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patched:
        emulated = played(name, columns, patched, tmp_path, [])
    assert emulated.asked


def test_a_line_of_ten_megabytes_is_refused_and_the_table_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patched:
        emulated = played("tic_tac_toe", 80, patched, tmp_path, ["x" * 10_000_000])
    assert emulated.asked > 1, "the next answer was a key below the question"


def test_a_whole_game_of_base_has_twelve_rounds_everywhere(tmp_path: Path) -> None:
    """B20. What begins with the last raid is no round, since the rules do not count it."""
    seats = ("--seat", "blue=random", "--seat", "white=random")
    file = str(tmp_path / "game.yaml")
    shown = targi("play", "base", "--seed", "1", *seats, "--save", file).out
    again = targi("replay", file).out
    assert "The card Raid ends the game." in shown
    assert re.findall(r"^round (\d+)", again, re.MULTILINE) == ["12"]
    placed = [part.count(": stand on") for part in again.split("── round ")[1:]]
    assert placed == [6] * 12
    assert targi("replay", file, "--json").document["rounds"] == 12
    played = targi("play", "base", "--seed", "1", *seats, "--json")
    assert played.document["rounds"] == 12
    told = recap(compiled("base"), read(read_record_file(file)))
    assert [one.number for one in told] == [*range(13)]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_simulation_counts_the_rounds_that_the_rules_count(engine: str) -> None:
    done = targi("simulate", "base", "--games", "20", "--engine", engine, "--json")
    assert done.document["rounds"]["most"] == 12
