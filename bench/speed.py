"""How fast the reference interpreter is beside a game written by hand: ratios, since seconds are
those of a machine.

    python bench/speed.py --against PATH/targi_hand.py

Both play whole games with players that choose uniformly, in turns of a few games, so that both meet
the same machine; the medians of the turns are compared. The game by hand has its own cards, so
decisions are compared too.
"""

from __future__ import annotations

import copy
import importlib.util
import random
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from targi_dsl.api import choices, play, start
from targi_dsl.compiler.load import load
from targi_dsl.engine import engine_of, playout
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.state import State

COPIES = 2000
"""Copies of a position in one measurement."""


def seconds(work: Callable[[int], int], first: int, number: int) -> tuple[float, float]:
    """Of games of these seeds, the seconds one took, and the seconds of a decision."""
    began = time.perf_counter()
    decisions = sum(work(seed) for seed in range(first, first + number))
    taken = time.perf_counter() - began
    return taken / number, taken / decisions


def copying(work: Callable[[], object], number: int = COPIES) -> float:
    """The seconds of one copy."""
    began = time.perf_counter()
    for _ in range(number):
        work()
    return (time.perf_counter() - began) / number


def by_hand(path: Path) -> ModuleType:
    """The game written by hand; what it imports lies beside it."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def middle(name: str) -> State:
    """A position in the middle of a game."""
    state = start(load(name), Seed(1))
    for number in range(90):
        offered = choices(state)
        state, _ = play(state, offered[number % len(offered)])
    return state


def half_played(module: ModuleType) -> object:
    """A game by hand, stopped at its ninetieth decision."""
    seen: list[object] = []

    def stopping(game: object, who: int, what: str, options: list[object]) -> object:
        seen.append(game)
        if len(seen) > 90:
            raise _Enough
        return module.random_player(game, who, what, options)

    with suppress(_Enough):
        module.Game(stopping, random.Random(1)).play()
    vars(seen[0])["choose"] = None  # a closure is no part of a position
    return seen[0]


class _Enough(Exception):
    """The game by hand has gone on long enough."""


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
    of_game, of_decision, decision = list[float](), list[float](), list[float]()
    for turn in range(1, turns + 1):
        mine, other = seconds(ours, turn * games, games), seconds(theirs, turn * games, games)
        of_game.append(other[0] / mine[0])
        of_decision.append(other[1] / mine[1])
        decision.append(mine[1])
    state, hand = middle(name), half_played(module)
    pairs = [
        (copying(state.copy), copying(lambda: copy.deepcopy(hand), COPIES // 20))
        for _ in range(turns)
    ]
    copied = statistics.median(mine for mine, _ in pairs)
    click.echo(f"games per second, ours by hand's     {statistics.median(of_game):6.2f}")
    click.echo(f"decisions per second, ours by hand's {statistics.median(of_decision):6.2f}")
    click.echo(
        f"copies per second, ours by hand's    {statistics.median(other / mine for mine, other in pairs):6.0f}"
    )
    click.echo(f"a copy, as a part of a decision      {copied / statistics.median(decision):6.3f}")


if __name__ == "__main__":
    command()
