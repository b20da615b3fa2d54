"""`targi mix`: draws the random decks of a game once and writes them down."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.output import put
from targi_dsl.text.files import destination, write_files
from targi_dsl.tools.draw import game_name, mix_sheets
from targi_dsl.tools.new_game import check_game


@click.command("mix")
@arguments.game()
@arguments.seed("Where chance begins.", required=True)
@arguments.file("--out", "The new sheet, with the cards that are drawn.", required=True)
@arguments.file("--rest", "Another new sheet, with the cards that are left.")
@arguments.decks
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def command(
    name: str, seed: int, out: Path, rest: Path | None, decks: Mapping[str, str], force: bool
) -> None:
    """Draw the random decks of a game once, and write a sheet that names the cards.

    The new sheet is based on the one it was drawn for, is named after its file, and can be
    edited, validated and played like any other. The same seed gives the same cards. If anything
    is wrong, nothing is written.
    """
    files = [out, rest] if rest is not None else [out]
    for file in files:
        if file.suffix != ".targi":
            raise click.UsageError(f"'{file}': the name of a sheet ends in .targi.")
    if len({destination(file) for file in files}) != len(files):
        raise click.UsageError("--out and --rest name the same file.")
    names = [game_name(file.name) for file in files]
    if len(set(names)) != len(names):
        raise click.UsageError(f"--out and --rest would both be game {names[0]}.")
    sheets = mix_sheets(name, seed, names, decks)
    texts = {file: sheet.text for file, sheet in zip(files, sheets, strict=True)}
    for file in files:
        check_game(file, texts)
    write_files(texts, replace=force, make_folders=True)
    for file, sheet in zip(files, sheets, strict=True):
        put(f"{file}: game {sheet.name}. Play it with: targi play {arguments.quoted_path(file)}")
