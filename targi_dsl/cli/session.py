"""A game at a terminal: programs answer for themselves, and every choice is saved."""

from __future__ import annotations

from copy import deepcopy
from random import SystemRandom

from msgspec.structs import replace

from targi_dsl.api import Choice, choices, weights
from targi_dsl.cli.begin import HUMAN
from targi_dsl.cli.summary import Rounds
from targi_dsl.cli.terminal import Terminal
from targi_dsl.display.news import News
from targi_dsl.display.scene import Scene, scene_of
from targi_dsl.information.observation import observe
from targi_dsl.ir.game import Game
from targi_dsl.players import Player, Thinker, player_of
from targi_dsl.records import MOST_CHOICES, Autosave, Record, Step, opening, step_by, steps
from targi_dsl.search import Budget
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.tools.invariants import hold
from targi_dsl.view.news import Teller
from targi_dsl.view.words import Words


class Session:
    """Plays a game from the end of its record until it is over or a person leaves. If people play,
    steps are kept to be undone.
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
        budget: Budget | None = None,
    ) -> None:
        self.check, self.budget = check, budget
        self.game, self.record, self.autosave, self.terminal = game, record, autosave, terminal
        self.words = Words(game, language)
        self.players: dict[str, Player] = {
            seat: player_of(who, record.seed or 0, seat, budget)
            for seat, who in record.seats.items()
            if who != HUMAN
        }
        self.people = tuple(seat for seat in game.players if seat not in self.players)
        self.steps: list[Step] = []
        self._before: dict[int, dict[str, Player]] = {}
        """The players as they were before each step of a person."""
        self.start, self._opening = opening(game, record)
        self._rewind()
        for step in steps(game, record):
            if not isinstance(self.players.get(step.before.seat or ""), Thinker):
                self.answer_of_program()  # or a player that draws would draw the same again
            self._append(step)

    def scene(self, *seats: str) -> Scene:
        """What these seats see of the table now."""
        return scene_of(self.state, self.words, seats, self.terminal.columns)

    @property
    def rounds(self) -> int:
        return self._rounds.number

    def answer_of_program(self) -> Choice | None:
        """The choice of a program or of chance; None if a person is asked."""
        seat = self.state.seat
        if seat is None or seat in self.people:
            return None
        offered = choices(self.state)
        if seat not in self.players:
            (outcome,) = SystemRandom().choices(offered, weights(self.state))
            return outcome
        return self.players[seat].choose(observe(self.state, seat), offered)

    def choice(self, id_: str) -> Choice:
        """The choice with this id."""
        return next(one for one in choices(self.state) if one.id == id_)

    def take(self, choice: Choice) -> None:
        """Makes a choice for the player to move."""
        if len(self.record.choices) >= MOST_CHOICES:
            raise Problems([_endless(self.game)])
        step = step_by(self.state, choice)
        self._append(step)
        self.record = replace(self.record, choices=(*self.record.choices, choice.id))
        if step.after.seat in (None, *self.game.players):  # chance draws are saved with the choices
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
        """Restores the state and the counts after the remaining steps."""
        self.state, self.decisions, self._rounds = self.start, 0, Rounds(self.start, self._opening)
        self.last: Step | None = None
        for step in self.steps:
            self._count(step)

    def _count(self, step: Step) -> None:
        self.state, self.last = step.after, step
        self.decisions += not step.is_chance
        self._rounds.count(step)

    def undo(self) -> str:
        """Undoes everything since a person's last choice. Returns a refusal, or "". It is
        impossible once something has been revealed: chance was drawn, or a person has seen a hidden
        card.
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
        """What a step since a person's choice has revealed."""
        step = self.steps[number]
        cause = next(one for one in self.steps[number::-1] if not one.is_chance)
        chosen = Teller(self.words, self.people).choice_text(cause)
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
