"""The rules that random games reach."""

from __future__ import annotations

from targi_dsl.codegen.c.bulk import bulk
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.ir.game import Game
from targi_dsl.simulation.bulk import seating


def rules_met(game: Game, seeds: range) -> frozenset[str]:
    """The names of the rules called in random games of these seeds, including those of cards'
    texts.
    """
    games, seats = bulk(game, IN_MEMORY), seating(game, ["random"] * len(game.players))
    (tally,) = games.run(seeds.start, range(len(seeds)), [seats]).tallies
    begun = tally[games.layout.begun :]
    return frozenset(
        rule.name for rule, times in zip(game.program.procedures, begun, strict=False) if times
    )
