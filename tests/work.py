"""The work that a function does, counted: unlike time, no other program changes it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable


def work_of(function: Callable[[], object]) -> int:
    """The calls and returns while the function runs."""
    steps = itertools.count()
    sys.setprofile(lambda frame, event, argument: next(steps))
    try:
        function()
    finally:
        sys.setprofile(None)
    return next(steps)
