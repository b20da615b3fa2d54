"""Games for OpenSpiel: `pip install "targi_dsl[openspiel]"`.

    from targi_dsl.adapters import openspiel
    game = openspiel.game("kuhn_poker", zero_sum=True)

Chance is a player that is asked card by card, so that a tree can be searched to its end. The
information state is the history of a seat, the observation is what it sees now. Actions have the
numbers of `targi_dsl.actions`; outcomes of chance are numbered separately.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyspiel

from targi_dsl import (
    PUBLIC,
    Asked,
    Game,
    History,
    State,
    actions,
    begin,
    choices,
    encode,
    history,
    load,
    observe,
    play,
    result,
    traits,
)

LONGEST = 10_000
"""The maximum number of decisions, including chance, that is declared for a game."""

_MADE: dict[str, pyspiel.Game] = {}


def game(
    name: str,
    *,
    zero_sum: bool = False,
    lowest: float = -10_000.0,
    highest: float = 10_000.0,
    longest: int = LONGEST,
) -> pyspiel.Game:
    """The game of a sheet, registered as `targi_dsl_NAME`. Whether it is zero-sum, and the range of
    its scores, do not follow from the rules; some algorithms need to be told.
    """
    rules = load(name)
    short = f"targi_dsl_{rules.name}"
    kind, info = _kind(rules, short, zero_sum), _info(rules, zero_sum, (lowest, highest), longest)

    class Made(_Game):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, info, params or {})
            self.rules = rules

    if short not in _MADE:
        pyspiel.register_game(kind, Made)
    _MADE[short] = Made()
    return _MADE[short]


def _kind(rules: Game, short: str, zero_sum: bool) -> pyspiel.GameType:
    kinds, known = pyspiel.GameType, traits(rules)
    return kinds(
        short_name=short,
        long_name=rules.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if known.chance
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if known.hidden
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=known.players,
        min_num_players=known.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
    )


def _info(
    rules: Game, zero_sum: bool, bounds: tuple[float, float], longest: int
) -> pyspiel.GameInfo:
    table = actions(rules)
    return pyspiel.GameInfo(
        num_distinct_actions=max(1, table.players),
        max_chance_outcomes=len(table) - table.players,
        num_players=len(rules.players),
        min_utility=bounds[0],
        max_utility=bounds[1],
        utility_sum=0.0 if zero_sum else None,
        max_game_length=longest,
    )


class _Game(pyspiel.Game):
    """A sheet as an OpenSpiel game."""

    rules: Game

    def new_initial_state(self) -> _State:
        """The opening, usually a chance node."""
        return _State(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> _Observer:
        """The observer of a player."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _Observer(self.rules, wanted)


class _State(pyspiel.State):
    """A position, with what every seat and the public have seen."""

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.table = actions(game.rules)
        self.state, events = begin(game.rules, Asked())
        seats = (*game.rules.players, PUBLIC)
        self.seen: dict[str, History] = {seat: history(seat, events) for seat in seats}

    def current_player(self) -> int:
        """The player who decides next."""
        seat = self.state.seat
        if seat is None:
            return int(pyspiel.PlayerId.TERMINAL)
        if seat == "chance":
            return int(pyspiel.PlayerId.CHANCE)
        return self.state.game.players.index(seat)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._numbers())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its probability."""
        weights = [choice.weight for choice in choices(self.state)]
        return sorted(zip(self._numbers(), weights, strict=True))

    def _apply_action(self, action: int) -> None:
        before = self.state
        self.state, events = play(before, before.option_ids[self._numbers().index(action)])
        self.seen = {seat: seen.after(before, events) for seat, seen in self.seen.items()}

    def _action_to_string(self, player: int, action: int) -> str:
        is_chance = player == pyspiel.PlayerId.CHANCE
        return self.table.ids[action + (self.table.players if is_chance else 0)]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.state.seat is None

    def returns(self) -> list[float]:
        """What each player gets, after the end."""
        if not self.is_terminal():
            return [0.0] * len(self.state.game.players)
        return list(result(self.state).returns)

    def __str__(self) -> str:
        return " ".join(str(number) for number in self.history())

    def _numbers(self) -> list[int]:
        """The numbers of the choices, in order."""
        first = self.table.players if self.state.seat == "chance" else 0
        return [self.table.number(option) - first for option in self.state.option_ids]


class _Observer:
    """What one player sees: now, or, with perfect recall, everything it has seen so far."""

    def __init__(self, rules: Game, wanted: Any) -> None:
        self.rules, self.recalls = rules, wanted.perfect_recall
        self.private = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        size = len(encode(observe(_first(rules), PUBLIC)))
        self.tensor: Any = np.zeros(size, np.float32)
        self.dict: dict[str, Any] = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        """Sets the tensor."""
        self.tensor[:] = self._encoded(state, player)

    def string_from(self, state: _State, player: int) -> str:
        """What is seen, as text; two texts are equal exactly when the observations are."""
        if self.recalls:
            return state.seen[self._seat(player)].text()
        seen = observe(state.state, self._seat(player))
        return f"{' '.join(map(str, encode(seen)))} {' | '.join(seen.choices)}"

    def _encoded(self, state: _State, player: int) -> Iterable[int]:
        return encode(observe(state.state, self._seat(player)))

    def _seat(self, player: int) -> str:
        return self.rules.players[player] if self.private else PUBLIC


def _first(rules: Game) -> State:
    return begin(rules, Asked())[0]
