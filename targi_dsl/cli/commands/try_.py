"""`targi try`: plays random games and tells what is odd about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.commands.coverage import (
    describe,
    left_lines,
    random_games,
    title_of,
    unused_lines,
)
from targi_dsl.cli.failures import DONE, WRONG
from targi_dsl.cli.output import put, put_document
from targi_dsl.tools.coverage import Item, RandomGames, unused

_LATEST = 10
"""The number of items shown that were first used late."""


@click.command("try")
@random_games(200)
@arguments.as_json
def command(games: RandomGames, as_json: bool) -> int:
    """Play random games after an edit: faults, lengths, who wins, what was never used, and where
    anything was first used. It exits with 1 if a game has a fault.
    """
    if as_json:
        put_document(_document(games))
    else:
        put("\n".join(_lines(games)))
    return WRONG if games.faults else DONE


def _lines(games: RandomGames) -> Iterator[str]:
    yield title_of(games)
    yield from left_lines(games)
    for seed, fault in games.faults.items():
        yield f"fault: {fault}; see it with: targi play {games.game.sheet} --seed {seed}"
    if not games.faults:
        yield "faults: none"
    if lengths := sorted(games.lengths):
        middle = median(lengths)
        yield f"questions: {lengths[0]} to {lengths[-1]}, half of the games at most {middle:g}"
    if number := games.winners.total():
        shares = (f"{who} {times / number:.1%}" for who, times in games.winners.most_common())
        yield f"wins: {', '.join(shares)}"
    yield from unused_lines(games.covered)
    if latest := _latest(games):
        yield "first used late:"
        for item in latest:
            first = games.firsts[item]
            yield f"  {describe(item)}, seed {first.seed}, question {first.questions}"


def _latest(games: RandomGames) -> list[Item]:
    """The items first used after the first tenth of the games, the latest last."""
    began = min((one.seed for one in games.firsts.values()), default=0) + max(games.played // 10, 1)
    late = [
        item
        for item, first in games.firsts.items()
        if first.seed >= began and item.sort not in ("statement", "branch")
    ]
    return sorted(late, key=lambda item: (games.firsts[item].seed, item))[-_LATEST:]


def _document(games: RandomGames) -> Mapping[str, object]:
    return {
        "game": games.game.name,
        "games": games.played,
        "left": games.left,
        "faults": [{"seed": seed, "fault": fault} for seed, fault in games.faults.items()],
        "questions": games.lengths,
        "wins": dict(games.winners),
        "never": [describe(item) for item in unused(games.covered)],
        "first": {
            describe(item): {"seed": first.seed, "question": first.questions}
            for item, first in sorted(games.firsts.items())
        },
    }
