"""Events are told alike by both engines: what happens, and who may know it."""

from __future__ import annotations

import pytest

from targi_dsl import Event, Seed, Stream, choices, play, start
from targi_dsl.api.state import State
from targi_dsl.codegen.tiered import INTERPRETER, TCC, TieredEngine
from targi_dsl.engine.machine import ENGINE
from tests.games import VARIED, compiled

LONGEST = 150


def story(
    patch: pytest.MonkeyPatch, name: str, engine: str, seed: int
) -> list[tuple[Event, object, object]]:
    """The events of a game, each with who knows it and what stands for it elsewhere."""
    game, stream, told = compiled(name), Stream(~seed), list[Event]()
    patch.setitem(game.program.engines, ENGINE, TieredEngine(game, engine))
    state: State = start(game, Seed(seed))
    for _ in range(LONGEST):
        if not (offered := choices(state)):
            break
        state, events = play(state, offered[stream.below(len(offered))])
        told += events
    return [(event, event.known_to, event.secrets) for event in told]


@pytest.mark.parametrize("name", VARIED)
def test_both_engines_tell_the_same_to_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens is compared in every game by `test_engines_equal`."""
    assert story(monkeypatch, name, TCC, 3) == story(monkeypatch, name, INTERPRETER, 3)
