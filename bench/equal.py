"""Holds a generated engine against the reference, game by game and question by question.

python -m bench.equal base expansion --games 300
"""

from __future__ import annotations

import click

from targi_dsl import load
from tests.games import ALL
from tests.test_engines_equal import ENGINES, assert_equal

LONGEST = 100_000


@click.command()
@click.argument("names", nargs=-1, metavar="[SHEET...]")
@click.option("--games", default=300, show_default=True, help="So many seeds, from 0.")
@click.option("--engine", type=click.Choice([*ENGINES]), default="python", show_default=True)
def main(names: tuple[str, ...], games: int, engine: str) -> None:
    """Play sheets on both engines; ends with what differs first, if anything does."""
    for name in names or ALL:
        assert_equal(load(name), ENGINES[engine], range(games), LONGEST)
        click.echo(f"{name}: {games} games are equal")


if __name__ == "__main__":
    main()
