"""The argument of commands for how long players think."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import wraps

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.begin import HUMAN
from targi_dsl.cli.output import put_problems
from targi_dsl.cli.terminal import Terminal
from targi_dsl.ir.game import Game
from targi_dsl.players import LEVELS, thinks
from targi_dsl.search import MOST, Budget
from targi_dsl.search.values import unused
from targi_dsl.text.diagnostics import render

MOST_SECONDS = 600
"""The most seconds for one decision."""


def _budget(context: click.Context, parameter: click.Parameter, value: str | None) -> Budget | None:
    """Parses how long players think."""
    if value is None:
        return None
    seconds = re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?)s", value)
    if seconds and 0 < float(seconds[1]) <= MOST_SECONDS:
        return Budget(seconds=float(seconds[1]))
    if re.fullmatch(r"\d{1,7}", value) and 0 < int(value) <= MOST:
        return Budget(int(value))
    raise click.BadParameter(
        f"'{value}' is neither a number of playouts from 1 to {MOST} nor a time like 2s, at most"
        f" {MOST_SECONDS}s.",
        context,
        parameter,
    )


def tell_unused(game: Game, kinds: Iterable[str], terminal: Terminal | None = None) -> None:
    """Reports why learned values of a game are not used, if one of these players would use them.
    terminal: one on which pages may be drawn.
    """
    problems = unused(game) if any(kind == HUMAN or thinks(kind) for kind in kinds) else ()
    if terminal is not None and terminal.draws:
        for one in problems:
            terminal.remark(" ".join(render([one]).split()))
    elif problems:
        put_problems(problems)


def think(command: arguments.Command) -> arguments.Command:
    """Adds the argument: in full, or as a level."""

    @wraps(command)
    def with_level(
        *args: object, think: Budget | None, level: int | None, **rest: object
    ) -> object:
        if think and level:
            raise click.UsageError("--think and --level say the same thing; give one of them.")
        return command(*args, budget=Budget(LEVELS[level - 1]) if level else think, **rest)

    levels = ", ".join(f"{playouts:,}" for playouts in LEVELS)
    return click.option(
        "--think",
        metavar="PLAYOUTS|SECONDSs",
        callback=_budget,
        help="How long players think about a decision: 5000 for so many playouts, 2s for seconds.",
    )(
        click.option(
            "--level",
            metavar="N",
            callback=arguments.whole_number(1, len(LEVELS)),
            help=f"The same as a level from 1 to {len(LEVELS)}: {levels} playouts.",
        )(with_level)
    )
