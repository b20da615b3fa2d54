"""Names, paths, folders and variables of any kind: one message, and never a traceback."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import targi_dsl.cli as cli
from targi_dsl import load
from targi_dsl.records import Record, write
from targi_dsl.text.diagnostics import Problems
from tests.architecture import text_of, tree_of

ROOT = Path(__file__).parent.parent
LONG = "a" * 300
ESCAPE = "x\x1b[31m"
GAME = "tic_tac_toe"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The present folder has a loop of links and a folder; nothing is written elsewhere."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("loop").symlink_to("pool")
    Path("pool").symlink_to("loop")
    Path("loop.targi").symlink_to("pool.targi")
    Path("pool.targi").symlink_to("loop.targi")
    Path("folder").mkdir()
    yield
    assert not list(tmp_path.rglob("bug-*")), "a bug was reported"


def targi(*arguments: str, answers: str = "quit\n") -> tuple[int, str, str]:
    with CliRunner().isolation(answers) as (out, err, _):
        code = cli.run(arguments)
    return code, out.getvalue().decode(), err.getvalue().decode()


NAMES = [LONG, f"./{LONG}.targi", "./a\0b.targi", "./a\ud800b.targi", "./loop.targi", "./folder"]
FILES = [LONG, f"{LONG}.targi", "a\0b.targi", "loop.targi", "folder", "none/a.targi", "/dev/full"]


@pytest.mark.parametrize("name", [*NAMES, "/proc/kmsg", "/dev/zero", "d/" * 3000 + "a.targi"])
@pytest.mark.parametrize("command", ["play", "validate", "show", "replay", "play --resume"])
def test_no_name_of_a_game_or_a_record_is_a_bug(command: str, name: str) -> None:
    code, out, err = targi(*command.split(), name)
    assert code == 1
    assert (out + err).count("\nE") + (out + err).startswith("E") == 1, out + err


@pytest.mark.parametrize("file", FILES)
def test_no_name_of_a_file_to_be_written_is_a_bug(file: str) -> None:
    code, out, _ = targi("play", GAME, "--seed", "1", "--save", file)
    assert code in (0, 1)  # a game that cannot be saved is played all the same
    assert code == 1 or "is not saved" in out or file == "none/a.targi"
    assert targi("mix", "mixed", "--seed", "1", "--out", file)[0] in (0, 1, 2)
    assert targi("new", "windy", "--based-on", GAME, "--folder", file)[0] in (0, 1)


@pytest.mark.parametrize(
    ("command", "file"),
    [
        *(
            ("show tic_tac_toe --svg", file)
            for file in (*FILES, "a\ud800b.targi", "d/" * 3000 + "a.targi")
        ),
        *(
            (command, file)
            for command in (
                "simulate tic_tac_toe --games 1 --csv",
                "simulate tic_tac_toe --games 1 --html",
                "simulate tic_tac_toe --games 1 --parquet",
                "mix mixed --seed 1 --force --out deck.targi --rest",
            )
            for file in (LONG, "a\0b.targi", "folder", "none/a.targi", "/dev/full")
        ),
    ],
)
def test_no_name_of_a_file_to_be_made_is_a_bug(command: str, file: str) -> None:
    code, _, err = targi(*command.split(), file)
    made = Path(file).parts[0] in ("folder", "none") and code == 0
    assert made or (code in (1, 2) and (err.startswith(("E021", "E114")) or "ends in" in err))


def test_an_empty_name_of_something_shown_is_told() -> None:
    for name in ("base", "mixed", "kuhn_poker"):
        code, _, err = targi("show", name, "")
        assert code == 1 and err.startswith("E213")


@pytest.mark.parametrize("file", [LONG, "a\0b", "loop", "folder", "/dev/full"])
def test_no_file_that_is_named_at_the_prompt_is_a_bug(file: str) -> None:
    code, out, err = targi("play", GAME, "--seed", "1", answers=f"save {file}\n1\nquit\n")
    assert (code, err) == (0, "")
    assert "Saved. Go on with" in out, "it is saved to the file of before"


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (LONG, "name too long"),
        ("a\0b", "no file name can have"),
        ("none/a", "No such file"),
        (".", "Drawn: ..svg"),
        ("é ü", "Drawn: é ü.svg"),
    ],
)
def test_no_file_of_a_picture_is_a_bug(file: str, told: str) -> None:
    code, out, err = targi("play", GAME, "--seed", "1", answers=f"picture {file}\n1\nquit\n")
    assert (code, err) == (0, "")
    assert told in " ".join(out.split())


@pytest.mark.parametrize("typed", ["\0", "\ufffd", "\x1b]0;x\x07", "x" * 10_000_000])
def test_nothing_that_is_typed_at_the_prompt_is_a_bug(typed: str) -> None:
    code, out, err = targi("play", GAME, "--seed", "1", answers=f"{typed}\n1\nquit\n")
    assert (code, err) == (0, "")
    assert "There is no choice" in out and "Saved. Go on with" in out
    assert len(out) < 10_000 and not {"\x1b", "\0"} & {*out}


@pytest.mark.parametrize(
    "folder", ["/proc/nowhere", "relative", "", f"/{LONG}", "/dev/null", "here/loop"]
)
def test_no_state_folder_is_a_bug(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", folder)
    monkeypatch.setenv("HOME", str(Path.cwd()))
    code, out, err = targi("play", GAME, "--seed", "1", answers="1\nquit\n")
    assert (code, err) == (0, "")
    assert "saved" in out.lower()


@pytest.mark.parametrize("command", ["play --resume", "play --save", "replay", "show base --svg"])
def test_an_empty_name_of_a_file_is_wrong_usage(command: str) -> None:
    code, _, err = targi(*command.split(), "")
    assert code == 2
    assert "the name of the file is empty" in err


def test_a_folder_in_the_place_of_a_saved_game_is_told_as_one() -> None:
    code, _, err = targi("play", "--save", "folder")
    assert code == 1
    assert "This is a folder." in err


@pytest.mark.parametrize("name", ["./a\0b.targi", "./a\ud800b.targi", f"./{LONG}.targi"])
def test_from_python_a_strange_path_raises_problems(name: str) -> None:
    with pytest.raises(Problems):
        load(name)


# ---- what is printed ----


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", GAME, "--seat", f"{ESCAPE}=busy"),
        ("play", GAME, "--seat", f"cross={ESCAPE}"),
        ("play", GAME, "--option", f"{ESCAPE}={ESCAPE}"),
        ("play", GAME, "--seed", ESCAPE),
        ("play", ESCAPE),
        ("play", f"--{ESCAPE}"),
        ("show", GAME, "card", ESCAPE),
        ("show", GAME, ESCAPE),
        (ESCAPE,),
    ],
)
def test_no_argument_reaches_the_terminal_as_a_code(arguments: tuple[str, ...]) -> None:
    code, out, err = targi(*arguments)
    assert code in (1, 2)
    assert "\x1b" not in out + err
    assert "[31m" in out + err


def test_no_title_reaches_the_terminal_as_a_code() -> None:
    Path("bad.targi").write_text(
        f'language 2\ngame bad "{ESCAPE}" based on tic_tac_toe\n', encoding="utf-8"
    )
    for arguments in (("show", "bad.targi"), ("diff", "bad.targi", GAME), ("games",)):
        assert "\x1b" not in "".join(targi(*arguments)[1:])


def test_everything_that_is_printed_passes_through_one_module() -> None:
    for path in (ROOT / "targi_dsl").rglob("*.py"):
        if path.name == "output.py" or not re.search(r"\b(?:print|s?echo)\b", text_of(path)):
            continue
        for node in ast.walk(tree_of(text_of(path))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = ast.unparse(node.func)
                assert called not in ("print", "click.echo", "click.secho"), f"{path}:{node.lineno}"


# ---- seats ----


def test_a_seat_that_is_named_leaves_the_others_as_they_were() -> None:
    """Found with `--seat white=busy`: one's own seat was played by the program."""
    _, out, _ = targi("play", GAME, "--seed", "1", "--seat", "nought=busy")
    assert "cross (human), nought (busy)" in out


def test_among_people_chance_is_drawn_outside_and_listed_in_the_record() -> None:
    people = ("--seat", "ann=human", "--seat", "ben=human", "--save", "game.yaml")
    _, out, _ = targi("play", "kuhn_poker", *people, answers="1\nquit\n")
    assert "chance is drawn now" in out
    assert "shuffle" not in out, "what lies face down is not told"
    text = Path("game.yaml").read_text(encoding="utf-8")
    assert "seed" not in text
    assert "- shuffle" in text
    code, out, err = targi("play", "--resume", "game.yaml", answers="1\n1\n1\n")
    assert (code, err) == (0, "")
    assert "wins" in out
    assert targi("replay", "game.yaml", "--json")[0] == 0


def test_a_game_without_an_end_stops_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("targi_dsl.cli.session.MOST_CHOICES", 5)
    code, _, err = targi("play", GAME, "--seed", "1", "--json", "--seat", "cross=random")
    assert code == 1
    assert "E613" in err
    game = load(GAME)
    record = Record(GAME, game.hash, {}, 1, dict.fromkeys(game.players, "random"), ())
    Path("long.yaml").write_text(write(record), encoding="utf-8")
    assert targi("play", "--resume", "long.yaml", "--json")[0] == 1


def test_invariants_are_tested_after_each_choice_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = ("--seat", "cross=random", "--seed", "1", "--json")
    assert targi("play", GAME, *seats, "--check", "--save", "whole.yaml")[0] == 0
    assert targi("replay", "whole.yaml", "--json", "--check")[0] == 0
    monkeypatch.setattr("targi_dsl.tools.invariants.broken", lambda *_: ["a card is in two places"])
    assert targi("play", GAME, *seats)[0] == 0
    code, _, err = targi("replay", "whole.yaml", "--json", "--check")
    assert code == 1
    assert "E614 a card is in two places" in err
