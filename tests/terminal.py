"""A person at a terminal, with a terminal emulator to inspect the screen."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte
import pytest

from targi_dsl.engine.chance import Stream

ROOT = Path(__file__).parent.parent
ROWS = 24
_KEYS = re.compile(r"(?:^|  |\) )(\d+|[a-z]+)(?: to (\d+))?\) ", re.MULTILINE)
"""Keys before their choices: `a) `, or `1 to 9) ` for many."""
PROMPT = r"\x1b\[J> |[\r\n]> $|ends > $"


def use_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory of saved games, and an ordinary terminal."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    monkeypatch.setenv("TERM", "xterm")
    for name in ("COLUMNS", "LINES", "LC_ALL", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


class Watched:
    """A person at a terminal, and what the terminal shows."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 24) -> None:
        self.screen = pyte.HistoryScreen(columns, rows, history=2000)
        self.stream = pyte.Stream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            [str(ROOT / "cli.py"), "play", "--pace", "0", *arguments],
            encoding="utf-8",
            cwd=str(ROOT),
            timeout=60,
            dimensions=(rows, columns),
            env=dict(os.environ),
        )
        self.child.delaybeforesend = None
        self.drawn: list[int] = []
        self.is_over = False
        self._wait()

    def _wait(self) -> None:
        self.is_over = self.child.expect([PROMPT, pexpect.EOF]) == 1
        text = (self.child.before or "") + ("" if self.is_over else str(self.child.after))
        self.drawn.append(len(text.encode()))
        self.stream.feed(text)

    def say(self, text: str) -> None:
        self.child.sendline(text)
        self._wait()

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def has_scrolled(self) -> bool:
        return bool(self.screen.history.top)

    def choose_by_chance(self, stream: Stream) -> None:
        """Answers with one of the keys shown below the question."""
        below = self.text.split(self.question)[-1]
        keys = re.findall(r"(?:^|  )(\d+|[a-z]+)\) ", below, re.MULTILINE)
        self.say(keys[stream.below(len(keys))])

    @property
    def question(self) -> str:
        """The last paragraph in bold, by its first line: it names a seat and asks it something."""
        rows = self.rows
        bold = [
            number for number, row in enumerate(rows) if row and self.screen.buffer[number][0].bold
        ]
        at = bold[-1]
        while at - 1 in bold:
            at -= 1
        return rows[at]


class Emulated:
    """A terminal in this process with somebody who types: both its streams, and its screen.
    most: how many times somebody answers.
    """

    encoding = "utf-8"

    def __init__(self, columns: int, answers: list[str], most: int) -> None:
        self.screen = pyte.HistoryScreen(columns, ROWS, history=500)
        self.stream = pyte.Stream(self.screen)
        self.pick, self.answers, self.asked, self.most = Stream(columns), answers, 0, most

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        """Everything is shown at once."""

    def write(self, text: str) -> int:
        self.stream.feed(text.replace("\n", "\r\n"))
        return len(text)

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.screen.display]

    def readline(self, _: int | None = -1) -> str:
        """What is typed: the prepared answers, then keys by chance."""
        if self.rows[self.screen.cursor.y] != ">":  # a screen that waits for Enter
            return "\n"
        if self.asked == self.most:
            return ""
        self.asked += 1
        said = self.answers.pop(0) if self.answers else self._key()
        self.write(f"{said[:60]}\n")
        return f"{said}\n"

    def _key(self) -> str:
        shown = "\n".join(self.rows)
        assert not self.screen.history.top, f"something has scrolled away\n{shown}"
        bold = [n for n, row in enumerate(self.rows) if row and self.screen.buffer[n][0].bold]
        assert bold, f"there is no question\n{shown}"
        below = "\n".join(self.rows[bold[-1] + 1 : self.screen.cursor.y])
        keys = _KEYS.findall(below)
        assert keys, f"no choice stands below the question\n{shown}"
        first, last = keys[self.pick.below(len(keys))]
        return str(int(first) + self.pick.below(int(last) - int(first) + 1)) if last else first


@contextmanager
def watched(*arguments: str, columns: int = 80, rows: int = 24) -> Iterator[Watched]:
    found = Watched(*arguments, columns=columns, rows=rows)
    try:
        yield found
    finally:
        found.child.close(force=True)
