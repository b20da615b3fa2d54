"""Events are told alike by both engines: what happens, and who may know it."""

from __future__ import annotations

import pytest

from targi_dsl import Event, Seed, Stream, choices, load, play, start
from targi_dsl.api.state import State
from targi_dsl.codegen.tiered import INTERPRETER, TCC, TieredEngine
from targi_dsl.engine.machine import ENGINE
from tests.games import ALL

LONGEST = 150


def story(name: str, engine: str, seed: int) -> list[tuple[Event, object, object]]:
    """The events of a game, each with who knows it and what stands for it elsewhere."""
    game, stream, told = load(name), Stream(~seed), list[Event]()
    game.program.engines[ENGINE] = TieredEngine(game, engine)
    state: State = start(game, Seed(seed))
    for _ in range(LONGEST):
        if not (offered := choices(state)):
            break
        state, events = play(state, offered[stream.below(len(offered))])
        told += events
    return [(event, event.known_to, event.secrets) for event in told]


@pytest.mark.parametrize("name", ALL)
def test_both_engines_tell_the_same_to_the_same(name: str) -> None:
    assert story(name, TCC, 3) == story(name, INTERPRETER, 3)
