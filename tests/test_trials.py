"""Paired trials: options of one question, each played out with the same luck."""

from __future__ import annotations

import pytest

from targi_dsl import Seed, Stream, choices, load, start, step
from targi_dsl.api.state import State
from targi_dsl.api.trials import InReference, beginning
from targi_dsl.codegen.c.trials import InC
from targi_dsl.codegen.trials import Horizon
from targi_dsl.engine.machine import Engine
from targi_dsl.players.greedy import worth_of

HORIZONS = (
    Horizon(0, 4, 16, 60),
    Horizon(2, 4, 16, 60),
    Horizon(0, 60, 60, 60),
    Horizon(0, 2, 3, 3),
    Horizon(1, 0, 0, 60, declines=True),
)


def played(name: str, decisions: int) -> State:
    """A position of a random game in which somebody is asked."""
    state, stream = start(load(name), Seed(3)), Stream(5)
    for _ in range(decisions):
        state = step(state, choices(state)[stream.below(len(choices(state)))])
    assert state.seat is not None
    return state


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize(
    ("name", "decisions"), [("base", 40), ("pig", 6), ("two_traders", 30), ("tic_tac_toe", 2)]
)
def test_c_tries_options_as_the_reference_does(name: str, decisions: int, horizon: Horizon) -> None:
    state = played(name, decisions)
    worth = worth_of(state.game)
    in_c, in_reference = beginning(state, worth), InReference(Engine(state.game), state, worth)
    assert isinstance(in_c, InC)
    for seat in range(len(state.game.players)):
        first = in_c.run(state.options, seat, 7, horizon)
        assert first == in_reference.run(state.options, seat, 7, horizon)
        assert first == in_c.run(state.options, seat, 7, horizon)
        assert first.effort > 0 and first.rounds >= 1


def test_options_have_the_same_luck() -> None:
    """Equal positions after different options go on equally."""
    state = played("base", 40)
    begun, twice = beginning(state, worth_of(state.game)), [state.options[0]] * 2
    found = [begun.run(twice, 0, seed, HORIZONS[1]).values for seed in range(20)]
    assert all(one == other for one, other in found) and len(set(found)) > 3


def test_rounds_that_were_found_are_those_of_all_options() -> None:
    state = played("base", 40)
    begun = beginning(state, worth_of(state.game))
    found = begun.run(state.options, 0, 9, HORIZONS[0])
    again = begun.run(state.options, 0, 9, Horizon(found.rounds, 4, 16, 60))
    assert found == again
