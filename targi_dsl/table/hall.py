"""The tables of a server: their links, the pages that are open at them, and what each page is
sent.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from secrets import token_urlsafe
from typing import TypeVar

from msgspec import Raw, json

from targi_dsl.api import PUBLIC, Choice, choices, result
from targi_dsl.api.state import State
from targi_dsl.display.choosing import barred_offers, offers_meant
from targi_dsl.explain.why_not import why_not
from targi_dsl.information.observation import Observation, observe
from targi_dsl.players import PLAYERS, USUAL, player_of
from targi_dsl.table.editions import Edition
from targi_dsl.table.game import HUMAN, NOT_NOW, NOT_OFFERED, NOT_YOURS, Past, TableGame
from targi_dsl.table.messages import Why
from targi_dsl.text.structs import Frozen
from targi_dsl.view.news import Teller
from targi_dsl.view.outcomes import outcome_of, score_table
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import News, View
from targi_dsl.view.views import view
from targi_dsl.view.words import Words

T = TypeVar("T")
_KEY_BYTES = 16
_THINKING = 2
"""The number of threads in which programs think. The C engine releases the interpreter lock; the
slow one shares it with the server.
"""
_EXPLAINED = 6
"""The most answers that one reply explains."""


class Link(Frozen):
    """What a key gives access to: seats of a table, its public view, or the start page. Keys are
    compared in constant time, and never logged.
    """

    key: str
    table: str = ""
    seats: tuple[str, ...] = ()


def new_key() -> str:
    return token_urlsafe(_KEY_BYTES)


class Table:
    """A table: its game, its links, and its open pages. pace: the least seconds that a program's
    move takes. renew: makes a new game with the same seats.
    """

    def __init__(
        self,
        name: str,
        edition: Edition,
        game: TableGame,
        links: tuple[Link, ...],
        pace: float,
        renew: Callable[[TableGame], TableGame] | None = None,
    ) -> None:
        self.name, self.edition, self.game, self.links = name, edition, game, links
        self.pace, self._renew, self.words = pace, renew, edition.words
        self._views: dict[tuple[tuple[str, ...], str], dict[str, object]] = {}
        self._news: dict[tuple[object, ...], dict[int, tuple[Past, News]]] = {}
        """The latest news by viewers and language, with the steps that they describe."""
        self._number = -1
        self._mind: asyncio.Task[None] | None = None
        self.pages: dict[object, tuple[Link, Callable[[], None]]] = {}
        self.watchers: list[Callable[[], None]] = []
        self.threads: ThreadPoolExecutor | None = None

    # ---- progress of the game ----

    def changed(self) -> None:
        """Wakes all pages, and lets a program think if it is to move."""
        for wake in (*(wake for _, wake in self.pages.values()), *self.watchers):
            wake()
        if not self.game.waits and (self._mind is None or self._mind.done()):
            with suppress(RuntimeError):  # no event loop before the server runs
                loop = asyncio.get_running_loop()
                self._mind = loop.create_task(self._go_on(loop))

    async def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Runs programs and chance until a person is asked."""
        game = self.game
        while not game.waits:
            number, is_player = game.number, game.state.seat in game.game.players
            start = loop.time()
            try:
                steps = await loop.run_in_executor(self.threads, game.thinking())
            except Exception as error:  # noqa: BLE001  a program may fail in any way
                if game.number == number:
                    game.halt(error)
                    self.changed()
                return
            if is_player and (left := self.pace - (loop.time() - start)) > 0:
                await asyncio.sleep(left)
            if game.number == number:  # not after an undo meanwhile
                game.go_on(steps)
                if is_player or game.waits:
                    self.changed()

    def again(self) -> str:
        """Begins a new game after this one is over. Returns a refusal, or ""."""
        if self._renew is None or (self.game.state.seat is not None and not self.game.halted):
            return NOT_NOW
        number = self.game.number
        self.game = self._renew(self.game)
        self.game.number = number + 1
        return ""

    def reseat(self, link: Link, seat: str, kind: str) -> str:
        """Gives a seat to a program or a person: one's own, a program's, or one of an absent
        person. Returns a refusal, or "".
        """
        game = self.game
        is_free = seat in link.seats or seat not in game.people or seat not in self.present()
        has_link = kind != HUMAN or any(seat in one.seats for one in self.links)
        known = seat in game.game.players and kind in (HUMAN, *PLAYERS)
        if not (link.seats and known and is_free and has_link):
            return NOT_OFFERED
        game.seat_player(seat, kind)
        return ""

    # ---- messages to pages ----

    def begin(self, link: Link, code: str) -> bytes:
        """The first message: the edition of the game, and the seats of the page."""
        edition = self.edition.begin(code)
        return json.encode({"is": "begin", "edition": edition, "seats": link.seats})

    def now(self, link: Link, code: str) -> bytes:
        """The message with the current view."""
        seen = self._seen(self.viewers(link), code)
        return json.encode({"is": "now", **seen, "table": self._status(link)})

    def _seen(self, viewers: tuple[str, ...], code: str) -> dict[str, object]:
        """The part of that message which all pages of these viewers share; cached for a
        position.
        """
        game, key = self.game, (viewers, code)
        if game.number != self._number:
            self._number = game.number
            self._views.clear()
        if key not in self._views:
            shown = Raw(json.encode(self.view(viewers, code)))
            self._views[key] = {"at": game.number, "steps": len(game.steps), "view": shown}
        return self._views[key]

    def scores(self, link: Link, code: str) -> bytes:
        """The message with the scores as the viewers can know them."""
        observed = self._observed(self.game.state, self.viewers(link))
        return json.encode({"is": "scores", "scores": score_table(observed, self.words(code))})

    def past(self, link: Link, code: str, step: int) -> bytes:
        """The message with the view after a step."""
        of = len(self.game.steps)
        step = max(0, min(step, of))
        shown = self.view(self.viewers(link), code, step)
        return json.encode({"is": "earlier", "number": step, "of": of, "view": shown})

    def _observed(self, state: State, viewers: tuple[str, ...]) -> Observation:
        return observe(state, viewers[0] if viewers else PUBLIC)

    def view(self, viewers: tuple[str, ...], code: str, step: int | None = None) -> View:
        """The current view of some viewers, with news since their last turn; or the view after a
        step, with its news.
        """
        game, words = self.game, self.words(code)
        last = len(game.steps) if step is None else step
        first = self._since(viewers) if step is None else max(step - 1, 0)
        state, news = game.position(last), self._told(viewers, words, first, last)
        outcome = outcome_of(result(state), words) if state.seat is None else None
        return view(self._observed(state, viewers), words, viewers, news, outcome)

    def _told(self, viewers: tuple[str, ...], words: Words, first: int, last: int) -> list[News]:
        """The news of steps `first` to `last`, as the viewers knew them at that time; without steps
        of which they learned nothing.
        """
        key, steps = (viewers, words.language.code), self.game.steps
        teller = Teller(words, viewers or self.game.game.players)
        before, news = self._news.get(key, {}), dict[int, tuple[Past, News]]()
        for number in range(first, last):
            known = before.get(number)
            if known is None or known[0] is not steps[number]:
                known = steps[number], teller.news(number, self.game.step(number))
            news[number] = known
        self._news[key] = news
        return [one for _, one in news.values() if one.choice or one.events]

    def viewers(self, link: Link) -> tuple[str, ...]:
        """The seats as which a page looks: of several at one screen, the one that is to move or was
        last.
        """
        own = [seat for seat in link.seats if seat in self.game.people]
        if len(own) < 2:
            return tuple(own)
        asked = (self.game.state.seat, *(step.seat for step in reversed(self.game.steps)))
        return (next((seat for seat in asked if seat in own), own[0]),)

    def _since(self, viewers: tuple[str, ...]) -> int:
        """The index of the first step after the last turn of these seats."""
        steps, at = self.game.steps, len(self.game.steps)
        if not viewers:
            return max(at - 1, 0)
        for is_theirs in (True, False):
            while at and (steps[at - 1].seat in viewers) == is_theirs:
                at -= 1
        return at

    def present(self) -> frozenset[str]:
        """The seats with an open page."""
        return frozenset(seat for link, _ in self.pages.values() for seat in link.seats)

    def _status(self, link: Link) -> dict[str, object]:
        game, present = self.game, self.present()
        own = self.viewers(link)
        return {
            "players": game.record.seats,
            "yours": [seat for seat in link.seats if seat in game.people],
            "present": sorted(present),
            "can_undo": len(own) == 1 and game.can_undo(own[0]),
            "request": game.request,
            "has_scores": bool(game.game.scores),
            "halted": game.halted,
            "unsaved": game.autosave.failure,
        }


class Hall:
    """The tables of a server, by name. host: the key of the start page; None for a new one."""

    def __init__(self, host: str | None = None) -> None:
        self.tables: dict[str, Table] = {}
        self.host = Link(new_key() if host is None else host)
        self.watchers: list[Callable[[], None]] = []
        """Called whenever anything changes at a table."""
        self.threads = ThreadPoolExecutor(_THINKING, "player")

    def link(self, key: str) -> Link | None:
        """The link of a key. All keys are compared, each in constant time."""
        given = key.encode("utf-8", "replace")
        links = (self.host, *(one for table in self.tables.values() for one in table.links))
        found = [one for one in links if hmac.compare_digest(one.key.encode(), given)]
        return found[0] if found else None

    def add(self, table: Table) -> None:
        """Adds a table, and lets a program play if it is to move."""
        self.tables[table.name] = table
        table.watchers, table.threads = self.watchers, self.threads
        table.changed()

    async def apart(self, work: Callable[[], T]) -> T:
        """Runs slow work in the threads of programs."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)

    def begin(self) -> None:
        """Lets programs play where they are to move."""
        for table in self.tables.values():
            table.changed()


# ---- replies to questions of pages ----


def reasons(
    state: State, seats: tuple[str, ...], words: Words, asked: Why
) -> list[dict[str, object]]:
    """Why answers about a thing, or with these words, are not offered."""
    if len(seats) != 1 or state.seat != seats[0]:
        return [{"answer": "", "reasons": [{"text": words.say(NOT_YOURS)}]}]
    barred = barred_offers(Seen(observe(state, seats[0]), words))
    if asked.words:
        found = offers_meant(asked.words, barred)
    else:
        on = (({(ref.sort, ref.id) for ref in one.offer.acts_on}, one) for one in barred)
        found = tuple(one for things, one in on if (asked.sort, asked.id) in things)
    names = {one.offer.id: one.title for one in found[:_EXPLAINED]}
    if not names and not asked.words:
        return [{"answer": "", "reasons": [{"text": words.say(NOT_OFFERED)}]}]
    return [
        {"answer": name, "reasons": _reasons(state, id_, words)}
        for id_, name in (names or {asked.words: asked.words}).items()
    ]


def _reasons(state: State, id_: str, words: Words) -> list[dict[str, object]]:
    found = ((one.text, (*one.lifts, one.lasts)) for one in why_not(state, id_, words))
    return [{"text": text, "lifted": [*filter(None, lifted)]} for text, lifted in found]


def adviser(state: State, seat: str) -> Choice:
    """The choice of the default player for a seat."""
    player = player_of(USUAL, len(state.option_ids), seat)
    return player.choose(observe(state, seat), choices(state))
