"""Sessions of real people: a beginner, one who mistypes, two at one screen, one who leaves and
comes back, and terminals of all sorts.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from targi_dsl.cli.manual import help_page
from targi_dsl.engine.chance import Stream
from targi_dsl.records import read, read_record_file
from targi_dsl.text.languages import ENGLISH
from tests.terminal import ROOT, use_folder, watched

NAMES = {
    "card": "card trader",
    "show": "show hand",
    "why": "why noble",
    "rules": "rules silversmith_exchange",
    "picture": "picture {folder}/it",
}
"""The input for a word of the help that takes a name."""


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_folder(tmp_path, monkeypatch)


def test_somebody_new_says_every_word_that_help_tells(tmp_path: Path) -> None:
    words = [found[1] for one in help_page(ENGLISH, 80) if (found := re.match(r" {2}(\w+)", one))]
    assert len(words) == 16 and words[-1] == "quit"
    with watched("base", "--seed", "3", "--seat", "white=random", rows=60) as seen:
        assert "`rules`, `advice` and `help` tell the rest." in seen.text
        for word in words[:-1]:
            seen.say(NAMES.get(word, word).format(folder=tmp_path))
            assert "There is no choice" not in seen.text and not seen.is_over, word
        for said, answer in (
            ("rules", "Whoever has the most points in the end wins."),
            ("rules noble", "tribe card"),
            ("rules nobel", "No rule and no card is called `nobel`."),
            ("how", "placement: one figure at a time in turn, until all six are placed"),
            ("why", "border 1: Noble: the robber stands there"),
        ):
            seen.say(said)
            assert answer in " ".join(seen.text.split()), said
        assert (tmp_path / "it.svg").read_text().startswith("<svg")
        seen.say("j")
        assert "The lookahead player would choose" in seen.text, "advice has been turned on"
        seen.say("quit")
        assert seen.is_over and "Go on with: targi play --resume" in seen.text


def test_somebody_who_mistypes_is_told_what_was_meant_and_loses_nothing() -> None:
    with watched("base", "--seed", "3", "--seat", "white=random") as seen:
        for said, answer in (
            ("tradre", "Did you mean `Trader`?"),
            ("12", "cannot be chosen now: no Targi stands on a raid card"),
            ("raid", "None of the 4 that fit `raid` can be chosen now"),
            ("l", "The keys are a to k"),
            ("sal", "`sal` fits 2 choices"),
            ("a c d", "`a c d` are several keys; type one at a time."),
            ("c) e), a)", "are several keys; type one at a time."),
            ("\x1b[A\x01\x02", ""),
            ("ł€ü 日本", "There is no choice"),
        ):
            seen.say(said)
            assert answer in " ".join(seen.text.split()), said
        assert "goes on" not in seen.text and seen.question == "blue: place a Targi"
        seen.say("C)")
        assert re.search(r"stand on 5: Trader|5 Trader +\[B\]", seen.text)


def test_two_at_one_screen_see_nothing_of_each_other() -> None:
    people = ("--seat", "ann=human", "--seat", "ben=human", "--seed", "1")
    with watched("kuhn_poker", *people) as seen:
        assert "ann, press Enter" in seen.text and "hand" not in seen.text
        seen.say("")
        (ann,) = re.findall(r"hand (\w+)", seen.text)
        seen.say("1")
        assert "ben, press Enter" in seen.text and ann not in seen.text
        seen.say("")
        past = "".join(
            row[at].data for row in seen.screen.history.top for at in range(seen.screen.columns)
        )
        assert ann not in past + seen.text.split("mark")[0]
        assert len(set(re.findall(r"hand (\w+)", seen.text)) - {ann}) == 1


def test_somebody_whose_terminal_is_closed_comes_back_to_the_same_table(tmp_path: Path) -> None:
    file = str(tmp_path / "game.yaml")
    with watched("base", "--seed", "3", "--seat", "white=random", "--save", file) as seen:
        seen.say("c")
        table, asked = seen.rows[:8], seen.question
        seen.child.kill(signal.SIGHUP)
        seen.child.wait()
    assert len(read(read_record_file(file)).choices) == 2
    with watched("--resume", file) as again:
        assert (again.rows[:8], again.question) == (table, asked)
        again.child.setwinsize(1, 1)
        again.say("how")
        again.child.setwinsize(24, 80)
        for _ in range(8):  # line editing may have written the prompt again for either size
            if again.rows[:8] != table:
                again.say("")
        assert again.rows[:8] == table, "nothing is half drawn after a window of one letter"


def test_on_thirty_columns_one_can_read_and_choose() -> None:
    with watched("base", "--seed", "3", "--seat", "white=random", columns=30) as seen:
        for said in ("b", "a", "a"):
            seen.say(said)
            assert seen.rows[seen.screen.cursor.y].startswith(">"), seen.text
            assert not seen.has_scrolled
        seen.say("how")
        assert "the starting player carries out all of his" in " ".join(seen.text.split())


def test_a_dumb_terminal_without_colour_is_told_everything_in_plain_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("NO_COLOR", "1")
    with watched("tic_tac_toe", "--seed", "1", "--advice", rows=200) as seen:
        assert "The lookahead player would choose" in seen.text
        while not seen.is_over:
            seen.say(re.findall(r"would choose (\d+)\)", seen.text)[-1])
        assert "\x1b" not in seen.text
        assert re.search("wins|Nobody", seen.text)


@pytest.mark.parametrize("typed", [b"\xff\xfe\n", b"q1\0" * 3_000_000 + b"\n"])
def test_bytes_of_any_encoding_are_no_choice(typed: bytes) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "play", "tic_tac_toe", "--seed", "1"],
        input=typed,
        capture_output=True,
        cwd=ROOT,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout) < 5_000 and not {0x1B, 0} & {*done.stdout}
    assert b"There is no choice" in done.stdout and b"Saved" in done.stdout


def test_somebody_late_in_a_game_reads_what_happened_last_on_one_screen_and_all_on_demand() -> None:
    stream = Stream(3)
    with watched("base", "--seed", "3", "--seat", "white=random") as me:
        for _ in range(12):
            me.choose_by_chance(stream)
        me.say("log")
        assert "`log all` tells what happened before." in me.text
        assert me.rows[me.screen.cursor.y] == ">", "the whole answer is on one screen"
        (last,) = re.findall(r"^ *(\d+) .*", me.text, re.MULTILINE)[-1:]
        assert int(last) >= 24
        assert not re.search(r"^ +1 ", me.text, re.MULTILINE)
        me.say("log all")
        assert "  1 blue: " in me.text and "Enter goes on" in me.text
        me.say("q")
        assert "There is no choice" not in me.text and "cannot be chosen" not in me.text
        assert "blue: " in me.question, "the question is asked again"
        me.say("log")
        assert re.findall(r"^ *(\d+) .*", me.text, re.MULTILINE)[-1] == last, "q chose nothing"


def test_a_game_that_two_terminals_go_on_with_is_lost_by_neither(tmp_path: Path) -> None:
    file, beside = tmp_path / "game.yaml", tmp_path / "game-2.yaml"
    seats = ("--seat", "cross=human", "--seat", "nought=random", "--seed", "1", "--save", str(file))
    with watched("tic_tac_toe", *seats) as first:
        first.say("1")
        with watched("--resume", str(file)) as second:
            second.say("2")
            second.say("quit")
        line = read(read_record_file(str(file))).choices
        assert len(line) == 4
        first.say("3")
        assert "changed by somebody else. This game goes on in game-2.yaml" in unwrapped(first.text)
        first.say("1")
        first.say("quit")
        assert f"--resume{beside}" in "".join(first.text.split())
    assert read(read_record_file(str(file))).choices == line
    other = read(read_record_file(str(beside))).choices
    assert len(other) == 6 and other[:2] == line[:2] and other[2] != line[2]


def unwrapped(text: str) -> str:
    return " ".join(text.split())
