"""Cuts the network of pages and kills the server while a game is played, again and again.

    python -m bench.cuts
    python -m bench.cuts --kills 10 --cuts 20

Two people play games of base at one server, and each choice is made by a page of its own. At
random moments, often between saying a choice and hearing of it, a connection is cut without a
word, or the server is killed as by SIGKILL and begun anew with `--resume`. Nothing may be lost or
played twice: what a page has seen must be in the saved game, each choice once.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

import click
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from targi_dsl.records import Record, read, read_record_file

_MAIN = "from targi_dsl.cli import main; main()"
_PATIENCE = 30.0  # seconds


class Server:
    """`targi table` in a process of its own, with the links of both people."""

    def __init__(self, name: str, folder: Path) -> None:
        self.file, self._folder = folder / "game.yaml", folder
        with socket.create_server(("0.0.0.0", 0)) as free:
            port = str(free.getsockname()[1])
        self._begin(name, "--lan", "--save", str(self.file), "--seed", "5", "--port", port)

    def _begin(self, *arguments: str) -> None:
        environment = {**os.environ, "XDG_STATE_HOME": str(self._folder)}
        self._running = subprocess.Popen(
            [sys.executable, "-c", _MAIN, "table", *arguments, "--no-open"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self._running.stdout is not None
        told = ""
        while "Ctrl-C" not in told:
            line = self._running.stdout.readline()
            assert line, "the server has ended"
            told += line
        self.port, self.keys = 0, list[str]()
        for port, key in re.findall(r"http://[\d.]+:(\d+)/#(\S+)", told)[:2]:
            self.port = int(port)
            self.keys.append(key)

    def kill(self) -> None:
        """Kills the server, and goes on with its game."""
        self.end(signal.SIGKILL)
        self._begin("--resume", str(self.file))

    def end(self, by: signal.Signals = signal.SIGINT) -> None:
        self._running.send_signal(by)
        self._running.wait(10)
        assert self._running.stdout is not None
        self._running.stdout.close()

    @property
    def saved(self) -> Record:
        return read(read_record_file(str(self.file)))


class Page:
    """A page of one seat, which comes back whenever it is cut off."""

    def __init__(self, server: Server, seat: int) -> None:
        self._server, self._seat = server, seat
        self.now: dict[str, Any] = {}
        self.back: list[float] = []
        """Seconds from each cut until the page was in sync again."""
        self._ws = self._arrive()

    def _arrive(self) -> ClientConnection:
        server, until = self._server, time.monotonic() + _PATIENCE
        while True:
            try:
                opening = connect(
                    f"ws://127.0.0.1:{server.port}/socket",
                    origin=Origin(f"http://127.0.0.1:{server.port}"),
                    max_size=None,
                )
                ws = ExitStack().enter_context(opening)
                ws.send(json.dumps({"is": "join", "key": server.keys[self._seat]}))
                self.now = self._hear(ws)
                return ws
            except (OSError, ConnectionClosed, TimeoutError):
                assert time.monotonic() < until, "the page cannot come back"
                time.sleep(0.05)

    def _hear(self, ws: ClientConnection) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(ws.recv(_PATIENCE))
            if message["is"] == "now":
                return message
            assert message["is"] in ("begin", "refused"), message

    def cut(self) -> None:
        """Loses the connection without a word, and comes back."""
        self._ws.socket.close()
        began = time.monotonic()
        self._ws = self._arrive()
        self.back.append(time.monotonic() - began)

    def leave(self) -> None:
        self._ws.close()

    def wait_until(self, steps: int) -> None:
        """Hears until the game has come so far."""
        while self.now["steps"] < steps:
            try:
                self.now = self._hear(self._ws)
            except (OSError, ConnectionClosed, TimeoutError):
                self._ws = self._arrive()

    def choose(self, stream: Random) -> str:
        """Says a choice, and does not wait for the answer."""
        id_: str = stream.choice(self.now["view"]["offers"])["id"]
        try:
            self._ws.send(json.dumps({"is": "choose", "at": self.now["at"], "id": id_}))
        except (OSError, ConnectionClosed):
            self._ws = self._arrive()
        return id_


def play(kills: int, cuts: int, name: str, folder: Path) -> tuple[int, list[float]]:
    """Plays until there were so many kills and cuts. Returns how many choices were made, and how
    long it took to be in sync again after each cut.
    """
    stream, made, back = Random(3), 0, list[float]()
    left = ["kill"] * kills + ["cut"] * cuts
    stream.shuffle(left)
    for number in range(1_000):
        if not left:
            break
        own = folder / str(number)
        own.mkdir()
        server = Server(name, own)
        pages, known = [Page(server, 0), Page(server, 1)], list[str]()
        while left and not pages[0].now["view"].get("outcome"):
            _one(server, pages, known, left, stream)
        assert [*server.saved.choices][: len(known)] == known
        made += len(known)
        back += [seconds for page in pages for seconds in page.back]
        for page in pages:
            page.leave()
        server.end()
    return made, back


def _one(
    server: Server, pages: list[Page], known: list[str], left: list[str], stream: Random
) -> None:
    """One choice, with what befalls it. Chance may follow a choice without being asked for."""
    for page in pages:
        page.wait_until(len(known))
    asked = next((one for one in pages if one.now["view"].get("offers")), None)
    if asked is None:  # chance is about to be drawn
        time.sleep(0.01)
        known[:] = server.saved.choices
        return
    said, before = asked.choose(stream), len(known)
    befalls = left.pop() if stream.random() < 0.5 else ""
    time.sleep(stream.choice((0, 0, 0.002, 0.01, 0.05)))
    if befalls == "kill":
        server.kill()
    if befalls:
        for page in pages:
            page.cut()
    else:
        asked.wait_until(before + 1)
    saved = [*server.saved.choices]
    assert saved[:before] == known, "what had been seen is lost"
    assert saved[before : before + 1] in ([], [said]), "another choice was made"
    assert asked.now["steps"] <= len(saved), "told before it was saved"
    known[:] = saved


@click.command()
@click.argument("name", default="base")
@click.option("--kills", default=100, help="How often the server is killed.")
@click.option("--cuts", default=200, help="How often the network is cut.")
def main(name: str, kills: int, cuts: int) -> None:
    """Kill and cut, and check that nothing is lost and nothing played twice."""
    with tempfile.TemporaryDirectory() as folder:
        made, back = play(kills, cuts, name, Path(folder))
    click.echo(f"{kills} kills, {cuts} cuts, {made} choices: nothing lost, nothing played twice")
    late = quantiles(back, n=20)[-1]
    click.echo(f"back in sync: median {1000 * median(back):.0f} ms, p95 {1000 * late:.0f} ms")


if __name__ == "__main__":
    main()
