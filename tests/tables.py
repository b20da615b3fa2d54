"""Tables without a network: a hall with one table, and pages that speak with its server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message, Scope

from targi_dsl.cli.hosting import Shelf
from targi_dsl.records import Autosave, Record
from targi_dsl.table.editions import Edition
from targi_dsl.table.game import TableGame
from targi_dsl.table.hall import Hall, Link, Table
from targi_dsl.table.lobby import Lobby
from targi_dsl.table.server import server
from targi_dsl.table.serving import qr_drawing
from targi_dsl.text.languages import ENGLISH
from tests.games import compiled

HOST = "127.0.0.1:8642"
ORIGIN = f"http://{HOST}"


def new_record(name: str, seats: Mapping[str, str] | None = None, seed: int | None = 7) -> Record:
    """A new game of people, but for the seats that are given."""
    game = compiled(name)
    seated = {**dict.fromkeys(game.players, "human"), **(seats or {})}
    return Record(name, game.hash, dict(game.options), seed, seated, ())


def new_table(record: Record) -> Table:
    """A table with a link for each seat, one for all of them, and one for whoever watches; its
    keys are the names of the seats, `all` and `watch`.
    """
    game = compiled(record.game)
    links = [Link(seat, "1", (seat,)) for seat in game.players]
    links += [Link("all", "1", game.players), Link("watch", "1")]
    playing = TableGame(game, record, Autosave(None, print))
    return Table("1", Edition(game, lambda _: ENGLISH), playing, tuple(links), 0)


PATIENCE = 20
"""Seconds in which a server has to answer."""


class Closed(Exception):
    """The server has closed the connection, for this reason."""


class Browser:
    """A browser of nobody in particular, on a thread of its own for the server."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.loop = app, asyncio.new_event_loop()
        Thread(target=self.loop.run_forever, daemon=True).start()

    def get(self, path: str, host: str = HOST) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of a page."""
        return self._ask("GET", path, host, "", b"")

    def _ask(
        self, method: str, path: str, host: str, origin: str, said: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        sent = Queue[Message]()
        asked: Message = {"type": "http.request", "body": said, "more_body": False}
        scope = {**_scope("http", path, host, origin), "method": method}
        self.run(scope, asyncio.Queue[Message](), sent, [asked]).result(PATIENCE)
        begun, *bodies = [sent.get() for _ in range(sent.qsize())]
        headers = {name.decode(): value.decode() for name, value in begun["headers"]}
        return begun["status"], headers, b"".join(one.get("body", b"") for one in bodies)

    def post(
        self, path: str, fields: Mapping[str, str], origin: str = ORIGIN
    ) -> tuple[int, dict[str, str], str]:
        """The status, the headers and the text that answer a form."""
        status, headers, body = self._ask("POST", path, HOST, origin, urlencode(fields).encode())
        return status, headers, body.decode()

    def run(
        self,
        scope: Scope,
        said: asyncio.Queue[Message],
        sent: Queue[Message],
        first: list[Message],
    ) -> Future[None]:
        """Runs the server for one request or connection."""

        async def receive() -> Message:
            if first:
                return first.pop(0)
            return await said.get()

        async def send(message: Message) -> None:
            while sent.full():
                await asyncio.sleep(0.01)
            sent.put(message)

        async def serve() -> None:
            await self.app(scope, receive, send)

        return asyncio.run_coroutine_threadsafe(serve(), self.loop)


def _scope(kind: str, path: str, host: str, origin: str) -> Scope:
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers if origin else headers[:1],
        "subprotocols": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8642),
    }


def client(table: Table) -> Browser:
    """A browser at a hall with this table."""
    hall = Hall()
    hall.add(table)
    return Browser(server(hall, [HOST]))


def host(folder: Path, *, lan: bool = False) -> tuple[Browser, Hall]:
    """A browser at a hall with no table, whose start page has the key `host`."""
    hall = Hall("host")
    games = Shelf(8642, "host", 0, folder, lan=lan)
    address = f"http://{HOST}"
    lobby = Lobby(hall, games, address, qr_drawing if lan else None)
    return Browser(server(hall, [HOST], lobby)), hall


class Seat:
    """A page: what it says, and the newest view that it has."""

    def __init__(
        self, browser: Browser, host: str = HOST, origin: str = ORIGIN, *, reads: bool = True
    ) -> None:
        self._browser, self._said = browser, asyncio.Queue[Message]()
        self._sent = Queue[Message](0 if reads else 2)
        first: list[Message] = [{"type": "websocket.connect"}]
        scope = _scope("websocket", "/socket", host, origin)
        self.ended = browser.run(scope, self._said, self._sent, first)
        self.now: dict[str, Any] = {}
        if self._sent.get(timeout=PATIENCE)["type"] != "websocket.accept":
            raise Closed

    def close(self) -> None:
        """Goes away."""
        self._put({"type": "websocket.disconnect", "code": 1000})
        with suppress(TimeoutError):
            self.ended.result(PATIENCE)

    def say(self, **message: object) -> None:
        self.send(json.dumps(message))

    def send(self, text: str | bytes) -> None:
        """Says whatever it is."""
        kind = "text" if isinstance(text, str) else "bytes"
        self._put({"type": "websocket.receive", kind: text})

    def _put(self, message: Message) -> None:
        self._browser.loop.call_soon_threadsafe(self._said.put_nowait, message)

    def hear(self, *kinds: str) -> Any:
        """The next message of one of these kinds, or of any. Raises Closed if there is none."""
        while True:
            sent = self._sent.get(timeout=PATIENCE)
            if sent["type"] == "websocket.close":
                raise Closed(sent["code"])
            message = json.loads(sent["text"])
            if message["is"] == "now":
                self.now = message
            if message["is"] in kinds or not kinds:
                return message

    def hear_until_closed(self) -> None:
        """Hears everything; raises Closed at the end."""
        while True:
            self.hear()

    def wait_until(self, at: int) -> Any:
        """The first view of a position with this number or a later one."""
        while self.now.get("at", -1) < at:
            self.hear("now")
        return self.now

    @property
    def offers(self) -> list[str]:
        return [one["id"] for one in self.now["view"]["offers"]]

    def choose(self, id_: str, at: int | None = None) -> None:
        self.say(**{"is": "choose", "at": self.now["at"] if at is None else at, "id": id_})


@contextmanager
def sitting(browser: Browser, key: str, language: str = "en") -> Iterator[Seat]:
    """A page that is open with this key."""
    seat = Seat(browser)
    try:
        seat.say(**{"is": "join", "key": key, "language": language})
        seat.hear("now", "tables")
        yield seat
    finally:
        seat.close()
