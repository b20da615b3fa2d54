"""One sitting at a game: people are asked at the terminal, others answer by themselves, and all is
kept.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

from targi_dsl.api import Choice, choices, play
from targi_dsl.cli.keeping import Keeper
from targi_dsl.cli.talking import Leaving, Talk
from targi_dsl.cli.telling import Rounds, ending
from targi_dsl.cli.terminal import Terminal
from targi_dsl.display.news import News
from targi_dsl.display.words import Words
from targi_dsl.engine.state import State
from targi_dsl.information.observation import observe
from targi_dsl.ir.model import Game
from targi_dsl.players import PLAYERS, Player
from targi_dsl.records import Record, Step, begun, steps


class Sitting:
    """A game from where its record ends to where it ends, or to where somebody leaves."""

    def __init__(
        self, game: Game, record: Record, keeper: Keeper, terminal: Terminal, language: str = "en"
    ) -> None:
        self.game, self.record, self.keeper, self.terminal = game, record, keeper, terminal
        self.words = Words(game, language)
        self.steps: list[Step] = []
        self.players: dict[str, Player] = {
            seat: PLAYERS[who](record.seed, seat)
            for seat, who in record.seats.items()
            if who in PLAYERS
        }
        self.people = tuple(seat for seat in game.players if seat not in self.players)
        self._before: dict[
            int, dict[str, Player]
        ] = {}  # the players as they were before a person's choice
        self.start = begun(game, record)
        for step in steps(game, record):
            self._answered_by_itself(step.before)
            self._note(step)

    @property
    def state(self) -> State:
        return self.steps[-1].after if self.steps else self.start

    @property
    def decisions(self) -> int:
        """How many questions with at least two answers were answered."""
        return sum(step.was_asked for step in self.steps)

    @property
    def rounds(self) -> int:
        found = Rounds(self.start)
        for step in self.steps:
            found.count(step)
        return found.number

    def play(self) -> None:
        """Plays on; what was played is kept whatever happens."""
        talk = Talk(self)
        talk.welcome()
        try:
            self.keeper.keep(self.record)
            while self.state.seat is not None:
                choice = self._answered_by_itself(self.state) or talk.answer()
                self.take(choice)
                if not self.people:
                    self.terminal.show(
                        News(self.words, (), self.terminal.columns).told(self.steps[-1])
                    )
        except Leaving:
            self.terminal.tell(self.keeper.resumed_by())
        except KeyboardInterrupt:
            self.keeper.keep(self.record)
            self.terminal.say()
            self.terminal.tell(self.keeper.resumed_by())
            raise
        else:
            talk.last_news()
            for text in ending(self.state):
                self.terminal.say(text)
        finally:
            self.keeper.keep(self.record)

    def _answered_by_itself(self, state: State) -> Choice | None:
        """The answer of a player that is no person; None if a person is asked."""
        assert state.seat is not None
        player = self.players.get(state.seat)
        return player.choose(observe(state, state.seat), choices(state)) if player else None

    def take(self, choice: Choice) -> None:
        """Makes a choice for whoever is asked."""
        before = self.state
        after, events = play(before, choice)
        self._note(Step(before, choice, tuple(events), after))
        self.record = replace(self.record, choices=(*self.record.choices, choice.id))
        self.keeper.keep(self.record)

    def _note(self, step: Step) -> None:
        if step.before.seat in self.people:
            self._before[len(self.steps)] = deepcopy(self.players, {id(self.game): self.game})
        self.steps.append(step)

    def undo(self) -> str:
        """Goes back to the last choice of a person; says why not, or nothing if it is done.

        Not past what was revealed: where chance was drawn, or a hidden card became known to a
        person.
        """
        back = max(self._before, default=None)
        if back is None:
            return "There is nothing to undo."
        for number in reversed(range(back, len(self.steps))):
            if reason := self._revealed(self.steps[number]):
                return f"That cannot be undone: {reason}."
        self.players = self._before.pop(back)
        del self.steps[back:]
        self.record = replace(self.record, choices=self.record.choices[:back])
        self.keeper.keep(self.record)
        return ""

    def _revealed(self, step: Step) -> str:
        """What a step brought to light that cannot be forgotten."""
        by = f"after `{News(self.words, self.people, self.terminal.columns).chosen(step)}` of {step.before.seat}"
        if step.before.chance != step.after.chance:
            return f"{by} chance was drawn"
        for card in self.game.cards:
            if any(
                step.after.knows(seat, card.id) and not step.before.knows(seat, card.id)
                for seat in self.people
            ):
                return f"{by} a hidden card became known"
        return ""
