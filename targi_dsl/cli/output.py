"""Everything that is printed passes here, and is made harmless for the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from targi_dsl.display.ink import Line, line, written
from targi_dsl.text.diagnostics import Problem, render


def put(
    what: str | Line = "", *, err: bool = False, colour: bool = False, plain: bool = False
) -> None:
    """Prints a line, or a text of several; what a terminal would obey is shown as a blank or `?`.

    With colour, or without; plain: in ASCII only.
    """
    lines = [line(part) for part in what.split("\n")] if isinstance(what, str) else [what]
    for one in lines:
        click.echo(written(one, colour=colour, plain=plain), err=err, color=colour)


def put_document(document: object) -> None:
    """Prints one JSON document: sorted keys, one newline; ASCII, so that no encoding harms it."""
    put(json.dumps(document, sort_keys=True))


def put_problems(problems: Iterable[Problem]) -> None:
    """Prints problems as text, on standard error."""
    put(render(problems), err=True)


def clear_screen() -> None:
    """Nothing that was printed can be seen any more, scrolled back or not."""
    click.echo("\033[H\033[2J\033[3J", nl=False)
