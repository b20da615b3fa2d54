"""How much the player `mixing` loses to the best answer, exactly, in games that can be solved.

    python -m bench.mixing kuhn_poker --playouts 10000 --seeds 8

Whoever plays against it does not know its seed: so what it does where it sees something is the mean
of what it does with some seeds, each time as a new player. `one seed` is the mean of what each
would lose to somebody who knows it.
"""

from __future__ import annotations

import sys
from functools import cache, partial
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from targi_dsl.compiler.load import load
from targi_dsl.information.observation import Observation
from targi_dsl.players.mixing import Mixing
from targi_dsl.search import Budget
from targi_dsl.search.solving import Solution


def lost(name: str, playouts: int, seeds: int) -> tuple[float, float]:
    """The exploitability of the player in a game, and the mean of those of its seeds."""
    solution, budget = Solution(load(name)), Budget(playouts)

    @cache
    def by_seed(seen: Observation) -> list[list[float]]:
        return [Mixing(seed, seen.seat, budget).strategy(seen) for seed in range(seeds)]

    def of(players: slice, seen: Observation) -> list[float]:
        return [mean(those) for those in zip(*by_seed(seen)[players], strict=True)]

    def exploitability(first: int, end: int) -> float:
        return solution.exploitability(solution.strategy_of(partial(of, slice(first, end))))

    return exploitability(0, seeds), mean(exploitability(at, at + 1) for at in range(seeds))


@click.command()
@click.argument("names", nargs=-1)
@click.option("--playouts", default=10_000, help="Playouts for a decision.")
@click.option("--seeds", default=8, help="How many players.")
def command(names: tuple[str, ...], playouts: int, seeds: int) -> None:
    """Tell how much `mixing` loses in the games NAMES."""
    for name in names or ("kuhn_poker",):
        both, one = lost(name, playouts, seeds)
        click.echo(f"{name}: {playouts:,} playouts, {seeds} seeds: {both:.4f}; one seed: {one:.4f}")


if __name__ == "__main__":
    command()
