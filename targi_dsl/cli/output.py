"""Everything printed goes through here, which makes it safe for the terminal."""

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
    """Prints a text of one or more lines. Control characters are shown as a space or `?`. plain:
    ASCII only.
    """
    lines = [line(part) for part in what.split("\n")] if isinstance(what, str) else [what]
    for text_line in lines:
        click.echo(render_line(text_line, colour=colour, plain=plain), err=err, color=colour)


def put_prompt(prompt: str) -> None:
    """Prints what an answer is typed after."""
    click.echo(prompt, nl=False)


def put_text(text: str) -> None:
    """Prints a text as it is, such as that of a file."""
    click.echo(text, nl=False)


def put_document(document: object) -> None:
    """Prints one JSON document: sorted keys, one newline, ASCII only, so that it survives any
    encoding.
    """
    put(json.dumps(document, sort_keys=True))


def put_problems(problems: Iterable[Problem]) -> None:
    """Prints problems as text to standard error."""
    put(render(problems), err=True)


def put_over(line: str) -> None:
    """Overwrites the current line of standard error."""
    click.echo(f"\r{line}\033[K", err=True, nl=False)


def put_row(row: int, what: Line, *, below: bool = False, plain: bool = False) -> None:
    """Prints a line in a row of the terminal, counted from 0, and with `below` clears the rows
    from there on.
    """
    cleared = "\033[J" if below else "\033[K"
    text = render_line(what, colour=True, plain=plain)
    click.echo(f"\033[{row + 1};1H{cleared}{text}", nl=False, color=True)


def clear_screen(*, with_past: bool) -> None:
    """Clears the terminal, and `with_past` also its scrollback."""
    click.echo("\033[H\033[2J" + "\033[3J" * with_past, nl=False)


def html_page(title: str, style: str, body: str) -> str:
    """One HTML page that needs nothing else. style: in CSS; body: in HTML, below the title."""
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
