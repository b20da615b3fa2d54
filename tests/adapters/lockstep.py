"""Plays shipped games in lockstep with OpenSpiel's versions of the same games.

At every step both sides have the same player, the same legal actions, and the same chance outcomes
with the same probabilities; at the end they have the same returns. A pairing translates each
OpenSpiel action into a path: the ids of one choice or of several in a row. What has only one answer
is not asked here, and is skipped on both sides.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isclose

import pyspiel

from targi_dsl import Asked, Game, State, choices, load, observe, result, start, step

Path = tuple[str, ...]
ALIKE = 0.96
"""How often two games that are told apart go on alike."""
LONGEST = 2_000
"""Actions of a random game, after which it is given up."""


@cache
def loaded(sheet: str, options: tuple[tuple[str, str], ...], players: int | None = None) -> Game:
    """A shipped game, read once."""
    return load(sheet, options=dict(options), players=players)


def won(state: State) -> list[float]:
    """1 for who has won, -1 for who has lost, 0 for a draw."""
    ranks = result(state).ranks
    if len(set(ranks)) == 1:
        return [0.0] * len(ranks)
    return [1.0 if rank == 1 else -1.0 for rank in ranks]


def scores(state: State) -> list[float]:
    """The scores themselves."""
    return [float(score) for score in result(state).scores]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A sheet, and OpenSpiel's version of the same game. path: the ids that correspond to an
    OpenSpiel action at an OpenSpiel state. players: the seats, in their order. returns: OpenSpiel's
    returns at the end of a game. options: the options that give our rules the same variant.
    """

    sheet: str
    theirs: str
    players: tuple[str, ...]
    path: Callable[[pyspiel.State, int], Path]
    returns: Callable[[State], Sequence[float]] = won
    options: tuple[tuple[str, str], ...] = ()

    def begin(self) -> Both:
        """Both openings."""
        return Both(self, start(self._ours(), Asked()), self._theirs().new_initial_state())

    def _ours(self) -> Game:
        usual, seats = loaded(self.sheet, self.options), len(self.players)
        fits = len(usual.players) == seats
        return usual if fits else loaded(self.sheet, self.options, players=seats)

    def _theirs(self) -> pyspiel.Game:
        game = pyspiel.load_game(self.theirs)
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            return pyspiel.convert_to_turn_based(game)
        return game


class Different(AssertionError):
    """The two sides are not the same game."""


@dataclass(frozen=True, slots=True)
class Way:
    """The effect of one OpenSpiel action here: the last answer of its path, if its path asks
    anything.
    """

    before: State
    answer: str | None = None
    probability: float = 1.0

    @property
    def after(self) -> State:
        """The position it leads to."""
        return self.before if self.answer is None else step(self.before, self.answer)


@dataclass(frozen=True, slots=True)
class Both:
    """One position on both sides."""

    pairing: Pairing
    ours: State
    theirs: pyspiel.State

    def after(self, action: int) -> Both:
        """Both positions after one of their actions."""
        return self.along(action, self.actions()[action])

    def along(self, action: int, way: Way) -> Both:
        """Both positions after an action, done like this here."""
        return Both(self.pairing, way.after, self.theirs.child(action))

    def actions(self) -> dict[int, Way]:
        """The OpenSpiel actions with their paths here; checked."""
        paths = {
            action: self.pairing.path(self.theirs, action) for action in self.theirs.legal_actions()
        }
        self._check(len(set(paths.values())) == len(paths), f"two actions of one path: {paths}")
        begun = Way(self.ours)
        found = dict(self._along(begun if len(paths) > 1 else self._drawn(begun), paths))
        if self.theirs.is_chance_node():
            for action, weight in self.theirs.chance_outcomes():
                ours = found[action].probability
                self._check(isclose(ours, weight), f"{paths[action]}: {ours}, there {weight}")
        return found

    def end(self) -> None:
        """Checks the end of a game."""
        self._check(self.ours.seat is None, f"over there, here {self.ours.seat} has to move")
        returns = list(self.pairing.returns(self.ours))
        self._check(returns == self.theirs.returns(), f"{returns}, there {self.theirs.returns()}")

    def _along(self, way: Way, paths: Mapping[int, Path]) -> Iterator[tuple[int, Way]]:
        """Every action, and nothing else that could be chosen here."""
        if len(paths) == 1:
            yield next(iter(paths)), way
            return
        firsts = {path[:1] for path in paths.values()}
        if len(firsts) == 1:
            yield from self._along(way, {one: path[1:] for one, path in paths.items()})
            return
        ours = way.after
        self._check(ours.seat == self._player(), f"{self._player()} moves there, here {ours.seat}")
        weights, ids = defaultdict[Path, float](float), dict[str, str]()
        for choice in choices(ours):
            weights[self._said(choice.id),] += choice.weight
            ids[self._said(choice.id)] = choice.id
        only = sorted(set(weights) - firsts), sorted(firsts - set(weights))
        self._check(only == ([], []), f"only here {only[0]}, only there {only[1]}")
        for first in sorted(firsts):
            further = {one: path[1:] for one, path in paths.items() if path[:1] == first}
            part = way.probability * weights[first]
            yield from self._along(Way(ours, ids[first[0]], part), further)

    def _drawn(self, way: Way) -> Way:
        """Chooses the first of several copies of a card if they are a single outcome for OpenSpiel;
        otherwise nothing.
        """
        ids = [choice.id for choice in choices(way.before)]
        copies = self.theirs.is_chance_node() and len({self._said(one) for one in ids}) == 1
        return Way(way.before, ids[0]) if copies else way

    def _said(self, choice: str) -> str:
        """The id of a choice; copies of a card count as one outcome of chance."""
        return choice.partition(".")[0] if self.theirs.is_chance_node() else choice

    def _player(self) -> str:
        if self.theirs.is_chance_node():
            return "chance"
        return self.pairing.players[int(self.theirs.current_player())]

    def _check(self, holds: bool, what: str) -> None:
        if not holds:
            where = f"{self.pairing.sheet} after {self.theirs.history_str()}"
            raise Different(f"{where}:\n{self.theirs}\n{what}")


def random_game(pairing: Pairing, seed: int) -> int:
    """Plays one game by chance on both sides; how many actions it had."""
    both, chooses = pairing.begin(), random.Random(seed)
    for length in range(LONGEST):
        if both.theirs.is_terminal():
            both.end()
            return length
        both = both.along(*chooses.choice(list(both.actions().items())))
    return LONGEST


def tree(both: Both, depth: int = LONGEST) -> Counter[str]:
    """How many nodes and how many games there are from here on, so many actions deep; all of them
    are checked.
    """
    found = Counter(nodes=1)
    if both.theirs.is_terminal():
        both.end()
        found["games"] = 1
        return found
    for action, way in both.actions().items() if depth else ():
        found += tree(both.along(action, way), depth - 1)
    return found


def told_apart(pairing: Pairing, seed: int) -> Counter[tuple[bool, bool]]:
    """Plays two games that differ by chance; how often they were the same to a seat here, and there.
    What a seat of OpenSpiel's game knows includes all that it has seen before.
    """
    twins, chooses = [pairing.begin(), pairing.begin()], random.Random(seed)
    found, same = Counter[tuple[bool, bool]](), dict.fromkeys(pairing.players, True)
    while not any(both.theirs.is_terminal() for both in twins):
        offered = [both.actions() for both in twins]
        asked = [both.theirs.current_player() for both in twins]
        if asked[0] != asked[1]:
            break
        if asked[0] >= 0 and all(len(one) > 1 for one in offered):
            for at, seat in enumerate(pairing.players):
                mine, other = (observe(way_of(one).before, seat) for one in offered)
                same[seat] &= (mine.vector, mine.unknown) == (other.vector, other.unknown)
                there = [both.theirs.information_state_string(at) for both in twins]
                found[same[seat], there[0] == there[1]] += 1
        first = chooses.choice(list(offered[0]))
        alike = first in offered[1] and chooses.random() < ALIKE
        second = first if alike else chooses.choice(list(offered[1]))
        twins = [
            both.along(action, ways[action])
            for both, ways, action in zip(twins, offered, (first, second), strict=True)
        ]
    return found


def way_of(ways: Mapping[int, Way]) -> Way:
    """Any of the ways that are open at a position."""
    return next(iter(ways.values()))
