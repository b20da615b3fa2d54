"""A sample of the slips that `python -m bench.slips` makes in the shipped files: each is reported
once, on its line, with a correct suggestion.
"""

from __future__ import annotations

import pytest

from bench import slips

SAMPLE = tuple(slips.slips())[4::40]


def test_there_are_as_many_slips_as_the_figures_speak_of() -> None:
    found = [slip.kind for slip in slips.slips()]
    assert sum(kind in slips.KINDS for kind in found) == 188
    assert sum(kind in slips.FRESH for kind in found) == 107


@pytest.mark.parametrize("slip", SAMPLE, ids=[one.kind.name for one in SAMPLE])
def test_a_slip_is_told_once_on_its_line_with_what_mends_it(slip: slips.Slip) -> None:
    report = slips.report_on(slip)
    assert report.once and report.place and report.repairs
    assert report.suggestion or not slip.kind.can_suggest
