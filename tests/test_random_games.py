"""Random games of every shipped game, with all invariants on; every choice that is not offered is
refused with a reason.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from targi_dsl import records
from targi_dsl.api import Choice, choices, play, start
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.text.source import Source
from tests.games import ALL, QUICK, VARIED, compiled
from tests.invariants import random_game, unrefused

LOOKS, SELDOM = 20, 65
"""One state in this number is tested for all choices that are not offered: the second number where
an answer is one of many spaces, or the rules are almost those of another game.
"""
PLAYED_MOST = ("tic_tac_toe", "kuhn_poker", "dice_race", "bazaar", "base")


def games(name: str) -> int:
    """How many are played here; `python bench/soak.py` plays thousands of every sheet."""
    if name in PLAYED_MOST:
        return 4
    return 2 if name in QUICK else 1


@pytest.mark.parametrize("name", ALL)
def test_random_games_come_to_an_end_and_break_no_invariant(name: str) -> None:
    game = compiled(name)

    def look(state: State, offered: Sequence[Choice]) -> None:
        faults = unrefused(state, offered)
        assert not faults, (name, state.seat, faults)

    for seed in range(games(name)):
        every = LOOKS if name in QUICK else SELDOM
        random_game(game, seed, busy=seed % 2 == 1, look=look, every=every)


@pytest.mark.parametrize("name", VARIED)
def test_save_and_load_give_the_same_state_and_continuation(name: str) -> None:
    game = compiled(name)
    for seed in range(3):
        seen: list[State] = []

        def look(state: State, _: Sequence[Choice], seen: list[State] = seen) -> None:
            seen.append(state)

        played = random_game(game, seed, look=look)
        middle = seed * played.decisions // 3
        options, seats = dict(game.options), dict.fromkeys(game.players, "random")
        saved = records.Record(
            game.name, game.hash, options, seed, seats, tuple(played.choices[:middle])
        )
        again = records.replay(game, records.read(Source("save", records.write(saved))))
        assert again == seen[middle]
        assert State.from_bytes(game, again.to_bytes()) == again
        for choice in choices(again):
            assert play(again, choice) == play(seen[middle], choice)


@pytest.mark.parametrize("name", ["base", "expansion", "mixed_border"])
def test_no_card_stays_where_cards_only_pass_through(name: str) -> None:
    """When a round begins nothing lies where cards are turned up, looked at or set aside."""
    game = compiled(name)
    passed = [one.name for one in game.places if one.region in ("drawn", "looked_at", "set_aside")]
    assert len(passed) == 5
    for seed in range(3):
        state, stream = start(game, Seed(seed)), Stream(seed)
        while state.seat is not None:
            offered = [one for one in choices(state) if not one.declines] or choices(state)
            state, events = play(state, offered[stream.below(len(offered))])
            if any(event.kind == "round" for event in events):
                assert not any(state.cards(one) for one in passed), (seed, state)
