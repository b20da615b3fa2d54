"""`targi games`: the shipped games."""

from __future__ import annotations

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.first_page import shelf
from targi_dsl.cli.output import put, put_document


@click.command("games")
@arguments.as_json
def command(as_json: bool) -> None:
    """List the shipped games."""
    games = [{"name": name, "title": title, "file": file} for name, title, file in shelf()]
    if as_json:
        put_document({"games": games})
        return
    width = max((len(game["name"]) for game in games), default=0)
    for game in games:
        put(f"{game['name']:{width}}  {game['title']}")
