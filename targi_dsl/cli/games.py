"""`targi games`: the shipped games."""

from __future__ import annotations

import re

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.project import shipped

_TITLE = re.compile(r'^game[ \t]+[a-z0-9_]+[ \t]+"([^"\n]*)"', re.MULTILINE)


@click.command("games")
@arguments.as_json
def command(as_json: bool) -> None:
    """List the shipped games."""
    library = shipped()
    sheets = {name: library.game(name) for name in sorted(library.games())}
    games = [
        {"name": name, "title": title[1], "file": sheet.name}
        for name, sheet in sheets.items()
        if sheet is not None and (title := _TITLE.search(sheet.text))
    ]
    if as_json:
        put_document({"games": games})
        return
    width = max((len(game["name"]) for game in games), default=0)
    for game in games:
        put(f"{game['name']:{width}}  {game['title']}")
