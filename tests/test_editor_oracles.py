"""New names and completion, held to what is written in a shipped game."""

from __future__ import annotations

from bench.editor import completed, renamed


def test_a_name_is_changed_everywhere_and_back_and_the_game_plays_the_same() -> None:
    assert [*renamed("pig", 3)] == []


def test_what_is_written_is_offered_where_the_line_is_cut() -> None:
    assert [*completed("pig", 2)] == []
