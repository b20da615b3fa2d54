"""A sample of the slips that `python -m bench.slips` makes in the shipped files: each is reported
once, on its line, with a correct suggestion.
"""

from __future__ import annotations

from functools import cache

import pytest

from bench import slips

KINDS = tuple(kind for kind in (*slips.KINDS, *slips.FRESH) for _ in range(kind.times))
"""The kinds of all slips, in their order."""

SAMPLE = range(4, len(KINDS), 40)


@cache
def made() -> tuple[slips.Slip, ...]:
    """All slips."""
    return tuple(slips.slips())


def test_there_are_as_many_slips_as_the_figures_speak_of() -> None:
    found = [slip.kind for slip in made()]
    assert found == [*KINDS]
    assert sum(kind in slips.KINDS for kind in found) == 188
    assert sum(kind in slips.FRESH for kind in found) == 107


@pytest.mark.parametrize("number", SAMPLE, ids=[KINDS[number].name for number in SAMPLE])
def test_a_slip_is_told_once_on_its_line_with_what_mends_it(number: int) -> None:
    slip = made()[number]
    report = slips.report_on(slip)
    assert report.once and report.place and report.repairs
    assert report.suggestion or not slip.kind.can_suggest
