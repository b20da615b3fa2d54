"""The comparisons of the language, and how they relate to each other."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from targi_dsl.ir.expressions import Comparison


class Comparing(NamedTuple):
    """What a comparison means. sign: its operator in Python and C. opposite: the comparison that
    holds when this one does not. mirrored: the same comparison with its sides swapped.
    """

    sign: str
    holds: Callable[[Any, Any], bool]
    opposite: Comparison
    mirrored: Comparison


COMPARISONS: dict[Comparison, Comparing] = {
    "is": Comparing("==", operator.eq, "is_not", "is"),
    "is_not": Comparing("!=", operator.ne, "is", "is_not"),
    "less_than": Comparing("<", operator.lt, "at_least", "more_than"),
    "at_most": Comparing("<=", operator.le, "more_than", "at_least"),
    "more_than": Comparing(">", operator.gt, "at_most", "less_than"),
    "at_least": Comparing(">=", operator.ge, "less_than", "at_most"),
}
