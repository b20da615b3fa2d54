"""The web server: pages for browsers, and a WebSocket for each open page."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from importlib.resources import files
from urllib.parse import parse_qsl

from msgspec import json
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose, WebSocketDisconnect

from targi_dsl.api.state import State
from targi_dsl.compiler.translations import languages, of_program
from targi_dsl.table import messages as m
from targi_dsl.table.hall import Hall, Link, Table, adviser, reasons
from targi_dsl.table.lobby import FULL, MOST_TABLES, Lobby
from targi_dsl.table.text_page import text_page
from targi_dsl.text.diagnostics import Problems

MOST_SOCKETS = 400
"""The most open pages of a server; further ones are refused."""
MOST_A_SECOND, AT_ONCE = 50, 100
"""The rate limit of messages from a page: per second, and in one burst."""
MOST_ANSWERS = 32
"""The most replies that wait to be sent to a page; further ones are dropped."""
FIRST_MESSAGE, SLOWEST = 10.0, 20.0
"""Timeouts in seconds: for the first message of a page, and for sending one."""

TOO_BIG, POLICY, TRY_LATER = 1009, 1008, 1013
"""Close codes (RFC 6455)."""

POLICIES = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
DRAWN = "default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy of a picture, which has inline styles and no scripts."""
_TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "woff2": "font/woff2",
    "svg": "image/svg+xml",
}


def server(hall: Hall, hosts: Iterable[str], lobby: Lobby | None = None) -> ASGIApp:
    """The ASGI application. hosts: the addresses with ports that it serves; requests to others, and
    from pages of others, are refused. lobby: the start page, if there is one.
    """
    client = (files("targi_dsl.table") / "client").iterdir()
    pages = {path.name: path.read_bytes() for path in client if _kind(path.name) is not None}
    packed = {name: gzip.compress(body) for name, body in pages.items()}

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        body, kind = pages.get(name), _kind(name)
        if body is None:
            return PlainTextResponse("There is no such page.\n", 404, POLICIES)
        cache = "no-cache" if kind != "font/woff2" else "max-age=31536000, immutable"
        headers = {**POLICIES, "cache-control": cache, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", "") and kind != "font/woff2":
            body, headers["content-encoding"] = packed[name], "gzip"
        return Response(body, 200, headers, kind)

    async def picture(request: Request) -> Response:
        name = request.path_params["name"]
        drawn = None
        with suppress(asyncio.CancelledError):  # the server ends
            drawn = None if lobby is None else await lobby.picture(name)
        headers = {**POLICIES, "content-security-policy": DRAWN, "cache-control": "max-age=3600"}
        return Response(drawn or "", 200 if drawn else 404, headers, _TYPES["svg"])

    async def text(request: Request) -> Response:
        form = await _form(request)
        link = hall.link(form.get("key", ""))
        table = hall.tables.get(link.table) if link is not None else None
        if link is None or table is None:
            return PlainTextResponse("This key opens no table.\n", 404, POLICIES)
        asked = request.headers.get("accept-language", "")[:2]
        code = asked if asked in languages() else "en"
        refused = ""
        if id_ := form.get("id"):
            at = form.get("at", "")
            refused = table.game.choose(link.seats, int(at) if at.isdecimal() else -1, id_)
            table.changed()
        said = table.words(code).language.messages.gettext(refused) if refused else ""
        shown = text_page(table, link, code, said)
        headers = {**POLICIES, "cache-control": "no-store"}
        return Response(shown, 200, headers, _TYPES["html"])

    routes = [
        Route("/", page),
        Route("/game/{name}.svg", picture),
        Route("/text", text, methods=["POST"]),
        Route("/{name}", page),
    ]
    requests = Starlette(routes=routes)

    known = frozenset(hosts)

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        is_socket = scope["type"] == "websocket"
        if not _is_ours(scope, known):
            refused = PlainTextResponse("This address is not served here.\n", 421)
            await (WebSocketClose(POLICY) if is_socket else refused)(scope, receive, send)
        elif is_socket and scope["path"] == "/socket":
            # without the middleware of requests, which would use memory as long as it is open
            await Page(hall, WebSocket(scope, receive, send), lobby).serve()
        else:
            await requests(scope, receive, send)

    return served


def _is_ours(scope: Scope, hosts: frozenset[str]) -> bool:
    """Whether a request is for this server and, unless it only reads a page, comes from one of its
    pages.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    reads = scope["type"] == "http" and scope["method"] == "GET"
    own = reads or headers.get(b"origin", "") in {f"http://{host}" for host in hosts}
    return own and headers.get(b"host", "") in hosts


def _kind(name: str) -> str | None:
    """The content type of a file of the page, by its name; None for other files."""
    return _TYPES.get(name.rpartition(".")[2])


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; none if it is too large."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > m.LARGEST:
            return {}
    return dict(parse_qsl(body.decode("utf-8", "replace"), max_num_fields=10))


class Page:
    """An open page: its connection and the replies for it. Views are not queued: a slow page skips
    to the newest.
    """

    def __init__(self, hall: Hall, ws: WebSocket, lobby: Lobby | None) -> None:
        self.hall, self.ws, self.lobby = hall, ws, lobby
        self.code = "en"
        self._wake = asyncio.Event()
        self._is_stale = True
        self._answers: list[bytes] = []
        self._left, self._filled = float(AT_ONCE), 0.0
        self._task: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serves the page until it is closed."""
        if len(_open) >= MOST_SOCKETS:
            await self.ws.close(TRY_LATER)
            return
        _open.add(self)
        try:
            await self.ws.accept()
            await self._serve()
        except* (WebSocketDisconnect, TimeoutError, OSError, RuntimeError):
            pass  # the connection is lost
        finally:
            _open.discard(self)

    async def _serve(self) -> None:
        async with asyncio.timeout(FIRST_MESSAGE):
            first = await self._read()
        link = self.hall.link(first.key) if isinstance(first, m.Join) else None
        at: Table | Lobby | None = None
        if link is not None:
            at = self.hall.tables.get(link.table) if link.table else self.lobby
        if not isinstance(first, m.Join) or link is None or at is None:
            await self._send(json.encode({"is": "closed"}))
            await self.ws.close(POLICY)
            return
        self.code = first.language if first.language in languages() else "en"
        at.pages[self] = (link, self._changed)
        at.changed()
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._write(link, at))
                both.create_task(self._listen(link, at))
        finally:
            del at.pages[self]
            at.changed()

    async def _listen(self, link: Link, at: Table | Lobby) -> None:
        while True:
            message = await self._read()
            match at, message:
                case Lobby(), m.Form() | m.Begin() if self._task is None or self._task.done():
                    self._task = asyncio.create_task(self._host(message, at))
                case Table(), _:
                    self._hear(message, link, at)

    def _changed(self) -> None:
        self._is_stale = True
        self._wake.set()

    # ---- sending ----

    async def _write(self, link: Link, at: Table | Lobby) -> None:
        await self._send(at.begin(link, self.code))
        while True:
            if self._is_stale:
                self._is_stale = False
                await self._send(at.now(link, self.code))
            while self._answers:
                await self._send(self._answers.pop(0))
            await self._wake.wait()
            self._wake.clear()

    async def _send(self, data: bytes) -> None:
        async with asyncio.timeout(SLOWEST):  # wait_for may lose a cancellation
            await self.ws.send_text(data.decode())

    def _answer(self, data: bytes | dict[str, object]) -> None:
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append(data if isinstance(data, bytes) else json.encode(data))
            self._wake.set()

    # ---- receiving ----

    async def _read(self) -> m.Any:
        """The next message. Closes the connection and raises WebSocketDisconnect after an invalid
        message or too many.
        """
        received = await self.ws.receive()
        if received["type"] != "websocket.receive":
            raise WebSocketDisconnect
        data = received.get("text") or received.get("bytes") or ""
        now = asyncio.get_running_loop().time()
        self._left = min(AT_ONCE, self._left + (now - self._filled) * MOST_A_SECOND)
        self._left, self._filled = self._left - 1, now
        message = m.read(data) if len(data) <= m.LARGEST and self._left >= 0 else None
        if message is None:
            await self.ws.close(TOO_BIG if len(data) > m.LARGEST else POLICY)
            raise WebSocketDisconnect
        return message

    def _hear(self, message: m.Any, link: Link, table: Table) -> None:
        game, words = table.game, table.words(self.code)
        seats = table.viewers(link)
        reason: str | None = None
        match message:
            case m.Choose(at, id_):
                reason = game.choose(link.seats, at, id_)
            case m.Undo() if seats:
                reason = game.undo(seats[0])
            case m.Agree(yes) if seats:
                game.answer(seats[0], yes)
                reason = ""
            case m.Seat(seat, player):
                reason = table.reseat(link, seat, player)
            case m.Again() if seats:
                reason = table.again()
            case m.Look(step):
                self._answer(table.past(link, self.code, step))
            case m.Why():
                self._answer({"is": "why", "reasons": reasons(game.state, seats, words, message)})
            case m.Score():
                self._answer(table.scores(link, self.code))
            case m.Rules():
                self._answer(table.edition.guide(self.code))
            case m.Hint() if seats and seats[0] == game.state.seat:
                self._task = asyncio.create_task(self._advise(game.state, seats[0]))
        if reason:
            said = words.language.messages.gettext(reason)  # problems of rules are not translated
            self._answer({"is": "refused", "text": said})
            self._changed()
        elif reason == "":
            table.changed()

    async def _host(self, message: m.Form | m.Begin, lobby: Lobby) -> None:
        """Replies to a message of the start page."""
        library = lobby.library
        try:
            match message:
                case m.Form(name, options):
                    form = await self.hall.apart(partial(library.form, name, options, self.code))
                    self._answer({"is": "form", "form": form})
                case m.Begin() if len(self.hall.tables) >= MOST_TABLES:
                    self._answer({"is": "refused", "text": of_program(self.code).say(FULL)})
                case m.Begin(name, seats, options):
                    table = await self.hall.apart(partial(library.begin, name, seats, options))
                    self.hall.add(table)
                    self._answer({"is": "go", "key": table.links[0].key})
        except Problems as error:
            first = error.problems[0]
            self._answer({"is": "refused", "text": f"{first.title}. {first.text}"})

    async def _advise(self, state: State, seat: str) -> None:
        advice = await self.hall.apart(partial(adviser, state, seat))
        self._answer({"is": "hint", "id": advice.id})


_open: set[Page] = set()
