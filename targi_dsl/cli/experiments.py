"""Arguments and output of experiments."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from functools import wraps
from typing import Any

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.failures import DONE, INTERRUPTED
from targi_dsl.cli.output import put, put_document, put_over, put_problems

MOST_WORKERS = 256
MOST_SECONDS = 86_400
USUAL_GAMES = 5_000


def _player(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Checks kinds of players."""
    for one in value if isinstance(value, tuple) else (value,):
        arguments.check_player(one)
    return value


def _seconds(context: click.Context, parameter: click.Parameter, value: str | None) -> float:
    if value is None:
        return 0
    found = re.fullmatch(r"(\d{1,5}(?:\.\d{1,3})?)(s|m)?", value)
    seconds = float(found[1]) * (60 if found[2] == "m" else 1) if found else 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise click.BadParameter(f"'{value}' is no time, such as 30s or 5m.", context, parameter)
    return seconds


def experiment(command: arguments.Command) -> arguments.Command:
    """The common arguments of experiments: number of games, time, players."""

    @wraps(command)
    def with_runner(
        *args: object,
        games: int | None,
        seconds: float,
        seed: int | None,
        workers: int,
        as_json: bool,
        **rest: object,
    ) -> int:
        arms = with_extra("targi_dsl.lab.runner", "lab")
        is_shown = sys.stderr.isatty()

        def show(played: int) -> None:
            if is_shown and played % 100 == 0:
                put_over(f"{played:,} games")

        most = games or (arguments.LARGEST_SEED if seconds else USUAL_GAMES)
        runner = arms.Runner(most, seconds, seed or 0, workers, show)
        found: Any = command(*args, runner=runner, **rest)
        if is_shown:
            put_over("")
        if runner.unused:
            put_problems(runner.unused)
        if as_json:
            put_document(found.data())
        else:
            for line in found.lines():
                put(line)
            put("")
            put(f"To do it again: {found.command}")
        return INTERRUPTED if runner.interrupted else DONE

    decorated: arguments.Command = with_runner
    for one in (
        arguments.as_json,
        arguments.number("--workers", 1, MOST_WORKERS, 1, "How many processes play."),
        arguments.seed("The seed of the first deal, 0 if it is not given."),
        click.option(
            "--time",
            "seconds",
            metavar="30s|5m",
            callback=_seconds,
            help="How long to play; it ends earlier when enough is known.",
        ),
        click.option(
            "--games",
            metavar="N",
            callback=arguments.whole_number(1, arguments.LARGEST_SEED),
            help=f"The most deals to play, by default {USUAL_GAMES:,}.",
        ),
    ):
        decorated = one(decorated)
    return decorated


with_sets = arguments.pairs("--set", "sets", "NAME=NUMBER", "Change a definition that is a number.")


of_kind = click.option(
    "--player",
    "kind",
    metavar="KIND[:PLAYOUTS]",
    default="busy",
    callback=_player,
    show_default=True,
    help="Who plays all seats.",
)


def of_kinds(usual: Sequence[str], help_: str) -> arguments.Decorator:
    """Several players, as argument `kinds`."""
    return click.option(
        "--player",
        "kinds",
        metavar="KIND[:PLAYOUTS]",
        multiple=True,
        default=usual,
        callback=_player,
        show_default=True,
        help=help_,
    )


def of_version(function: arguments.Command) -> arguments.Command:
    """A game with changes, as argument `version`."""

    @wraps(function)
    def with_version(
        *args: object,
        name: str,
        options: Mapping[str, str],
        decks: Mapping[str, str],
        sets: Mapping[str, str],
        **rest: object,
    ) -> object:
        version = with_extra("targi_dsl.lab.version", "lab").Version(name)
        return function(*args, version=version.changed(options, decks, sets), **rest)

    decorated: arguments.Command = with_version
    for one in (with_sets, arguments.decks, arguments.options, arguments.game()):
        decorated = one(decorated)
    return decorated


def with_margin(usual: float, help_: str) -> arguments.Decorator:
    """The margin in percent."""
    return click.option(
        "--within",
        metavar="PERCENT",
        type=click.FloatRange(0.1, 50),
        default=usual,
        show_default=True,
        help=help_,
    )


def again() -> str:
    """The command line."""
    return " ".join(["targi", *map(shlex.quote, sys.argv[1:])])
