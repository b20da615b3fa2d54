"""Plays changed copies of shipped files that are accepted without a warning: what has been checked
must be safe to play.

    python -m bench.mutants [COUNT] [--seed N] [--games N] [--show]

Each mutant has one random edit of one line of a rule or card file, or of a word of it everywhere,
that changes what is played. The mutants that validate without a word are played by the fastest
engine, and every game that ends with a fault is told with its file, edit, seed and message. With
--show, those with a warning are printed in place of being played: are the warnings right?
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import ndiff

import click

from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.cache import CheckCache
from targi_dsl.compiler.project.discovery import of_texts, shipped
from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import Chunk, Plan
from targi_dsl.simulation.engines import worker_for
from targi_dsl.simulation.simulate import replay_failure
from targi_dsl.text.diagnostics import Problems, render
from tests.random_edits import edited, files_of


def mutants(seed: int) -> Iterator[tuple[str, dict[str, str], str]]:
    """Games with one edit, their files, and the file that was edited."""
    chance, games = random.Random(seed), sorted(shipped().names("game"))
    files = {game: files_of(game) for game in games}
    while True:
        game = chance.choice(games)
        name = chance.choice(sorted(files[game]))
        text = edited(files[game][name], chance)
        if text != files[game][name]:
            yield game, {**files[game], name: text}, name


def difference(before: str, after: str) -> str:
    """The lines that an edit takes away and adds."""
    lines = ndiff(before.splitlines(), after.splitlines())
    return "\n".join(f"    {line}" for line in lines if line[0] in "+-")


def faults(game: Game, games: int) -> str:
    """What the first game that cannot be finished says; empty if there is none."""
    plan = Plan.of(game, ("random",) * len(game.players), 1, games, pairs=False, engine="")
    failed = worker_for(plan, game).play(Chunk(0, games)).failed
    if failed is None:
        return ""
    try:
        replay_failure(plan, game, failed)
    except Problems as problems:
        return f"seed {plan.seed_of(failed)}\n{render(problems.problems)}"
    return f"seed {plan.seed_of(failed)}: only the compiled engine finds a fault"


def told(game: str, name: str, files: Mapping[str, str], what: str) -> str:
    before = files_of(game)[name]
    return f"==== {game}: {name}\n{difference(before, files[name])}\n{what}\n"


@click.command()
@click.argument("count", default=500)
@click.option("--seed", default=1)
@click.option("--games", default=5)
@click.option("--show", is_flag=True, help="Print the warnings.")
def main(count: int, seed: int, games: int, show: bool) -> None:
    found, caches = Counter[str](), dict[str, CheckCache]()
    hashes = {name: load(name).hash for name in shipped().names("game")}
    for name, files, file in mutants(seed):
        cache = caches.setdefault(name, CheckCache())
        game, problems = check(name, of_texts(files, cache))
        if game is not None and game.hash == hashes[name]:
            continue
        kind = "refused" if game is None else "warned of" if problems else "accepted"
        found[kind] += 1
        if kind == "warned of" and show:
            click.echo(told(name, file, files, render(problems)))
        if kind == "accepted" and not show:
            assert game is not None
            fault = faults(game, games)
            found["faulty"] += bool(fault)
            if fault:
                click.echo(told(name, file, files, fault))
        if found["warned of" if show else "accepted"] >= count:
            break
    click.echo(", ".join(f"{number:,} {kind}" for kind, number in sorted(found.items())))
    sys.exit(bool(found["faulty"]))


if __name__ == "__main__":
    main()
