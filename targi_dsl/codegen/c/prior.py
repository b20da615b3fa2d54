"""What a few games tell about the actions of a game."""

from __future__ import annotations

from contextlib import closing

from targi_dsl.codegen.c.bulk import Bulk, Seating
from targi_dsl.codegen.c.rows import Rows
from targi_dsl.codegen.c.search import Dealer, Seats, merits
from targi_dsl.codegen.search import LEAST, Task

SEED = 1 << 63
"""Of the first game: far from those that are played, whose deals players must not know."""

GAMES = 3
BUDGET = 3_000_000
"""The most that is played: games, and elements that they visit."""

FEWEST = 10
"""The fewest visits of an action from which anything is learned."""

VISITS = 4
"""For how many visits an action's prior counts."""


def learned(rows: Rows, task: Task, deal: Dealer) -> tuple[int, ...]:
    """The prior of a task, as in `Task`, from games of players who have this task and the fewest
    playouts. deal: draws a deal if C cannot.
    """
    players, sums = len(rows.game.players), merits(rows.game)
    seating = Seating(tuple(range(players)), (True,) * players)
    tasks = [(task, LEAST)] * players
    with closing(Seats(rows.library, rows.game, tasks, deal, sums)) as seats:
        bulk = Bulk(rows.game, rows.library, may_give_up=True)
        bulk.run(SEED, range(GAMES), [seating], False, seats, BUDGET)
    found = [0] * len(sums)
    for at in range(0, len(sums), 2):
        if sums[at] >= FEWEST:
            found[at : at + 2] = VISITS, VISITS * sums[at + 1] // sums[at]
    return tuple(found)
