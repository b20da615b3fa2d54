"""The rules that random games reach."""

from __future__ import annotations

from collections.abc import Iterable

from targi_dsl.engine import Engine, Run
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game


def rules_met(game: Game, seeds: Iterable[int]) -> frozenset[str]:
    """The names of the rules called in random games of these seeds, including those of cards'
    texts.
    """
    engine, procedures, found = Engine(game), game.program.procedures, set[str]()
    for seed in seeds:
        run, stream = Run(Seed(seed)), Stream(~seed)
        run.called = [0] * len(procedures)
        left = engine.start(run)
        while left.point != NOTHING:
            left = engine.answer(left, run.options[stream.below(len(run.options))], run)
        found |= {rule.name for rule, times in zip(procedures, run.called, strict=True) if times}
    return frozenset(found)
