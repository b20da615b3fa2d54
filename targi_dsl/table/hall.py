"""All tables of one server: their links and who looks at them, and what each viewer is sent."""

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
"""Threads in which programs think: the engine releases the lock, or is slow and shares it."""
_EXPLAINED = 6
"""The most answers that one reply explains."""


class Link(Frozen):
    """What a key opens: the seats of a table, its public view, or the start page. It is compared in
    constant time, and never logged.
    """

    key: str
    table: str = ""
    seats: tuple[str, ...] = ()


def new_key() -> str:
    return token_urlsafe(_KEY_BYTES)


class Table:
    """One table: its game, its links, and the pages that are open at it.

    pace: how many seconds a program takes at least. renew: a new game with the same seats.
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
        """By viewers and language, what they have just been told, with the steps."""
        self._number = -1
        self._mind: asyncio.Task[None] | None = None
        self.pages: dict[object, tuple[Link, Callable[[], None]]] = {}
        self.watchers: list[Callable[[], None]] = []
        self.threads: ThreadPoolExecutor | None = None

    # ---- what happens ----

    def changed(self) -> None:
        """Tells all pages, and lets a program think if it is to move."""
        for wake in (*(wake for _, wake in self.pages.values()), *self.watchers):
            wake()
        if not self.game.waits and (self._mind is None or self._mind.done()):
            with suppress(RuntimeError):  # before the server begins, nothing runs
                loop = asyncio.get_running_loop()
                self._mind = loop.create_task(self._go_on(loop))

    async def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Lets programs and chance go on until a person is asked."""
        game = self.game
        while not game.waits:
            number, is_player = game.number, game.state.seat in game.game.players
            begun = loop.time()
            try:
                made = await loop.run_in_executor(self.threads, game.thinking())
            except Exception as error:  # noqa: BLE001  a program may fail in any way
                if game.number == number:
                    game.halt(error)
                    self.changed()
                return
            if is_player and (left := self.pace - (loop.time() - begun)) > 0:
                await asyncio.sleep(left)
            if game.number == number:  # nobody has taken a choice back meanwhile
                game.go_on(made)
                if is_player or game.waits:
                    self.changed()

    def again(self) -> str:
        """A new game, once this one is over. Returns why not, or nothing."""
        if self._renew is None or (self.game.state.seat is not None and not self.game.halted):
            return NOT_NOW
        number = self.game.number
        self.game = self._renew(self.game)
        self.game.number = number + 1
        return ""

    def reseat(self, link: Link, seat: str, kind: str) -> str:
        """Gives a seat to a program or a person: one's own, one of a program, or of somebody who is
        away. Returns why not, or nothing.
        """
        game = self.game
        is_free = seat in link.seats or seat not in game.people or seat not in self.present()
        has_link = kind != HUMAN or any(seat in one.seats for one in self.links)
        known = seat in game.game.players and kind in (HUMAN, *PLAYERS)
        if not (link.seats and known and is_free and has_link):
            return NOT_OFFERED
        game.seat_player(seat, kind)
        return ""

    # ---- what a page is sent ----

    def begin(self, link: Link, code: str) -> bytes:
        """What never changes: the edition of the game, and whose page it is."""
        edition = self.edition.begin(code)
        return json.encode({"is": "begin", "edition": edition, "seats": link.seats})

    def now(self, link: Link, code: str) -> bytes:
        """All that a page sees now."""
        seen = self._seen(self.viewers(link), code)
        return json.encode({"is": "now", **seen, "table": self._status(link)})

    def _seen(self, viewers: tuple[str, ...], code: str) -> dict[str, object]:
        """What all pages of these viewers are sent; it is found once for each position."""
        game, key = self.game, (viewers, code)
        if game.number != self._number:
            self._number = game.number
            self._views.clear()
        if key not in self._views:
            shown = Raw(json.encode(self.view(viewers, code)))
            self._views[key] = {"at": game.number, "steps": len(game.steps), "view": shown}
        return self._views[key]

    def scores(self, link: Link, code: str) -> bytes:
        """The scores, as a page's viewers can know them."""
        observed = self._observed(self.game.state, self.viewers(link))
        return json.encode({"is": "scores", "scores": score_table(observed, self.words(code))})

    def past(self, link: Link, code: str, step: int) -> bytes:
        """What the page's viewers saw after a step."""
        of = len(self.game.steps)
        step = max(0, min(step, of))
        shown = self.view(self.viewers(link), code, step)
        return json.encode({"is": "earlier", "number": step, "of": of, "view": shown})

    def _observed(self, state: State, viewers: tuple[str, ...]) -> Observation:
        return observe(state, viewers[0] if viewers else PUBLIC)

    def view(self, viewers: tuple[str, ...], code: str, step: int | None = None) -> View:
        """What viewers see now, with the news since their last turn; or what they saw after a step,
        with its news.
        """
        game, words = self.game, self.words(code)
        last = len(game.steps) if step is None else step
        first = self._since(viewers) if step is None else max(step - 1, 0)
        state, news = game.position(last), self._told(viewers, words, first, last)
        outcome = outcome_of(result(state), words) if state.seat is None else None
        return view(self._observed(state, viewers), words, viewers, news, outcome)

    def _told(self, viewers: tuple[str, ...], words: Words, first: int, last: int) -> list[News]:
        """The steps from the first to before the last, as the viewers knew them then; without those
        of which they learned nothing.
        """
        key, steps = (viewers, words.language.code), self.game.steps
        teller = Teller(words, viewers or self.game.game.players)
        before, told = self._news.get(key, {}), dict[int, tuple[Past, News]]()
        for number in range(first, last):
            known = before.get(number)
            if known is None or known[0] is not steps[number]:
                known = steps[number], teller.news(number, self.game.step(number))
            told[number] = known
        self._news[key] = told
        return [one for _, one in told.values() if one.choice or one.events]

    def viewers(self, link: Link) -> tuple[str, ...]:
        """Whose eyes a page has: of several seats at one screen, those of whoever is to move, or
        was last.
        """
        own = [seat for seat in link.seats if seat in self.game.people]
        if len(own) < 2:
            return tuple(own)
        asked = (self.game.state.seat, *(step.seat for step in reversed(self.game.steps)))
        return (next((seat for seat in asked if seat in own), own[0]),)

    def _since(self, viewers: tuple[str, ...]) -> int:
        """The number of the first step after the last turn of these seats."""
        steps, at = self.game.steps, len(self.game.steps)
        if not viewers:
            return max(at - 1, 0)
        for is_theirs in (True, False):
            while at and (steps[at - 1].seat in viewers) == is_theirs:
                at -= 1
        return at

    def present(self) -> frozenset[str]:
        """The seats at which somebody looks."""
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
    """The tables of a server, by name.

    host: the key of the start page; a new one if it is not given.
    """

    def __init__(self, host: str | None = None) -> None:
        self.tables: dict[str, Table] = {}
        self.host = Link(new_key() if host is None else host)
        self.watchers: list[Callable[[], None]] = []
        """Who is told whenever anything changes at a table."""
        self.threads = ThreadPoolExecutor(_THINKING, "player")

    def link(self, key: str) -> Link | None:
        """What a key opens. All keys are compared, each in constant time."""
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
        """Does what may take long where programs think, beside the server."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)

    def begin(self) -> None:
        """Lets programs play where they are to move."""
        for table in self.tables.values():
            table.changed()


# ---- what pages ask ----


def reasons(
    state: State, seats: tuple[str, ...], words: Words, asked: Why
) -> list[dict[str, object]]:
    """Why what is asked about cannot be chosen: by a thing on the table, or by words."""
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
    """What the usual player would choose for a seat."""
    player = player_of(USUAL, len(state.option_ids), seat)
    return player.choose(observe(state, seat), choices(state))
