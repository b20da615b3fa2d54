"""Whether steps join two sets is answered alike by all engines, however sets are represented, and
however ways are kept.
"""

from __future__ import annotations

import pytest

from bench.c_engine import CEngine
from bench.equal import assert_equal
from targi_dsl import load
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.codegen.c.emit.source import source
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.engine.run import Run
from targi_dsl.ir import expressions as e
from targi_dsl.ir.reachability import reachability
from targi_dsl.ir.walk import parts
from tests.texts import game_text

BOARDS = {
    "both ways": (5, 3, "neighbours"),
    "one way": (5, 2, "right"),
    "two words": (9, 16, "neighbours"),
    "many distances": (7, 16, "beyond"),
    "many distances one way": (7, 16, "onward"),
    "lists": (6, 9, "neighbours"),
}
"""The side of a board, how many hedges are planted, and the step."""


@pytest.mark.parametrize("board", BOARDS)
def test_all_engines_find_the_same_ways(board: str) -> None:
    side, planted, step = BOARDS[board]
    before = "space far: grid 25 by 40" if board == "lists" else ""
    holes = {"before": before, "side": side, "hedges": side**2, "planted": planted, "step": step}
    text = game_text("hedge.targi").format(**holes)
    game = load("hedge", of_texts({"hedge.targi": text}))
    engine = Engine(game)
    asked = [reachability(one.within) for one in parts(engine.code.program.defines, e.Exists)]
    assert any(asked)
    text = source(engine)
    assert ("return joins(g, " in text) == board.startswith("many distances")
    assert ("g->ways[0]" in text) == (board == "many distances")
    assert ("{ list r; " in text or "; list r; " in text) == (board == "lists")
    assert_equal(engine, CEngine(game, IN_MEMORY), range(6))


def test_what_is_reached_counts_no_more_the_further_it_is() -> None:
    metered = set[int]()
    for length in (3, 30):
        text = game_text("row.targi").format(length=length)
        run = Run(Seed(0))
        Engine(load("row", {"row.targi": text})).start(run)
        assert len(run.options) == length
        metered.add(run.metered)
    assert len(metered) == 1 and min(metered) > 0
