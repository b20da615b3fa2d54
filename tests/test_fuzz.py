"""Damaged inputs of every kind; bench/fuzz.py takes thousands more."""

from __future__ import annotations

import pytest

from bench.fuzz import BATCH, MEGABYTES, SECONDS, batch

SEED, COUNT = 2, 200


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_damaged_inputs_are_told_as_problems_or_played_in_little_time_and_memory(
    first: int,
) -> None:
    found, megabytes = batch(SEED, range(first, first + BATCH))
    assert [one for one in found if one.ended not in ("problems", "played")] == []
    assert max(one.seconds for one in found) <= 3 * SECONDS  # others work beside it
    assert megabytes <= MEGABYTES
