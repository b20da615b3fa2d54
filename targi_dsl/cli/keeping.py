"""Where a game is kept while it is played, and what is said when it cannot be."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from targi_dsl.records import Record, save
from targi_dsl.text.diagnostics import Problems


class Keeper:
    """Writes the record to its file after every choice; the game goes on when that fails, and it is
    said once.
    """

    def __init__(self, file: Path | None, say: Callable[[str], None]) -> None:
        self.file = file
        self.failure = ""
        self._say = say
        self._kept: Record | None = None

    def keep(self, record: Record) -> None:
        """Keeps the record, unless this very record is kept already."""
        if self.file is None or (record == self._kept and not self.failure):
            return
        try:
            save(self.file, record)
        except Problems as error:
            failure = error.problems[0].text
            if failure != self.failure:
                self._say(
                    f"{self.file}: this game is not saved ({failure.rstrip('.')}). It goes on all the same."
                )
            self.failure = failure
            return
        if self.failure:
            self._say(f"{self.file}: the game is saved again.")
        self.failure, self._kept = "", record

    def move(self, file: Path, record: Record) -> None:
        """Keeps the game in another file from now on, if that works; else as before. A file that is
        there stays.
        """
        if file.exists() and file != self.file:
            self._say(f"{file}: there is such a file already, and it stays as it is. Name another.")
            return
        before, self.file, self._kept = self.file, file, None
        self.keep(record)
        if self.failure:
            self.file = before

    def resumed_by(self) -> str:
        """How the game is gone on with, for people."""
        if self.file is None:
            return "The game is not saved; `save FILE` does that."
        if self.failure:
            return f"The last choices are not saved: {self.failure}"
        return f"Saved. Go on with: targi play --resume {shlex.quote(str(self.file))}"


def new_file(folder: Path, game: str, seed: int) -> Path:
    """A file for a game that nobody named one for; the folder is made."""
    with suppress(OSError):  # writing to it will tell why
        folder.mkdir(parents=True, exist_ok=True)
    stem = f"{Path(game).stem}-{time.strftime('%Y%m%d-%H%M%S')}-{seed}"
    names = (stem, *(f"{stem}-{again}" for again in range(2, 1000)))
    return next(path for name in names if not (path := folder / f"{name}.yaml").exists())
