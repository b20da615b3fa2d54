"""Games for PettingZoo and Gymnasium: `pip install "targi_dsl[pettingzoo]"`.

    from targi_dsl.adapters import pettingzoo
    env = pettingzoo.env("base")             # AEC: every seat is an agent, player_0 the first
    env = pettingzoo.seat("base", "white")   # Gymnasium: one seat, the others played by `busy`

An observation is the array of `targi_dsl.encode`; the legal actions are the `action_mask` in the
agent's info. Actions have the numbers of `targi_dsl.actions`, without the outcomes of chance.
Rewards come at the end: each seat gets its lead over the best other seat, or its score if it
plays alone.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from targi_dsl import (
    PLAYERS,
    Game,
    Player,
    Seed,
    State,
    actions,
    choices,
    encode,
    load,
    observe,
    result,
    start,
    step,
)

LIMIT = 10_000
"""Decisions after which a game is truncated."""

ILLEGAL = -1.0
"""The reward for an illegal action; it ends the episode (Gymnasium only)."""

Array: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.int8]
Info: TypeAlias = dict[str, Mask]
_LOW, _HIGH = -(2**31), 2**31 - 1


def env(name: str, limit: int = LIMIT) -> Table:
    """The game of a sheet as a multi-agent environment, with one agent for each seat."""
    return Table(load(name), limit)


def seat(name: str, played: str, others: str = "busy", limit: int = LIMIT) -> Seat:
    """The game of a sheet from one seat; the others are played by a shipped player."""
    return Seat(load(name), played, others, limit)


def rewards(state: State) -> dict[str, float]:
    """Each seat's lead over the best other seat; in a game without scores 1 for a win, -1 for a
    loss and 0 for a draw. All are 0 before the end.
    """
    players, end = state.game.players, result(state)
    if not end.over:
        return dict.fromkeys(players, 0.0)
    if not any(end.breakdown):
        return dict(zip(players, end.returns, strict=True))
    leads = {}
    for at, player in enumerate(players):
        others = end.returns[:at] + end.returns[at + 1 :]
        leads[player] = end.returns[at] - max(others, default=0.0)
    return leads


class _Spaces:
    """Observations and actions as spaces and arrays."""

    def __init__(self, game: Game) -> None:
        self.game, self.table = game, actions(game)
        length = len(encode(observe(start(game), game.players[0])))
        self.action = spaces.Discrete(max(1, self.table.players))
        self.observation = spaces.Box(_LOW, _HIGH, (length,), np.int64)

    def encode(self, state: State, seat: str) -> Array:
        """The observation of a seat."""
        return np.array(encode(observe(state, seat)), np.int64)

    def info(self, state: State, seat: str) -> Info:
        """The mask of a seat's legal actions."""
        mask: Mask = np.zeros(int(self.action.n), np.int8)
        if state.seat == seat:
            mask[[self.table.number(option) for option in state.option_ids]] = 1
        return {"action_mask": mask}


class Table(AECEnv[str, Array, int]):
    """A game in which every seat is an agent."""

    metadata: ClassVar[dict[str, object]] = {"render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: Game, limit: int = LIMIT) -> None:
        super().__init__()
        self.metadata["name"] = f"targi_dsl_{game.name}"
        self.render_mode = "ansi"
        self._game, self._limit, self._spaces = game, limit, _Spaces(game)
        self._seeds = np.random.default_rng()
        self._seats = {f"player_{at}": seat for at, seat in enumerate(game.players)}
        self.possible_agents = list(self._seats)
        self.action_spaces = {
            agent: spaces.Discrete(int(self._spaces.action.n)) for agent in self._seats
        }
        self.observation_spaces = {
            agent: spaces.Box(_LOW, _HIGH, self._spaces.observation.shape, np.int64)
            for agent in self._seats
        }

    def observation_space(self, agent: str) -> spaces.Box:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begins a new game."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._state, self._made = start(self._game, _seed(self._seeds)), 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._inform()
        self.agent_selection = self._agent_to_move()

    def observe(self, agent: str) -> Array:
        """An agent's current observation."""
        return self._spaces.encode(self._state, self._seats[agent])

    def step(self, action: int) -> None:
        """Carries out the action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._state = step(self._state, self._spaces.table.ids[int(action)])
        self._made += 1
        self._cumulative_rewards[agent] = 0.0
        over, cut = self._state.seat is None, self._made >= self._limit
        gained = rewards(self._state)
        self.rewards = {agent: gained[self._seats[agent]] for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut and not over)
        self.agent_selection = self._agent_to_move()
        self._inform()
        self._accumulate_rewards()

    def _inform(self) -> None:
        self.infos = {
            agent: self._spaces.info(self._state, self._seats[agent]) for agent in self.agents
        }

    def _agent_to_move(self) -> str:
        """The agent to move; after the end, the first one."""
        seats = list(self._seats.values())
        return self.possible_agents[seats.index(self._state.seat) if self._state.seat else 0]

    def render(self) -> str:
        """The public position, by name."""
        return str(observe(self._state, "public").describe())

    def close(self) -> None:
        """Does nothing: no resources are held."""


class Seat(gymnasium.Env[Array, int]):
    """A game from one seat."""

    metadata: ClassVar[dict[str, object]] = {"render_modes": []}

    def __init__(self, game: Game, played: str, others: str, limit: int = LIMIT) -> None:
        if played not in game.players:
            raise ValueError(f"no player `{played}` in {game.name}")
        self._game, self._seat, self._others, self._limit = game, played, others, limit
        self._spaces = _Spaces(game)
        self.action_space, self.observation_space = self._spaces.action, self._spaces.observation

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Array, Info]:
        """Begins a new game and plays up to this seat's first decision."""
        super().reset(seed=seed)
        chance, self._made = _seed(self.np_random), 0
        self._players: dict[str, Player] = {
            player: PLAYERS[self._others](chance.number, player) for player in self._game.players
        }
        self._state = start(self._game, chance)
        self._others_play()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Array, float, bool, bool, Info]:
        """Carries out an action and lets the others play up to this seat's next decision."""
        chosen = self._spaces.table.ids[int(action)]
        if chosen not in self._state.option_ids:
            return self._observation(), ILLEGAL, True, False, self._info()
        self._state = step(self._state, chosen)
        self._made += 1
        self._others_play()
        over = self._state.seat is None
        reward = rewards(self._state)[self._seat]
        return (
            self._observation(),
            reward,
            over,
            not over and self._made >= self._limit,
            self._info(),
        )

    def _others_play(self) -> None:
        while self._state.seat not in (None, self._seat) and self._made < self._limit:
            other = str(self._state.seat)
            chosen = self._players[other].choose(observe(self._state, other), choices(self._state))
            self._state = step(self._state, chosen)
            self._made += 1

    def _observation(self) -> Array:
        return self._spaces.encode(self._state, self._seat)

    def _info(self) -> Info:
        return self._spaces.info(self._state, self._seat)


def _seed(seeds: np.random.Generator) -> Seed:
    return Seed(int(seeds.integers(2**63)))
