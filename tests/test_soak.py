"""The soak plays games with every kind of player, reports violations."""

from __future__ import annotations

import pytest

from bench import soak
from targi_dsl import Stream, choices, load, start


def test_its_players_come_to_an_end_without_a_fault() -> None:
    played = soak.Soak(load("bazaar_short"))
    for seed in range(len(soak.PLAYERS)):
        played.play(seed)
    assert played.games == 4 and played.choices > 100 and played.faults == []


def test_a_fault_is_told_with_its_seed_and_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("targi_dsl.tools.invariants.broken", lambda *_: ["a card lies twice"])
    played = soak.Soak(load("tic_tac_toe"))
    played.play(5)
    assert len(played.faults) == 1
    assert "tic_tac_toe, seed 5, busy" in played.faults[0] and "lies twice" in played.faults[0]


def test_the_trader_makes_every_second_exchange_and_the_rare_player_does_what_is_new() -> None:
    game = load("expansion")
    offered = choices(start(game))
    assert {"water_for_goods", "place_targi"} <= set(map(soak.head, offered))
    firsts = {
        player: [soak.head(soak.Soak(game).choose(player, offered, Stream(n))) for n in range(40)]
        for player in ("trader", "busy")
    }
    traded = {who: found.count("water_for_goods") for who, found in firsts.items()}
    assert traded["busy"] < 15 <= traded["trader"] <= 25 + traded["busy"]
    played, stream = soak.Soak(game), Stream(1)
    for _ in range(10):
        played.choose("rare", offered, stream)
    assert played.taken["place_targi"] == played.taken["water_for_goods"] == 5
