"""A person at a real terminal: whatever happens, the game is saved."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import targi_dsl.cli as commands
from targi_dsl.api import choices, play, start
from targi_dsl.engine.chance import Seed
from targi_dsl.records import Record, read, replay, write
from targi_dsl.text import files
from targi_dsl.text.files import write_file
from targi_dsl.text.source import Source
from tests.games import compiled

ROOT = Path(__file__).parent.parent
PROMPT = r"(?:\n|\x1b\[J)> "
MOST_PRESSES = 6
OVER = r"(?:\w+ wins|Nobody wins)"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here writes into the home of whoever runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    for name in ("COLUMNS", "LINES", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)


class Seated:
    """A person at a terminal with this number of columns and rows."""

    def __init__(
        self, *arguments: str, columns: int = 100, rows: int = 50, **environment: str
    ) -> None:
        self.child = pexpect.spawn(
            sys.executable,
            [str(ROOT / "cli.py"), *arguments],
            encoding="utf-8",
            cwd=str(ROOT),
            timeout=60,
            dimensions=(rows, columns),
            env={**os.environ, **environment},
        )
        self.child.delaybeforesend = None

    def shown(self, until: str = PROMPT) -> str:
        """The output up to the next prompt, or until another pattern."""
        self.child.expect(until)
        return (self.child.before or "").replace("\r\n", "\n")

    def say(self, text: str) -> str:
        """Types a line; returns the output up to the next prompt."""
        self.child.sendline(text)
        return self.shown()

    def leave(self, text: str | None = "quit") -> tuple[int, str]:
        """Leaves, or waits for the end; returns the exit code and the last output."""
        if text is not None:
            self.child.sendline(text)
        self.child.expect(pexpect.EOF)
        return self._ended()

    def interrupt(self) -> tuple[int, str]:
        """Presses Ctrl-C until the program ends: Python misses a press that comes between its
        prompt and its wait for a key.
        """
        for _ in range(MOST_PRESSES):
            self.child.sendintr()
            if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5) == 0:
                break
        return self._ended()

    def _ended(self) -> tuple[int, str]:
        self.child.close()
        return int(self.child.exitstatus or 0), (self.child.before or "").replace("\r\n", "\n")

    def to_the_end(self, answer: str = "a") -> str:
        """Gives the same answer until the game is over; all that was shown."""
        shown = ""
        while True:
            self.child.sendline(answer)
            found = self.child.expect([PROMPT, OVER])
            shown += self.child.before or ""
            if found == 1:
                return shown


def in_process(*arguments: str, answers: str = "") -> tuple[int, str, str]:
    with CliRunner().isolation(answers) as (out, err, _):
        code = commands.run(arguments)
    return code, out.getvalue().decode(), err.getvalue().decode()


def unbroken(text: str) -> str:
    """A text without its line breaks: where these fall depends on how long a path is."""
    return " ".join(text.split())


def kept(path: Path) -> Record:
    return read(Source(path.name, path.read_text(encoding="utf-8")))


def file_in(shown: str) -> Path:
    found = re.search(r"--resume (\S+)", shown)
    assert found, shown
    return Path(found[1])


# ---- a whole game ----


def test_a_whole_game_by_keys_with_all_that_can_be_said_on_the_way() -> None:
    me = Seated("play", "--seed", "3", "--seat", "blue=human", "--seat", "white=busy")
    assert "16 Raid" in me.shown()
    assert "no Targi stands on a raid card" in me.say("why place_targi 4")
    assert "robber_blocks: the robber stands there" in me.say("why noble")
    assert "lifted by Targia 4" in me.say("why border 1")
    assert "cannot be chosen now: the robber stands there." in unbroken(me.say("noble"))
    assert "That can be chosen: g) stand on border 10" in me.say("why 10"), "the card, not a key"
    assert "raid_card" in me.say("why raid")
    assert "not_now: it is not asked now" in me.say("why use border 3")
    assert "That can be chosen" in me.say("why trader")
    assert "quit" in me.say("help")
    assert "or 3 equal goods for 1 gold." in me.say("card trader")
    assert "lies: centre b1" in me.say("card centre b1")
    assert "Did you mean" in me.say("card tradr")
    assert re.search(r"in all +4 +4\b", me.say("score"))
    assert "Nothing has happened yet" in me.say("log")
    assert "nothing to undo" in me.say("undo")
    assert re.search("would choose|nobody yet", me.say("hint"))
    first = me.say("c")
    assert "white: stand on" in first
    assert "Taken back" in me.say("undo")
    again = me.say("trader")
    assert again.split("blue: stand on")[1] == first.split("blue: stand on")[1], "the same replies"
    assert "position of base" in me.say("position")
    assert "1 blue: stand on" in me.say("log")
    code, last = me.leave()
    assert code == 0
    file = file_in(last)
    assert len(kept(file).choices) == 2

    me = Seated("play", "--resume", str(file))
    assert "goes on after 2 choices" in me.shown()
    shown = me.to_the_end()
    code, last = me.leave(None)
    assert code == 0
    assert "Nobody" in last or "(" in shown
    assert replay(compiled("base"), kept(file)).seat is None
    assert in_process("replay", str(file))[0] == 0


def test_undo_goes_no_further_than_what_was_revealed() -> None:
    me = Seated("play", "kuhn_poker", "--seat", "ann=human", "--seat", "ben=human", "--seed", "1")
    me.shown()
    for said in ("", "1", ""):
        me.say(said)
    said = me.say("undo")
    assert "Taken back" in said and "ann, press Enter" in said
    me.leave()
    me = Seated("play", "--seed", "3", "--seat", "white=busy", "--seat", "blue=human")
    me.shown()
    for _ in range(60):
        if "cannot be undone" in (refused := _undone(me)):
            break
    assert "hidden card became known" in refused or "chance was drawn" in refused
    me.leave()


def _undone(me: Seated) -> str:
    """The output of `undo` after a choice; if it succeeded, the choice is made again."""
    me.say("a")
    said = me.say("undo")
    if "Taken back" in said:
        me.say("a")
    return said


def test_a_person_can_interrupt_and_go_on() -> None:
    me = Seated("play", "--seed", "3")
    me.shown()
    me.say("a")
    code, last = me.interrupt()
    assert code == 130
    assert "Traceback" not in last
    assert len(kept(file_in(last)).choices) == 2


def test_the_end_of_input_leaves_politely_and_says_how_to_go_on() -> None:
    me = Seated("play", "--seed", "3")
    me.shown()
    me.child.sendeof()
    code, last = me.leave(None)
    assert code == 0
    assert file_in(last).exists()


def test_what_is_no_choice_is_told_and_asked_again() -> None:
    me = Seated("play", "--seed", "3")
    me.shown()
    for said, answer in (
        ("0", "There is no choice `0`"),
        ("l", "The keys are a to k"),
        ("12", "`stand on border 12: Raid` cannot be chosen now: no Targi stands on a raid card."),
        ("99999999999999999999", "There is no choice"),
        ("-1", "`stand on border 1: Noble` cannot be chosen now: the robber stands there."),
        ("xyzzy", "There is no choice `xyzzy` here. The keys are a to k"),
        ("discard", "`why discard` tells why not."),
        ("tradr", "Did you mean"),
        ("dates", "fits 2 choices"),
        ("salt", "fits 2 choices"),
        ("why", "border 1: Noble: the robber stands there"),
        ("raid", "None of the 4 that fit `raid` can be chosen now:"),
        ("\x1b[A\x1b[B", ""),
        ("é ü 日本", "There is no choice"),
    ):
        assert answer in unbroken(me.say(said)), said
    assert me.leave()[0] == 0


@pytest.mark.parametrize(
    ("columns", "rows"), [(20, 24), (27, 50), (79, 24), (80, 50), (119, 24), (200, 50)]
)
def test_a_game_can_be_played_on_a_terminal_of_any_width(columns: int, rows: int) -> None:
    me = Seated("play", "bazaar", "--seed", "3", columns=columns, rows=rows)
    shown = me.shown()
    for said in ("help", "log", "1", "1", "score"):
        shown += me.say(said)
    if columns > 20:
        assert all(len(one) <= columns for one in shown.splitlines()[5:]), (
            "nothing is broken by the terminal"
        )
    assert me.leave()[0] == 0


def test_an_ascii_terminal_gets_ascii_and_no_colour_means_none() -> None:
    me = Seated("play", "--seed", "3", "--lang", "pl", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    shown = me.shown()
    assert shown.isascii()
    assert "+------" in shown
    assert "\x1b[3" not in shown
    me.leave()
    me = Seated("play", "--seed", "3", LC_ALL="C")
    assert me.shown().isascii()
    me.leave()
    me = Seated("play", "--seed", "3", NO_COLOR="")
    assert "\x1b[" in me.shown()
    me.leave()


def test_between_two_people_with_hidden_cards_the_screen_is_blank() -> None:
    me = Seated("play", "kuhn_poker", "--seat", "ann=human", "--seat", "ben=human", "--seed", "1")
    assert "ann, press Enter" in me.shown(), "before the first hand, too"
    shown = me.say("")
    assert "hand ?playing card" in shown
    (ann,) = re.findall(r"hand ([A-Z]\w+)", shown)
    between = me.say("1")
    assert "\x1b[2J" in between
    assert "ben, press Enter" in between
    after = me.say("")
    assert after.index("\x1b[2J") < after.index("hand ")
    assert ann not in between + after
    me.leave()


def test_a_game_without_hidden_cards_needs_no_blank_screen() -> None:
    me = Seated(
        "play", "tic_tac_toe", "--seat", "cross=human", "--seat", "nought=human", "--seed", "1"
    )
    me.shown()
    assert "nought: your mark" in me.say("1")
    me.leave()


# ---- files that are not what they should be ----


@pytest.fixture(scope="module")
def half() -> Record:
    """A game of base broken off."""
    game = compiled("base")
    state, ids = start(game, Seed(5)), list[str]()
    for _ in range(30):
        ids.append(choices(state)[0].id)
        state, _ = play(state, choices(state)[0])
    return Record(
        "base", game.hash, dict(game.options), 5, {"blue": "human", "white": "random"}, tuple(ids)
    )


def spoiled(text: str) -> Iterator[tuple[str, str]]:
    by_hand = re.sub("check: .*\n", "", text)
    yield (
        "E704",
        re.sub(
            r'(rules: "?)(\w)', lambda found: found[1] + ("1" if found[2] != "1" else "2"), by_hand
        ),
    )
    yield (
        "E704",
        by_hand.replace("game: base", "game: tic_tac_toe").replace("options: {", "options: {}  # "),
    )
    yield "E702", text.replace("length: 30", "length: 31")
    yield "E702", text[: len(text) // 2]
    yield "E703", text.replace("format: 2", "format: 3")
    yield "E701", "Dear diary,\n"
    yield "E701", ""
    yield "E706", by_hand.replace("place_targi 2", "place_targi 4", 1)
    yield "E702", text.replace("seats: {blue: human", "seats: {blue: robot")
    yield "E702", text.replace("seed: 5", "seed: 6")
    yield "E706", text.replace("place_targi 2", "place_targi 3", 1)


@pytest.mark.parametrize("number", range(11))
@pytest.mark.parametrize("how", ["--save", "--resume"])
def test_a_file_that_is_no_good_record_is_told_and_stays_as_it_is(
    half: Record, tmp_path: Path, number: int, how: str
) -> None:
    code, text = [*spoiled(write(half))][number]
    file = tmp_path / "game.yaml"
    file.write_text(text, encoding="utf-8")
    done, out, err = in_process("play", how, str(file), answers="1\n1\nquit\n")
    assert done == 1
    assert code in err
    assert "E007" not in err
    assert file.read_text(encoding="utf-8") == text
    assert out == ""


def test_a_record_with_a_player_that_the_program_lacks_is_not_gone_on_with(
    half: Record, tmp_path: Path
) -> None:
    file = tmp_path / "game.yaml"
    write_file(file, write(replace(half, seats={**half.seats, "white": "rnadom"})))
    done, _, err = in_process("play", "--resume", str(file))
    assert done == 1
    assert "damaged record: unknown player 'rnadom'" in err and "E702" in err
    assert (
        "The players are: human, busy, lookahead, mixing, random, search. Did you mean `random`?"
        in err
    )


def test_a_record_of_another_game_is_not_gone_on_with(half: Record, tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    write_file(file, write(half))
    for arguments in (
        ["tic_tac_toe"],
        ["--seed", "6"],
        ["--option", "own_opposite=forbidden"],
        ["--seat", "white=human"],
    ):
        done, _, err = in_process("play", *arguments, "--resume", str(file))
        assert (done, "E709" in err) == (1, True), arguments
    assert kept(file) == half


def test_a_file_that_is_not_there_cannot_be_resumed(tmp_path: Path) -> None:
    assert in_process("play", "--resume", str(tmp_path / "none.yaml"))[0] == 1
    assert not (tmp_path / "none.yaml").exists()


def test_resume_without_a_file_goes_on_with_the_game_saved_last(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "targi_dsl"
    done, _, err = in_process("play", "--resume")
    assert (done, f"no game is saved in {folder}" in err) == (2, True)
    assert in_process("play", "tic_tac_toe", answers="quit\n")[0] == 0
    (file,) = folder.glob("*.yaml")
    write_file(folder / "older.yaml", write(kept(file)))
    os.utime(folder / "older.yaml", (0, 0))
    before = kept(file).choices
    assert in_process("play", "--resume", answers="1\nquit\n")[0] == 0
    assert len(kept(file).choices) > len(before) == len(kept(folder / "older.yaml").choices)


def test_save_at_the_prompt_moves_the_game_and_overwrites_nothing(tmp_path: Path) -> None:
    there, new = tmp_path / "there.yaml", tmp_path / "new.yaml"
    there.write_text("my own notes")
    _, out, _ = in_process("play", "--seed", "3", answers=f"a\nsave {there}\nsave {new}\na\nquit\n")
    assert "is left alone" in out
    assert there.read_text() == "my own notes"
    assert len(kept(new).choices) >= 3


def test_a_game_that_cannot_be_saved_goes_on_and_says_so(tmp_path: Path) -> None:
    done, out, err = in_process(
        "play",
        "tic_tac_toe",
        "--seed",
        "1",
        "--save",
        str(tmp_path / "none" / "a.yaml"),
        answers="1\n" * 9,
    )
    assert done == 0
    assert unbroken(out).count("this game is not saved") == 1
    assert "wins" in out or "Nobody" in out
    assert err == ""


def test_a_full_disk_that_has_room_again_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = os.fsync, list[int]()

    def full_for_a_while(handle: int) -> None:
        calls.append(handle)
        if len(calls) in (2, 3):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full_for_a_while)
    file = tmp_path / "a.yaml"
    done, out, _ = in_process(
        "play", "tic_tac_toe", "--seed", "1", "--save", str(file), answers="1\n" * 9
    )
    assert done == 0
    assert unbroken(out).count("No space left on device") == 1
    assert "is saved again" in unbroken(out)
    assert replay(compiled("tic_tac_toe"), kept(file)).seat is None


@pytest.mark.parametrize("named", [False, True])
def test_in_a_folder_that_cannot_be_written_the_game_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(files, "_open_beside", refused)
    monkeypatch.setattr(Path, "mkdir", refused)
    where = ["--save", str(tmp_path / "a.yaml")] if named else []
    done, out, err = in_process(
        "play", "tic_tac_toe", "--seed", "1", *where, answers="1\nsave\n" + "1\n" * 8
    )
    assert (done, err) == (0, "")
    assert unbroken(out).count("this game is not saved (Read-only file system). It goes on.") == 1
    assert "The last choices are not saved: Read-only file system" in out
    assert "wins" in out or "Nobody" in out
    assert not [*tmp_path.iterdir()]


# ---- killed while it writes ----


class Killed(BaseException):
    """Acts like SIGKILL: nothing is done after it."""


FATAL: tuple[tuple[Any, str], ...] = (
    (files, "_open_beside"),
    (os, "fdopen"),
    (os, "fsync"),
    (os, "link"),
    (os, "fchmod"),
    (Path, "replace"),
)


@pytest.mark.parametrize("at", range(len(FATAL)), ids=[name for _, name in FATAL])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)
def test_whoever_is_killed_while_writing_finds_the_last_record_or_the_new_one(
    half: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, after: bool
) -> None:
    from msgspec.structs import replace

    where, name = FATAL[at]
    real: Callable[..., Any] = getattr(where, name)

    def fatal(*arguments: Any, **more: Any) -> Any:
        if after:
            real(*arguments, **more)
        raise Killed

    file, earlier = tmp_path / "a.yaml", replace(half, choices=half.choices[:-1])
    write_file(file, write(earlier))
    monkeypatch.setattr(where, name, fatal)
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)  # a killed process tidies nothing up
    with pytest.raises(Killed):
        write_file(file, write(half))
    monkeypatch.undo()
    assert kept(file) == (half if (name, after) == ("replace", True) else earlier)
    write_file(file, write(half))
    assert kept(file) == half


def test_who_is_killed_again_and_again_has_the_last_record_or_the_one_before_and_goes_on(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-m", "tests.killing", str(tmp_path / "a.yaml"), "24", "7"]
    done = subprocess.run(command, stdout=subprocess.PIPE, cwd=ROOT, check=True)
    whole, had, midway = dict[int, tuple[str, ...]](), dict[int, int](), 0
    for one in json.loads(done.stdout):
        seed, writes = one["seed"], one["writes"]
        if seed not in whole:  # the same game, by whom nobody disturbs
            file, who = tmp_path / f"{seed}.yaml", ["--seat", "blue=busy", "--seat", "white=random"]
            assert (
                in_process("play", "--seed", str(seed), *who, "--save", str(file), "--json")[0] == 0
            )
            whole[seed], had[seed] = kept(file).choices, 0
        found = read(Source("a.yaml", one["text"])).choices if one["text"] else ()
        # The first write of a life is of what was there, and one more may be done than it could
        # tell of.
        assert (
            min(had[seed] + max(writes - 1, 0), len(whole[seed]))
            <= len(found)
            <= had[seed] + writes
        )
        assert found == whole[seed][: len(found)], "not the game that was broken off"
        midway += len(found) > had[seed]
        had[seed] = len(found)
    assert midway >= 12, "few lives came so far as to write"
    assert len([*tmp_path.glob(".a.yaml.*")]) <= 5, "what was being written is left behind"
