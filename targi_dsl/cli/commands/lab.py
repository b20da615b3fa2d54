"""`targi lab`: experiments with games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.experiments import (
    again,
    experiment,
    of_kind,
    of_kinds,
    of_version,
    with_margin,
    with_sets,
)
from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.report_page import page
from targi_dsl.text.files import check_absent, write_file, write_files
from targi_dsl.tools.draw import game_name

MOST_LEARNED = 100_000
LADDER = ("random", "busy", "lookahead:10", "lookahead:20", "lookahead:40")


@click.group("lab")
def command() -> None:
    """Experiments: what changes in play when a game is changed, and what seats and cards are worth.

    Every number comes with its interval of 95 %. An interrupt (Ctrl-C) ends an experiment, which
    then tells what it has.
    """


@command.command("compare")
@click.argument("first", metavar="GAME", shell_complete=arguments.games)
@click.argument("second", metavar="[OTHER]", required=False, shell_complete=arguments.games)
@arguments.options
@arguments.decks
@with_sets
@of_kinds(("busy",), "Who plays all seats; may be repeated.")
@with_margin(2, "How small a difference does not matter.")
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
    return lab.compare(base, other, kinds, runner, within / 100, again(), learn=learn)


@command.command("seats")
@of_version
@of_kind
@experiment
def seats(
    version: Any,
    kind: str,
    runner: Any,
) -> Any:
    """Tell how often each seat wins, what it scores, and what would make it even."""
    lab = with_extra("targi_dsl.lab.seats", "lab")
    try:
        return lab.seats(version, kind, runner, again())
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None


@command.command("cards")
@of_version
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
@of_kind
@with_margin(3, "How wide an interval may be on either side.")
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
    lab = with_extra("targi_dsl.lab.effects", "lab")
    return lab.effects(version, sort, kind, runner, within / 100, again(), only)


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
@of_kind
@with_margin(1, "How far from a target is near enough.")
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
    tuned = lab.tune(version, *wanted, kind, runner, within / 100, again())
    if file is not None:
        title = f"{version.sheet}, tuned"
        write_files({file: tuned.version.text(game_name(file.name), title)})
    return tuned.result


@command.command("ladder")
@of_version
@of_kinds(LADDER, "A player of the ladder; repeat it.")
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
    lab = with_extra("targi_dsl.lab.ladder", "lab")
    try:
        return lab.ladder(version, kinds, runner, again())
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None


@command.command("metrics")
@of_version
@of_kind
@experiment
def metrics(
    version: Any,
    kind: str,
    runner: Any,
) -> Any:
    """Tell what play is like: length, draws, decisions that matter, drama, and who decides."""
    lab = with_extra("targi_dsl.lab.metrics", "lab")
    return lab.metrics(version, kind, runner, again())


@command.command("report")
@click.argument("name", metavar="GAME", shell_complete=arguments.games)
@click.argument("variants", metavar="[VARIANT]...", nargs=-1, shell_complete=arguments.games)
@of_kinds(("busy", "lookahead:20"), "Who plays all seats, a weaker and a stronger one; repeat it.")
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
    found = lab.report(*games, [*dict.fromkeys(kinds)], runner, again())
    if html is not None:
        write_file(html, page(found, lab.NOTHING_CERTAIN))
    return found
