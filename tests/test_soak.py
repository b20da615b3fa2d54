"""The soak plays games of every kind of player, tells what is wrong, and keeps its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import soak
from targi_dsl import load


def test_its_players_come_to_an_end_without_a_fault() -> None:
    played = soak.Soak(load("bazaar_short"))
    for seed in range(len(soak.PLAYERS)):
        played.play(seed)
    assert played.games == 4 and played.choices > 100 and played.faults == []


def test_a_fault_is_told_with_its_seed_and_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("targi_dsl.invariants.broken", lambda state: ["a card lies twice"])
    played = soak.Soak(load("tic_tac_toe"))
    played.play(5)
    assert len(played.faults) == 1
    assert "tic_tac_toe, seed 5, busy" in played.faults[0] and "lies twice" in played.faults[0]


def test_the_trader_exchanges_what_can_be_exchanged() -> None:
    taken = []
    for player in ("busy", "trader"):
        played = soak.Soak(load("expansion"))
        played.play(soak.PLAYERS.index(player))
        taken.append(sum(played.taken[one] for one in soak.exchanges(played.game)))
    assert taken[0] < taken[1]


def test_a_row_of_the_table_replaces_the_former_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "DOC", tmp_path / "soak.md")
    for name, games in (("tic_tac_toe", 1), ("bazaar", 1_200), ("tic_tac_toe", 2)):
        soak.write(soak.Soak(load(name), games=games))
    rows = soak.DOC.read_text("utf-8").removeprefix(soak.HEAD).splitlines()
    assert rows == ["| bazaar | 1,200 | 0 | 0 | 0 |", "| tic_tac_toe | 2 | 0 | 0 | 0 |"]
