"""The tests of PettingZoo and Gymnasium themselves, for every shipped sheet."""

from __future__ import annotations

from functools import partial

import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from targi_dsl import load
from targi_dsl.adapters import pettingzoo
from tests.games import ALL


@pytest.mark.parametrize("sheet", ALL)
def test_pettingzoo_finds_nothing_wrong(sheet: str) -> None:
    api_test(pettingzoo.env(sheet), num_cycles=60)


@pytest.mark.parametrize("sheet", ALL)
def test_equal_seeds_give_equal_games(sheet: str) -> None:
    seed_test(partial(pettingzoo.env, sheet), num_cycles=20)


@pytest.mark.parametrize("sheet", ALL)
def test_gymnasium_finds_nothing_wrong(sheet: str) -> None:
    check_env(pettingzoo.seat(sheet, load(sheet).players[0]), skip_render_check=True)


def test_a_game_of_one_seat_ends_with_a_reward() -> None:
    env = pettingzoo.seat("tic_tac_toe", load("tic_tac_toe").players[0], others="random")
    _, info = env.reset(seed=3)
    over = False
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert reward in (-1, 0, 1)


def test_what_cannot_be_chosen_ends_the_episode() -> None:
    env = pettingzoo.seat("tic_tac_toe", load("tic_tac_toe").players[0])
    _, info = env.reset(seed=3)
    taken = int(info["action_mask"].argmax())
    env.step(taken)
    assert env.step(taken)[1:3] == (pettingzoo.ILLEGAL, True)
