"""Games as text: written, read and replayed; and messages about invalid files."""

from __future__ import annotations

import errno
import os
import random
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from targi_dsl import __version__
from targi_dsl.api import choices, play, start, step
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Asked, Seed
from targi_dsl.ir.game import Game
from targi_dsl.records import (
    MOST_CHOICES,
    Record,
    notation,
    opening,
    read,
    read_record_file,
    replay,
    replay_changed,
    write,
)
from targi_dsl.records.format import changed_since
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import write_file
from targi_dsl.text.source import Source
from tests.commands import targi
from tests.games import compiled

SEATS = {"cross": "human", "nought": "random"}
RECORD = Record(
    "tic_tac_toe", "0123abcd" * 8, {"first": "blue"}, 7, SEATS, ("a1", "place 3 of b2", "yes")
)


@pytest.fixture(scope="module")
def game() -> Game:
    return load("tic_tac_toe")


def played(game: Game, seed: int = 7) -> Record:
    """A whole game, every choice by chance."""
    chance = random.Random(seed)
    state = start(game, Seed(seed))
    ids = []
    while state.seat is not None:
        choice = chance.choice(choices(state))
        ids.append(choice.id)
        state, _ = play(state, choice)
    return Record(
        game.name,
        game.hash,
        dict(game.options),
        seed,
        dict.fromkeys(game.players, "random"),
        tuple(ids),
    )


def problem_of(text: str) -> Problem:
    """The first thing that is wrong with a file."""
    with pytest.raises(Problems) as raised:
        read(Source("game.txt", text))
    return raised.value.problems[0]


# ---- as text ----


def test_a_record_is_a_header_and_one_choice_a_line() -> None:
    assert write(RECORD).splitlines() == [
        "format: 2",
        f'version: "{__version__}"',
        "language: 2",
        "game: tic_tac_toe",
        f'rules: "{RECORD.rules}"',
        "options: {first: blue}",
        "seed: 7",
        "seats: {cross: human, nought: random}",
        "length: 3",
        'check: "103c5be49802dfc9"',
        "choices:",
        "- a1",
        "- place 3 of b2",
        '- "yes"',
    ]


@pytest.mark.parametrize(
    "choice",
    [
        "a",
        "3",
        "no",
        "true",
        "null",
        "a: b",
        "- a",
        "#a",
        'a "b"',
        "a\\b",
        "é",
        "ab",
        "a, b",
        "{a}",
        " a ",
        "1:30",
        "-1",
        "~",
        "a\tb",
    ],
)
def test_whatever_a_choice_is_called_it_is_read_as_it_was_written(choice: str) -> None:
    one = Record("my/own.targi", "abcdef0123", {}, 0, {"a": "human"}, (choice,))
    assert read(Source("game.txt", write(one))) == one


def midway_in_base() -> State:
    state = start(compiled("base"), Seed(4))
    for _ in range(40):
        state = step(state, choices(state)[0])
    return state


def test_a_game_begun_at_a_position_is_kept_with_it(tmp_path: Path) -> None:
    midway = midway_in_base()
    where, kept, tests = (tmp_path / name for name in ("where.txt", "kept.yaml", "base.test.targi"))
    where.write_text(notation.write(midway), encoding="utf-8")
    arguments = ("play", "base", "--position", str(where), "--save", str(kept), "--seed", "4")
    assert targi(*arguments, "--test", str(tests), answers="a\nquit\n").code == 0
    record = read(read_record_file(str(kept)))
    game = compiled("base")
    begun, _ = opening(game, record)
    assert begun == notation.read(game, notation.write(midway), Seed(4))
    assert write(record) == kept.read_text(encoding="utf-8")
    assert choices(replay(game, record))
    assert targi("test", str(tests)).out == "1 test: none failed\n"
    again = targi("play", "--resume", str(kept), "--position", str(where))
    assert "leave out --position" in again.err
    changed = kept.read_text(encoding="utf-8").replace("2 dates", "3 dates", 1)
    with pytest.raises(Problems, match="changed since"):
        read(Source("kept.yaml", changed))


def test_a_position_of_another_game_is_told_once(tmp_path: Path) -> None:
    where = tmp_path / "where.txt"
    where.write_text(notation.write(midway_in_base()), encoding="utf-8")
    said = targi("play", "pig", "--position", str(where))
    assert said.err.count("E650 a position of `base`") == 1 and "E651" not in said.err


def test_a_record_of_nothing_played_is_one_too() -> None:
    one = Record("tic_tac_toe", "abcdef0123", {}, 0, SEATS, ())
    assert read(Source("game.txt", write(one))) == one


# ---- as a file ----


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "game.txt"
    write_file(path, write(RECORD))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Problems) as raised:
        write_file(path, write(replace(RECORD, choices=())))
    assert raised.value.problems[0].code == "E021"
    assert "No space left" in raised.value.problems[0].text
    assert path.read_text(encoding="utf-8") == write(RECORD)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["none/game.txt", "."])
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(Problems) as raised:
        write_file(tmp_path / name, write(RECORD))
    assert raised.value.problems[0].code == "E021"


# ---- what is wrong with a file ----


CHANGED = "damaged record: changed since it was written"


def replayed_problem(game: Game, text: str) -> Problem:
    """The one thing that is wrong with a record when it is replayed."""
    with pytest.raises(Problems) as raised:
        replay(game, read(Source("game.txt", text)))
    (problem,) = raised.value.problems
    return problem


def test_no_digit_of_a_record_can_be_another_one_unnoticed(game: Game) -> None:
    text = write(played(game))
    for found in re.finditer(r"[0-9]", text):
        for digit in "0123456789".replace(found[0], ""):
            spoiled = text[: found.start()] + digit + text[found.end() :]
            assert replayed_problem(game, spoiled).code.startswith("E70"), spoiled


def test_of_a_record_that_was_changed_its_fault_is_told_and_that_it_was_changed_only_if_it_has_none(
    game: Game,
) -> None:
    whole = played(game)
    text, first = write(whole), whole.choices[0]
    assert replayed_problem(game, text.replace(f"- {first}\n", f"- {first}x\n")).code == "E706"
    assert replayed_problem(game, text.replace(game.hash, "0" * 64)).code == "E704"
    one, other, *_ = (choice.id for choice in choices(start(game, Seed(7))))
    short = write(replace(whole, choices=(one,)))
    problem = replayed_problem(game, short.replace(f"- {one}\n", f"- {other}\n"))
    assert (problem.code, problem.title) == ("E702", CHANGED)
    assert problem.span is not None and problem.span.line == 10


def test_a_changed_seed_is_told_at_once_and_not_at_the_choice_that_it_makes_impossible() -> None:
    """Found by editing a saved game: it was reported 62 choices later, as an impossible choice."""
    problem = problem_of(write(RECORD).replace("seed: 7", "seed: 8"))
    assert (problem.code, problem.title) == ("E702", CHANGED)
    assert re.findall("`(.*)`", problem.hint)[0] in write(replace(RECORD, seed=8)).splitlines()


def test_a_check_of_digits_alone_is_hinted_at_as_it_must_be_written() -> None:
    record = read(Source("game.txt", write(RECORD)))
    assert '`check: "0123456789012345"`' in changed_since(record, "0123456789012345", "").hint


def test_a_record_written_by_hand_needs_no_check() -> None:
    assert read(Source("game.txt", re.sub("check: .*\n", "", write(RECORD)))) == RECORD


# ---- replayed ----


def test_a_record_replayed_leads_where_the_game_led(game: Game) -> None:
    whole = played(game)
    assert replay(game, read(Source("game.txt", write(whole)))).seat is None


# ---- names of every kind ----


@pytest.mark.parametrize(
    "path",
    ["/tmp/\U0001f42a/my.targi", "/tmp/\udcff/my.targi", "/tmp/\x1b[31m/\u2028\x85\x7f.targi"],
)
def test_a_game_under_a_path_of_any_kind_is_saved_and_read_again(tmp_path: Path, path: str) -> None:
    """Found with a camel in a folder's name: the saved game could not be read any more."""
    file = tmp_path / "saved.yaml"
    write_file(file, write(replace(RECORD, game=path)))
    assert read(read_record_file(str(file))) == replace(RECORD, game=path)


def test_the_longest_game_that_is_played_can_be_read_again(tmp_path: Path) -> None:
    choices_ = tuple(f"{'place_and_pay_' * 12}{number}" for number in range(MOST_CHOICES))
    file = tmp_path / "saved.yaml"
    write_file(file, write(replace(RECORD, choices=choices_)))
    assert len(read(read_record_file(str(file))).choices) == MOST_CHOICES


# ---- chance from outside, rules that changed ----


def test_outcomes_of_chance_can_be_listed_among_the_choices() -> None:
    game = load("kuhn_poker")
    chance, state, ids = random.Random(1), start(game, Asked()), []
    while state.seat is not None:
        ids.append(chance.choice(choices(state)).id)
        state, _ = play(state, ids[-1])
    record = Record(
        game.name, game.hash, {}, None, dict.fromkeys(game.players, "human"), tuple(ids)
    )
    text = write(record)
    assert "seed" not in text
    assert ids[0].startswith("shuffle")
    assert replay(game, read(Source("game.txt", text))) == state


def test_a_record_is_replayed_under_changed_rules_as_far_as_they_allow(game: Game) -> None:
    whole = played(game)
    other = replace(whole, rules="0" * 64)
    all_of_it = replay_changed(game, other)
    assert (all_of_it.made, all_of_it.problem) == (len(whole.choices), None)
    assert all_of_it.state.seat is None
    third = replace(other, choices=(*whole.choices[:2], "no longer there", *whole.choices[3:]))
    as_far = replay_changed(game, third)
    assert as_far.made == 2
    assert as_far.problem is not None and as_far.problem.code == "E706"
    assert as_far.state == replay(game, replace(whole, choices=whole.choices[:2]))
