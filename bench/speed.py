"""How fast the reference interpreter is beside a game written by hand: ratios, since seconds are
those of a machine.

    python bench/speed.py --against PATH/targi_hand.py

Both play whole games with players that choose uniformly, in turns of a few games, so that both meet
the same machine; the medians of the turns are compared. The game by hand has its own cards, so
decisions are compared too.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from targi_dsl import Seed, Stream, choices, load, start, step
from targi_dsl.engine import engine_of, playout
from targi_dsl.ir.game import Game


def seconds(work: Callable[[int], int], first: int, number: int) -> tuple[float, float]:
    """Of games of these seeds, the seconds one took, and the seconds of a decision."""
    began = time.perf_counter()
    decisions = sum(work(seed) for seed in range(first, first + number))
    taken = time.perf_counter() - began
    return taken / number, taken / decisions


def by_hand(path: Path) -> ModuleType:
    """The game written by hand; what it imports lies beside it."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def faced(game: Game, seed: int) -> int:
    """A game through the public verbs, nobody listening; how many decisions it had."""
    state, stream, decisions = start(game, Seed(seed)), Stream(~seed), 0
    while offered := choices(state):
        state = step(state, offered[stream.below(len(offered))])
        decisions += 1
    return decisions


@click.command()
@click.option(
    "--against", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--game", "name", default="base", help="The game of ours.")
@click.option("--turns", default=15, help="How many turns each has.")
@click.option("--games", default=20, help="Games in a turn.")
def command(against: Path, name: str, turns: int, games: int) -> None:
    """Compare the reference interpreter with a game written by hand."""
    game, module = load(name), by_hand(against)
    engine_of(game)

    def ours(seed: int) -> int:
        return playout(game, seed)[1]

    def theirs(seed: int) -> int:
        return int(module.play_one(seed)["decisions"])

    for work in (ours, theirs):
        seconds(work, 0, games)  # what is made once is made now
    of_game, of_decision, of_face = list[float](), list[float](), list[float]()
    for turn in range(1, turns + 1):
        mine, other = seconds(ours, turn * games, games), seconds(theirs, turn * games, games)
        face = seconds(lambda seed: faced(game, seed), turn * games, games)
        of_game.append(other[0] / mine[0])
        of_decision.append(other[1] / mine[1])
        of_face.append(mine[0] / face[0])
    click.echo(f"games per second, ours by hand's      {statistics.median(of_game):6.2f}")
    click.echo(f"decisions per second, ours by hand's  {statistics.median(of_decision):6.2f}")
    click.echo(f"the public verbs by the engine's loop {statistics.median(of_face):6.2f}")


if __name__ == "__main__":
    command()
