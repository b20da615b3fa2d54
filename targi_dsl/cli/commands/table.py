"""`targi table`: plays a game in browsers."""

from __future__ import annotations

import os
import shlex
import sys
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click
from msgspec.structs import replace

from targi_dsl.cli import arguments
from targi_dsl.cli.begin import HUMAN, KINDS, game_of, new_game, players_by_seat, saved_game
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.hosting import Shelf, saved_links
from targi_dsl.cli.output import put
from targi_dsl.cli.thinking import think
from targi_dsl.ir.game import Game
from targi_dsl.players import USUAL
from targi_dsl.records import Record, new_file, read, read_record_file
from targi_dsl.search import Budget
from targi_dsl.table.hall import Hall
from targi_dsl.table.lobby import Lobby
from targi_dsl.table.sharing import LARGEST, record_in
from targi_dsl.text.cache import state_folder
from targi_dsl.text.files import read_bytes, read_file
from targi_dsl.text.source import Source


@click.command("table")
@arguments.game(required=False)
@arguments.seats(KINDS, f"you the first, {USUAL} the others; with --lan people all")
@arguments.seed("The seed of all chance; a random one if it is not given.")
@arguments.options
@arguments.decks
@arguments.file("--save", "Save the game to FILE.")
@arguments.resume()
@think
@arguments.port
@arguments.pace
@arguments.engine
@click.option(
    "--at",
    metavar="N",
    type=click.IntRange(min=0),
    help="Begin after N choices of GAME, a saved game or a shared page.",
)
@click.option("--lan", is_flag=True, help="Let others of your network in: a link for each seat.")
@click.option("--no-open", "is_quiet", is_flag=True, help="Print the address, and open no browser.")
def command(
    name: str | None,
    seats: Mapping[str, str],
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    save: Path | None,
    resume: Path | None,
    budget: Budget | None,
    port: int | None,
    pace: float,
    at: int | None,
    lan: bool,
    is_quiet: bool,
) -> None:
    """Play a game in a browser; without a name, choose one there.

    One address is printed and opened. Programs sit in the other seats, or people at the same
    screen. With --lan there is a link for each seat and one for whoever watches. The game is saved
    after every choice, and --resume goes on with it under the same links.
    """
    table = with_extra("targi_dsl.table.serving", "web")
    if save and resume:
        raise click.UsageError("--save and --resume name the same thing; give one of them.")
    if name is None and not resume and (seats or options or decks or save or at or seed):
        raise click.UsageError("name a game: what is given is about one.")
    saved = saved_links(resume) if resume else None
    lan = lan or (saved is not None and saved.lan)
    with table.listen(port or (saved.port if saved else None), lan) as listening:
        own_port = listening.getsockname()[1]
        hall = Hall((saved.host if saved else "") or None)
        games = Shelf(own_port, hall.host.key, pace, state_folder(), lan=lan, budget=budget)
        if resume:
            source = read_record_file(str(resume))
            record, game = saved_game(source, name, seats, seed, options, decks)
            for under_way in games.under_way(resume):
                hall.add(under_way)
            hall.add(games.table(record, game, resume, source.text, saved))
        elif name is not None:
            others = HUMAN if lan else USUAL
            if at is not None:
                record, game = _from_here(name, at, seats, others)
            else:
                record, game = new_game(name, seats, seed, options, decks, others=others)
            file = save or new_file(state_folder(), record.game, record.seed)
            hall.add(games.table(record, game, file))
        address = f"http://{table.own_address() if lan else table.LOOPBACK}:{own_port}"
        lobby = Lobby(hall, games, address, table.qr_drawing if lan else None)
        first = next(reversed(hall.tables.values()), None)

        def begun() -> None:
            start_page = f"{address}/#{hall.host.key}"
            if first is not None and lan:
                put(f"{first.game.game.title}:")
                for link in first.links:
                    put(f"\n{', '.join(link.seats) or 'to watch'}: {address}/#{link.key}")
                    put(table.qr_code(f"{address}/#{link.key}"))
            opened = start_page if first is None else f"{address}/#{first.links[0].key}"
            if first is None or not lan:
                put(f"{first.game.game.title if first else 'All games'}: {opened}")
            if first is not None:
                put(f"All games and tables, for you alone: {start_page}")
            put("Ctrl-C ends the server; the games are saved after every choice.")
            sys.stdout.flush()
            if not is_quiet and _has_screen():
                webbrowser.open(opened)

        with suppress(KeyboardInterrupt):  # the usual end
            table.serve(hall, listening, begun, lobby)
        played = [one.game.autosave.file for one in hall.tables.values() if one.game.steps]
        if first is not None and first.game.autosave.file not in played:
            played.append(first.game.autosave.file)
        if played:
            put(f"Saved. Go on with: targi table --resume {shlex.quote(str(played[-1]))}")


def _from_here(name: str, at: int, seats: Mapping[str, str], others: str) -> tuple[Record, Game]:
    """A game that continues after a choice of a saved game or shared page."""
    kept = record_in(read_bytes(name, LARGEST).decode("utf-8", "replace"))  # its lines are long
    record = read(read_file(name, LARGEST) if kept is None else Source(name, kept))
    if at > len(record.choices):
        raise click.UsageError(f"--at {at}: this game has {len(record.choices)} choices.")
    game = game_of(record)
    seated = players_by_seat(game, seats, HUMAN, others)
    return replace(record, seats=seated, choices=record.choices[:at]), game


def _has_screen() -> bool:
    """Whether a browser window can be opened."""
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
