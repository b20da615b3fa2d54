"""Positions that are remembered (tests/corpus/periods.txt has how often one has come)."""

from __future__ import annotations

import pytest

from targi_dsl import Seed, State, load, observe, result, rollout, start, step, uniform
from targi_dsl.engine.chance import Stream
from targi_dsl.records.notation import read, write


@pytest.fixture
def morris() -> State:
    """Some way into a game of Nine Men's Morris, when positions have been remembered."""
    state, stream = start(load("nine_mens_morris"), Seed(5)), Stream(5)
    while not state.vector[state.game.variables[-1].base]:
        state = step(state, state.option_ids[stream.below(len(state.option_ids))])
    return state


def test_nobody_sees_what_is_remembered(morris: State) -> None:
    assert "positions" not in str(observe(morris, "white").describe())


def test_a_position_has_its_past_with_it(morris: State) -> None:
    again = read(morris.game, write(morris))
    assert again.vector == morris.vector


def test_a_third_repetition_is_a_draw() -> None:
    usual = load("nine_mens_morris")
    goes_on = load("nine_mens_morris", options={"repetition": "goes_on"})
    lasting = [
        result(rollout(start(game, Seed(seed)), uniform(Stream(seed)))).ranks
        for seed in range(40)
        for game in (usual, goes_on)
    ]
    drawn = [(one, other) for one, other in zip(lasting[::2], lasting[1::2], strict=True)]
    assert any(one == (1, 1) != other for one, other in drawn)
