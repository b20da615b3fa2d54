"""`targi new`: starts a game of your own."""

from __future__ import annotations

from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.output import put
from targi_dsl.text.files import check_absent, write_files
from targi_dsl.tools.new_game import check_game, copy, tiny, variant


@click.command("new")
@click.argument("new_name", metavar="NAME")
@click.option(
    "--like", metavar="GAME", shell_complete=arguments.games, help="Begin with a copy of this game."
)
@click.option(
    "--based-on",
    metavar="GAME",
    shell_complete=arguments.games,
    help="Begin with a variant of this game, which changes it by name.",
)
@click.option(
    "--folder", metavar="DIR", default=".", help="Where to write it; the current folder by default."
)
def command(new_name: str, like: str | None, based_on: str | None, folder: str) -> None:
    """Write the beginning of a game of your own, called NAME.

    Without an option it is a tiny game in one file. It can be validated and played at once. No file
    is overwritten.
    """
    if like is not None and based_on is not None:
        raise click.UsageError(
            "--like copies a game, --based-on changes one: only one of them can be given."
        )
    if like is not None:
        files = copy(new_name, like)
    elif based_on is not None:
        files = variant(new_name, based_on)
    else:
        files = tiny(new_name)
    texts = {Path(folder) / file: text for file, text in files.items()}
    sheet = Path(folder) / f"{new_name}.targi"
    check_absent(texts)
    check_game(sheet, texts)
    write_files(texts, make_folders=True)
    for file in texts:
        put(str(file))
    put(f"Check it with: targi validate {arguments.quoted_path(sheet)}")
    put(f"Play it with: targi play {arguments.quoted_path(sheet)}")
