"""`targi try`: plays random games and tells what is odd about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.commands.coverage import random_games, title_of, told, unused_lines
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put, put_document
from targi_dsl.tools.coverage import Item, Trial, unused

_LATEST = 10
"""How many things are shown that were first used late."""


@click.command("try")
@random_games(200)
@arguments.as_json
def command(trial: Trial, as_json: bool) -> int:
    """Play random games after an edit: faults, lengths, who wins, what was never used, and where
    anything was first used. It exits with 1 if a game has a fault.
    """
    if as_json:
        put_document(_document(trial))
    else:
        put("\n".join(_lines(trial)))
    return WRONG if trial.faults else DONE


def _lines(trial: Trial) -> Iterator[str]:
    yield title_of(trial)
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
    yield from unused_lines(trial.covered)
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


def _document(trial: Trial) -> Mapping[str, object]:
    return {
        "game": trial.game.name,
        "games": trial.games,
        "faults": [{"seed": seed, "fault": fault} for seed, fault in trial.faults.items()],
        "questions": trial.lengths,
        "wins": dict(trial.winners),
        "never": [told(item) for item in unused(trial.covered)],
        "first": {
            told(item): {"seed": first.seed, "question": first.questions}
            for item, first in sorted(trial.firsts.items())
        },
    }
