"""Outcomes of players, for games whose rules say who wins, loses or is out.

Such a game has a variable for each player whose values are the outcomes below. Games that only
count scores have no such variable.
"""

from __future__ import annotations

from collections.abc import Iterable

from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable

OUTCOME = "outcome"
"""The name of the variable, and of its list of values."""

PLAYING, WON, LOST, OUT = range(4)
OUTCOMES = ("playing", "won", "lost", "out")


def outcome_base(variables: Iterable[Variable]) -> int:
    """The slot of the first player's outcome, or nothing if the rules name no outcomes."""
    type_ = t.Value(OUTCOME)
    return next(
        (
            variable.base
            for variable in variables
            if (variable.name, variable.type) == (OUTCOME, type_)
        ),
        NOTHING,
    )
