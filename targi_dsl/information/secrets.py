"""Values of variables that a seat does not know: which they are, and what they could be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Stream
from targi_dsl.ir.constants import NOTHING


def unseen(engine: Engine, v: Sequence[int], seat: int) -> tuple[int, ...]:
    """The slots with values that a player does not know; a spectator is nobody."""
    return tuple(
        variable.base + at
        for variable in engine.program.variables
        if variable.secret != NOTHING
        for at in range(variable.count)
        if v[variable.secret + at] and not variable.shows(seat, at)
    )


def emptied(engine: Engine, v: Sequence[int], hidden: Iterable[int]) -> list[int]:
    """The position with the lowest value in each of these slots."""
    w = list(v)
    for slot in hidden:
        w[slot] = engine.program.slots.lows[slot]
    return w


def filled(engine: Engine, v: Sequence[int], hidden: Iterable[int], rng: Stream) -> list[int]:
    """The position with some value in each of these slots: one that its owner could choose now; if
    there is none, or nobody chose the value, any value of the variable.
    """
    w = list(v)
    for slot in hidden:
        values = engine.secret_values(v, slot)
        w[slot] = values[rng.below(len(values))]
    return w
