"""`targi share`: a saved game as one page that needs no server."""

from __future__ import annotations

from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.begin import recorded
from targi_dsl.cli.output import put
from targi_dsl.compiler import translations
from targi_dsl.table.sharing import page
from targi_dsl.text.files import write_file


@click.command("share")
@click.argument("file", metavar="RECORD", callback=arguments.path)
@arguments.file("--out", "The page to write.", required=True)
@arguments.language
@arguments.engine
def command(file: Path, out: Path, language: str) -> None:
    """Write a saved game as one page that needs no server: the whole game from everybody's eyes.

    The page has a slider through the game, what happened in words, the scores, and the record
    itself, from which `targi table PAGE --at N` plays on. It shows what was hidden in the game.
    """
    record, game = recorded(file)
    write_file(out, page(game, record, translations.of_game(game, record.game, language)))
    put(f"{out}: {len(record.choices)} choices of {game.title}")
