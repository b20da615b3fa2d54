"""`targi games`: the shipped games."""

from __future__ import annotations

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_declaration, sections
from targi_dsl.text.source import Section, Source


@click.command("games")
@arguments.as_json
def command(as_json: bool) -> None:
    """List the shipped games."""
    library = shipped()
    sheets = ((name, library.game(name)) for name in sorted(library.games()))
    games = [
        {"name": name, "title": _title(sheet) or name, "file": sheet.name}
        for name, sheet in sheets
        if sheet is not None
    ]
    if as_json:
        put_document({"games": games})
        return
    width = max((len(game["name"]) for game in games), default=0)
    for game in games:
        put(f"{game['name']:{width}}  {game['title']}")


def _title(sheet: Source) -> str | None:
    parts = (Section(sheet, start, end) for start, end in sections(sheet.text))
    nodes = map(parse_declaration, parts)
    return next((node.title for node in nodes if isinstance(node, n.Sheet)), None)
