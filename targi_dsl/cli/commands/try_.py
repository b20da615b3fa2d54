"""`targi try`: plays random games and tells what is odd about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.commands.coverage import MOST_GAMES, told
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.load import load
from targi_dsl.tools.coverage import Item, Trial, unused, watch_games

_LATEST = 10
"""How many things are shown that were first used late."""


@click.command("try")
@arguments.game()
@arguments.number("--games", 1, MOST_GAMES, 200, "The number of random games.")
@arguments.seed("The seed of the first game; the next game has one more.")
@arguments.options
@arguments.decks
@arguments.as_json
def command(
    name: str,
    games: int,
    seed: int | None,
    options: Mapping[str, str],
    decks: Mapping[str, str],
    as_json: bool,
) -> int:
    """Play random games after an edit: faults, lengths, who wins, what was never used, and where
    anything was first used. It exits with 1 if a game has a fault.
    """
    first = seed or 0
    trial = watch_games(load(name, options=options, decks=decks), range(first, first + games))
    if as_json:
        put_document(_document(trial, games))
    else:
        put("\n".join(_lines(trial, games)))
    return WRONG if trial.faults else DONE


def _lines(trial: Trial, games: int) -> Iterator[str]:
    yield f"{trial.game.title}: {arguments.count_of(games, 'random game')}"
    for seed, fault in trial.faults.items():
        yield f"fault: {fault}; see it with: targi play {trial.game.sheet} --seed {seed}"
    if not trial.faults:
        yield "faults: none"
    if lengths := sorted(trial.lengths):
        middle = median(lengths)
        yield f"questions: {lengths[0]} to {lengths[-1]}, half of the games at most {middle:g}"
    if number := trial.winners.total():
        shares = (f"{who} {times / number:.1%}" for who, times in trial.winners.most_common())
        yield f"wins: {', '.join(shares)}"
    items = [item for item in unused(trial.covered) if item.sort not in ("statement", "branch")]
    yield f"never used: {len(items) or 'nothing'}"
    yield from (f"  {told(item)}" for item in items)
    if latest := _latest(trial):
        yield "first used late:"
        for item in latest:
            first = trial.firsts[item]
            yield f"  {told(item)}, seed {first.seed}, question {first.questions}"


def _latest(trial: Trial) -> list[Item]:
    """What was first used after the first game, the latest last."""
    late = [
        item
        for item, first in trial.firsts.items()
        if first.seed > min(one.seed for one in trial.firsts.values())
        and item.sort not in ("statement", "branch")
    ]
    return sorted(late, key=lambda item: (trial.firsts[item].seed, item))[-_LATEST:]


def _document(trial: Trial, games: int) -> Mapping[str, object]:
    return {
        "game": trial.game.name,
        "games": games,
        "faults": [{"seed": seed, "fault": fault} for seed, fault in trial.faults.items()],
        "questions": trial.lengths,
        "wins": dict(trial.winners),
        "never": [told(item) for item in unused(trial.covered)],
        "first": {
            told(item): {"seed": first.seed, "question": first.questions}
            for item, first in sorted(trial.firsts.items())
        },
    }
