"""Arguments that several commands share."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial, wraps
from pathlib import Path

import click

from targi_dsl.api import PUBLIC
from targi_dsl.cli.failures import unknown
from targi_dsl.codegen.tiered import ENGINES, VARIABLE
from targi_dsl.compiler.load import option_values
from targi_dsl.compiler.project import discovery
from targi_dsl.compiler.translations import languages, preferred_language
from targi_dsl.ir.game import Game
from targi_dsl.players import PLAYERS, is_kind, thinks
from targi_dsl.search import MOST
from targi_dsl.text.cache import state_folder
from targi_dsl.text.diagnostics import Problems

LARGEST_SEED = 2**31 - 1  # records store 32-bit numbers
LARGEST_PORT = 65_535
_LAST = "\0"  # the name of no file

Complete = Callable[[click.Context, click.Parameter, str], list[str]]
Callback = Callable[[click.Context, click.Parameter, str | None], int | None]
Command = Callable[..., object]
Decorator = Callable[[Command], Command]

as_json: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else."
)


def _set_engine(context: click.Context, parameter: click.Parameter, name: str | None) -> None:
    """Sets the engine for this process and its subprocesses."""
    if name and name not in ENGINES:
        raise unknown(f"there is no engine '{name}'", name, ENGINES)
    if name:
        before = os.environ.get(VARIABLE, "")
        os.environ[VARIABLE] = name
        context.call_on_close(partial(os.environ.__setitem__, VARIABLE, before))


engine: Decorator = click.option(
    "--engine",
    metavar="|".join(ENGINES),
    envvar=VARIABLE,
    expose_value=False,
    callback=_set_engine,
    help="What plays: an interpreter, C compiled at once, or C by a compiler of this machine.",
)

check: Decorator = click.option(
    "--check", is_flag=True, help="After every choice check what is true in every game."
)


def _pairs(
    context: click.Context, parameter: click.Parameter, values: Iterable[str]
) -> dict[str, str]:
    """Parses `name=value` pairs; each name may occur once."""
    parsed: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name or not text:
            raise click.BadParameter(
                f"'{value}' is not of the form {parameter.metavar}.", context, parameter
            )
        if name in parsed:
            raise click.BadParameter(f"'{name}' is given twice.", context, parameter)
        parsed[name] = text
    return parsed


def _settings(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
    """Completes options of the named game with their values."""
    # During completion of an option, arguments have not been parsed yet.
    game = str(context.params.get("name") or next(iter(context.args), ""))
    try:
        options = option_values(game)
    except Problems:
        return []
    values = (f"{name}={value}" for name, known in options.items() for value in known)
    return [one for one in values if one.startswith(prefix)]


def pairs(
    name: str, into: str, metavar: str, help_: str, complete: Complete | None = None
) -> Decorator:
    """An option that takes `name=value` pairs and can be repeated."""
    return click.option(
        name,
        into,
        metavar=metavar,
        multiple=True,
        callback=_pairs,
        help=help_,
        shell_complete=complete,
    )


_options = pairs("--option", "options", "NAME=VALUE", "Change an option of the game.", _settings)
_players = click.option(
    "--players", metavar="N", help="The number of players, where the rules allow several."
)


def options(command: Command) -> Command:
    """The options of the game, with `--players N` for the number of players."""

    @wraps(command)
    def with_players(
        *args: object, players: str | None, options: dict[str, str], **rest: object
    ) -> object:
        all_options = options if players is None else {**options, discovery.PLAYERS: players}
        return command(*args, options=all_options, **rest)

    return _options(_players(with_players))


decks = pairs(
    "--deck",
    "decks",
    "ZONE=CARDS",
    "Use another deck for a zone, written as in a sheet: 'draw 9 of each symbol from some_set'.",
)


def seats(players: Iterable[str], usual: str) -> Decorator:
    """The players of seats: the possible kinds, and the default."""
    help_ = f"Who plays a seat, perhaps with its playouts: lookahead:100. By default: {usual}."
    return pairs("--seat", "seats", f"SEAT={'|'.join(players)}", help_)


language: Decorator = click.option(
    "--lang",
    "language",
    type=click.Choice(languages()),
    default=lambda: preferred_language(os.environ),
    help="The language of the game, at the terminal and in pictures; else that of LC_ALL, "
    "LC_MESSAGES or LANG.",
)


advice: Decorator = click.option(
    "--advice", is_flag=True, help="A hint at every choice, for a first game."
)
pace: Decorator = click.option(
    "--pace",
    metavar="SECONDS",
    type=click.FloatRange(0, 60),
    default=1,
    help="How long a move of the program stays on the screen; a key goes on at once.",
)


def check_seats(game: Game, seats: Mapping[str, str], known: Collection[str]) -> None:
    """Raises wrong usage for a seat that the game does not have, or an unknown player."""
    for seat, who in seats.items():
        if seat not in game.players:
            raise unknown(f"{game.title} has no seat '{seat}'", seat, game.players)
        check_player(who, known)


def check_player(who: str, known: Collection[str] = PLAYERS) -> None:
    """Raises wrong usage for what is no kind of player, perhaps with its playouts."""
    kind, _, playouts = who.partition(":")
    if kind not in known:
        raise unknown(f"'{kind}' is not a player", kind, known)
    if who in known or is_kind(who):
        return
    if kind not in PLAYERS or not thinks(kind):
        raise click.UsageError(f"'{kind}' does not search, so it takes no playouts.")
    raise click.UsageError(f"'{playouts}' is not a number of playouts from 1 to {MOST}.")


def check_observer(game: Game, seat: str) -> None:
    """Raises wrong usage for an unknown observer."""
    seats = (*game.players, PUBLIC)
    if seat not in seats:
        raise unknown(f"{game.title} has no seat '{seat}'", seat, seats)


def whole_number(low: int, high: int) -> Callback:
    """A parameter type: a whole number within bounds."""

    def read(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
        if value is None:
            return None
        is_number = value.isascii() and value.isdecimal() and len(value) <= len(str(high))
        if not is_number or not low <= int(value) <= high:
            raise click.BadParameter(
                f"'{value}' is not a whole number from {low} to {high}.", context, parameter
            )
        return int(value)

    return read


def number(name: str, low: int, high: int, default: int, help_: str) -> Decorator:
    """An option that takes a whole number."""
    return click.option(
        name,
        metavar="N",
        default=str(default),
        show_default=True,
        callback=whole_number(low, high),
        help=help_,
    )


def port(command: Command) -> Command:
    """The port of a server."""
    read = whole_number(1, LARGEST_PORT)
    return click.option("--port", metavar="N", callback=read, help="The port of the server.")(
        command
    )


def seed(help_: str, *, required: bool = False) -> Decorator:
    """The seed of the game's chance: a number that a record can hold."""
    read = whole_number(0, LARGEST_SEED)
    return click.option("--seed", metavar="N", required=required, callback=read, help=help_)


def path(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """The given path; an empty one is wrong usage."""
    if value == "":
        raise click.BadParameter("the name of the file is empty.", context, parameter)
    return None if value is None else Path(value)


def file(name: str, help_: str, *, required: bool = False) -> Decorator:
    """An option that takes a file."""
    return click.option(name, metavar="FILE", required=required, callback=path, help=help_)


def resume() -> Decorator:
    """The option to continue a saved game; without a file, the last one saved."""
    text = "Go on with the game saved in FILE, or without FILE, with the one you played last."
    return click.option(
        "--resume", metavar="[FILE]", is_flag=False, flag_value=_LAST, callback=_resumed, help=text
    )


def _resumed(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    if value != _LAST:
        return path(context, parameter, value)
    folder = state_folder()
    with suppress(OSError):
        if saved := [(one.stat().st_mtime_ns, one) for one in folder.glob("*.yaml")]:
            return max(saved)[1]
    text = f"no game is saved in {folder}. Name the file that you saved one in."
    raise click.BadParameter(text, context, parameter)


def game(*, required: bool = True) -> Decorator:
    """The name of a game, with shell completion."""
    shown = "GAME" if required else "[GAME]"
    return click.argument("name", metavar=shown, required=required, shell_complete=games)


def games(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
    """The names of shipped games with this prefix."""
    return [name for name in sorted(discovery.shipped().games()) if name.startswith(prefix)]


def count_of(number: int, what: str) -> str:
    """How many of a thing, such as `2 errors`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def is_path(argument: str) -> bool:
    """Whether an argument is a file rather than the name of a game: it contains a `/` or has a
    known suffix.
    """
    return re.search(r"[/\\]|\.(targi|ya?ml)\Z", argument) is not None


def as_path(file: object) -> str:
    """A file, written so that it cannot be taken for a game."""
    text = str(file)
    return text if is_path(text) else f"./{text}"


def quoted_path(file: object) -> str:
    """A file, quoted for a shell."""
    return shlex.quote(as_path(file))


def svg(command: Command) -> Command:
    """A picture of the position, and the seat from which it is seen."""
    seen_by = click.option(
        "--seen-by",
        metavar="SEAT",
        default=PUBLIC,
        help="What the picture shows: what this seat knows, or else what everybody does.",
    )
    return file("--svg", "Draw the position as a picture into FILE.")(seen_by(command))
