"""`targi solve`: finds an equilibrium of a small game."""

from __future__ import annotations

import json
from pathlib import Path

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.output import put_document
from targi_dsl.cli.terminal import Terminal
from targi_dsl.compiler.load import load
from targi_dsl.search.solving import Solution
from targi_dsl.text.files import write_file

MOST_ITERATIONS = 1_000_000


@click.command("solve")
@arguments.game()
@arguments.number(
    "--iterations", 1, MOST_ITERATIONS, 500, "How often the strategies of both are improved."
)
@arguments.file("--policy", "Write the strategy to FILE: what is seen, and what is chosen.")
@arguments.engine
@arguments.as_json
def command(name: str, iterations: int, policy: Path | None, as_json: bool) -> None:
    """Find an equilibrium of a small game of two players.

    In an equilibrium neither can win more by playing otherwise. How near the strategy found comes
    to one is told by its exploitability: what the players lose, on average over both, to the best
    answer to it. It is exact. A game may have a million positions; to count them takes a minute.
    """
    solution, terminal = Solution(load(name)), Terminal(quiet=as_json)
    solution.iterate(iterations)
    found = {
        "game": name,
        "information_sets": len(solution.offered),
        "positions": solution.positions,
        "iterations": solution.iterations,
        "value": solution.value(),
        "exploitability": solution.exploitability(),
    }
    if policy is not None:
        write_file(policy, json.dumps({**found, "policy": solution.policy()}, indent=1) + "\n")
    if as_json:
        put_document(found)
        return
    first = solution.game.players[0]
    terminal.say(
        f"{solution.game.title}: {len(solution.offered):,} information sets,"
        f" {solution.positions:,} positions"
    )
    terminal.say(f"after {iterations:,} iterations {first} wins {found['value']:.4f} on average")
    terminal.say(f"exploitability: {found['exploitability']:.6f}")
