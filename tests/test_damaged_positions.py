"""Bytes that are no position are refused; what is accepted can be played on, on either engine."""

from __future__ import annotations

import random

import pytest

from targi_dsl import Problems, Seed, State, choices, load, start, step
from targi_dsl.codegen.tiered import INTERPRETER, TCC, TieredEngine
from targi_dsl.engine.machine import ENGINE
from tests.games import compiled

TIMES = 40


def damaged(data: bytes, by: random.Random) -> bytes:
    """The bytes of a position with one or two of them changed, or cut."""
    changed = bytearray(data)
    for _ in range(by.randrange(1, 3)):
        changed[by.randrange(8, len(data))] = by.randrange(256)
    return bytes(changed[: by.randrange(len(data))] if by.random() < 0.1 else changed)


@pytest.mark.parametrize("engine", [INTERPRETER, TCC])
@pytest.mark.parametrize("name", ["mixed", "bazaar", "liars_dice", "connect_four"])
def test_damaged_bytes_are_refused_or_a_position(name: str, engine: str) -> None:
    game, by = compiled(name), random.Random(name)
    game.program.engines[ENGINE] = TieredEngine(game, engine)
    state = start(game, Seed(1))
    for _ in range(2):
        state = step(state, by.choice(choices(state)))
    assert State.from_bytes(game, state.to_bytes()) == state
    for _ in range(TIMES):
        try:
            found = State.from_bytes(game, damaged(state.to_bytes(), by))
        except ValueError:
            continue
        try:
            while offered := choices(found):
                found = step(found, by.choice(offered))
                if by.random() < 0.3:
                    break
        except Problems:
            continue


def test_no_bytes_that_are_cut_are_a_position() -> None:
    state = start(load("base"), Seed(1))
    for length in range(len(state.to_bytes())):
        with pytest.raises(ValueError, match=r"^"):
            State.from_bytes(state.game, state.to_bytes()[:length])
