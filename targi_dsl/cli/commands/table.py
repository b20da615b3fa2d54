"""`targi table`: plays a game in browsers."""

from __future__ import annotations

import os
import shlex
import sys
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import randbelow

import click
from msgspec import DecodeError, json
from msgspec.structs import replace

from targi_dsl.cli import arguments
from targi_dsl.cli.begin import HUMAN, KINDS, new_game, players_by_seat, saved_game
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.first_page import course
from targi_dsl.cli.output import put
from targi_dsl.compiler import translations
from targi_dsl.compiler.load import load
from targi_dsl.ir.game import Game
from targi_dsl.players import USUAL
from targi_dsl.records import Autosave, Record, new_file, read, read_record_file
from targi_dsl.table.game import TableGame
from targi_dsl.table.hall import Hall, Link, Table, new_key
from targi_dsl.table.sharing import LARGEST, record_in
from targi_dsl.text.cache import state_folder
from targi_dsl.text.files import read_bytes, read_file
from targi_dsl.text.resources import default_game
from targi_dsl.text.source import Source
from targi_dsl.text.structs import Frozen

_ONLY_OURS = 0o600
_GUIDE = 64  # columns of how to play
TABLE = "1"
"""The name of the table of this game."""


class Saved(Frozen):
    """What lies beside a saved game, so that its links go on after the server ends: the port,
    whether others of the network were let in, and the keys with the seats that they open.
    """

    port: int
    lan: bool
    keys: dict[str, tuple[str, ...]]


@click.command("table")
@arguments.game(required=False)
@arguments.seats(KINDS, f"you the first, {USUAL} the others; with --lan people all")
@arguments.seed("The seed of all chance; a random one if it is not given.")
@arguments.options
@arguments.decks
@arguments.file("--save", "Save the game to FILE.")
@arguments.resume()
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
    port: int | None,
    pace: float,
    at: int | None,
    lan: bool,
    is_quiet: bool,
) -> None:
    """Play a game in a browser; without a name, the first of the shipped games.

    One address is printed and opened. Programs sit in the other seats, or people at the same
    screen. With --lan there is a link for each seat and one for whoever watches. The game is saved
    after every choice, and --resume goes on with it under the same links.
    """
    table = with_extra("targi_dsl.table.serving", "web")
    if save and resume:
        raise click.UsageError("--save and --resume name the same thing; give one of them.")
    if resume:
        source = read_record_file(str(resume))
        record, game = saved_game(source, name, seats, seed, options, decks)
        file, saved, text = resume, _saved_links(resume), source.text
        lan = lan or (saved is not None and saved.lan)
    else:
        others = HUMAN if lan else USUAL
        if name and at is not None:
            record, game = _from_here(name, at, seats, others)
        else:
            wanted = name or default_game()
            record, game = new_game(wanted, seats, seed, options, decks, others=others)
        file = save or new_file(state_folder(), record.game, record.seed)
        saved, text = None, None
    tell = partial(click.echo, err=True)
    autosave = Autosave(file, tell, text=text)
    listening = table.listen(port or (saved.port if saved else None), lan)
    own_port = listening.getsockname()[1]
    of_game = partial(translations.of_game, game, record.game)
    links = _links(record, saved, lan)
    _keep_links(file, Saved(own_port, lan, {link.key: link.seats for link in links}))
    hall = Hall()
    begun_game = TableGame(game, record, autosave)
    hall.add(
        Table(
            TABLE,
            begun_game,
            links,
            of_game,
            pace,
            partial(_again, tell=tell),
            tuple(course(game, _GUIDE)),
        )
    )
    host = table.own_address() if lan else table.LOOPBACK
    addresses = {link: f"http://{host}:{own_port}/#{link.key}" for link in links}

    def begun() -> None:
        put(f"{game.title}: {addresses[links[0]]}" if not lan else f"{game.title}:")
        for link, address in addresses.items() if lan else ():
            put(f"\n{', '.join(link.seats) or 'to watch'}: {address}")
            put(table.qr_code(address))
        put("Ctrl-C ends the server; the game is saved after every choice.")
        sys.stdout.flush()
        if not is_quiet and _has_screen():
            webbrowser.open(addresses[links[0]])

    with suppress(KeyboardInterrupt):  # the usual end
        table.serve(hall, listening, begun)
    command_ = f"targi table --resume {shlex.quote(str(autosave.file))}"
    put(f"Saved. Go on with: {command_}")


def _from_here(name: str, at: int, seats: Mapping[str, str], others: str) -> tuple[Record, Game]:
    """A game that goes on after so many choices of a saved game, or of a shared page."""
    kept = record_in(read_bytes(name, LARGEST).decode("utf-8", "replace"))  # its lines are long
    record = read(read_file(name, LARGEST) if kept is None else Source(name, kept))
    if at > len(record.choices):
        raise click.UsageError(f"--at {at}: this game has {len(record.choices)} choices.")
    game = load(record.game, options=record.options, decks=record.decks)
    seated = players_by_seat(game, seats, HUMAN, others)
    return replace(record, seats=seated, choices=record.choices[:at]), game


def _links(record: Record, saved: Saved | None, lan: bool) -> tuple[Link, ...]:
    """The links of a table: those it had before; or else one for all seats at this screen, or with
    `lan` one for each seat of a person and one for whoever watches.
    """
    if saved is not None:
        return tuple(Link(key, TABLE, seats) for key, seats in saved.keys.items())
    if not lan:
        return (Link(new_key(), TABLE, tuple(record.seats)),)
    people = [(seat,) for seat, who in record.seats.items() if who == HUMAN]
    return tuple(Link(new_key(), TABLE, seats) for seats in (*people, ()))


def _again(before: TableGame, tell: Callable[[str], None]) -> TableGame:
    """A new game with the same seats, saved in a file of its own."""
    seed = None if before.record.seed is None else randbelow(arguments.LARGEST_SEED)
    record = replace(before.record, seed=seed, choices=())
    file = new_file(state_folder(), record.game, seed)
    return TableGame(before.game, record, Autosave(file, tell))


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.links")


def _saved_links(file: Path) -> Saved | None:
    """The links of a saved game; none if there are none, or they cannot be read."""
    try:
        return json.decode(_beside(file).read_bytes(), type=Saved)
    except (OSError, DecodeError, RecursionError):
        return None


def _keep_links(file: Path, saved: Saved) -> None:
    """Saves the links where nobody else can read them; without them the game can still go on."""
    with suppress(OSError):
        _beside(file).unlink(missing_ok=True)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        with os.fdopen(os.open(_beside(file), flags, _ONLY_OURS), "wb") as written:
            written.write(json.encode(saved))


def _has_screen() -> bool:
    """Whether a browser can be opened in a window of its own."""
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
