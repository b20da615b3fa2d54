"""`targi new`: the beginning of a variant."""

from __future__ import annotations

from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.files import check_game
from targi_dsl.cli.output import put
from targi_dsl.text.files import check_absent, write_files
from targi_dsl.tools.scaffold import variant


@click.command("new")
@click.argument("variant_name", metavar="NAME")
@click.option(
    "--based-on", "name", metavar="GAME", required=True, help="The game that it is a variant of."
)
@click.option(
    "--folder", metavar="DIR", default=".", help="Where to write it; the present folder otherwise."
)
def command(variant_name: str, name: str, folder: str) -> None:
    """Write the beginning of a variant: a sheet, a folder with rules, and a card file.

    It can be validated and played at once, and has examples of what a variant can change. No file
    is overwritten.
    """
    place = Path(folder)
    texts = {place / file: text for file, text in variant(variant_name, name).items()}
    check_absent(texts)
    check_game(place / f"{variant_name}.targi", texts)
    write_files(texts, make_folders=True)
    for file in texts:
        put(str(file))
    put(f"Play it with: targi play {arguments.shown(next(iter(texts)))}")
