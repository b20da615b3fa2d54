"""The rules that random games reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from targi_dsl.engine import Engine, Run
from targi_dsl.ir.game import Game

Step = Callable[[list[int], Run], int]


def rules_met(game: Game, seeds: Iterable[int]) -> frozenset[str]:
    """The names of the rules called in random games of these seeds, including those of cards'
    texts.
    """
    engine, found = Engine(game), set[str]()

    def noting(step: Step) -> Step:
        def noted(v: list[int], run: Run) -> int:
            found.add(engine.program.procedures[run.rule].name)
            return step(v, run)

        return noted

    for entry in {one.entry for one in engine.program.procedures}:
        engine.steps[entry] = noting(engine.steps[entry])
    for seed in seeds:
        engine.playout(seed)
    return frozenset(found)
