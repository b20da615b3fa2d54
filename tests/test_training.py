"""Learned values: what a file may say, when it is used, and that what is no better does not pass.

python -m tests.test_training
    keeps what was learned after rules have changed in a way that makes no difference to it
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from targi_dsl import Problems, load
from targi_dsl.cli.hosting import Shelf
from targi_dsl.engine.chance import Stream
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.training import ERROR, Generation, Training
from targi_dsl.lab.version import Version
from targi_dsl.search.values import (
    Values,
    by_hand,
    evaluation_of,
    names_of,
    parse,
    unused,
    values_of,
)
from targi_dsl.text.files import write_file
from tests.commands import ROOT, targi
from tests.games import compiled

SHEET = 'language 2\ngame small "Small" based on base\n'


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    file = tmp_path / "small.targi"
    file.write_text(SHEET, encoding="utf-8")
    return file


def learned(rules: str) -> Values:
    return Values(rules, 10, 500, {"each gold": (2.0, 1.0), "no gold": (-0.5, 0.25)})


def test_values_are_read_as_they_were_written() -> None:
    found = learned("12e4")
    assert parse("small.values", found.text("small")) == found


def shipped() -> list[Path]:
    return sorted(ROOT.glob("rules/games/*.values"))


def test_what_is_shipped_is_used() -> None:
    assert {"base", "expansion"} <= {file.stem for file in shipped()}
    for file in shipped():
        game = compiled(file.stem)
        assert values_of(game) is not None, f"{file.name} is of other rules: train again"
        assert evaluation_of(game) != by_hand(game)


def test_values_beside_a_sheet_are_used(sheet: Path) -> None:
    game = load(str(sheet))
    assert evaluation_of(game) == by_hand(game)
    sheet.with_suffix(".values").write_text(learned(game.hash).text("small"), encoding="utf-8")
    game = load(str(sheet))
    evaluation, at = evaluation_of(game), names_of(game).index("each gold")
    assert [row[at] for row in evaluation.weights] == [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10]


def put_values(sheet: Path, text: str) -> None:
    sheet.with_suffix(".values").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: learned("others").text("small"),
        lambda text: text.replace("2.00", "3.00"),
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "- [" * 1000,
    ],
)
def test_what_is_stale_foreign_or_changed_is_not_used(sheet: Path, change: object) -> None:
    assert callable(change)
    put_values(sheet, change(learned(load(str(sheet)).hash).text("small")))
    game = load(str(sheet))
    with pytest.raises(Problems, match="E623"):
        values_of(game)
    assert [one.severity for one in unused(game)] == ["warning"]
    assert evaluation_of(game) == by_hand(game)


@pytest.mark.parametrize(
    "line",
    [
        "play SHEET --seat blue=busy --seat white=lookahead --think 1 --seed 1",
        "lab seats SHEET --player lookahead:1 --games 1",
        "simulate SHEET --seat white=lookahead --find nobody",
        "train SHEET --games 1 --playouts 1",
    ],
)
def test_where_they_would_be_used_it_is_told_once(
    sheet: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("targi_dsl.cli.commands.train.use_c", lambda game: None)
    put_values(sheet, learned("others").text("small"))
    told = targi(*[str(sheet) if one == "SHEET" else one for one in line.split()], answers="quit")
    assert told.err.count("E623") == 1, told.err


@pytest.mark.parametrize("line", ["simulate SHEET --games 1", "lab seats SHEET --games 1"])
def test_where_nobody_thinks_nothing_is_told(sheet: Path, line: str) -> None:
    put_values(sheet, "")
    told = targi(*[str(sheet) if one == "SHEET" else one for one in line.split()])
    assert told.code == 0 and "E623" not in told.err


def test_a_server_of_tables_tells_once(sheet: Path, tmp_path: Path, capsys: Any) -> None:
    put_values(sheet, "")
    shelf = Shelf(1, "", 0, tmp_path, lan=False)
    for _ in range(2):
        shelf.begin(str(sheet), {}, {})
    assert capsys.readouterr().err.count("E623") == 1


def trained(games: int = 20, workers: int = 1) -> Training:
    return Training(Version("two_traders"), games, 2, 1, Runner(10**6, workers=workers))


def test_what_is_no_better_seldom_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that a coin decides: of 400 trainings at most as many pass as the test may err in, and
    three standard errors more.
    """
    below = Stream(1).below
    monkeypatch.setattr("targi_dsl.lab.training._shares", lambda *_: (below(2), below(2)))
    training = trained()
    passed = sum(training._test(learned("")).passed for _ in range(400))
    assert passed / 400 <= ERROR + 3 * (ERROR * (1 - ERROR) / 400) ** 0.5


def test_what_is_better_passes_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("targi_dsl.lab.training._shares", lambda *_: (1, 1))
    found = trained()._test(learned(""))
    assert found.passed and found.won == found.deals < 20


def test_a_training_learns_what_things_bring_with_any_number_of_workers() -> None:
    one, two = trained(), trained(workers=2)
    for training in (one, two):
        training._play()
    found = one._fit()
    assert found == two._fit()
    assert found.games == 20 and {*found.weights} == {*names_of(one.game)} - {""}


def test_rows_and_columns_are_known_from_the_layout() -> None:
    game = compiled("base")
    names = [name for name in names_of(game) if " in an open " in name]
    assert names[0] == "equal symbol in an open row of display" and len(names) == 4
    evaluation = replace(learned(game.hash), weights={names[1]: (1.0, 0.5)}).evaluation(game)
    assert [len(places) for _, _, *places in evaluation.lines] == [4, 4, 4, 4, 4, 4]
    assert by_hand(game).lines == ()


def test_an_interrupt_keeps_the_last_generation_that_has_won(
    sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = learned(load(str(sheet)).hash)

    def generations(self: Training) -> Iterator[Generation]:
        yield Generation(found, 5, 5, passed=True)

        def interrupted(*_: object) -> Iterator[float]:
            raise KeyboardInterrupt

        monkeypatch.setattr("targi_dsl.lab.training._course", interrupted)
        self._play()

    monkeypatch.setattr(Training, "run", generations)
    monkeypatch.setattr("targi_dsl.cli.commands.train.use_c", lambda game: None)
    told = targi("train", str(sheet))
    assert told.code == 130 and "interrupted" in told.out and told.err == ""
    assert values_of(load(str(sheet))) == found


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", ["open", "write", "fsync", "replace", "rename"])
def test_a_kill_at_any_write_leaves_the_old_values_or_the_new(
    sheet: Path, name: str, number: int
) -> None:
    """The process dies at the call of this number of a function of the system."""
    old, new = learned("old").text("small"), learned("new").text("small")
    put_values(sheet, old)
    if (child := os.fork()) == 0:
        calls, real = count(), getattr(os, name)

        def dies(*given: Any, **more: Any) -> Any:
            if next(calls) == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **more)

        setattr(os, name, dies)
        write_file(sheet.with_suffix(".values"), new)
        os._exit(0)
    os.waitpid(child, 0)
    assert sheet.with_suffix(".values").read_text(encoding="utf-8") in (old, new)


def test_a_full_disk_leaves_the_old_values(sheet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    put_values(sheet, old := learned("old").text("small"))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Problems, match="E021"):
        write_file(sheet.with_suffix(".values"), learned("new").text("small"))
    assert [*sheet.parent.glob("*.values*")] == [sheet.with_suffix(".values")]
    assert sheet.with_suffix(".values").read_text(encoding="utf-8") == old


def test_a_game_in_which_nobody_has_anything_is_told() -> None:
    found = targi("train", "tic_tac_toe")
    assert found.code == 1 and "E622" in found.err


def main() -> None:
    for file in shipped():
        learned = parse(str(file), file.read_text(encoding="utf-8"))
        text = replace(learned, rules=load(file.stem).hash).text(file.stem)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
