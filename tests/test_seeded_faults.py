"""Faulty files of everything shipped: what is told, and what is still known of the rest."""

from __future__ import annotations

from bench.faults import faults, figures, lacking, reports

COUNT = 200


def test_faults_are_told_where_they_are_and_the_rest_is_still_known() -> None:
    found = figures(reports(faults(COUNT)))
    assert found["told"] == (COUNT, COUNT)
    assert lacking(found) == [], found
