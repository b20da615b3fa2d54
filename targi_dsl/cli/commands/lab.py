"""`targi lab`: experiments with games."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.experiments import page
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.failures import DONE, INTERRUPTED, unknown
from targi_dsl.cli.output import put, put_document, put_over, put_problems
from targi_dsl.players import PLAYERS
from targi_dsl.search import MOST
from targi_dsl.text.files import check_absent, write_file, write_files
from targi_dsl.tools.draw import game_name

MOST_WORKERS = 256
MOST_SECONDS = 86_400
MOST_LEARNED = 100_000
USUAL_GAMES = 5_000
LADDER = ("random", "busy", "lookahead:10", "lookahead:20", "lookahead:40")


@click.group("lab")
def command() -> None:
    """Experiments: what changes in play when a game is changed, and what seats and cards are worth.

    Every number comes with its interval of 95 %. An interrupt (Ctrl-C) ends an experiment, which
    then tells what it has.
    """


def _player(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Reads kinds of players, such as `busy` or `lookahead:100`."""
    for one in value if isinstance(value, tuple) else (value,):
        kind, colon, trials = one.partition(":")
        if kind not in PLAYERS:
            raise unknown(f"'{kind}' is not a player", kind, PLAYERS)
        if colon and not (re.fullmatch(r"\d{1,7}", trials) and 0 < int(trials) <= MOST):
            raise click.BadParameter(
                f"'{trials}' is not a number of trials from 1 to {MOST}.", context, parameter
            )
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
    """What all experiments take: how many games, for how long, and who plays them."""

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


_sets = arguments.pairs("--set", "sets", "NAME=NUMBER", "Change a definition that is a number.")


_kind = click.option(
    "--player",
    "kind",
    metavar="KIND[:TRIALS]",
    default="busy",
    callback=_player,
    show_default=True,
    help="Who plays all seats.",
)


def _version(function: arguments.Command) -> arguments.Command:
    """A game, and what is changed in it, as `version`."""

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
    for one in (_sets, arguments.decks, arguments.options, arguments.game()):
        decorated = one(decorated)
    return decorated


def _within(usual: float, help_: str) -> arguments.Decorator:
    """How near, in percent."""
    return click.option(
        "--within",
        metavar="PERCENT",
        type=click.FloatRange(0.1, 50),
        default=usual,
        show_default=True,
        help=help_,
    )


def _again() -> str:
    """The command that was given."""
    return " ".join(["targi", *map(shlex.quote, sys.argv[1:])])


@command.command("compare")
@click.argument("first", metavar="GAME", shell_complete=arguments.games)
@click.argument("second", metavar="[OTHER]", required=False, shell_complete=arguments.games)
@arguments.options
@arguments.decks
@_sets
@click.option(
    "--player",
    "kinds",
    metavar="KIND[:TRIALS]",
    multiple=True,
    default=("busy",),
    callback=_player,
    show_default=True,
    help="Who plays all seats; may be repeated.",
)
@_within(2, "How small a difference does not matter.")
@arguments.number(
    "--learn", 0, MOST_LEARNED, 0, "Games from which players that think learn about each version."
)
@experiment
def compare(
    first: str,
    second: str | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    sets: Mapping[str, str],
    kinds: Sequence[str],
    within: float,
    learn: int,
    runner: Any,
) -> Any:
    """Compare two games, or a game with itself where an option, a deck or a number is another.

    Both are played on the same deals, until it is known whether the first seat wins more often,
    less often, or the same within --within. Players that think play twice: direct, where things
    are worth to them what they are in the first game, and adapted, where they have learned what
    things are worth in each.
    """
    changes = bool(options or decks or sets)
    if (second is None) != changes:
        raise click.UsageError(
            "give either another game or what to change: --set, --option, --deck."
        )
    lab = with_extra("targi_dsl.lab.compare", "lab")
    base = with_extra("targi_dsl.lab.version", "lab").Version(first)
    other = base.changed(options, decks, sets)
    if second is not None:
        other = with_extra("targi_dsl.lab.version", "lab").Version(second)
    return lab.compare(base, other, kinds, runner, within / 100, _again(), learn=learn)


@command.command("seats")
@_version
@_kind
@experiment
def seats(
    version: Any,
    kind: str,
    runner: Any,
) -> Any:
    """Tell how often each seat wins, what it scores, and what would make it even."""
    lab = with_extra("targi_dsl.lab.seats", "lab")
    try:
        return lab.seats(version, kind, runner, _again())
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None


@command.command("cards")
@_version
@click.option(
    "--of",
    "sort",
    type=click.Choice(["cards", "options", "spaces", "resources"]),
    default="cards",
    show_default=True,
    help="What is judged.",
)
@click.option(
    "--only", metavar="NAME", multiple=True, help="Judge this one, not all; may be repeated."
)
@_kind
@_within(3, "How wide an interval may be on either side.")
@experiment
def cards(
    version: Any,
    sort: str,
    only: Sequence[str],
    kind: str,
    within: float,
    runner: Any,
) -> Any:
    """Tell what each card, option, space or unit at the opening is worth.

    Raw is how much more whoever has it wins, adjusted the same where all else that is judged is
    alike. Given is a cause: the same deal with the card handed over, or with the option allowed and
    forbidden.
    """
    lab = with_extra("targi_dsl.lab.worth", "lab")
    return lab.worth(version, sort, kind, runner, within / 100, _again(), only)


@command.command("tune")
@arguments.game()
@click.option(
    "--vary",
    "varied",
    metavar="'define N: 1..4'",
    multiple=True,
    required=True,
    help="A definition, option or deck, and what it may be; may be repeated.",
)
@click.option(
    "--target",
    "aims",
    metavar="'first seat 50 %'",
    multiple=True,
    required=True,
    help="What a measure of `compare` should be; may be repeated.",
)
@_kind
@_within(1, "How far from a target is near enough.")
@click.option("--write", "path", metavar="FILE", help="Where to write the variant that is nearest.")
@experiment
def tune(
    name: str,
    varied: Sequence[str],
    aims: Sequence[str],
    kind: str,
    within: float,
    path: str | None,
    runner: Any,
) -> Any:
    """Look for the numbers, options and decks with which a game comes nearest to what you want.

    Each candidate is a checked variant, all are played on the same deals, and the nearest is
    measured again on other deals.
    """
    lab = with_extra("targi_dsl.lab.tune", "lab")
    version = with_extra("targi_dsl.lab.version", "lab").Version(name)
    file = None if path is None else Path(path).with_suffix(".targi")
    try:
        wanted = [lab.Vary.of(one) for one in varied], [lab.Target.of(one) for one in aims]
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    if file is not None:
        check_absent([file])
    tuned = lab.tune(version, *wanted, kind, runner, within / 100, _again())
    if file is not None:
        title = f"{version.sheet}, tuned"
        write_files({file: tuned.version.text(game_name(file.name), title)})
    return tuned.result


@command.command("ladder")
@_version
@click.option(
    "--player",
    "kinds",
    metavar="KIND[:TRIALS]",
    multiple=True,
    default=LADDER,
    callback=_player,
    show_default=True,
    help="A player of the ladder; repeat it.",
)
@experiment
def ladder(
    version: Any,
    kinds: Sequence[str],
    runner: Any,
) -> Any:
    """Rate players against each other, and tell how far skill goes.

    Every two of them play the same deals from all seats. The rest is chance: how much of who wins
    follows from the deal alone.
    """
    if len(set(kinds)) < 2 or len(set(kinds)) < len(kinds):
        raise click.UsageError("a ladder needs at least two players that differ.")
    lab = with_extra("targi_dsl.lab.ladder", "lab")
    try:
        return lab.ladder(version, kinds, runner, _again())
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None


@command.command("metrics")
@_version
@_kind
@experiment
def metrics(
    version: Any,
    kind: str,
    runner: Any,
) -> Any:
    """Tell what play is like: length, draws, decisions that matter, drama, and who decides."""
    lab = with_extra("targi_dsl.lab.metrics", "lab")
    return lab.metrics(version, kind, runner, _again())


@command.command("report")
@click.argument("name", metavar="GAME", shell_complete=arguments.games)
@click.argument("variants", metavar="[VARIANT]...", nargs=-1, shell_complete=arguments.games)
@click.option(
    "--player",
    "kinds",
    metavar="KIND[:TRIALS]",
    multiple=True,
    default=("busy", "lookahead:20"),
    callback=_player,
    show_default=True,
    help="Who plays all seats, a weaker and a stronger one; repeat it.",
)
@arguments.file("--html", "Write the report as a page to FILE.")
@experiment
def report(
    name: str,
    variants: Sequence[str],
    kinds: Sequence[str],
    html: Path | None,
    runner: Any,
) -> Any:
    """Tell what seats, play and cards of a game are like, and what each variant changes.

    Everything is asked twice, with a weaker and a stronger player in all seats, and told with
    where they disagree. It takes --time, else two minutes.
    """
    versions = with_extra("targi_dsl.lab.version", "lab").Version
    lab = with_extra("targi_dsl.lab.report", "lab")
    games = versions(name), [versions(one) for one in variants]
    found = lab.report(*games, [*dict.fromkeys(kinds)], runner, _again())
    if html is not None:
        write_file(html, page(found, lab.WORDS))
    return found
