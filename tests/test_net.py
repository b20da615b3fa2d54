"""A few recorded games of every sheet still play the same; `python -m bench.net` checks more."""

from __future__ import annotations

import pytest

from bench import net
from bench.net import PLAYERS, differences, hashes, jobs_of, read
from tests.games import ALL, compiled

SEEDS = 2


@pytest.mark.parametrize("sheet", ALL)
def test_recorded_games_are_played_the_same(sheet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be declined both players play the same game: the busy one plays it, who
    would go another way if something could.
    """
    monkeypatch.setattr(net, "load_once", compiled)
    jobs, recorded = jobs_of(sheet, SEEDS), read(sheet)
    assert [job.player for job in jobs] == list(PLAYERS)
    different = {tuple(recorded[job.player][:SEEDS]): job for job in jobs}.values()
    assert [line for job in different for line in differences(job, hashes(job))] == []


@pytest.mark.parametrize("sheet", ALL)
def test_every_sheet_has_a_record_of_both_players(sheet: str) -> None:
    found = read(sheet)
    assert len(found["uniform"]) == len(found["busy"]) >= SEEDS


def test_a_changed_course_and_changed_offers_are_told_apart() -> None:
    job = jobs_of("tic_tac_toe", 2)[0]
    first, second = hashes(job)
    assert differences(job, ["____" + first[4:], second[:4] + "____"]) == [
        "tic_tac_toe 0 uniform: another course",
        "tic_tac_toe 1 uniform: the same course, other offers",
    ]
