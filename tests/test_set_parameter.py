"""Rules that are given sets are played alike by all engines, and read by people."""

from __future__ import annotations

import pytest

from bench.c_engine import CEngine
from bench.equal import assert_equal
from targi_dsl import choices, load, start, step
from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.codegen.tiered import ENGINES, VARIABLE
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.machine import Engine
from targi_dsl.ir.game import Game
from tests.texts import game_text

FILES = {"given.targi": game_text("given.targi"), "given/pebbles.yaml": game_text("pebbles.yaml")}


@pytest.fixture
def given() -> Game:
    return load("given", FILES)


def test_generated_c_plays_like_the_reference(given: Game) -> None:
    assert_equal(Engine(given), CEngine(given, IN_MEMORY), range(6), 60)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_chosen_is_in_the_set(
    given: Game, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setenv(VARIABLE, engine)
    state = start(given, Seed(1))
    row_5 = {f"{column}5" for column in "abcdefghi"}
    wanted = {"a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"} | row_5
    offered = choices(state)
    assert {one.id.split()[-1] for one in offered} == wanted
    in_row = next(one for one in offered if one.id.endswith(" d5"))
    beside = choices(step(state, in_row))
    assert {one.id.split()[-1] for one in beside} == {"c4", "d4", "e4", "c6", "d6", "e6"}
    again = choices(step(step(state, in_row), beside[0]))
    assert {one.id.split()[-1] for one in again} == row_5 - {"d5"}
