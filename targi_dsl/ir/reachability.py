"""Whether one set is reached from another, which engines answer without all that is reached."""

from __future__ import annotations

from targi_dsl.ir import expressions as e
from targi_dsl.text.structs import Frozen


class Reachability(Frozen):
    """Whether steps from `start` within a set lead to `to`. steps: where they lead from each
    number, whatever the position is.
    """

    reached: e.Reached
    steps: tuple[tuple[int, ...], ...]
    to: e.Expr


def reachability(node: e.Expr) -> Reachability | None:
    """The question whether a set has an element, if it is one about known steps."""
    match node:
        case e.SetOp("within", e.Reached(slot, _, e.Pick(steps, e.Local(at))) as reached, to) if (
            at == slot
        ):
            return Reachability(reached, steps, to)
        case _:
            return None
