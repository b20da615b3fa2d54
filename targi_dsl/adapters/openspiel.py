"""Games for OpenSpiel: `pip install "targi_dsl[openspiel]"`.

    from targi_dsl.adapters import openspiel
    game = openspiel.game("kuhn_poker", zero_sum=True)
    game = openspiel.game("base", options={"own_opposite": "forbidden"})

Chance is a player that is asked card by card, so that a tree can be searched to its end. The
information state is the history of a seat, the observation is what it sees now. Actions have the
numbers of `targi_dsl.actions`; outcomes of chance are numbered separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import pyspiel

from targi_dsl import (
    PUBLIC,
    ActionTable,
    Asked,
    Event,
    Game,
    History,
    Problems,
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
    step,
    traits,
)

LONGEST = 10_000
"""The maximum number of decisions that is declared for a game whose longest is not known."""

KEPT = 20_000
"""The positions of a game that are kept, so that they are played only once."""

SMALL, STEPS = 64, 20_000
"""The most actions of a game whose longest course is looked for, and the most steps for that."""

_MADE: dict[tuple[object, ...], pyspiel.Game] = {}


def game(
    sheet: str | Game,
    *,
    options: Mapping[str, str] | None = None,
    zero_sum: bool = False,
    lowest: float = -10_000.0,
    highest: float = 10_000.0,
    longest: int | None = None,
) -> pyspiel.Game:
    """A game, or the one of a sheet with these options, registered by its `short_name`.

    Whether it is zero-sum, and the range of its scores, do not follow from the rules; some
    algorithms need to be told. In a cooperative game all utilities are identical. longest: the
    most decisions of players; if it is not given, that of a small game is found by going through
    all its positions, and otherwise it is LONGEST. Raises Problems as `load` does.
    """
    if isinstance(sheet, Game) and options:
        raise ValueError("options are for a sheet: a game that is loaded has them already")
    rules = sheet if isinstance(sheet, Game) else load(sheet, options=options)
    key = (rules.hash, zero_sum, lowest, highest, longest)
    if key not in _MADE:
        kind = _kind(rules, zero_sum)
        most = longest or _longest(rules) or LONGEST
        info = _info(rules, kind, (lowest, highest), most)

        class Made(_Game):
            def __init__(self, params: dict[str, object] | None = None) -> None:
                super().__init__(kind, info, params or {})
                self.rules = rules
                self.opening = _Node(None, *begin(rules, Asked()), [KEPT])

        pyspiel.register_game(kind, Made)
        _MADE[key] = Made()
    return _MADE[key]


def _kind(rules: Game, zero_sum: bool) -> pyspiel.GameType:
    kinds, known = pyspiel.GameType, traits(rules)
    utility, name = kinds.Utility.GENERAL_SUM, f"targi_dsl_{rules.name}"
    if zero_sum:
        utility, name = kinds.Utility.ZERO_SUM, f"{name}_zero_sum"
    elif known.cooperative:
        utility = kinds.Utility.IDENTICAL
    if rules.hash != _usual(rules):
        name = f"{name}_{rules.hash[-8:]}"
    return kinds(
        short_name=name,
        long_name=rules.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if known.chance
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if known.hidden
        else kinds.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=known.players,
        min_num_players=known.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
    )


def _usual(rules: Game) -> str:
    """The hash of the rules that the name of the sheet stands for; "" if it is no sheet."""
    try:
        return load(rules.name).hash
    except Problems:
        return ""


def _info(
    rules: Game, kind: pyspiel.GameType, bounds: tuple[float, float], longest: int
) -> pyspiel.GameInfo:
    table = actions(rules)
    return pyspiel.GameInfo(
        num_distinct_actions=max(1, table.players),
        max_chance_outcomes=len(table) - table.players,
        num_players=len(rules.players),
        min_utility=bounds[0],
        max_utility=bounds[1],
        utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
        max_game_length=longest,
    )


def _longest(rules: Game) -> int | None:
    """The most decisions of players in any course of a small game; None if the game is not small,
    or may go on for ever.
    """
    decisions, steps = 0, 0
    level = [begin(rules, Asked())[0]]
    while len(actions(rules)) <= SMALL:
        met = dict[bytes, State]()
        while level and steps <= STEPS:
            state = level.pop()
            if state.seat != "chance":
                met[state.key()] = state
                continue
            level += (step(state, choice) for choice in choices(state))
            steps += len(choices(state))
        open_ = [state for state in met.values() if state.seat is not None]
        if not open_ or steps > STEPS:
            return decisions if steps <= STEPS else None
        decisions += 1
        for state in open_:
            level += (step(state, choice) for choice in choices(state))
            steps += len(choices(state))
    return None


class _Game(pyspiel.Game):
    """A sheet as an OpenSpiel game."""

    rules: Game
    opening: _Node

    def new_initial_state(self) -> _State:
        """The opening, usually a chance node."""
        return _State(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType = None,
        params: dict[str, object] | None = None,
    ) -> _Observer:
        """The observer of a player."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _Observer(self.rules, wanted)


class _State(pyspiel.State):
    """A position, with what every seat and the public have seen."""

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.node = game.opening

    @property
    def state(self) -> State:
        """The position."""
        return self.node.state

    def current_player(self) -> int:
        """The player who decides next."""
        seat = self.state.seat
        if seat is None:
            return int(pyspiel.PlayerId.TERMINAL)
        if seat == "chance":
            return int(pyspiel.PlayerId.CHANCE)
        return self.state.game.players.index(seat)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.node.numbers)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its probability."""
        weights = [choice.weight for choice in choices(self.state)]
        return sorted(zip(self.node.numbers, weights, strict=True))

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        is_chance = player == pyspiel.PlayerId.CHANCE
        return self.node.table.ids[action + (self.node.table.players if is_chance else 0)]

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


class _Node:
    """A position of the tree, and how it was reached: by these events after an earlier one. A seat
    is told of them when it asks. Algorithms go through a tree again and again, so the first nodes
    of a game are kept; `room` is how many more may be. numbers: those of the choices, in order.
    """

    def __init__(
        self, earlier: _Node | None, state: State, events: Iterable[Event], room: list[int]
    ) -> None:
        self.earlier, self.state, self.events, self.room = earlier, state, events, room
        self.table: ActionTable = actions(state.game) if earlier is None else earlier.table
        first = self.table.players if state.seat == "chance" else 0
        self.numbers = [self.table.number(option) - first for option in state.option_ids]
        self.children: dict[int, _Node] = {}
        self.told: dict[str, History] = {}

    def child(self, action: int) -> _Node:
        """The position after an action."""
        if (found := self.children.get(action)) is None:
            option = self.state.option_ids[self.numbers.index(action)]
            found = _Node(self, *play(self.state, option), self.room)
            if self.room[0]:
                self.room[0] -= 1
                self.children[action] = found
        return found

    def seen_by(self, seat: str) -> History:
        """The history of a seat, or the public."""
        untold, node = list[_Node](), self
        while seat not in node.told:
            untold.append(node)
            if node.earlier is None:
                break
            node = node.earlier
        for one in reversed(untold):
            if one.earlier is None:
                one.told[seat] = history(one.state, seat, one.events)
            else:
                past = one.earlier.told[seat]
                one.told[seat] = past.after(one.earlier.state, one.events)
        return self.told[seat]

    def __deepcopy__(self, memo: object) -> _Node:
        return self


class _Observer:
    """What one player sees: now, or, with perfect recall, everything it has seen so far."""

    def __init__(self, rules: Game, wanted: pyspiel.IIGObservationType) -> None:
        self.rules, self.recalls = rules, wanted.perfect_recall
        self.private = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        size = len(encode(observe(_first(rules), PUBLIC)))
        self.tensor: npt.NDArray[np.float32] = np.zeros(size, np.float32)
        self.dict: dict[str, object] = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        """Sets the tensor. Raises ValueError for perfect recall: a history has no fixed length."""
        if self.recalls:
            raise ValueError("there is no tensor of an information state, only its string")
        self.tensor[:] = self._encoded(state, player)

    def string_from(self, state: _State, player: int) -> str:
        """What is seen, as text; two texts are equal exactly when the observations are."""
        if self.recalls:
            return state.node.seen_by(self._seat(player)).text()
        seen = observe(state.state, self._seat(player))
        return f"{' '.join(map(str, encode(seen)))} {' | '.join(seen.choices)}"

    def _encoded(self, state: _State, player: int) -> Iterable[int]:
        return encode(observe(state.state, self._seat(player)))

    def _seat(self, player: int) -> str:
        return self.rules.players[player] if self.private else PUBLIC


def _first(rules: Game) -> State:
    return begin(rules, Asked())[0]
