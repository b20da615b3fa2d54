"""What of a game is used is found in few games if they take long (tests/corpus/coverage.txt has what
is told).
"""

from __future__ import annotations

import pytest

from tests.commands import targi


@pytest.mark.parametrize(("command", "number"), [("try", 200), ("coverage", 100)])
def test_no_further_game_begins_when_games_take_long_unless_their_number_is_given(
    command: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("targi_dsl.cli.commands.coverage.MOST_ELEMENTS", 0)
    line = f"stopped after 1 game, which take long; to play more: --games {number}\n"
    assert line in targi(command, "pig").out
    assert "stopped" not in targi(command, "pig", "--games", "2").out
