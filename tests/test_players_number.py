"""Each number of players is another game (tests/corpus/changes.txt has what is said of them)."""

from __future__ import annotations

from targi_dsl.compiler.load import load


def test_each_number_is_another_game() -> None:
    assert len({load("liars_dice", players=number).hash for number in (2, 3, 4)}) == 3
