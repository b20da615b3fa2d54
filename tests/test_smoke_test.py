"""What stops a game on trial is told with its place and its seed, and what is accepted without a word
does not stop.
"""

from __future__ import annotations

import pytest

from bench.accepted import batch
from targi_dsl.simulation.smoke_test import smoke_test
from tests.faulty_games import FAULTY, PONDS, wrong

PLACES = dict(zip(PONDS, (place for _, _, place, _ in FAULTY), strict=True))


@pytest.mark.parametrize(("name", "place"), PLACES.items())
def test_what_stops_a_game_is_told_at_its_place_with_its_seed(name: str, place: str) -> None:
    (problem,) = smoke_test(wrong(name), 8)
    assert (problem.code, problem.severity) == ("W926", "warning")
    assert problem.span is not None
    assert place.partition("\n")[0] in problem.span.text or problem.span.text in place
    assert "with seed " in problem.text


@pytest.mark.parametrize("sheet", ["amazons", "auction", "clobber"])
def test_changed_files_that_are_accepted_without_a_word_do_not_stop(sheet: str) -> None:
    found = batch(sheet, 5, 3)
    assert [one for one in found if one.ended in ("stopped", "died")] == []
    assert sum(one.ended == "played" for one in found) == 5
