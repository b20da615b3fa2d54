"""Random games of every shipped game, with all invariants on; and whatever is not offered is
refused with a reason.
"""

from __future__ import annotations

import pytest

from targi_dsl import records
from targi_dsl.api import Choice, choices, play, start
from targi_dsl.compiler.project import shipped
from targi_dsl.compiler.load import load
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.state import State
from targi_dsl.text.source import Source
from tests.invariants import broken, random_game, unrefused

GAMES = shipped().games()
MANY, SOME = 500, 200
LOOKS = 20
"""At one state in so many everything that is not offered is asked for."""
CHUNKS = 5  # so that two processes share the work
PLAYED_MOST = ("tic_tac_toe", "kuhn_poker", "dice_race", "bazaar", "base")
"""The games themselves; their variants and what is mixed of them share most rules with them."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", GAMES)
def test_random_games_come_to_an_end_and_break_no_invariant(name: str, chunk: int) -> None:
    game = load(name)

    def look(state: State, offered: tuple[Choice, ...]) -> None:
        faults = unrefused(state, offered)
        assert not faults, (name, state.seat, faults)

    each = (MANY if name in PLAYED_MOST else SOME) // CHUNKS
    for seed in range(chunk * each, (chunk + 1) * each):
        random_game(game, seed, busy=seed % 2 == 1, look=look, every=LOOKS)


@pytest.mark.parametrize("name", GAMES)
def test_save_and_load_give_the_same_state_and_continuation(name: str) -> None:
    game = load(name)
    for seed in range(5):
        seen: list[State] = []

        def look(state: State, _: tuple[Choice, ...], seen: list[State] = seen) -> None:
            seen.append(state)

        played = random_game(game, seed, look=look)
        middle = seed * played.decisions // 5
        options, seats = dict(game.options), dict.fromkeys(game.players, "random")
        saved = records.Record(
            game.name, game.hash, options, seed, seats, tuple(played.choices[:middle])
        )
        again = records.replay(game, records.read(Source("save", records.write(saved))))
        assert again == seen[middle]
        assert State.from_bytes(game, again.to_bytes()) == again
        for choice in choices(again):
            assert play(again, choice) == play(seen[middle], choice)


def test_the_invariants_find_a_doubled_card_and_a_number_out_of_its_domain() -> None:
    game = load("bazaar")
    state = start(game, Seed(1))
    slots = game.slots
    card = state.vector[
        slots.place_top + next(p for p, one in enumerate(game.places) if one.is_zone)
    ]
    spoilt = state.copy()
    spoilt.vector[slots.card_place + card] = -1
    assert broken(spoilt)
    spoilt = state.copy()
    spoilt.vector[slots.amounts] = -1
    assert broken(spoilt)
