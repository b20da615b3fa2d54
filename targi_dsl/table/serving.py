"""Runs the server on a port of this machine until it is interrupted."""

from __future__ import annotations

import asyncio
import socket
import sys
import zlib
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any

import segno
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import CTRL_OPCODES, Frame
from websockets.typing import ExtensionParameter

from targi_dsl.table.hall import Hall
from targi_dsl.table.lobby import Drawing, Lobby
from targi_dsl.table.messages import LARGEST
from targi_dsl.table.server import server
from targi_dsl.text.diagnostics import Problem, Problems

LOOPBACK = "127.0.0.1"
USUAL_PORT = 8642
_MEMORY_LEVEL = 5
"""The memory level of zlib, from 1 to 9."""
_SWITCH = 0.001
"""The switch interval in seconds, after which a thinking thread yields to the server."""


def listen(port: int | None, lan: bool) -> socket.socket:
    """A socket that listens on a port, of this machine alone or for its network; without a port, on
    the default one or any free one. Raises Problems if the port cannot be used.
    """
    host = "0.0.0.0" if lan else LOOPBACK
    for wanted in (port,) if port is not None else (USUAL_PORT, 0):
        try:
            return socket.create_server((host, wanted), backlog=512)
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
    hint = "Name another with --port, or leave it out."
    raise Problems([Problem("E714", f"port {port} cannot be used", None, f"{reason}.", hint)])


class DeflateFromLast(PerMessageDeflate):
    """Compresses each message with the preceding ones as dictionary, stored compressed: keeping a
    compressor object would take fifty times as much memory.
    """

    def __init__(self, agreed: PerMessageDeflate) -> None:
        bits = agreed.remote_max_window_bits, agreed.local_max_window_bits
        super().__init__(agreed.remote_no_context_takeover, True, *bits)  # with no compressor yet
        self.local_no_context_takeover = agreed.local_no_context_takeover
        self._sent = zlib.compress(b"")

    def encode(self, frame: Frame) -> Frame:
        """The compressed frame."""
        if self.local_no_context_takeover or frame.opcode in CTRL_OPCODES:
            return super().encode(frame)
        bits, sent = self.local_max_window_bits, zlib.decompress(self._sent)
        self.encoder = zlib.compressobj(wbits=-bits, memLevel=_MEMORY_LEVEL, zdict=sent)
        encoded = super().encode(frame)
        del self.encoder
        self._sent = zlib.compress((sent + frame.data)[-(1 << bits) :], 1)
        return encoded


class DeflateFactory(ServerPerMessageDeflateFactory):
    """Negotiates compression: for messages of the server with context and a window of 16 kB, which
    holds a whole view, so that similar views compress well; for the small messages of the browser
    without context.
    """

    def __init__(self) -> None:
        super().__init__(server_max_window_bits=14, client_no_context_takeover=True)

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """The negotiated parameters and the compression."""
        answer, agreed = super().process_request_params(params, accepted_extensions)
        return answer, DeflateFromLast(agreed)


class _Protocol(WebSocketsSansIOProtocol):
    """WebSockets with this compression."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn.available_extensions = [DeflateFactory()]


def own_address() -> str:
    """The address of this machine in its network; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of documentation (RFC 5737)
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


def serve(
    hall: Hall, listening: socket.socket, ready: Callable[[], None], lobby: Lobby | None = None
) -> None:
    """Serves until interrupted; `begun` is called once pages can be opened."""
    port = listening.getsockname()[1]
    hosts = {f"{LOOPBACK}:{port}", f"localhost:{port}", f"{own_address()}:{port}"}
    sys.setswitchinterval(_SWITCH)
    config = uvicorn.Config(
        server(hall, hosts, lobby),
        access_log=False,
        log_level="error",
        lifespan="off",
        proxy_headers=False,
        ws=_Protocol,
        ws_max_size=LARGEST,
        ws_ping_interval=20,
        timeout_graceful_shutdown=1,
    )
    asyncio.run(_run(hall, uvicorn.Server(config), listening, ready))


async def _run(
    hall: Hall, serving: uvicorn.Server, listening: socket.socket, ready: Callable[[], None]
) -> None:
    hall.begin()
    asyncio.get_running_loop().call_later(0.05, ready)
    await serving.serve(sockets=[listening])


def qr_drawing(address: str) -> Drawing:
    """The QR code of an address, as a drawing."""
    rows = [list(row) for row in segno.make(address, micro=False).matrix_iter(border=2)]
    dark = ((x, y) for y, row in enumerate(rows) for x, one in enumerate(row) if one)
    return Drawing(len(rows), "".join(f"M{x} {y}h1v1h-1z" for x, y in dark))


def qr_code(address: str) -> str:
    """The QR code of an address, in characters for a terminal."""
    drawn = StringIO()
    segno.make(address, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
