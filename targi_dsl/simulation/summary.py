"""The summary of many games, in integers that can be added."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import field

from targi_dsl.codegen.tally import Layout, Row
from targi_dsl.text.light import dataclass


@dataclass(slots=True)
class Summary:
    """The totals of games of one seating. A counter has the number of games for each value.

    winners: by the bit mask of those who share the first rank. scores: for each seat. parts: the
    points of each part of the score, seat by seat. tally: what was offered, taken, called and held.
    """

    layout: Layout
    games: int = 0
    branching: int = 0
    decisions: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    endings: Counter[int] = field(default_factory=Counter)
    ties: Counter[int] = field(default_factory=Counter)
    winners: Counter[int] = field(default_factory=Counter)
    lead_changes: Counter[int] = field(default_factory=Counter)
    scores: list[Counter[int]] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)
    tally: array[int] = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        layout = self.layout
        self.scores = self.scores or [Counter() for _ in range(layout.players)]
        self.parts = self.parts or [0] * (layout.players * layout.parts)
        self.tally = self.tally or array("q", bytes(8 * layout.size))

    def add(self, row: Sequence[int]) -> None:
        """Adds one game; its share of the tally is added by `count`."""
        self.games += 1
        self.branching += row[Row.BRANCHING]
        self.decisions[row[Row.DECISIONS]] += 1
        self.rounds[row[Row.ROUNDS]] += 1
        self.endings[row[Row.ENDED_BY]] += 1
        self.ties[row[Row.TIE]] += 1
        self.winners[row[Row.WINNERS]] += 1
        self.lead_changes[row[Row.LEAD_CHANGES]] += 1
        self.parts = [a + b for a, b in zip(self.parts, row[Row.PARTS :], strict=True)]
        for counter, score in zip(self.scores, scores_of(self.layout, row), strict=True):
            counter[score] += 1

    def count(self, tally: Sequence[int]) -> None:
        """Adds the tally of some games."""
        self.tally = array("q", map(int.__add__, self.tally, tally))

    def merge(self, other: Summary) -> None:
        """Adds the games of another summary."""
        self.games += other.games
        self.branching += other.branching
        for name in ("decisions", "rounds", "endings", "ties", "winners", "lead_changes"):
            getattr(self, name).update(getattr(other, name))
        for mine, its in zip(self.scores, other.scores, strict=True):
            mine.update(its)
        self.parts = [a + b for a, b in zip(self.parts, other.parts, strict=True)]
        self.count(other.tally)

    def wins(self, seat: int) -> int:
        """The number of games won by a seat alone."""
        return self.winners[1 << seat]

    def among_winners(self, seat: int) -> int:
        """The number of games in which a seat shared the first rank."""
        return sum(
            count for mask, count in self.winners.items() if mask >> seat & 1 and mask != 1 << seat
        )


def scores_of(layout: Layout, row: Sequence[int]) -> list[int]:
    """The score of each seat in a row."""
    parts = layout.parts
    return [
        sum(row[Row.PARTS + seat * parts : Row.PARTS + (seat + 1) * parts])
        for seat in range(layout.players)
    ]
