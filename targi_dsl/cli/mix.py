"""`targi mix`: the decks that a game draws, drawn once and for all."""

from __future__ import annotations

from collections.abc import Mapping

import click

from targi_dsl.cli import arguments


@click.command("mix")
@arguments.game()
@arguments.seed("Where chance begins.", required=True)
@click.option(
    "--out", metavar="FILE", required=True, help="The new sheet, with the cards that are drawn."
)
@click.option("--rest", metavar="FILE", help="Another new sheet, with the cards that are left.")
@arguments.decks
@click.option("--force", is_flag=True, help="Write over files that are there already.")
def command(
    name: str, seed: int, out: str, rest: str | None, decks: Mapping[str, str], force: bool
) -> None:
    """Draw the decks that a game sheet draws, and write a sheet that names the cards.

    It is based on the sheet it was drawn for, called like its file, and can be edited, validated
    and played like any other. The same seed gives the same cards. Nothing is written if anything is
    wrong.
    """
    from pathlib import Path

    from targi_dsl.cli.writing import check_game
    from targi_dsl.text.files import write_files
    from targi_dsl.tools.draw import game_name, mixed

    files = [Path(out), *([Path(rest)] if rest is not None else [])]
    if len({file.resolve() for file in files}) != len(files):
        raise click.UsageError("--out and --rest name the same file.")
    names = [game_name(file.name) for file in files]
    if len(set(names)) != len(names):
        raise click.UsageError(f"--out and --rest would both be game {names[0]}.")
    sheets = mixed(name, seed, names, decks)
    texts = {file: sheet.text for file, sheet in zip(files, sheets, strict=True)}
    for file, sheet in zip(files, sheets, strict=True):
        check_game(sheet.name, texts, file.parent)
    write_files(texts, replace=force, make_folders=True)
    for file, sheet in zip(files, sheets, strict=True):
        click.echo(f"{file}: game {sheet.name}. Play it with: targi play {arguments.shown(file)}")
