"""How players stand in a game that says who wins, who loses or who is out.

Such a game has a variable for each player, of a list of values of its own. A game that only counts
scores has none.
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
    """The slot of the first player's outcome, or nothing where the rules name no outcome."""
    type_ = t.Value(OUTCOME)
    return next(
        (one.base for one in variables if (one.name, one.type) == (OUTCOME, type_)), NOTHING
    )
