"""The prompt: shows a person the table before a choice, reads answers, and runs commands typed
instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic

from targi_dsl.api import Choice
from targi_dsl.cli.replies import Replies
from targi_dsl.cli.session import Session
from targi_dsl.cli.summary import ending, how_it_ended
from targi_dsl.cli.terminal import Terminal, wait_for_key
from targi_dsl.display.choosing import Keyed, is_whole, offers, offers_meant
from targi_dsl.display.ink import Line, line, render_line, unbroken, words
from targi_dsl.display.news import News
from targi_dsl.display.page import Page, fitting, menus, page, room_for_notes
from targi_dsl.display.parts import is_part
from targi_dsl.display.scene import Scene
from targi_dsl.display.screen import screen
from targi_dsl.view.equipment import equipment
from targi_dsl.view.news import Teller

MOST_SAID = 400
"""The most characters of an answer that are read."""


_NOTICED = 0.3
"""The least noticeable delay in seconds."""


class PlayerQuit(Exception):
    """Raised when a person leaves the game."""


class Prompt:
    """Asks people for their choices, and answers their questions. advice: whether there is a hint
    at every choice. pace: the least seconds that a program's move is shown.
    """

    def __init__(self, session: Session, *, advice: bool = False, pace: float = 0) -> None:
        self.session, self.terminal = session, session.terminal
        self._advises, self._pace = advice, pace
        self._told = {seat: self._last_turn((seat,))[1] for seat in session.people}
        self._last: str | None = None
        self._quick = set[str | None]()
        """The programs whose last answer took no time that anybody notices."""
        self.pages = Pages(self.terminal)
        self._greeting: list[Line] = []
        self._typed_ahead = ""
        """What was typed where a long reply waited for Enter."""
        self.say = session.words.say
        self._replies = Replies(session)
        replies = self._replies.commands.items()
        commands: dict[str, Callable[[str], bool]] = {
            **{word: partial(_reply_to, reply) for word, reply in replies},
            "more": self._more,
            "advice": self._toggle_advice,
            "undo": self._undo,
            "save": self._save,
            "quit": self._quit,
            "exit": self._quit,
        }
        translated = {self.say(word): does for word, does in commands.items()}
        self._commands = translated | commands
        """The function of each command, in the language of the game and in English; it returns
        whether the table must be shown again.
        """

    def play(self) -> None:
        """Plays the game to its end; the choices made so far are saved in any case."""
        session, autosave = self.session, self.session.autosave
        self._greet()
        try:
            autosave.save(session.record)
            while session.state.seat is not None:
                if choice := self._answer_of_program():
                    session.take(choice)
                    self._watch()
                else:
                    session.take(self._answer())
        except PlayerQuit:
            self.terminal.copyable(autosave.how_to_resume())
        except KeyboardInterrupt:
            autosave.save(session.record)
            self.terminal.say()
            self.terminal.copyable(autosave.how_to_resume())
            raise
        else:
            how = how_it_ended(session.words, session.last)
            self._last_news([*ending(session.words, session.state, self.terminal.columns, how)])
        finally:
            autosave.save(session.record)
            self.terminal.show(self.terminal.remarks())

    # ---- before a choice ----

    def _greet(self) -> None:
        if self.terminal.draws and self.session.people:
            with self.terminal.capture() as self._greeting:
                self._welcome()
        else:
            self._welcome()

    def _welcome(self) -> None:
        record, names, say = self.session.record, self.session.words, self.say
        players = ((seat, *who.partition(":")) for seat, who in record.seats.items())
        seats = ", ".join(f"{names.seat(s)} ({say(kind)}{''.join(of)})" for s, kind, *of in players)
        chance = say("chance is drawn now")
        if record.seed is not None:
            chance = say("seed {seed}", seed=record.seed)
        title = names.title
        self.terminal.say(f"{title}: {seats}; {chance}", "strong")
        if self.session.people:
            text = "Type the key or words of a choice; `rules`, `advice` and `help` tell the rest."
            self.terminal.say(say(text), "faint")
        if number := len(record.choices):
            one = "The saved game goes on after {number} choice."
            many = "The saved game goes on after {number} choices."
            self.terminal.say(names.count(one, many, number))

    def _answer(self) -> Choice:
        """The choice of the person to move. Raises PlayerQuit if they leave."""
        self.pages.turned = 0
        self._hand_over()
        self._show(self._hint(), self._greeting)
        self._greeting = []
        while True:
            offered = offers(self._replies.scene())
            typed, self._typed_ahead = self._typed_ahead or self._read_line(), ""
            found = offers_meant(typed, offered) if typed else ()
            if reply := self._reply(typed, found, offered):
                self._carry_out(reply)
            elif len(found) == 1:
                return self.session.choice(found[0].offer.id)

    def _hint(self) -> list[Line]:
        """The hint for people who want one at every choice."""
        if not self._advises:
            return []
        with self.terminal.capture() as hint:
            self._replies.hint()
        return hint

    def _reply(
        self, typed: str, found: tuple[Keyed, ...], offered: tuple[Keyed, ...]
    ) -> Callable[[], bool] | None:
        """Handles an answer that does not make a choice."""
        word, _, rest = typed.partition(" ")
        if word.casefold() in self._commands and not any(typed == one.offer.id for one in found):
            return partial(self._commands[word.casefold()], rest.strip())
        if is_part(equipment(self.session.words), typed) and not is_whole(typed, offered):
            return partial(_reply_to, self._replies.show, typed)
        if not typed:
            return lambda: self.terminal.draws  # the cursor is on another row now
        return partial(self._refuse, typed, found) if len(found) != 1 else None

    def _carry_out(self, reply: Callable[[], bool]) -> None:
        """Runs a reply; shows the table again if needed, together with a short reply where pages
        are drawn.
        """
        notes = list[Line]()
        if self.terminal.draws:
            with self.terminal.capture() as notes:
                again = reply()
            if not again and not self.pages.has_room(notes):
                self._show_by_pages(notes)
                return
        elif not reply():
            return
        self._hand_over()
        self._show(notes)

    def _show_by_pages(self, lines: list[Line]) -> None:
        """Shows a text that may be longer than the screen; `q` returns to the table, and any other
        answer is carried out.
        """
        room = max((self.terminal.rows or len(lines)) - 1, 1)
        for first in range(0, len(lines), room):
            if first and (typed := self._read_line(self.say("Enter goes on, q ends > "))):
                if typed.casefold() == "q":
                    self._show([])
                else:
                    self._typed_ahead = typed
                return
            self.terminal.show(lines[first : first + room])

    def _read_line(self, prompt: str = "> ") -> str:
        try:
            return " ".join(self.terminal.ask(prompt).split())[:MOST_SAID]
        except EOFError:
            self.terminal.say()
            raise PlayerQuit from None

    def _hand_over(self) -> None:
        """Clears the screen between two people if they have secrets."""
        seat, session = self._replies.seat, self.session
        hides = len(session.people) > 1 and equipment(session.words).has_secrets
        if self._last != seat and hides and self.terminal.is_screen:
            self.terminal.blank()
            text = "{seat} is next. The others look away; {seat}, press Enter."
            self.terminal.say(self.say(text, seat=session.words.seat(seat)))
            if self._commands.get(self._read_line()) == self._quit:
                raise PlayerQuit
            self.terminal.blank()
        self._last = seat

    def _show(self, notes: list[Line], greeting: Sequence[Line] = ()) -> None:
        """Shows the table, the news since this person's last turn, and the choices."""
        scene, seat = self._replies.scene(), self._replies.seat
        assert scene.view.question is not None, "somebody is asked"
        asked = scene.language.labelled(scene.players[seat].name, scene.view.question.text)
        heading = words(asked, scene.columns, style="strong")
        news = self._news((seat,), _text(heading[0]))
        below = [*greeting, *notes, *self.terminal.remarks()]
        self.pages.put(scene, news, heading, menus(scene, offers(scene)), below)
        self._told[seat] = len(self.session.steps)

    def _answer_of_program(self) -> Choice | None:
        """The choice of a program, or None. Meanwhile the table is shown as the last person's
        choice left it, unless the program's last answer was quick.
        """
        last, seat, people = self.session.last, self.session.state.seat, self.session.people
        has_chosen = last is not None and last.before.seat in people
        is_slow = seat in self.session.players and seat not in self._quick
        if has_chosen and self.terminal.draws and is_slow:
            scene = self.session.scene(*people)
            text = self.say("{seat} is thinking …", seat=self.session.words.seat(seat or ""))
            heading = words(text, scene.columns, style="strong")
            self.pages.put(scene, self._news(people), heading, [[]])
        start = monotonic()
        choice = self.session.answer_of_program()
        (self._quick.add if monotonic() - start < _NOTICED else self._quick.discard)(seat)
        return choice

    def _watch(self) -> None:
        """Pauses to show a program's move, unless a person is next or nobody plays."""
        people, seat = self.session.people, self.session.state.seat
        watched = people and seat in self.session.game.players and seat not in people
        if watched and self._pace and self.terminal.draws:
            scene = self.session.scene(*people)
            self.pages.put(scene, self._news(people), [], [[]])
            wait_for_key(self._pace)

    def _last_news(self, ending: list[str]) -> None:
        """Shows the news since the first person's last choice, and the end of the game."""
        columns, foot = self.terminal.columns, self.terminal.remarks()
        for text in ending:
            foot += unbroken(text, columns)
        if not self.session.people:
            self.terminal.show(foot)
            return
        scene = self.session.scene(*self.session.people)
        self.pages.put(scene, self._news(self.session.people), [], [foot], is_last=True)

    def _news(self, seats: tuple[str, ...], heading: str = "") -> tuple[list[Line], ...]:
        """The news for these seats in versions from long to short: since their last turn where a
        page is drawn; otherwise what they have not been told yet. A last line that repeats the
        heading is omitted.
        """
        steps = self.session.steps
        own = first = self._told[seats[0]] if len(seats) == 1 else min(self._told.values())
        if self.terminal.draws:
            own, first = self._last_turn(seats)
        news = News(self.session.words, seats, self.terminal.columns)
        whole = [news.report(one, later=steps[at:]) for at, one in enumerate(steps[own:], own + 1)]
        found = (
            [*chain(*whole)],
            [*chain(*whole[first - own :])],
            news.together(steps[first:], visible=True),
            news.together(steps[first:]),
            news.together(steps[first:], consequences=False),
            news.latest(steps[first:]),
        )
        for lines in found:
            if lines and _text(lines[-1]) == heading:
                lines.pop()
        return found

    def _last_turn(self, seats: tuple[str, ...]) -> tuple[int, int]:
        """The first step of the previous turn of these seats, and the first one to be reported in
        any case.
        """
        steps, at, turns = self.session.steps, len(self.session.steps), list[int]()
        for is_theirs in (True, False, True):
            while at and (steps[at - 1].before.seat in seats) == is_theirs:
                at -= 1
            turns.append(at)
        _, since, first = turns
        teller = Teller(self.session.words, seats)
        own = (teller.reveals(step, steps[-1].after) for step in steps[first:since])
        return first, first if any(own) else since

    def _refuse(self, typed: str, found: tuple[Keyed, ...]) -> bool:
        self._replies.refuse(typed, found, self._commands)
        return False

    # ---- commands ----

    def _more(self, _: str) -> bool:
        self.pages.turned += 1
        return True

    def _toggle_advice(self, _: str) -> bool:
        self._advises = not self._advises
        if self._advises:
            self._replies.hint()
        else:
            self.terminal.say(self.say("There is no more advice."))
        return False

    def _undo(self, _: str) -> bool:
        if reason := self.session.undo():
            self.terminal.say(reason)
            return False
        for seat in self._told:
            self._told[seat] = min(self._told[seat], len(self.session.steps))
        self.terminal.say(self.say("Taken back."))
        return True

    def _save(self, file: str) -> bool:
        if file:
            self.session.autosave.move(Path(file), self.session.record)
        self.terminal.copyable(self.session.autosave.how_to_resume())
        return False

    def _quit(self, _: str) -> bool:
        self.session.autosave.save(self.session.record)
        raise PlayerQuit


def _reply_to(reply: Callable[[str], None], rest: str) -> bool:
    """A reply that does not change the table."""
    reply(rest)
    return False


def _text(line: Line) -> str:
    return render_line(line, colour=False, plain=False)


class Pages:
    """The pages shown on a terminal; turned: the page of the choices."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal, self.turned = terminal, 0
        self._table: list[Line] = []
        self._room = 0

    def put(
        self,
        scene: Scene,
        news: Sequence[list[Line]],
        heading: list[Line],
        menus: Iterable[list[Line]],
        notes: Sequence[Line] = (),
        *,
        is_last: bool = False,
    ) -> None:
        """Draws a page with the first version of the news that fits; or writes it with the longest,
        without a table that is still visible. Notes without room above the menu scroll away.
        """
        shown = self._page(scene, news, heading, [*menus], None if is_last else self.turned, notes)
        if self.terminal.draws:
            self.terminal.draw(shown.lines)
            return
        below = [*shown.news, *shown.foot]
        self.terminal.show([line()])
        if shown.table != self._table or not self.terminal.has_room(len(below)):
            self.terminal.mark()
            self.terminal.show(shown.table)
            self._table = shown.table
        self.terminal.show(below)

    def has_room(self, notes: Sequence[Line]) -> bool:
        """Whether these notes fit on the current page."""
        return len(notes) <= self._room

    def _page(
        self,
        scene: Scene,
        news: Sequence[list[Line]],
        heading: list[Line],
        menus: list[list[Line]],
        number: int | None,
        notes: Sequence[Line],
    ) -> Page:
        rows = self.terminal.rows
        if rows is None:
            below = [line(), *heading, *menus[0]]
            return Page(screen(scene), [*notes, *news[0]], below)
        top, menu = fitting(scene, news[-1], heading, menus, rows - len(notes))
        self._room = room_for_notes(len(top), heading, menu, rows)
        return page(top, news, heading, menu, rows, number, scene.language, notes)
