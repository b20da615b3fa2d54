"""Whatever the system refuses ends a command with one message: no traceback, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import process
from tests.terminal import ROOT, Watched, use_folder

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and the shell's limits")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_folder(tmp_path / "state", monkeypatch)


def shell(line: str, cwd: Path = ROOT, **environment: str) -> tuple[int, str]:
    """A line of the shell, where $TARGI is the command, with its exit code and standard error."""
    command = f"{sys.executable} {ROOT / 'cli.py'}"
    done = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TARGI": command, **environment},
    )
    return done.returncode, done.stderr


@linux
@pytest.mark.parametrize(
    "line",
    [
        "$TARGI games > /dev/full",
        "$TARGI --help > /dev/full",
        "$TARGI play tic_tac_toe --seed 1 > /dev/full",
        "$TARGI play tic_tac_toe --json > /dev/full",
        "$TARGI simulate pig --games 10 --json > /dev/full",
        "ulimit -n 12; $TARGI simulate pig --games 100 --workers 8",
        "mkdir $D/gone; cd $D/gone; rmdir $D/gone; $TARGI new mine",
    ],
)
def test_what_the_system_refuses_is_one_message(line: str, tmp_path: Path) -> None:
    code, err = shell(line, D=str(tmp_path))
    assert (code, err.count("E029 the system refuses something")) == (1, 1)
    assert "Traceback" not in err and "bug" not in err


@linux
def test_a_file_that_may_not_grow_is_told(tmp_path: Path) -> None:
    line = "ulimit -f 1; $TARGI simulate pig --games 500 --csv $D/rows.csv >/dev/null"
    code, err = shell(line, D=str(tmp_path), XDG_CACHE_HOME=str(tmp_path))
    assert code == 1 and "File too large" in err and "Traceback" not in err


def test_a_closed_standard_input_or_output_ends_the_game() -> None:
    assert shell("$TARGI play tic_tac_toe --seed 1 <&- | grep -q 'Saved. Go on with'") == (0, "")
    assert shell("$TARGI games >&-") == (0, "")
    assert shell("$TARGI nonsense 2>&-") == (2, "")


def test_an_encoding_that_no_terminal_has_is_read_as_utf_8() -> None:
    line = "printf '1\\n' | $TARGI play tic_tac_toe --seed 1 | iconv -f utf-16 | grep -q 'Saved'"
    assert shell(line, PYTHONIOENCODING="utf-16") == (0, "")


@linux
@pytest.mark.parametrize(
    "spoil", [os.mkfifo, lambda path: os.truncate(path, 40_000_000_000)], ids=["pipe", "huge"]
)
def test_what_is_no_entry_of_the_cache_is_not_read(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    process("play", "pig", "--json", XDG_CACHE_HOME=str(tmp_path))
    entries = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert entries
    for path in entries:
        if spoil is os.mkfifo:
            path.unlink()
        spoil(path)
    assert shell("$TARGI play pig --json", XDG_CACHE_HOME=str(tmp_path)) == (0, "")


@linux
def test_a_pipe_that_nobody_reads_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows")
    code, err = shell("$TARGI simulate pig --games 10 --csv $D/rows", D=str(tmp_path))
    assert (code, err.count("E021")) == (1, 1)
    line = "cat $D/rows > $D/read & $TARGI simulate pig --games 10 --csv $D/rows; wait"
    assert shell(line, D=str(tmp_path)) == (0, "")
    assert len((tmp_path / "read").read_text().splitlines()) == 11


def test_a_relative_home_is_no_place_for_files(tmp_path: Path) -> None:
    none = dict.fromkeys(("XDG_CACHE_HOME", "XDG_STATE_HOME"), "")
    shell("$TARGI play pig --seed 1", tmp_path, HOME="home", TMPDIR=str(tmp_path / "t"), **none)
    assert not (tmp_path / "home").exists()


@linux
def test_a_terminal_that_says_it_is_wide_is_not_believed() -> None:
    line = "ulimit -v 1000000; $TARGI play base --seed 1 | wc -c"
    assert shell(line, COLUMNS="1000000000", LINES="1000000000") == (0, "")


@pytest.mark.parametrize("term", ["", "unknown", "no-such-terminal"])
def test_five_hundred_letters_at_three_columns_are_an_answer(
    term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    seen = Watched("tic_tac_toe", "--seed", "1", columns=3)
    seen.say("x" * 500)
    seen.say("quit")
    seen.child.wait()
    assert (seen.child.exitstatus, seen.child.signalstatus) == (0, None)


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_workers_end_with_the_simulation(number: signal.Signals) -> None:
    line = [sys.executable, str(ROOT / "cli.py"), "simulate", "base", "--workers", "2"]
    more = ["--games", "1000000", "--engine", "interpreter"]
    with subprocess.Popen([*line, *more], cwd=ROOT, stdout=-3, stderr=-3) as parent:
        own = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        until(lambda: len(own.read_text().split()) == 2, 30)
        workers = [Path("/proc", child) for child in own.read_text().split()]
        time.sleep(0.5)  # they play
        parent.send_signal(number)
    until(lambda: not any(map(is_running, workers)), 1)


def is_running(process: Path) -> bool:
    """Whether a process, given by its folder in /proc, has not ended."""
    try:
        return "State:\tZ" not in (process / "status").read_text()
    except OSError:
        return False


def until(holds: Callable[[], bool], seconds: float) -> None:
    """Waits until something holds; fails if it does not within that time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
