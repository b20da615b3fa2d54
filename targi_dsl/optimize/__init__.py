"""Optimization passes from program to program. Games play the same with and without them."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.ir.program import Program
from targi_dsl.optimize.folding import fold
from targi_dsl.optimize.guards import trim
from targi_dsl.optimize.inlining import inline
from targi_dsl.optimize.loops import judge
from targi_dsl.optimize.pushdown import push

Pass = Callable[[Program], Program]

PASSES: tuple[Pass, ...] = (inline, fold, push, fold, trim, judge)
"""The passes in order; each is optional."""


def optimize(program: Program, passes: tuple[Pass, ...] = PASSES) -> Program:
    """The program after these passes."""
    for rewrite in passes:
        program = rewrite(program)
    return program
