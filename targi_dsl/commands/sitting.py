"""One sitting at a game: people are asked at the terminal, others answer by themselves, and all is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from targi_dsl.commands.position import position
from targi_dsl.commands.telling import ending, told
from targi_dsl.face import Choice, choices, play
from targi_dsl.model import Game
from targi_dsl.players import PLAYERS, Observation, Player
from targi_dsl.problems import did_you_mean
from targi_dsl.record import Record, Step, begun, save, steps
from targi_dsl.state import State

LEAVE = ("quit", "exit")


class Sitting:
    """A game from where its record ends to where it ends, or to where somebody leaves."""

    def __init__(self, game: Game, record: Record, file: Path | None, quiet: bool) -> None:
        self.game = game
        self.record = record
        self.decisions = 0
        self._file = file
        self._say: Callable[[str], None] = (lambda _: None) if quiet else click.echo
        self._players: dict[str, Player] = {
            seat: PLAYERS[who](record.seed, seat) for seat, who in record.seats.items() if who in PLAYERS
        }
        self._people = tuple(seat for seat in game.players if seat not in self._players)
        self.state = self._caught_up(begun(game, record))

    def _caught_up(self, state: State) -> State:
        """The position at the end of the record; every player is asked again, so that its stream is where it was."""
        for step in steps(self.game, self.record):
            self._answered_by_itself(step.before)
            self.decisions += step.was_asked
            state = step.after
        return state

    def play(self) -> None:
        """Plays on; what was played is kept whatever happens."""
        self._welcome()
        try:
            while self.state.seat is not None:
                choice = self._answered_by_itself(self.state) or self._answered_by_a_person()
                if choice is None:
                    break
                self._take(choice)
        finally:
            self._keep()
        if self.state.seat is None:
            for line in ending(self.state):
                self._say(line)

    def _welcome(self) -> None:
        seats = ", ".join(f"{seat} ({who})" for seat, who in self.record.seats.items())
        self._say(f"{self.game.title}: {seats}; seed {self.record.seed}")
        if self.record.choices:
            self._say(f"The saved game goes on after {len(self.record.choices)} choices.")

    def _answered_by_itself(self, state: State) -> Choice | None:
        """The answer of a player that is no person; None if a person is asked."""
        assert state.seat is not None
        player = self._players.get(state.seat)
        return player.choose(Observation(self.game, state.seat), choices(state)) if player else None

    def _answered_by_a_person(self) -> Choice | None:
        """The choice of a person at the terminal; None if they leave."""
        offered = choices(self.state)
        seat = self.state.seat
        assert seat is not None
        self._say("")
        for line in position(self.state, (seat,)):
            self._say(line)
        self._say(f"{seat}, choose:")
        for number, choice in enumerate(offered, 1):
            self._say(f"{number:3}  {choice.text}")
        while True:
            try:
                answer = " ".join(input("> ").split())
            except EOFError:
                self._say("")
                return None
            if answer in LEAVE:
                return None
            if found := _meant(answer, offered):
                return found
            if answer:
                self._say(_refusal(answer, offered))

    def _take(self, choice: Choice) -> None:
        before = self.state
        self.state, events = play(before, choice)
        step = Step(before, choice, tuple(events), self.state)
        self.record = replace(self.record, choices=(*self.record.choices, choice.id))
        self.decisions += step.was_asked
        if before.seat not in self._players:
            self._keep()
        for line in told(step, people=self._people):
            self._say(line)

    def _keep(self) -> None:
        if self._file is not None:
            save(self._file, self.record)


def _meant(answer: str, offered: tuple[Choice, ...]) -> Choice | None:
    """The choice of that id or text, or else of that number."""
    for choice in offered:
        if answer in (choice.id, choice.text):
            return choice
    if answer.isascii() and answer.isdecimal() and len(answer) < len(str(len(offered))) + 1:
        number = int(answer)
        return offered[number - 1] if 1 <= number <= len(offered) else None
    return None


def _refusal(answer: str, offered: tuple[Choice, ...]) -> str:
    near = did_you_mean(answer, (choice.id for choice in offered))
    hint = f" Did you mean `{near}`?" if near else " Type the number or the name of a choice, or `quit`."
    return f"There is no choice `{answer}` here.{hint}"
