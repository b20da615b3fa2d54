"""Saving a game while it is played, and what to say when that fails."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from targi_dsl.records import Record, save
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.files import exists
from targi_dsl.text.languages import ENGLISH, Language


class Autosave:
    """Saves the record after every choice. If that fails, the game continues, and the failure is
    reported once.
    """

    def __init__(
        self, file: Path | None, say: Callable[[str], None], language: Language = ENGLISH
    ) -> None:
        self.file, self.language = file, language
        self.failure = ""
        self._say = say
        self._saved: Record | None = None

    def save(self, record: Record) -> None:
        """Saves the record unless it has been saved already."""
        if self.file is None or (record == self._saved and not self.failure):
            return
        try:
            save(self.file, record)
        except Problems as error:
            self._fail(error.problems[0].text)
            return
        if self.failure:
            self._tell(self.language.say("the game is saved again."))
        self.failure, self._saved = "", record

    def _fail(self, failure: str) -> None:
        if failure != self.failure:
            text = "this game is not saved ({reason}). It goes on."
            self._tell(self.language.say(text, reason=failure.rstrip(".")))
        self.failure = failure

    def _tell(self, text: str) -> None:
        self._say(f"{self.file}: {text}")

    def move(self, file: Path, record: Record) -> None:
        """Saves the game to another file from now on; if that fails, to the same one as before.

        A file that already exists is not overwritten.
        """
        before = self.file
        if file != before and self._is_taken(file):
            return
        self.file, self._saved = file, None
        self.save(record)
        if self.failure:
            self.file = before

    def _is_taken(self, file: Path) -> bool:
        try:
            if not exists(file):
                return False
        except Problems as error:
            self._say(f"{file}: {error.problems[0].text}")
            return True
        text = self.language.say("this file exists already and is left alone. Name another.")
        self._say(f"{file}: {text}")
        return True

    def how_to_resume(self) -> str:
        """How to resume the game, for people."""
        if self.file is None:
            return self.language.say("The game is not saved; `save FILE` does that.")
        if self.failure:
            text = "The last choices are not saved: {reason}"
            return self.language.say(text, reason=self.failure)
        command = f"targi play --resume {shlex.quote(str(self.file))}"
        return self.language.say("Saved. Go on with: {command}", command=command)


def new_file(folder: Path, game: str, seed: int | None) -> Path:
    """A file for a game that was started without naming one; its folder is created."""
    with suppress(OSError, ValueError):  # saving to it will report the reason
        folder.mkdir(parents=True, exist_ok=True)
    chance = "" if seed is None else f"-{seed}"
    stem = f"{Path(game).stem[:40]}-{time.strftime('%Y%m%d-%H%M%S')}{chance}"
    names = (stem, *(f"{stem}-{again}" for again in range(2, 1000)))
    try:
        return next(path for name in names if not exists(path := folder / f"{name}.yaml"))
    except Problems:
        return folder / f"{stem}.yaml"
