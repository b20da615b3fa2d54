"""A rollout ends in the same position on every engine."""

from __future__ import annotations

import pytest

from targi_dsl import Asked, Listed, Problems, Seed, State, Stream, load, rollout, start, uniform
from targi_dsl.api import Policy
from targi_dsl.codegen.tiered import INTERPRETER, TieredEngine, engine_of, use_c
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.game import Game
from tests.faulty_games import FAULTY
from tests.small_game import with_change

LIMITS: list[dict[str, int]] = [{}, {"limit": 0}, {"limit": 17}, {"rounds": 0}, {"rounds": 2}]


def by_hand(stream: Stream, busy: bool) -> Policy:
    """The same policy, of which no engine knows."""
    policy = uniform(stream, busy)
    return lambda state, found: policy(state, found)


def ends(game: Game, policy: str) -> list[tuple[object, ...]]:
    """Everything observable after rollouts from the beginning and from a later position."""
    found = list[tuple[object, ...]]()
    for seed in range(3):
        for chance in (Seed(seed), Asked()):
            stream, state = Stream(seed), start(game, chance)
            made = by_hand(stream, seed == 1) if policy == "by hand" else uniform(stream, seed == 1)
            for limits in LIMITS:
                after = rollout(state, made, **limits)
                found.append((seen(after), stream.number))
                state = rollout(state, made, limit=3)
    return found


def seen(state: State) -> tuple[object, ...]:
    return state.vector, state.options, state.seat, state.chance


@pytest.mark.parametrize("name", ["bazaar", "dice_race", "tic_tac_toe"])
def test_a_rollout_ends_alike_on_every_engine(name: str) -> None:
    game = load(name)
    game.program.engines[ENGINE] = TieredEngine(game, INTERPRETER)
    by_policy = ends(game, "by hand")
    assert engine_of(game).compiled is None
    assert ends(game, "uniform") == by_policy
    use_c(game, level=0)
    assert engine_of(game).compiled is not None
    assert ends(game, "uniform") == by_policy == ends(game, "by hand")


def test_chance_that_is_listed_is_that_of_the_list() -> None:
    game = load("dice_race")
    listed = rollout(
        start(game, Listed(("roll 3", "roll 1", "roll 2"))), uniform(Stream(1)), limit=2
    )
    use_c(game, level=0)
    assert seen(
        rollout(start(game, Listed(("roll 3", "roll 1", "roll 2"))), uniform(Stream(1)), limit=2)
    ) == seen(listed)


def test_a_fault_on_the_way_is_that_of_the_reference() -> None:
    old, new, _, code = FAULTY[0]
    game, told = load("pond", of_texts(with_change("pond/pond.targi", old, new))), list[str]()
    for _ in range(2):
        with pytest.raises(Problems, match=code) as raised:
            rollout(start(game, Seed(1)), uniform(Stream(1)))
        told.append(str(raised.value))
        use_c(game, level=0)
    assert told[0] == told[1]
