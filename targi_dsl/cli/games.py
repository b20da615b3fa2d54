"""`targi games`: which games there are."""

from __future__ import annotations

import re

import click

from targi_dsl.cli import arguments

_TITLE = re.compile(r'^game[ \t]+[a-z0-9_]+[ \t]+"([^"\n]*)"', re.MULTILINE)


@click.command("games")
@arguments.as_json
def command(as_json: bool) -> None:
    """List the shipped games."""
    from targi_dsl.cli.output import emit
    from targi_dsl.compiler.library import shipped

    library = shipped()
    games = []
    for name in sorted(library.games()):
        sheet = library.game(name)
        assert sheet is not None, name
        title = _TITLE.search(sheet.text)
        games.append({"name": name, "title": title[1] if title else name, "file": sheet.name})
    if as_json:
        emit({"games": games})
        return
    width = max((len(game["name"]) for game in games), default=0)
    for game in games:
        click.echo(f"{game['name']:{width}}  {game['title']}")
