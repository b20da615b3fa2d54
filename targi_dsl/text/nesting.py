"""Allows parts of rules to be nested deeply, for what follows them by recursion."""

from __future__ import annotations

import sys

CALLS = 10_000


def allow_nesting() -> None:
    """Lets functions call each other deeply enough for long expressions in definitions that use
    one another.
    """
    if sys.getrecursionlimit() < CALLS:
        sys.setrecursionlimit(CALLS)
