"""How a game ended: the statement and the calls that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from targi_dsl.api.offers import Choice, option_of
from targi_dsl.api.state import State
from targi_dsl.engine import Engine, Run
from targi_dsl.engine.run import Frame
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import OVER, Program
from targi_dsl.ir.slots import POINT
from targi_dsl.ir.statements import Do, DoAction
from targi_dsl.text.source import Span


class Cause(NamedTuple):
    """A statement that ended the game, or a call that led to it."""

    rule: str
    span: Span


def causes(before: State, choice: Choice) -> Iterator[Cause]:
    """The statement that ended the game after its last choice, and the calls that led to it,
    innermost first. The interpreter replays the choice.
    """
    engine = Engine(before.game)
    program, (address, rule, stack) = engine.program, _at_end(engine, before, choice)
    span = program.code[address].span
    if span is not None:
        yield Cause(program.procedures[rule].declared, span)
    for _, caller, back in reversed(stack):
        if caller != NOTHING and (span := _call(program, caller, back)) is not None:
            yield Cause(program.procedures[caller].declared, span)


def _at_end(
    engine: Engine, before: State, choice: Choice
) -> tuple[int, int, list[tuple[Frame, int, int]]]:
    """The address of the last instruction, its rule, and the call stack."""
    run, vector = Run(before.chance), list(before.vector)
    run.reopen(engine.open(vector))
    question = engine.code.question(engine.program.points[vector[POINT]].question)
    address = following = question.take(run, option_of(before, choice))
    rule, stack = run.rule, list(run.stack)
    while following > OVER:
        address, rule, stack = following, run.rule, list(run.stack)
        following = engine.code.step(address)(run)
    return address, rule, stack


def _call(program: Program, caller: int, back: int) -> Span | None:
    """The call in a rule that returns to this address."""
    for one in program.code:
        is_call = isinstance(one.operation, Do | DoAction)
        if is_call and (one.rule, one.next) == (caller, back):
            return one.span
    return None
