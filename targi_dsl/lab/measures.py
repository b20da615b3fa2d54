"""The measures of each game, by name, and the uses in a batch of games."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from targi_dsl.codegen.tally import CUT_OFF, Layout, Row
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.statements import EndGame
from targi_dsl.lab.runner import Batch
from targi_dsl.simulation.chunk import Summary
from targi_dsl.simulation.report import Usage

Columns = dict[str, np.ndarray]
"""Values of some games, by the name of a measure; those of `PERCENT` are shares."""

PERCENT = ("share of ", "drama", "draws", "cut off", "ended by ", "with ", "permitted ")
"""Prefixes of the names of measures that are shares; all others are numbers."""

_A_GAME = ", uses a game"
_ENDED = "ended by "


def is_share(name: str) -> bool:
    """Whether a measure is a share of the games."""
    return name.startswith(PERCENT)


def first_share(game: Game) -> str:
    """The measure of how often the first seat wins."""
    return f"share of {game.players[0]}"


def rows_of(game: Game, batch: Batch) -> np.ndarray:
    """The rows of a batch: games by the columns of `Row`."""
    width = Layout.of(game).width
    found: np.ndarray = np.frombuffer(batch.rows, dtype=np.int64).reshape(-1, width)
    return found


def columns(game: Game, rows: np.ndarray) -> Columns:
    """The measures of games, from their rows: by name a number for each game, shares from 0 to 1. A
    shared win counts in parts.
    """
    seats, winners = game.players, rows[:, Row.WINNERS]
    won = np.array([(winners >> seat) & 1 for seat in range(len(seats))])
    number = won.sum(axis=0)
    scores = rows[:, Row.SCORES : Row.SCORES + len(seats)]
    found: Columns = {}
    if len(seats) > 1:
        for seat, name in enumerate(seats):
            found[f"share of {name}"] = won[seat] / np.maximum(number, 1)
        found["draws"] = (number != 1).astype(float)
    if game.scores:
        for seat, name in enumerate(seats):
            found[f"points of {name}"] = scores[:, seat].astype(float)
        found["points"] = scores.mean(axis=1)
        if len(seats) > 1:
            best = np.sort(game.merit(1) * scores, axis=1)
            found["margin"] = (best[:, -1] - best[:, -2]).astype(float)
            found["lead changes"] = rows[:, Row.LEAD_CHANGES].astype(float)
    decisions = rows[:, Row.DECISIONS]
    found["rounds"] = rows[:, Row.ROUNDS].astype(float)
    found["decisions"] = decisions.astype(float)
    found["options"] = rows[:, Row.BRANCHING] / np.maximum(decisions, 1)
    endings = rows[:, Row.ENDED_BY]
    found["cut off"] = (endings == CUT_OFF).astype(float)
    for name, rules in _endings(game).items():
        found[name] = np.isin(endings, rules).astype(float)
    return found


def _endings(game: Game) -> dict[str, list[int]]:
    """The numbers of the rules that may end a game, by the measure of how often they do."""
    found, steps = dict[str, list[int]](), (one.operation for one in game.program.code)
    for rule in dict.fromkeys(one.rule for one in steps if isinstance(one, EndGame)):
        name = game.program.procedures[rule].declared
        found.setdefault(f"{_ENDED}{name}", []).append(rule)
    return found | {f"{_ENDED}nothing": [NOTHING]}


def is_seen(name: str, mean: float) -> bool:
    """Whether a measure is reported: not a way to end that never occurred."""
    return mean != 0 or not name.startswith(_ENDED)


def measures(game: Game) -> Iterator[str]:
    """The names of the measures of `columns`."""
    yield from columns(game, np.zeros((0, Layout.of(game).width), dtype=np.int64))


class Uses:
    """How often each rule begins, each card is taken and each option is chosen, and how often
    somebody has each card at the end.
    """

    def __init__(self, game: Game) -> None:
        layout = Layout.of(game)
        self._at: dict[str, list[int]] = {}
        players = layout.players
        for at, rule in enumerate(game.program.procedures[: len(game.rules)]):
            self._add(f"rule {rule.declared}{_A_GAME}", layout.begun + at, 1)
        for number, card in enumerate(game.cards):
            self._add(f"card {card.id}{_A_GAME}", layout.card_taken + number * players, players)
            self._add(f"card {card.id}, had at the end", layout.held + number * players, players)
        for cell in Usage(game, Summary(layout)).cells:
            name = f"option {cell.choice}" if cell.place == NOTHING else f"space {cell.name}"
            self._add(f"{name}{_A_GAME}", layout.taken + cell.number * players, players)
        self.names = [*self._at]
        self._flat = np.array([at for those in self._at.values() for at in those], dtype=int)
        ends = np.cumsum([len(those) for those in self._at.values()])
        self._starts = np.concatenate([[0], ends[:-1]]).astype(int)

    def _add(self, name: str, first: int, count: int) -> None:
        self._at.setdefault(name, []).extend(range(first, first + count))

    def of(self, batch: Batch) -> np.ndarray:
        """The mean number of uses in a game of a batch, in the order of `names`."""
        tally = np.array(batch.tallies, dtype=np.int64).sum(axis=0)
        sums = np.add.reduceat(tally[self._flat], self._starts)
        found: np.ndarray = sums / max(1, len(batch.numbers))
        return found
