"""The results of a simulation, by name, as plain data for tables and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from targi_dsl.codegen.tally import CUT_OFF
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.outcomes import outcome_base
from targi_dsl.simulation.chunk import Played
from targi_dsl.simulation.document import (
    Distribution,
    Document,
    Ending,
    Paired,
    PlayerResult,
    SeatResult,
    TieBreak,
    Won,
)
from targi_dsl.simulation.plan import Plan
from targi_dsl.simulation.statistics import (
    Interval,
    histogram,
    mean,
    mean_interval,
    merged,
    proportion,
    spread,
)
from targi_dsl.simulation.summary import Summary
from targi_dsl.simulation.usage import Usage

CLASSES = 12
"""The number of classes of a histogram."""


class Report:
    """Adds up the results of chunks, in any order."""

    def __init__(self, plan: Plan, game: Game) -> None:
        self.plan, self.game = plan, game
        self.rotations: list[Summary] = []
        self.pairs = Counter[int]()

    @property
    def games(self) -> int:
        """The games that have been added."""
        return sum(summary.games for summary in self.rotations)

    def add(self, played: Played) -> None:
        """Adds a chunk."""
        self.pairs.update(played.pairs)
        if not self.rotations:
            self.rotations = [Summary(summary.layout) for summary in played.summaries]
        for mine, its in zip(self.rotations, played.summaries, strict=True):
            mine.merge(its)

    def document(self) -> Document:
        """The whole report."""
        total = self._total()
        decisions = sum(number * count for number, count in total.decisions.items())
        return {
            "game": self.game.name,
            "rules": self.game.hash,
            "options": dict(self.game.options),
            "decks": dict(self.plan.decks),
            "seed": self.plan.seed,
            "games": total.games,
            "players": self._players(),
            "seats": [self._seat(total, seat) for seat in range(len(self.game.players))],
            "first_seat_edge": self._edge(total),
            "paired": self._paired(),
            "rounds": _distribution(total.rounds),
            "decisions": _distribution(total.decisions),
            "branching": total.branching / max(1, decisions),
            "lead_changes": _distribution(total.lead_changes),
            "endings": self._endings(total),
            "ties": self._ties(total),
            **Usage(self.game, total, self._is_won).document(),
        }

    def _edge(self, total: Summary) -> Interval | None:
        """The edge of the first seat, if seats differ in nothing but the seat, and players do not
        always win or lose together.
        """
        alike = self.plan.rotations > 1 or len(set(self.plan.seats)) == 1
        together = {0, (1 << len(self.game.players)) - 1}.issuperset(total.winners)
        return _edge(total) if alike and not together else None

    def _total(self) -> Summary:
        """The sum of all rotations, seat by seat."""
        total = Summary(self.rotations[0].layout)
        for summary in self.rotations:
            total.merge(summary)
        return total

    def _players(self) -> list[PlayerResult]:
        """The results of each player of the plan, in all seats together."""
        seats, results = len(self.game.players), list[PlayerResult]()
        for number, kind in enumerate(self.plan.seats):
            at = [
                ((number + shift) % seats, summary) for shift, summary in enumerate(self.rotations)
            ]
            wins = sum(summary.wins(seat) for seat, summary in at)
            shared = sum(summary.among_winners(seat) for seat, summary in at)
            scores = merged(summary.scores[seat] for seat, summary in at)
            won = self._won(wins, shared, scores)
            results.append({"player": kind, "begins_as": self.game.players[number], **won})
        return results

    def _won(self, wins: int, shared: int, scores: Counter[int]) -> Won:
        """What a player or a seat has won; the classes of all histograms of scores are the same."""
        every = [score for summary in self.rotations for of in summary.scores for score in of]
        return {
            "wins": wins if self._is_won else None,
            "shared": shared if self._is_won else None,
            "share": proportion(wins, self.games) if self._is_won else None,
            "score": _distribution(scores, every) if self.game.scores else None,
        }

    @property
    def _is_won(self) -> bool:
        """Whether there is something to win: others to beat, or an outcome of the rules."""
        game = self.game
        return len(game.players) > 1 or outcome_base(game.variables) != NOTHING

    def _seat(self, total: Summary, seat: int) -> SeatResult:
        names = [part.name for part in self.game.scores]
        means: Counter[str] = Counter()
        for name, points in zip(names, total.parts(seat), strict=True):
            means[name] += points
        return {
            "seat": self.game.players[seat],
            **self._won(total.wins(seat), total.among_winners(seat), total.scores[seat]),
            "parts": {name: points / total.games for name, points in means.items()},
        }

    def _paired(self) -> Paired | None:
        """How many seeds there are by the number of their games that the first player won."""
        if self.plan.rotations == 1:
            return None
        seeds, rotations = self.pairs.total(), self.plan.rotations
        wins = {str(number): self.pairs[number] for number in range(rotations + 1)}
        interval = mean_interval(self.pairs, 0, rotations)
        won = interval.over(rotations) if interval is not None else None
        return {"seeds": seeds, "wins_of_first_player": wins, "share": won}

    def _endings(self, total: Summary) -> list[Ending]:
        return [
            {"ended_by": self._ending(rule), "games": count}
            for rule, count in sorted(
                total.endings.items(), key=lambda ending: (-ending[1], ending[0])
            )
        ]

    def _ending(self, rule: int) -> str | None:
        if rule == CUT_OFF:
            return None
        return "" if rule == NOTHING else self.game.program.procedures[rule].declared

    def _ties(self, total: Summary) -> list[TieBreak]:
        """The tie-breaks that decided games."""
        return [
            {"tie": self.game.ties[number].text, "games": count}
            for number, count in sorted(total.ties.items())
            if number != NOTHING
        ]


def _edge(total: Summary) -> Interval | None:
    """The wins of the first seat minus the mean of the other seats' wins, per game."""
    others = len(total.scores) - 1
    if not others or not total.games:
        return None
    counts = Counter({others: total.wins(0)})
    counts[-1] = sum(total.wins(seat) for seat in range(1, others + 1))
    counts[0] = total.games - counts[others] - counts[-1]
    edge = mean_interval(counts, -1, others)
    return edge.over(others) if edge is not None else None


def _distribution(counts: Mapping[int, int], beside: Iterable[int] = ()) -> Distribution:
    return {
        "mean": mean(counts),
        "spread": spread(counts),
        "least": min(counts, default=0),
        "most": max(counts, default=0),
        "histogram": histogram(counts, CLASSES, beside),
    }
