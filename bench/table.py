"""How fast the browser table answers, how much it sends, and how much memory a table needs.

    python -m bench.table
    python -m bench.table --tables 100 --watching 6 --every 0.5

A server of its own has played two games, so that it has what all tables share, and holds many
tables. People sit at all seats and others watch; after every view whoever is to move waits for a
moment, as people do, and makes a random choice. Then programs sit everywhere and think without a
pause, and it is measured how late the server is.
Times are of a clock and include waiting for other programs of the machine; the processor time of
an answer is printed beside them. `bench.cuts` measures how soon a page is back after a cut.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median, quantiles

import click
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from targi_dsl import choices, load
from targi_dsl.players import USUAL
from targi_dsl.records import Autosave, Record
from targi_dsl.table.editions import Edition
from targi_dsl.table.game import HUMAN, TableGame
from targi_dsl.table.hall import Hall, Link, Table
from targi_dsl.table.serving import listen, serve
from targi_dsl.text.languages import ENGLISH

_TICK = 0.005  # seconds between two looks at the clock


def hall_of(edition: Edition, tables: int, watching: int, player: str) -> Hall:
    """Tables of a game with links for each seat and for whoever watches; the keys are the numbers
    of the table and of the link.
    """
    game, hall = edition.game, Hall()
    for number in range(tables):
        seats = dict.fromkeys(game.players, player)
        record = Record(game.name, game.hash, dict(game.options), number, seats, ())
        at = [(seat,) for seat in game.players] + [()] * watching
        links = tuple(Link(f"{number} {n}", str(number), one) for n, one in enumerate(at))
        playing = TableGame(game, record, Autosave(None, print))
        hall.add(Table(str(number), edition, playing, links, 0))
    return hall


def run_server(arguments: tuple[str, int, int, str], told: Connection) -> None:
    """A server in a process of its own. It says its port and memory, and at the end how late it
    was.
    """
    name, tables, watching, player = arguments
    edition = Edition(load(name), lambda _: ENGLISH)
    play_alone(hall_of(edition, 2, 1, HUMAN))  # so that what all tables share is there
    before = memory()
    hall = hall_of(edition, tables, watching, player)
    listening, late = listen(None, False), list[float]()

    def begun() -> None:
        loop = asyncio.get_running_loop()

        async def tick() -> None:
            while True:
                due = loop.time() + _TICK
                await asyncio.sleep(_TICK)
                late.append(loop.time() - due)

        ticking = loop.create_task(tick())
        loop.add_reader(told.fileno(), answer)
        told.send((listening.getsockname()[1], before))
        ticking.add_done_callback(lambda _: None)

    def answer() -> None:
        told.recv()
        told.send((memory(), time.process_time(), late[:]))
        late.clear()

    serve(hall, listening, begun)


def play_alone(hall: Hall) -> None:
    """Plays the games of all tables to their end by random choices, and finds what pages see."""
    stream = Random(1)
    for table in hall.tables.values():
        game = table.game
        while game.state.seat is not None:
            if game.waits:
                for link in table.links:
                    table.now(link, "en")
                game.take(stream.choice(choices(game.state)))
            else:
                game.go_on(game.thinking()())


def memory() -> int:
    """Bytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@dataclass
class Seen:
    """What pages have measured, in seconds and bytes."""

    own: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    chosen: dict[tuple[int, int], float] = field(default_factory=dict)
    """When the choice was made that leads to a position of a table."""

    def clear(self) -> None:
        """Begins to measure."""
        for values in (self.own, self.others, self.sizes):
            values.clear()


async def page(port: int, table: int, seat: int, every: float, until: float, seen: Seen) -> None:
    """One page: it joins, and chooses whenever it is asked."""
    stream, counted = Random(table * 100 + seat), _Counted()
    address = f"ws://127.0.0.1:{port}/socket"
    async with connect(address, origin=Origin(f"http://127.0.0.1:{port}"), max_size=None) as ws:
        counted.count(ws)
        await ws.send(json.dumps({"is": "join", "key": f"{table} {seat}"}))
        chose = -1
        while (left := until - time.monotonic()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(ws.recv(), left))
            except TimeoutError:
                return
            size, arrived = counted.take(), time.monotonic()
            if message["is"] != "now":
                continue
            at = message["at"]
            if begun := seen.chosen.get((table, at)):
                (seen.own if chose == at - 1 else seen.others).append(arrived - begun)
                seen.sizes.append(size)
            if message["view"]["offers"] and chose != at:
                chose = at
                await asyncio.sleep(stream.uniform(0.5, 1.5) * every)
                offer = stream.choice(message["view"]["offers"])
                seen.chosen[table, at + 1] = time.monotonic()
                await ws.send(json.dumps({"is": "choose", "at": at, "id": offer["id"]}))


class _Counted:
    """The bytes that a connection receives."""

    def __init__(self) -> None:
        self._bytes = 0

    def count(self, ws: ClientConnection) -> None:
        received = ws.data_received

        def data_received(data: bytes) -> None:
            self._bytes += len(data)
            received(data)

        ws.data_received = data_received  # type: ignore[method-assign] # to count what it is given

    def take(self) -> int:
        found, self._bytes = self._bytes, 0
        return found


def p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


@click.command()
@click.argument("name", default="base")
@click.option("--tables", default=50, help="Tables of the server.")
@click.option("--watching", default=2, help="Pages at each table that watch.")
@click.option("--every", default=2.0, help="Seconds between two choices at a table.")
@click.option("--seconds", default=30.0, help="Seconds that are measured.")
@click.option("--bots", default=8, help="Tables at which programs think.")
def main(name: str, tables: int, watching: int, every: float, seconds: float, bots: int) -> None:
    """Measure the browser table under load."""
    seats = len(load(name).players)
    told, server, (port, before) = _begin((name, tables, watching, HUMAN))
    seen = Seen()
    told.send("")
    after, _, _ = told.recv()
    arrive = tables * (seats + watching) / 20
    used, (full, spent, late) = asyncio.run(
        _pages((port, tables, seats + watching), every, (arrive, seconds), seen, told)
    )
    server.kill()
    click.echo(f"{tables} tables, {tables * (seats + watching)} pages, {len(seen.own)} choices")
    click.echo(f"own choice to its view: p50 {_ms(median(seen.own))}, p95 {_ms(p95(seen.own))}")
    click.echo(f"others see it: p50 {_ms(median(seen.others))}, p95 {_ms(p95(seen.others))}")
    click.echo(
        f"processor time of a choice with all its views: {_ms((spent - used) / len(seen.own))}"
    )
    click.echo(f"a view after a change, as sent: median {median(seen.sizes):.0f} bytes")
    click.echo(f"memory of a table: {(after - before) / tables / 1e3:.0f} kB")
    click.echo(f"and with all its pages, in play: {(full - before) / tables / 1e3:.0f} kB")
    click.echo(f"the server is late by: p95 {_ms(p95(late))}")
    told, server, _ = _begin((name, bots, 1, USUAL))
    time.sleep(seconds / 2)
    told.send("")
    click.echo(f"and while {bots} tables of programs play: p95 {_ms(p95(told.recv()[2]))}")
    server.kill()


def _begin(
    arguments: tuple[str, int, int, str],
) -> tuple[Connection, multiprocessing.Process, tuple[int, int]]:
    told, far = multiprocessing.Pipe()
    server = multiprocessing.Process(target=run_server, args=(arguments, far), daemon=True)
    server.start()
    return told, server, told.recv()


async def _pages(
    at: tuple[int, int, int],
    every: float,
    seconds: tuple[float, float],
    seen: Seen,
    told: Connection,
) -> tuple[float, tuple[int, float, list[float]]]:
    """Opens all pages, waits until all have arrived, and measures for a time. Returns how much
    processor time the server had used before that, and what it says at the end.
    """
    port, tables, pages = at
    arriving, measured = seconds
    until = time.monotonic() + arriving + measured
    every_page = ((table, seat) for table in range(tables) for seat in range(pages))
    running = [asyncio.create_task(page(port, *one, every, until, seen)) for one in every_page]
    await asyncio.sleep(arriving)
    seen.clear()
    told.send("")
    _, used, _ = await asyncio.to_thread(told.recv)
    await asyncio.sleep(measured)
    told.send("")
    end = await asyncio.to_thread(told.recv)
    await asyncio.gather(*running)
    return used, end


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


if __name__ == "__main__":
    main()
