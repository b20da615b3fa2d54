"""Files of every game, and of the small game of the tests, with one slip each are reported as problems
with a place, or play; they never cause an internal error.
"""

from __future__ import annotations

import pytest

from bench.fuzz import BATCH, WHOLE, batch

COUNT = 1_800


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_a_file_with_a_slip_is_told_or_plays(first: int) -> None:
    found, _ = batch(1, range(first, first + BATCH), WHOLE)
    assert [one for one in found if one.ended not in ("problems", "played")] == []
