"""Loops over filtered sets: each element is tested when its turn comes."""

from __future__ import annotations

from msgspec.structs import replace

from targi_dsl.ir import expressions as e
from targi_dsl.ir import instructions as ins
from targi_dsl.ir.program import Program
from targi_dsl.ir.walk import rewritten
from targi_dsl.optimize.rewrite import anywhere


def judge(program: Program) -> Program:
    """Moves the condition of a loop's set into a branch. The next element is searched for anew each
    time, so the condition would be tested for all elements again in each iteration. The branch
    tests one element, and otherwise goes on to the next; its address is a new one at the end.

    >>> loop = ins.NextElement(1, e.Filter(2, e.Const((3, 4)), e.FaceUp(e.Local(2))), done=9)
    >>> judged(loop, here=5)
    (NextElement(slot=1, within=Const(value=(3, 4)), done=9), \
Branch(condition=FaceUp(card=Local(slot=1)), otherwise=5))
    """
    code = list(program.code)
    for address, line in enumerate(program.code):
        if isinstance(line.operation, ins.NextElement) and (
            found := judged(line.operation, address)
        ):
            loop, branch = found
            code[address] = replace(line, operation=loop, next=len(code))
            code.append(replace(line, operation=branch))
    return replace(program, code=tuple(code), engines={})


def judged(loop: ins.NextElement, here: int) -> tuple[ins.NextElement, ins.Branch] | None:
    """A loop without a condition, and the branch that tests an element; None if there is no
    condition, or one that may read any slot.
    """
    match loop.within:
        case e.Filter(slot, within, condition) if not anywhere(condition, _reads_all):
            holds = rewritten(
                condition, lambda one: e.Local(loop.slot) if one == e.Local(slot) else one
            )
            return replace(loop, within=within), ins.Branch(holds, here)
        case _:
            return None


def _reads_all(node: object) -> bool:
    return isinstance(node, e.CanPay)
