"""Saves a game while it is played."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from targi_dsl.records.format import Record, read_record_file, write
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.files import exists, is_file, write_file
from targi_dsl.text.languages import ENGLISH, Language


class Autosave:
    """Saves the record after every choice. If that fails, the failure is reported once and the game
    continues. A file that somebody else has changed is not overwritten: the game continues in a new
    file beside it. text: the contents of the file when the game was read.
    """

    def __init__(
        self,
        file: Path | None,
        say: Callable[[str], None],
        language: Language = ENGLISH,
        text: str | None = None,
    ) -> None:
        self.file, self.language = file, language
        self.failure = ""
        self._say, self._text = say, text
        self._saved: Record | None = None

    def save(self, record: Record) -> None:
        """Saves the record unless it has been saved already."""
        if self.file is None or (record == self._saved and not self.failure):
            return
        text = write(record)
        try:
            if self._is_changed(self.file, text):
                self._leave(self.file)
            write_file(self.file, text)
        except Problems as error:
            self._fail(error.problems[0].text)
            return
        if self.failure:
            self._tell(self.language.say("the game is saved again."))
        self.failure, self._saved, self._text = "", record, text

    def _is_changed(self, file: Path, text: str) -> bool:
        """Whether the file has contents that were neither read nor written here."""
        if not is_file(file):
            return False
        try:
            return read_record_file(str(file)).text not in (self._text, text)
        except Problems:
            return True

    def _leave(self, file: Path) -> None:
        """Continues in a new file beside this one."""
        names = (f"{file.stem}-{number}{file.suffix}" for number in range(2, 1000))
        beside = next(path for name in names if not exists(path := file.with_name(name)))
        text = "this file was changed by somebody else. This game goes on in {other}."
        self._tell(self.language.say(text, other=beside.name))
        self.file, self._text = beside, None

    def _fail(self, failure: str) -> None:
        if failure != self.failure:
            text = "this game is not saved ({reason}). It goes on."
            self._tell(self.language.say(text, reason=failure.rstrip(".")))
        self.failure = failure

    def _tell(self, text: str) -> None:
        self._say(f"{self.file}: {text}")

    def move(self, file: Path, record: Record) -> None:
        """Saves to another file from now on, if that works. An existing file is not overwritten."""
        before, text = self.file, self._text
        if file != before and self._is_taken(file):
            return
        if file != before:
            self.file, self._text = file, None
        self._saved = None
        self.save(record)
        if self.failure:
            self.file, self._text = before, text

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
        """How to resume the game, in words."""
        if self.file is None:
            return self.language.say("The game is not saved; `save FILE` does that.")
        if self.failure:
            text = "The last choices are not saved: {reason}"
            return self.language.say(text, reason=self.failure)
        command = f"targi play --resume {shlex.quote(str(self.file))}"
        return self.language.say("Saved. Go on with: {command}", command=command)


def new_file(folder: Path, game: str, seed: int | None) -> Path:
    """A new file for a game that was started without a name; creates the folder."""
    with suppress(OSError, ValueError):  # saving to it will report the reason
        folder.mkdir(parents=True, exist_ok=True)
    chance = "" if seed is None else f"-{seed}"
    stem = f"{Path(game).stem[:40]}-{time.strftime('%Y%m%d-%H%M%S')}{chance}"
    names = (stem, *(f"{stem}-{again}" for again in range(2, 1000)))
    try:
        return next(path for name in names if not exists(path := folder / f"{name}.yaml"))
    except Problems:
        return folder / f"{stem}.yaml"
