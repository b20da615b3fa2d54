"""The start page of a server: its games, the tables, and their free seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Protocol

from msgspec import json

from targi_dsl.compiler import translations
from targi_dsl.table.editions import client_words
from targi_dsl.table.hall import Hall, Link, Table
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.languages import message
from targi_dsl.text.structs import Frozen

MOST_TABLES = 200
"""The most tables at one time; further ones are refused."""
FULL = message("there are too many tables; no more are begun")


class Title(Frozen):
    """A game that can be begun."""

    name: str
    title: str


class Setting(Frozen):
    """An option in a form: its name in words, its default, all values with their words, and its
    description.
    """

    name: str
    words: str
    usual: str
    values: dict[str, str]
    about: str


class Form(Frozen):
    """The form to begin a game. seats: their names. usual: default players. language: of the
    options.
    """

    name: str
    title: str
    about: str
    seats: dict[str, str]
    usual: dict[str, str]
    options: tuple[Setting, ...]
    language: str


class Drawing(Frozen):
    """A square drawing: its side, and the SVG path of what is dark."""

    side: int
    path: str


class Library(Protocol):
    """The games that a server offers. All methods but the first may be slow."""

    def titles(self, code: str) -> tuple[Title, ...]:
        """All games, with their titles in a language."""

    def form(self, name: str, options: Mapping[str, str], code: str) -> Form:
        """The form to begin a game, in a language. Raises Problems if the game has errors."""

    def picture(self, name: str) -> str:
        """The opening position as SVG. Raises Problems if the game has errors."""

    def begin(self, name: str, seats: Mapping[str, str], options: Mapping[str, str]) -> Table:
        """A new table. Raises Problems if a seat or an option is invalid."""


class Lobby:
    """The start page, for whoever started the server. address: of the server. draw: makes the QR
    code of an address; None if only this machine can reach the server.
    """

    def __init__(
        self, hall: Hall, library: Library, address: str, draw: Callable[[str], Drawing] | None
    ) -> None:
        self.hall, self.library = hall, library
        self._address, self._draw = address, cache(draw) if draw is not None else None
        self.pages: dict[object, tuple[Link, Callable[[], None]]] = {}
        self._pictures: dict[str, str] = {}
        self._drawing = asyncio.Semaphore(1)
        hall.watchers.append(self.changed)

    async def picture(self, name: str) -> str | None:
        """The opening position of a game as SVG, one drawn at a time; None if there is no such
        game.
        """
        async with self._drawing:
            known = {one.name for one in self.library.titles("en")}
            if name not in self._pictures and name in known:
                with suppress(Problems):
                    draw = partial(self.library.picture, name)
                    self._pictures[name] = await self.hall.apart(draw)
            return self._pictures.get(name)

    def changed(self) -> None:
        """Wakes all pages."""
        for _, wake in self.pages.values():
            wake()

    def begin(self, _: Link, code: str) -> bytes:
        """The first message: the games and the texts of the page."""
        words = client_words(translations.of_program(code))
        return json.encode({"is": "lobby", **words, "titles": self.library.titles(code)})

    def now(self, _: Link, code: str) -> bytes:
        """The message with the tables, the newest first."""
        tables = [self._table(one, code) for one in reversed(self.hall.tables.values())]
        return json.encode({"is": "tables", "tables": tables})

    def _table(self, table: Table, code: str) -> dict[str, object]:
        words, game, present = table.words(code), table.game, table.present()
        seats = [
            {
                "name": words.seat(seat),
                "player": game.record.seats[seat],
                "present": seat in present,
                "asked": game.state.seat == seat and not game.halted,
            }
            for seat in game.game.players
        ]
        links = [
            {
                "seats": [words.seat(seat) for seat in link.seats],
                "address": (address := f"{self._address}/#{link.key}"),
                "code": self._draw(address) if self._draw is not None else None,
            }
            for link in table.links
        ]
        named = {"name": game.record.game, "title": words.title, "steps": len(game.steps)}
        over = game.state.seat is None or bool(game.halted)
        return {**named, "seats": seats, "links": links, "over": over}
