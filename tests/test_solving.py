"""Solving small games: known values, and a strategy that nobody beats."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench.mixing import lost
from targi_dsl import Problems, Seed, choices, load, observe, result, rollout, start, step
from targi_dsl.api.playing import Uniform
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Stream
from targi_dsl.players import Player
from targi_dsl.players.mixing import Mixing
from targi_dsl.players.random import Random
from targi_dsl.search import Budget, regret
from targi_dsl.search.regret import Regrets
from targi_dsl.search.solving import PolicyPlayer, Solution
from tests.commands import targi
from tests.texts import game_file

UNIFORM = {"kuhn_poker": 0.458333, "leduc_poker": 2.373611}
"""The exploitability of players who choose with equal probability, by OpenSpiel."""


@pytest.mark.parametrize("name", UNIFORM)
def test_the_exploitability_of_chance_is_that_of_openspiel(name: str) -> None:
    solution = Solution(load(name))
    assert solution.exploitability() == pytest.approx(UNIFORM[name], abs=1e-6)
    assert len(solution.offered) == {"kuhn_poker": 12, "leduc_poker": 936}[name]


def test_kuhn_poker_is_solved() -> None:
    solution = Solution(load("kuhn_poker"))
    solution.iterate(300)
    assert solution.value() == pytest.approx(-1 / 18, abs=0.001)
    assert solution.exploitability() < 0.001


def test_leduc_poker_is_solved_in_seconds() -> None:
    solution = Solution(load("leduc_poker"))
    solution.iterate(500)
    assert solution.exploitability() < 0.001
    assert solution.value() == pytest.approx(-0.0856, abs=0.001)


def test_who_plays_an_equilibrium_gains_from_chance() -> None:
    game, won = load("kuhn_poker"), 0.0
    solution = Solution(game)
    solution.iterate(100)
    for seed in range(300):
        state = start(game, Seed(seed))
        ann, ben = game.players
        players: dict[str, Player] = {ann: Random(seed, ann), ben: PolicyPlayer(solution, seed)}
        while state.seat is not None:
            seen = observe(state, state.seat)
            state = step(state, players[state.seat].choose(seen, choices(state)))
        won += result(state).returns[1]
    assert won > 0


def test_a_player_that_mixes_loses_little_to_the_best_answer() -> None:
    of_all, of_one = lost("kuhn_poker", playouts=2_000, seeds=1)
    assert of_all == of_one < 0.12 < UNIFORM["kuhn_poker"]


def test_a_player_that_mixes_draws_what_it_chooses() -> None:
    """With a jack one bets now and then, and what one does not see makes no difference."""
    game = load("kuhn_poker")
    deals = [start(game, Seed(seed)) for seed in range(40)]
    jacks = [one for one in deals if "jack" in str(observe(one, str(one.seat)).describe()["zones"])]
    player = Mixing(1, game.players[0], Budget(2_000))
    likely = player.strategy(observe(jacks[0], game.players[0]))
    assert sum(likely) == pytest.approx(1) and 0 < min(likely) < 0.5


def test_a_player_that_mixes_plays_where_games_from_the_beginning_never_come() -> None:
    """At a time of its own, and also where everything is decided long after."""
    state = start(load("bazaar"), Seed(3))
    for _ in range(12):
        state = step(state, choices(state)[-1])
    player = Mixing(1, str(state.seat), Budget(seconds=0.2))
    assert player.choose(observe(state, str(state.seat)), choices(state)) in choices(state)


def test_a_player_that_mixes_plays_on_where_some_games_cannot() -> None:
    """This one stops where ann has not built."""
    state = start(load(game_file("built")))
    player = Mixing(1, str(state.seat), Budget(200))
    assert player.choose(observe(state, str(state.seat)), choices(state)) in choices(state)


@pytest.mark.parametrize("budget", [Budget(50), Budget(seconds=0.2)])
def test_who_mixes_leaves_an_iteration_that_is_too_long(
    budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the first iteration would look at 7 choices, and at 7 after each other choice, to the
    end of the game.
    """
    monkeypatch.setattr(regret, "FAMILIAR", 0)
    game, began = load("connect_four"), time.process_time()
    regrets = Regrets(game, Stream(1))
    regrets.run(budget, lambda: start(game, Seed(0)))
    assert time.process_time() < began + 5
    assert regrets.at(observe(start(game, Seed(0)), game.players[0])).visits == 1


def test_who_mixes_leaves_a_playout_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a decision of a playout takes a hundredth of a second, and there are some 260."""
    game, now = load("base"), [0.0]

    def slow(state: State, policy: Uniform, limit: int) -> State:
        now[0] += limit / 100
        return rollout(state, policy, limit)

    monkeypatch.setattr(regret, "rollout", slow)
    monkeypatch.setattr(regret, "time", SimpleNamespace(monotonic=lambda: now[0]))
    Regrets(game, Stream(1)).run(Budget(seconds=1), lambda: start(game, Seed(0)))
    assert 1 <= now[0] < 1.3


@pytest.mark.parametrize("name", ["bazaar", "base"])
def test_what_cannot_be_solved_is_said_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("targi_dsl.search.solving.MOST_POSITIONS", 2_000)
    with pytest.raises(Problems, match="E619"):
        Solution(load(name))


def test_a_policy_is_written_as_text(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    told = targi("solve", "kuhn_poker", "--iterations", "50", "--policy", str(file)).out
    assert "12 information sets, 58 positions" in told and "exploitability: 0.00" in told
    policy = json.loads(file.read_text())["policy"]
    assert all(sum(one["play"].values()) == pytest.approx(1) for one in policy)
    (after_check,) = (
        one for one in policy if one["chosen"] and "king" in str(one["sees"]["zones"])
    )
    assert max(after_check["play"].values()) > 0.99, "with a king every bet is called"
