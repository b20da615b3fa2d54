"""Faulty files of everything shipped: what is told, and what is still known of the rest. A sample;
`python -m bench.faults` makes 3,000.
"""

from __future__ import annotations

from bench.faults import faults, figures, lacking, reports

COUNT = 20


def test_faults_are_told_where_they_are_and_the_rest_is_still_known() -> None:
    found = figures(reports(faults(COUNT)))
    assert found["told"] == (COUNT, COUNT)
    assert lacking(found, spared=1) == [], found
