"""The value of cards, options, spaces and units at the opening: by who wins with them, and by what
happens when they are given or denied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from targi_dsl.codegen.tally import Layout
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.lab.findings import Finding, Result, Section, estimate, result
from targi_dsl.lab.interventions import Intervention, home_regions, measure
from targi_dsl.lab.measures import columns, rows_of
from targi_dsl.lab.runner import Measurement, Runner, in_all_seats
from targi_dsl.lab.statistics.hypotheses import discoveries
from targi_dsl.lab.statistics.regression import slopes
from targi_dsl.lab.statistics.samples import Sums
from targi_dsl.lab.version import Version, game_of, unknown
from targi_dsl.players import thinks
from targi_dsl.search.estimates import Interval
from targi_dsl.simulation.chunk import Summary
from targi_dsl.simulation.report import Usage

MOST_SEEN = 3_000
"""The most games kept for the associations with wins."""

REMARKS = (
    "given: the same deals with and without; strong and weak are against the mean of all,"
    " at a false discovery rate of 5 %",
)
CAUTION = "raw and adjusted are no causes: whoever is ahead may get a thing more often"

SORTS = ("cards", "options", "spaces", "resources")


def effects(
    version: Version,
    sort: str,
    kind: str,
    runner: Runner,
    within: float = 0.03,
    command: str = "",
    only: Sequence[str] = (),
) -> Result:
    """What each thing of a sort is worth to a seat, until the effect of being given it is known to
    within so much of the wins. only: the names of the things to judge, if not all. Raises Problems
    if the version has errors, or nothing has a name.
    """
    game, of_sort = game_of(version), SORTS.index(sort)
    interventions = (_cards, _options, _spaces, _resources)[of_sort](version, game)
    if only:
        interventions = _pick(interventions, only)
    title = f"What the {sort} of {version.arguments} are worth"
    if not interventions:
        return result(title, command, [Section(f"There are no {sort} to judge.", ())], runner)
    seen = _Associations(game, interventions)
    part = runner.seconds / 4
    arm = replace(in_all_seats(version, kind), apart=True)
    for (batch,) in runner.play([arm], MOST_SEEN, part):
        seen.add(columns(game, rows_of(game, batch)), batch.tallies)
    given = _Changes(len(interventions), len(game.players) > 1)
    deals = Measurement(version, partial(measure, kind, interventions), thinks=thinks(kind))
    for (batch,) in runner.play([deals], seconds=3 * part):
        if not batch.numbers:
            continue
        given.add(np.array(batch.rows).reshape(len(batch.numbers), -1))
        if given.is_within(within):
            break
    about = f"{kind} in all seats; {len(seen.wins):,} games, and {given.deals:,} deals, each also"
    about += " with every intervention"
    findings = tuple(_findings(game, interventions, seen, given, within))
    cautions = (CAUTION,) if seen.wins else ()
    section = Section(about, findings, REMARKS, given.deals, cautions)
    return result(title, command, [section], runner)


# ---- things to judge ----


def _pick(interventions: Sequence[Intervention], only: Sequence[str]) -> tuple[Intervention, ...]:
    """The interventions with these names, with or without their sort."""
    whole = {one.name: one for one in interventions}
    known = {name.partition(" ")[2]: one for name, one in whole.items()} | whole
    for name in only:
        if name not in known:
            raise unknown(f"`{name}` is not judged", name, known)
    return tuple(known[name] for name in dict.fromkeys(only))


def _cards(version: Version, game: Game) -> tuple[Intervention, ...]:
    """The cards that seats sometimes have; of copies the first."""
    kinds, first = home_regions(version), dict[int, int]()
    for number, card in enumerate(game.cards):
        if card.kind in kinds:
            first.setdefault(card.same, number)
    return tuple(Intervention(f"card {game.cards[at].id}", "card", (at,)) for at in first.values())


def _resources(version: Version, game: Game) -> tuple[Intervention, ...]:
    return tuple(Intervention(one, "unit", (at,)) for at, one in enumerate(game.resources))


def _options(version: Version, game: Game) -> tuple[Intervention, ...]:
    return _uses(game, spaces=False)


def _spaces(version: Version, game: Game) -> tuple[Intervention, ...]:
    return _uses(game, spaces=True)


def _uses(game: Game, *, spaces: bool) -> tuple[Intervention, ...]:
    found: dict[str, set[int]] = {}
    for cell in Usage(game, Summary(Layout.of(game))).cells:
        if (cell.place != NOTHING) is spaces:
            name = f"space {game.places[cell.place].name}" if spaces else f"option {cell.choice}"
            found.setdefault(name, set()).add(cell.number)
    return tuple(Intervention(name, "use", tuple(sorted(cells))) for name, cells in found.items())


# ---- associations with wins ----


class _Associations:
    """Unchanged games: what each seat had or used, and its share of the win."""

    def __init__(self, game: Game, interventions: Sequence[Intervention]) -> None:
        layout = Layout.of(game)
        self._names = [f"share of {seat}" for seat in game.players]
        starts = {"card": layout.held, "use": layout.taken}
        every = np.arange(layout.players)
        self._at: list[list[np.ndarray]] = [
            [starts[one.sort] + thing * layout.players + every for thing in one.things]
            for one in interventions
            if one.sort in starts
        ]
        self._taken: list[np.ndarray] = [
            layout.card_taken + intervention.things[0] * layout.players + every
            for intervention in interventions
            if intervention.sort == "card"
        ]
        self.wins, self._uses = list[np.ndarray](), list[np.ndarray]()
        self._count: np.ndarray = np.zeros(len(interventions))

    def add(self, found: dict[str, np.ndarray], tallies: Sequence[Sequence[int]]) -> None:
        """Adds the one game of a batch: its measures, and its tally if it ended."""
        if not tallies or not self._at:
            return
        tally = np.array(tallies[0])
        uses = np.array([tally[np.array(at)].sum(axis=0) for at in self._at], dtype=np.float32)
        self._count += uses.sum(axis=1)
        if self._taken:
            self._count += tally[np.array(self._taken)].sum(axis=1)
        nothing = np.zeros(1)
        self._uses.append(uses.T - uses.T.mean(axis=0))
        self.wins.append(np.array([found.get(name, nothing)[0] for name in self._names]))

    @property
    def used(self) -> list[bool]:
        """Whether each thing was ever taken or held."""
        return [bool(one) for one in self._count] if self._at else [True] * len(self._count)

    def slopes(self, *, together: bool) -> list[Interval]:
        """The association of things with wins, one at a time or all together."""
        if not self.wins:
            return []
        wins = np.array(self.wins)
        return slopes(
            np.array(self._uses), wins - wins.mean(axis=1, keepdims=True), together=together
        )


# ---- effects of interventions ----


class _Changes:
    """The effects of each intervention on the share of the win and on points."""

    def __init__(self, interventions: int, is_won: bool) -> None:
        self.deals, self.is_won = 0, is_won
        self.wins, self.points, self.over = (
            [Sums() for _ in range(interventions)] for _ in range(3)
        )

    def add(self, rows: np.ndarray) -> None:
        """Adds deals: rows of the share of the win and the points, unchanged and then with each
        intervention.
        """
        for row in rows:
            outcomes = row.reshape(-1, 2)
            changes = outcomes[1:] - outcomes[0]
            if np.isnan(outcomes[0]).any() or np.isnan(changes).all():
                continue
            self.deals += 1
            average = np.nanmean(changes, axis=0)
            for at in np.flatnonzero(~np.isnan(changes[:, 0])):
                self.wins[at].add(changes[at, :1])
                self.points[at].add(changes[at, 1:])
                over = changes[at] - average
                self.over[at].add(over[:1] if self.is_won else over[1:])

    def is_within(self, near: float) -> bool:
        """Whether every effect on the share of the win is known that precisely."""
        if self.deals % 20 or not self.deals or not self.is_won:
            return False
        found = (one.interval() for one in self.wins if one.count)
        return all(one.high - one.low <= 2 * near for one in found)


def _findings(
    game: Game, interventions: Sequence[Intervention], seen: _Associations, given: _Changes,
    within: float,
) -> Iterator[Finding]:  # fmt: skip
    better = 1 if given.is_won else game.merit(1)  # or -1, where fewer points are better
    raw, adjusted = (seen.slopes(together=together) for together in (False, True))
    main = given.wins if given.is_won else given.points
    real, over = (_discovered(sums) for sums in (main, given.over))
    order = sorted(range(len(interventions)), key=lambda at: -better * main[at].mean)
    for at in order:
        intervention, sign = interventions[at], -1 if interventions[at].sort == "use" else 1
        beside = [("raw", raw[at]), ("adjusted", adjusted[at])] if raw else []
        if not main[at].count:
            says = f"{intervention.name}: nobody can be given it"
            found = Interval(0, -np.inf, np.inf)
            yield Finding(intervention.name, found, "not known yet", says, "?")
            continue
        wins, points = (one[at].interval().over(sign) for one in (given.wins, given.points))
        verdict = _verdict(seen.used[at], better * sign * real[at], better * sign * over[at])
        if verdict == "like others" and given.is_won and wins.high - wins.low > 2 * within:
            verdict = "not known yet"
        name = f"{'permitted' if sign < 0 else 'with'} {intervention.name}"
        said = [f"{estimate(name, wins, signed=True)}"] if given.is_won else []
        said += [f"{estimate('points', points, signed=True)} points"]
        said += [f"{word} {estimate(name, one, signed=True)}" for word, one in beside]
        how = "permitted" if sign < 0 else "given"
        says = f"{intervention.name}: {how} {', '.join(said)}: {verdict}"
        found = wins if given.is_won else points
        yield Finding(name, found, verdict, says, said[0], (*beside, ("points", points)))


def _discovered(sums: Sequence[Sums]) -> list[int]:
    """Which means are certainly above zero (1) or below (-1), at a false discovery rate of 5 %."""
    moments = [(one.count, one.mean, one.variance) for one in sums]
    return discoveries(*np.array(moments).T)


def _verdict(is_used: bool, real: int, over: int) -> str:
    """never taken; a trap, which costs whoever has it; strong or weak compared to the others."""
    if not is_used:
        return "never taken"
    if real < 0:
        return "a trap"
    return {1: "strong", -1: "weak", 0: "like others"}[over]
