"""Prints everything, safely for terminals."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape

import click

from targi_dsl.display.ink import Line, line, render_line
from targi_dsl.text.diagnostics import Problem, render


def put(
    what: str | Line = "", *, err: bool = False, colour: bool = False, plain: bool = False
) -> None:
    """Prints a text; control characters are replaced. plain: ASCII only."""
    lines = [line(part) for part in what.split("\n")] if isinstance(what, str) else [what]
    for text_line in lines:
        click.echo(render_line(text_line, colour=colour, plain=plain), err=err, color=colour)


def put_prompt(prompt: str) -> None:
    """Prints a prompt."""
    click.echo(prompt, nl=False)


def put_text(text: str) -> None:
    """Prints a text as it is, such as that of a file."""
    click.echo(text, nl=False)


def put_document(document: object) -> None:
    """Prints a JSON document: sorted keys, one newline at the end, ASCII only."""
    put(json.dumps(document, sort_keys=True))


def put_problems(problems: Iterable[Problem]) -> None:
    """Prints problems as text to standard error."""
    put(render(problems), err=True)


def put_over(line: str) -> None:
    """Overwrites the current line of standard error."""
    click.echo(f"\r{line}\033[K", err=True, nl=False)


def put_row(row: int, what: Line, *, below: bool = False, plain: bool = False) -> None:
    """Prints a line in a row of the terminal, counted from 0; with `below` clears the rows
    below.
    """
    cleared = "\033[J" if below else "\033[K"
    text = render_line(what, colour=True, plain=plain)
    click.echo(f"\033[{row + 1};1H{cleared}{text}", nl=False, color=True)


def clear_screen(*, with_past: bool) -> None:
    """Clears the terminal; with `with_past` also its scrollback."""
    click.echo("\033[H\033[2J" + "\033[3J" * with_past, nl=False)


def html_page(title: str, style: str, body: str) -> str:
    """A self-contained HTML page. style: CSS; body: HTML below the title."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}
</style>
</head>
<body>
<h1>{escape(title)}</h1>
{body}
</body>
</html>
"""
