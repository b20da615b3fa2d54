"""What a person sees before making a choice, and every word that can be typed instead of one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from targi_dsl.api import Choice, choices
from targi_dsl.cli.card_view import card_text
from targi_dsl.cli.estimate import as_known, scores
from targi_dsl.cli.help_page import HELP, help_page
from targi_dsl.cli.keys import wait_for_key
from targi_dsl.cli.pages import Pages
from targi_dsl.cli.refusals import Refusals
from targi_dsl.cli.seated import Seated
from targi_dsl.cli.summary import counted
from targi_dsl.display.choosing import (
    Offer,
    is_whole,
    meant,
    offers,
    question,
)
from targi_dsl.display.ink import Line, line, unbroken, words
from targi_dsl.display.menus import menus
from targi_dsl.display.news import News
from targi_dsl.display.parts import is_part, part_of_table
from targi_dsl.display.screen import screen
from targi_dsl.display.view import View, view_of
from targi_dsl.information.observation import observe
from targi_dsl.players import ADVISER, PLAYERS

MOST_NOTED = 4
"""Lines of a reply that are shown on the page; a longer one is written below it."""

MOST_SAID = 400
"""Letters of an answer that are read."""


class Left(Exception):
    """A person has left the game."""


class Prompt:
    """Asks the people of a session for their choices, and answers their own questions."""

    def __init__(self, session: Seated, pace: float = 0) -> None:
        self.session, self.terminal = session, session.terminal
        self._pace = pace
        self._told = {seat: self._last_turn((seat,)) for seat in session.people}
        self._last: str | None = None
        self.pages = Pages(self.terminal)
        self._notes: list[Line] = []
        self.say = session.words.say
        self._refusals = Refusals(session)
        commands: dict[str, Callable[[str], bool]] = {
            HELP: self._help,
            "table": self._table,
            "more": self._more,
            "card": self._card,
            "show": self._part,
            "why": self._why,
            "hint": self._hint,
            "score": self._score,
            "log": self._log,
            "undo": self._undo,
            "position": self._position,
            "save": self._save,
            "quit": self._quit,
            "exit": self._quit,
        }
        translated = {self.say(word): does for word, does in commands.items()}
        self._commands = translated | commands
        """What each word does, in the language of the game and in English."""

    # ---- before a choice ----

    def welcome(self) -> None:
        if self.terminal.draws and self.session.people:
            with self.terminal.kept() as self._notes:
                self._welcome()
        else:
            self._welcome()

    def _welcome(self) -> None:
        record, names, say = self.session.record, self.session.words, self.say
        seats = ", ".join(f"{names.seat(seat)} ({say(who)})" for seat, who in record.seats.items())
        chance = say("chance is drawn now")
        if record.seed is not None:
            chance = say("seed {seed}", seed=record.seed)
        title = names.language.word(self.session.game.title)
        self.terminal.say(f"{title}: {seats}; {chance}", "strong")
        if self.session.people:
            self.terminal.say(
                say("A number or words make a choice; `help` tells the rest."), "faint"
            )
        if number := len(record.choices):
            one = "The saved game goes on after {number} choice."
            many = "The saved game goes on after {number} choices."
            self.terminal.say(names.count(one, many, number))

    def answer(self) -> Choice:
        """The choice of the person to move. Raises Left if they leave."""
        self.pages.turned = 0
        self._hand_over()
        self._show(self._notes)
        self._notes = []
        while True:
            offered = offers(self._view())
            said = self._said()
            found = meant(said, offered) if said else ()
            if reply := self._reply(said, found, offered):
                self._carry_out(reply)
            elif len(found) == 1 and isinstance(chosen := found[0].choice, Choice):
                return chosen

    def _reply(
        self, said: str, found: tuple[Offer, ...], offered: tuple[Offer, ...]
    ) -> Callable[[], bool] | None:
        """What is to be done about an answer that makes no choice."""
        word, _, rest = said.partition(" ")
        if word.casefold() in self._commands and not any(said == one.choice.id for one in found):
            return partial(self._commands[word.casefold()], rest.strip())
        if is_part(self.session.words, said) and not is_whole(said, offered):
            return partial(self._part, said)
        if not said:
            return lambda: self.terminal.draws  # the cursor has left its row
        return partial(self._refuse, said, found, offered) if len(found) != 1 else None

    def _carry_out(self, reply: Callable[[], bool]) -> None:
        """Replies, and shows the table again if that is wanted; a short reply is shown with it
        where pages are drawn.
        """
        notes = list[Line]()
        if self.terminal.draws:
            with self.terminal.kept() as notes:
                again = reply()
            if not again and len(notes) > MOST_NOTED:
                self.terminal.show(notes)
                return
        elif not reply():
            return
        self._hand_over()
        self._show(notes)

    def _said(self) -> str:
        try:
            return " ".join(self.terminal.ask().split())[:MOST_SAID]
        except EOFError:
            self.terminal.say()
            raise Left from None

    def _hand_over(self) -> None:
        """Blanks the screen between two people if they have anything to hide from each other."""
        seat = self._seat
        if self._last != seat and self._hides() and self.terminal.is_screen:
            self.terminal.blank()
            text = "{seat} is next. The others look away; {seat}, press Enter."
            self.terminal.say(self.say(text, seat=self.session.words.seat(seat)))
            if self._commands.get(self._said()) == self._quit:
                raise Left
            self.terminal.blank()
        self._last = seat

    def _hides(self) -> bool:
        """Whether some people see or choose what others may not know."""
        game = self.session.game
        return len(self.session.people) > 1 and (
            any(place.is_zone and place.seen in ("owner", "others") for place in game.places)
            or any(one.seen != "all" for one in game.variables)
            or any(one.secret for one in game.program.questions)
        )

    def _show(self, notes: list[Line]) -> None:
        """Shows the table, what happened since this person's last turn, and the choices."""
        view = self._view()
        heading = words(
            f"{view.words.seat(self._seat)}: {question(view)}", view.columns, style="strong"
        )
        offered = offers(view)
        self.pages.put(view, self._news((self._seat,), notes), heading, menus(view, offered))
        self._told[self._seat] = len(self.session.steps)

    def watch(self) -> None:
        """Lets a move of the program be seen, unless a person is next or nobody is."""
        people, seat = self.session.people, self.session.state.seat
        watched = people and seat in self.session.game.players and seat not in people
        if watched and self._pace and self.terminal.draws:
            view = view_of(self.session.state, self.session.words, people, self.terminal.columns)
            self.pages.put(view, self._news(people, []), [], iter([[]]))
            wait_for_key(self._pace)

    def last_news(self, ending: list[str]) -> None:
        """Shows what happened since the first person's last choice, and how the game ended."""
        columns, foot = self.terminal.columns, list[Line]()
        for text in ending:
            foot += unbroken(text, columns)
        if not self.session.people:
            self.terminal.show(foot)
            return
        view = view_of(self.session.state, self.session.words, self.session.people, columns)
        self.pages.put_last(view, self._news(self.session.people, []), foot)

    def _news(self, seats: tuple[str, ...], notes: list[Line]) -> list[Line]:
        """What these seats are told: where a page is drawn, all since their last turn; else what
        they have not been told.
        """
        steps = self.session.steps
        first = self._last_turn(seats) if self.terminal.draws else min(self._told.values())
        if len(seats) == 1 and not self.terminal.draws:
            first = self._told[seats[0]]
        news = News(self.session.words, seats, self.terminal.columns)
        return [*(part for step in steps[first:] for part in news.told(step)), *notes]

    def _last_turn(self, seats: tuple[str, ...]) -> int:
        """The number of the first step after the last turn of these seats but the present one."""
        steps, at = self.session.steps, len(self.session.steps)
        for is_theirs in (True, False):
            while at and (steps[at - 1].before.seat in seats) == is_theirs:
                at -= 1
        return at

    def _refuse(self, said: str, found: tuple[Offer, ...], offered: tuple[Offer, ...]) -> bool:
        self._refusals.refuse(self._view(), said, found, offered, self._commands)
        return False

    @property
    def _seat(self) -> str:
        seat = self.session.state.seat
        assert seat is not None
        return seat

    def _view(self) -> View:
        return view_of(self.session.state, self.session.words, (self._seat,), self.terminal.columns)

    # ---- words instead of a choice: each says whether the table is to be shown again ----

    def _help(self, _: str) -> bool:
        for text in help_page(self.session.words.language):
            fits = len(text) <= self.terminal.columns
            self.terminal.show(
                [line(text)] if fits else words(text, self.terminal.columns, " " * 4)
            )
        return False

    def _table(self, _: str) -> bool:
        self.terminal.show(screen(self._view()))
        return False

    def _more(self, _: str) -> bool:
        self.pages.turned += 1
        return True

    def _part(self, name: str) -> bool:
        self.terminal.show(part_of_table(self._view(), name))
        return False

    def _card(self, name: str) -> bool:
        for text in card_text(self._view(), name):
            self.terminal.say(text)
        return False

    def _why(self, said: str) -> bool:
        self._refusals.explain(self._view(), said)
        return False

    def _hint(self, _: str) -> bool:
        seat, state = self._seat, self.session.state
        player = PLAYERS[ADVISER](self.session.record.seed or 0, seat)
        choice = player.choose(observe(state, seat), choices(state))
        (offer,) = (one for one in offers(self._view()) if one.choice.id == choice.id)
        text = "The {player} player would choose {choice}"
        choice_ = f"{offer.number}) {offer.words}"
        self.terminal.say(self.say(text, player=self.say(ADVISER), choice=choice_))
        return False

    def _score(self, _: str) -> bool:
        names = self.session.words
        for seat, score, parts in scores(self.session.state, self._seat, names.language):
            self.terminal.say(counted(names, seat, score, parts))
        return False

    def _log(self, _: str) -> bool:
        news = News(self.session.words, (self._seat,), self.terminal.columns)
        for number, step in enumerate(self.session.steps, 1):
            self.terminal.show(news.told(step, f"{number:3} "))
        if not self.session.steps:
            self.terminal.say(self.say("Nothing has happened yet."))
        return False

    def _undo(self, _: str) -> bool:
        if reason := self.session.undo():
            self.terminal.say(reason)
            return False
        for seat in self._told:
            self._told[seat] = min(self._told[seat], len(self.session.steps))
        self.terminal.say(self.say("Taken back."))
        return True

    def _position(self, _: str) -> bool:
        for text in as_known(self.session.state, self._seat):
            self.terminal.show([line(text)])
        return False

    def _save(self, file: str) -> bool:
        if file:
            self.session.autosave.move(Path(file), self.session.record)
        self.terminal.copyable(self.session.autosave.how_to_resume())
        return False

    def _quit(self, _: str) -> bool:
        self.session.autosave.save(self.session.record)
        raise Left
