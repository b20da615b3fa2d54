"""Arguments that several commands take, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import click

WHO = ("human", "random")
"""Who can play a seat."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

as_json: Decorator = click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else.")


def _pairs(context: click.Context, parameter: click.Parameter, values: Iterable[str]) -> dict[str, str]:
    """`name=value` pairs, each name once."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, said = value.partition("=")
        if not equals or not name or not said:
            raise click.BadParameter(f"'{value}' is not of the form {parameter.metavar}.", context, parameter)
        if name in found:
            raise click.BadParameter(f"'{name}' is given twice.", context, parameter)
        found[name] = said
    return found


options: Decorator = click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_pairs,
    help="Play with another value of an option of the game.",
)
seats: Decorator = click.option(
    "--seat",
    "seats",
    metavar="SEAT=human|random",
    multiple=True,
    callback=_pairs,
    help="Who plays a seat. If none is said: you the first, chance the others.",
)


def is_path(argument: str) -> bool:
    """Whether an argument names a file, not a game: it has a `/` or ends as a file does."""
    return re.search(r"[/\\]|\.(targi|ya?ml)\Z", argument) is not None
