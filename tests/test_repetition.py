"""`remember the position` and `the position has come 3 times`."""

from __future__ import annotations

import pytest

from targi_dsl import Seed, State, load, observe, result, rollout, start, step, uniform
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Stream
from targi_dsl.records.notation import read, write
from tests.texts import game_text

RULES = game_text("trial.targi")
SHEET = 'language 2\ngame trial "Trial"\n  rules trial\n'
AGAIN = "if the position has come 2 times: end game"
TWO = "let this_stone be first (stone on ring 1)\n    let other be first (stone on ring 2)"
SWAP = f"{TWO}\n    move this_stone to ring 2\n    move other to ring 1"
AT_THREE = "if rock is on ring 3: remove rock\n    otherwise: move rock to ring 3"
SEED = "if seeds on ring 1 is 0: put 1 seeds on ring 1\n    otherwise: take 1 seeds from ring 1"
OTHER = (
    "let there be place of rock\n    let other be first (stone on (ring 1 plus ring 3))"
    "\n    move rock to place of other\n    move other to there"
)


def texts(turn: str, asked: str = AGAIN, size: int = 4) -> dict[str, str]:
    rules = RULES.format(turn=turn, asked=asked, size=size)
    return {"trial/trial.targi": rules, "trial.targi": SHEET}


def turns(turn: str, asked: str = AGAIN, size: int = 4) -> int:
    """How many turns there are until a position has come so often."""
    return result(start(load("trial", of_texts(texts(turn, asked, size))), Seed(0))).scores[0]


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("nothing", 3),  # whose turn it is counts
        ("gain 1 gold", 3),  # what players have does not
        (SWAP, 3),  # stones are alike
        ("move rock to next of place of rock", 12),
        (AT_THREE, 6),
        (OTHER, 6),
        (SEED, 6),
        ("set worn of ring 2 to 1 - worn of ring 2", 6),
        ("if seeds on ring 4 is less than 5: put 1 seeds on ring 4", 8),
    ],
)
def test_a_position_is_what_is_on_the_spaces_and_whose_turn_it_is(turn: str, expected: int) -> None:
    assert turns(turn) == expected


@pytest.mark.parametrize("times", [2, 3, 7])
def test_it_is_asked_how_often_it_has_come(times: int) -> None:
    asked = f"if the position has come {times} times: end game"
    assert turns("nothing", asked) == 3 * (times - 1)


@pytest.mark.parametrize(("size", "expected"), [(85, 255), (86, 500)])
def test_the_last_positions_are_kept(size: int, expected: int) -> None:
    assert turns("move rock to next of place of rock", size=size) == expected


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
