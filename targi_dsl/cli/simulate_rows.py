"""A row for every game of a simulation, written as the simulation runs."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Protocol

from targi_dsl.codegen.tally import CUT_OFF, Layout, Row
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import Played
from targi_dsl.simulation.plan import Plan
from targi_dsl.text.files import Growing

Value = str | int


class Rows(Protocol):
    """Takes the rows of chunks, in order."""

    def write(self, played: Played) -> None:
        """Writes the games of a chunk."""

    def close(self) -> None:
        """Closes the file."""


class Columns:
    """The columns of a simulation's rows, by name."""

    def __init__(self, plan: Plan, game: Game) -> None:
        self.plan, self.game, self.layout = plan, game, Layout.of(game)
        players = game.players
        parts = [part.name for part in game.scores]
        self.names = [
            *("game", "seed", *(f"player_{seat}" for seat in players)),
            *("decisions", "branching", "rounds", "ended_by", "tie", "winners", "lead_changes"),
            *(f"score_{seat}" for seat in players),
            *_distinct([f"{part}_{seat}" for seat in players for part in parts]),
        ]

        numbers = len(self.names) - 2 - len(players) - 7
        self.types: list[type[Value]] = [
            *(int, int, *(str for _ in players)),
            *(int, int, int, str, str, str, int),
            *(int for _ in range(numbers)),
        ]

    def values(self, played: Played) -> Iterator[list[Value]]:
        """The rows of a chunk."""
        width = self.layout.width
        for at, number in enumerate(played.chunk.games):
            yield self._row(number, played.rows[at * width : (at + 1) * width])

    def _row(self, number: int, row: Sequence[int]) -> list[Value]:
        plan, players = self.plan, self.game.players
        winners = [name for seat, name in enumerate(players) if row[Row.WINNERS] >> seat & 1]
        return [
            *(number, plan.seed_of(number)),
            *plan.seating(plan.rotation_of(number)),
            *(row[Row.DECISIONS], row[Row.BRANCHING], row[Row.ROUNDS]),
            *(self._ending(row[Row.ENDED_BY]), self._tie(row[Row.TIE])),
            *("+".join(winners), row[Row.LEAD_CHANGES]),
            *row[Row.SCORES :],
        ]

    def _ending(self, rule: int) -> str:
        if rule in (NOTHING, CUT_OFF):
            return ""
        return self.game.program.procedures[rule].declared

    def _tie(self, tie: int) -> str:
        return "" if tie == NOTHING else self.game.ties[tie].text


def _distinct(names: list[str]) -> list[str]:
    """The names made unique: the second of a kind is numbered."""
    return [
        name if name not in names[:at] else f"{name}_{names[:at].count(name) + 1}"
        for at, name in enumerate(names)
    ]


class CsvRows:
    """Writes rows as comma-separated values, with a header line."""

    def __init__(self, path: Path, plan: Plan, game: Game) -> None:
        self.columns, self.file = Columns(plan, game), Growing(path)
        self._append([self.columns.names])

    def write(self, played: Played) -> None:
        """Writes the games of a chunk."""
        self._append([*self.columns.values(played)])

    def close(self) -> None:
        """Closes the file."""
        self.file.close()

    def _append(self, rows: Sequence[Sequence[Value]]) -> None:
        text = StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        self.file.append(text.getvalue().encode())
