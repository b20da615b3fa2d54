"""Raises the recursion limit for deeply nested rules."""

from __future__ import annotations

import sys

CALLS = 10_000


def allow_nesting() -> None:
    """Sets a recursion limit that suffices for long expressions in definitions that use one
    another.
    """
    if sys.getrecursionlimit() < CALLS:
        sys.setrecursionlimit(CALLS)
