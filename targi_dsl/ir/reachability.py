"""Whether one set is reached from another: answered without computing all that is reached."""

from __future__ import annotations

from targi_dsl.ir import expressions as e
from targi_dsl.text.structs import Frozen


class Reachability(Frozen):
    """Whether steps from `start` within a set lead to `to`. steps: the neighbours of each number,
    the same in every position.
    """

    reached: e.Reached
    steps: tuple[tuple[int, ...], ...]
    to: e.Expr


def reachability(node: e.Expr) -> Reachability | None:
    """The reachability question to which a test for elements amounts; else None."""
    match node:
        case e.SetOp("within", e.Reached(slot, _, e.Pick(steps, e.Local(at))) as reached, to) if (
            at == slot
        ):
            return Reachability(reached, steps, to)
        case _:
            return None
