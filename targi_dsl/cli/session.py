"""A game as it is played at a terminal: computer players answer by themselves, and everything is
saved.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import SystemRandom

from msgspec.structs import replace

from targi_dsl.api import Choice, choices, play
from targi_dsl.cli.summary import Rounds
from targi_dsl.cli.terminal import Terminal
from targi_dsl.display.news import News
from targi_dsl.display.words import Words
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS, Player
from targi_dsl.records import MOST_CHOICES, Record, Step, opening, read_record_file, steps, write
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import exists, is_file, write_file
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.tools.invariants import hold


class Autosave:
    """Saves the record after every choice. If that fails, the game continues, and the failure is
    reported once. A file that others have changed since is left alone: the game goes on in another
    beside it.

    text: what the file held when the game was read from it.
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
        """Whether there is a file with a text that was neither read nor written here."""
        if not is_file(file):
            return False
        try:
            return read_record_file(str(file)).text not in (self._text, text)
        except Problems:
            return True

    def _leave(self, file: Path) -> None:
        """Goes on in a new file beside this one."""
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
        """Saves the game to another file from now on; if that fails, to the same one as before.

        A file that already exists is not overwritten.
        """
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


class Session:
    """Plays a game from where its record ends until it is over or a person leaves.

    If people play, the steps of the game are kept so that they can be undone.
    """

    def __init__(
        self,
        game: Game,
        record: Record,
        autosave: Autosave,
        terminal: Terminal,
        language: Language = ENGLISH,
        *,
        check: bool = False,
    ) -> None:
        self.check = check
        self.game, self.record, self.autosave, self.terminal = game, record, autosave, terminal
        self.words = Words(game, language)
        self.players: dict[str, Player] = {
            seat: PLAYERS[who](record.seed or 0, seat)
            for seat, who in record.seats.items()
            if who in PLAYERS
        }
        self.people = tuple(seat for seat in game.players if seat not in self.players)
        self.steps: list[Step] = []
        self._before: dict[int, dict[str, Player]] = {}
        """The players as they were before each step of a person."""
        self.start, self._opening = opening(game, record)
        self._rewind()
        for step in steps(game, record):
            self.answer_of_program()
            self._append(step)

    @property
    def rounds(self) -> int:
        return self._rounds.number

    def answer_of_program(self) -> Choice | None:
        """The choice of a computer player, or of chance; None if a person is asked."""
        seat = self.state.seat
        if seat is None or seat in self.people:
            return None
        offered = choices(self.state)
        if seat not in self.players:
            (outcome,) = SystemRandom().choices(offered, [option.weight for option in offered])
            return outcome
        return self.players[seat].choose(observe(self.state, seat), offered)

    def take(self, choice: Choice) -> None:
        """Makes a choice for whoever is to move."""
        if len(self.record.choices) >= MOST_CHOICES:
            raise Problems([_endless(self.game)])
        before = self.state
        after, events = play(before, choice)
        step = Step(before, choice, tuple(events), after)
        self._append(step)
        self.record = replace(self.record, choices=(*self.record.choices, choice.id))
        if after.seat in (None, *self.game.players):  # chance draws are saved with the choices
            self.autosave.save(self.record)
        if not self.people:
            self.terminal.show(News(self.words, (), self.terminal.columns).report(step))

    def _append(self, step: Step) -> None:
        if self.check:
            hold(step.before, step.events, step.after)
        if step.before.seat in self.people:
            self._before[len(self.steps)] = deepcopy(self.players, {id(self.game): self.game})
        if self.people:
            self.steps.append(step)
        self._count(step)

    def _rewind(self) -> None:
        """Sets the state and the counts to those after the remaining steps."""
        self.state, self.decisions, self._rounds = self.start, 0, Rounds(self.start, self._opening)
        self.last: Step | None = None
        for step in self.steps:
            self._count(step)

    def _count(self, step: Step) -> None:
        self.state, self.last = step.after, step
        self.decisions += step.was_asked
        self._rounds.count(step)

    def undo(self) -> str:
        """Returns to a person's last choice. The result says why that is impossible, or is empty on
        success.

        It is impossible once something has been revealed: chance was drawn, or a person has seen a
        hidden card.
        """
        back = max(self._before, default=None)
        if back is None:
            return self.words.say("There is nothing to undo.")
        for number in reversed(range(back, len(self.steps))):
            if reason := self._revealed(number):
                return self.words.say("That cannot be undone: {reason}.", reason=reason)
        self.players = self._before.pop(back)
        del self.steps[back:]
        self._rewind()
        self.record = replace(self.record, choices=self.record.choices[:back])
        self.autosave.save(self.record)
        return ""

    def _revealed(self, number: int) -> str:
        """What a step since a person's choice revealed that cannot be unseen."""
        step = self.steps[number]
        cause = next(one for one in self.steps[number::-1] if not one.is_chance)
        chosen = News(self.words, self.people, self.terminal.columns).choice_text(cause)
        say, seat = self.words.say, self.words.seat(cause.before.seat or "")
        if step.is_chance or step.before.chance != step.after.chance:
            return say("after `{choice}` of {seat} chance was drawn", choice=chosen, seat=seat)
        for card in self.game.cards:
            if any(
                step.after.knows(seat, card.id) and not step.before.knows(seat, card.id)
                for seat in self.people
            ):
                text = "after `{choice}` of {seat} a hidden card became known"
                return say(text, choice=chosen, seat=seat)
        return ""


def _endless(game: Game) -> Problem:
    text = f"After {MOST_CHOICES:,} choices {game.title} has not ended; no more are played."
    return Problem("E613", "a game that does not end", None, text)
