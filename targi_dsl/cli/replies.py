"""What a person can ask at the prompt, and the replies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from targi_dsl.api import choices
from targi_dsl.cli.card_view import card_text
from targi_dsl.cli.drawing import draw
from targi_dsl.cli.estimate import as_known, scores
from targi_dsl.cli.help_page import ALL, HELP, help_page
from targi_dsl.cli.manual import being_done, manual, told_of
from targi_dsl.cli.refusals import Refusals
from targi_dsl.cli.seated import Seated
from targi_dsl.cli.summary import counted
from targi_dsl.display.choosing import Offer, offers
from targi_dsl.display.ink import Ink, Line, line, words
from targi_dsl.display.news import News
from targi_dsl.display.screen import part_of_table, screen
from targi_dsl.display.view import View, view_of
from targi_dsl.information.observation import observe
from targi_dsl.players import ADVISER, PLAYERS
from targi_dsl.text.diagnostics import Problems

PICTURE, _SVG = "table", ".svg"
"""The default file name of a picture; every name gets this suffix, and no other kind of file is
replaced.
"""

_AROUND_LOG = 2
"""The rows for the line above what happened last, and for the answer below it."""


class Replies:
    """Replies to the person to move; the game does not change."""

    def __init__(self, session: Seated) -> None:
        self.session, self.terminal = session, session.terminal
        self.say = session.words.say
        self._refusals = Refusals(session)
        self._comment = ""
        self.commands: dict[str, Callable[[str], None]] = {
            HELP: self._help,
            "rules": self._rules,
            "how": self._how,
            "table": self._table,
            "card": self._card,
            "show": self.show,
            "why": self._why,
            "hint": self._hint,
            "picture": self._picture,
            "score": self._score,
            "log": self._log,
            "position": self._position,
        }

    @property
    def seat(self) -> str:
        """Whose turn it is."""
        seat = self.session.state.seat
        assert seat is not None
        return seat

    def view(self) -> View:
        """What the person to move sees."""
        return view_of(self.session.state, self.session.words, (self.seat,), self.terminal.columns)

    # ---- the rules ----

    def _help(self, _: str) -> None:
        self._say_all(help_page(self.session.words.language, self.terminal.columns))

    def _rules(self, name: str) -> None:
        self._say_all(manual(self.view(), name))

    def _how(self, _: str) -> None:
        for deep, text in enumerate(being_done(self.view())):
            self.terminal.say(f"{'  ' * deep}{text}")
        self.terminal.say(self.say("`rules` tells the aim and course of the game."), "faint")

    def _say_all(self, texts: Iterable[str]) -> None:
        """Writes texts that may be set in columns; if one is too long, its continuation is
        indented.
        """
        for text in "\n".join(texts).split("\n"):
            fits = len(text) <= self.terminal.columns
            self.terminal.show(
                [line(text)] if fits else words(text, self.terminal.columns, " " * 4)
            )

    # ---- what lies on the table ----

    def _table(self, _: str) -> None:
        self.terminal.show(screen(self.view()))

    def show(self, name: str) -> None:
        """The contents of a part of the table."""
        self.terminal.show(part_of_table(self.view(), name))

    def _card(self, name: str) -> None:
        for text in card_text(self.view(), name):
            self.terminal.say(text)

    def _picture(self, name: str) -> None:
        file = Path(f"{name.removesuffix(_SVG) or PICTURE}{_SVG}")
        try:
            draw(self.session.state, self.seat, self.session.words.language, file)
        except Problems as error:
            self.terminal.say(f"{file}: {error.problems[0].text}")
        else:
            self.terminal.copyable(self.say("Drawn: {file}", file=file))

    def _score(self, _: str) -> None:
        names = self.session.words
        for seat, score, parts in scores(self.session.state, self.seat, names.language):
            self.terminal.say(counted(names, seat, score, parts))

    def _log(self, which: str) -> None:
        if not self.session.steps:
            self.terminal.say(self.say("Nothing has happened yet."))
            return
        is_whole = which.casefold() in (ALL, self.say(ALL))
        room = None if is_whole else self.terminal.rows
        self.terminal.show(self._latest(room))

    def _latest(self, rows: int | None) -> list[Line]:
        """What happened last, as far as it fits into so many rows with what is typed below it, but
        at least the last step; without rows, everything.
        """
        news = News(self.session.words, (self.seat,), self.terminal.columns)
        steps, lines = self.session.steps, list[Line]()
        for number in range(len(steps), 0, -1):
            told = news.told(steps[number - 1], f"{number:3} ", steps[number:])
            if rows is not None and lines and len(told) + len(lines) + _AROUND_LOG > rows:
                note = self.say("`log all` tells what happened before.")
                return [line(Ink(note, "faint")), *lines]
            lines = [*told, *lines]
        return lines

    def _position(self, _: str) -> None:
        for text in as_known(self.session.state, self.seat):
            self.terminal.show([line(text)])

    # ---- what can be chosen ----

    def refuse(self, typed: str, matches: tuple[Offer, ...], known: Iterable[str]) -> None:
        """Explains why an answer does not make a choice; known: what else can be typed."""
        self._refusals.refuse(self.view(), typed, matches, known)

    def _why(self, typed: str) -> None:
        self._refusals.explain(self.view(), typed)

    def hint(self) -> None:
        """The rules' comment on this question, unless it was the last one shown, and what the
        adviser would choose.
        """
        text = told_of(self.view())
        if text and text != self._comment:
            self.terminal.say(text, "faint")
            self._comment = text
        self._hint("")

    def _hint(self, _: str) -> None:
        seat, state = self.seat, self.session.state
        player = PLAYERS[ADVISER](self.session.record.seed or 0, seat)
        choice = player.choose(observe(state, seat), choices(state))
        (offer,) = (
            candidate for candidate in offers(self.view()) if candidate.choice.id == choice.id
        )
        text = "The {player} player would choose {choice}"
        title = f"{offer.key}) {offer.title}"
        self.terminal.say(self.say(text, player=self.say(ADVISER), choice=title))
