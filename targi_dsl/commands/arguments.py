"""Arguments that several commands take, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import click

LANGUAGES = ("en", "de", "es", "fr", "pl")

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
decks: Decorator = click.option(
    "--deck",
    "decks",
    metavar="ZONE=CARDS",
    multiple=True,
    callback=_pairs,
    help="Lay other cards into a zone, said as in a game sheet: 'draw 9 of each symbol from some_set'.",
)
seats: Decorator = click.option(
    "--seat",
    "seats",
    metavar="SEAT=human|random|busy|greedy",
    multiple=True,
    callback=_pairs,
    help="Who plays a seat. If none is said: you the first, the program the others.",
)
language: Decorator = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
    help="The language of the names of cards, as far as they have one; else English.",
)


def game(*, required: bool = True) -> Decorator:
    """The name of a game, completed by shells."""
    shown = "GAME" if required else "[GAME]"
    return click.argument("name", metavar=shown, required=required, shell_complete=games)


def games(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """The names of shipped games that begin so."""
    from targi_dsl.build.library import shipped

    return [name for name in sorted(shipped().games()) if name.startswith(begun)]


def is_path(argument: str) -> bool:
    """Whether an argument names a file, not a game: it has a `/` or ends as a file does."""
    return re.search(r"[/\\]|\.(targi|ya?ml)\Z", argument) is not None


def shown(file: object) -> str:
    """A file as an argument for a game, to be typed into a shell."""
    import shlex

    text = str(file)
    return shlex.quote(text if is_path(text) else f"./{text}")
