"""Compares two versions of a game: the same deals, the same players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from msgspec.structs import replace

from targi_dsl.api import Choice, rollout, start
from targi_dsl.api.state import State
from targi_dsl.codegen.search import Evaluation
from targi_dsl.codegen.tiered import use_c
from targi_dsl.engine.chance import Seed
from targi_dsl.ir.game import Game
from targi_dsl.lab.findings import Finding, Result, Section, amount, estimate, quantity, result
from targi_dsl.lab.measures import Columns, Uses, columns, first_share, is_seen, is_share, rows_of
from targi_dsl.lab.runner import Arm, Batch, Runner, in_all_seats
from targi_dsl.lab.statistics.hypotheses import SequentialTest, discoveries
from targi_dsl.lab.statistics.samples import Pairs, mean_interval
from targi_dsl.lab.training import Training
from targi_dsl.lab.version import Version, game_of
from targi_dsl.players.lookahead import USUAL
from targi_dsl.search.estimates import RARE, Interval
from targi_dsl.search.values import foreign_evaluation, own_values
from targi_dsl.text.diagnostics import Problems

MOST_USES = 20
"""The most changed uses that are reported, greatest first."""

OPENINGS = 30
"""Deals from which seats' opening holdings are found."""

MOST_BEFORE = 100
"""The most decisions before the first round."""

ENDLESS = 2**31 - 1
"""The limit of deals of a training, which ends by itself."""

FEWEST = 100
"""The fewest pairs for comparing uses: with 60, half of all games differed from themselves."""

CAUTION = "uses that differ follow from the change like all else: none is the cause of the others"

BY_SEAT = ("share of ", "points of ")


class _Comparison:
    """The pairs of games of one kind of player."""

    def __init__(self, games: tuple[Game, Game], within: float) -> None:
        self.games, self.within = games, within
        self.pairs: dict[str, Pairs] = {}
        self.uses = tuple(Uses(game) for game in games)
        self.common = [name for name in self.uses[0].names if name in self.uses[1].names]
        self._at = [[one.names.index(name) for name in self.common] for one in self.uses]
        self.totals = [np.zeros(len(one.names)) for one in self.uses]
        self.batches, self.sums = 0, np.zeros((2, len(self.common)))
        self.squares = np.zeros(len(self.common))
        self.count, self.main = 0, first_share(games[0])
        self.sequential = SequentialTest(within)

    def add(self, batches: Sequence[Batch]) -> None:
        """Adds the deals that ended in both versions."""
        numbers = set(batches[0].numbers) & set(batches[1].numbers)
        if not numbers:
            return
        found = list[Columns]()
        for game, batch in zip(self.games, batches, strict=True):
            kept = [number in numbers for number in batch.numbers]
            found.append(columns(game, rows_of(game, batch)[kept]))
        nothing = np.zeros(len(numbers))
        for name in found[0] | found[1]:
            if name.startswith("ended by ") or all(name in one for one in found):
                both = [one.get(name, nothing) for one in found]
                self.pairs.setdefault(name, Pairs()).add(*both)
        self.count += len(numbers)
        each = zip(self.uses, batches, self._at, strict=True)
        of = list[np.ndarray]()
        for totals, (one, batch, at) in zip(self.totals, each, strict=True):
            found_in = one.of(batch)
            totals += found_in
            of.append(found_in[at])
        self.batches += 1
        self.sums += of
        self.squares += (of[1] - of[0]) ** 2

    def verdict(self) -> str:
        """The verdict of the sequential test of the first seat so far."""
        pairs = self.pairs.get(self.main)
        if pairs is None:
            return ""
        change = pairs.change
        return self.sequential.verdict(change.count, change.mean, change.variance)

    def findings(self) -> list[Finding]:
        """The findings: what differs and what does not."""
        seen = {
            name: pairs
            for name, pairs in self.pairs.items()
            if is_seen(name, pairs.first.mean + pairs.second.mean)
        }
        return [
            *(self._finding(name, pairs) for name, pairs in seen.items()),
            *self._opening(),
            *self._changed(),
            *self._never(),
        ]

    def _finding(self, name: str, pairs: Pairs) -> Finding:
        found = pairs.difference(of_share=is_share(name))
        first, second = pairs.first.mean, pairs.second.mean
        near = self.within if is_share(name) else self.within * max(1.0, abs(first))
        verdict = verdict_of(found, near)
        words = {"more": "more", "less": "less"}
        if name.startswith(BY_SEAT):
            words = {"more": "better", "less": "worse"}
        said = words.get(verdict, verdict)
        if verdict == "same":
            said = f"the same within {amount(name, near)}"
        change = estimate(name, found, signed=True)
        told = f"{amount(name, first)} -> {amount(name, second)}, {change}"
        verdict = "same" if verdict == "same" else said
        return Finding(name, found, verdict, f"{name}: {told}: {said}", told)

    def _opening(self) -> Iterator[Finding]:
        """What seats have when the first round begins in one version more than in the other, deal
        by deal.
        """
        first, second = self.games
        openings = [[_opening_of(game, seed) for game in self.games] for seed in range(OPENINGS)]
        both = product(
            [one for one in first.players if one in second.players],
            [one for one in first.resources if one in second.resources],
        )
        for seat, resource in both:
            changes = {
                two.amount(seat, resource) - one.amount(seat, resource) for one, two in openings
            }
            if len(changes) == 1 and (change := changes.pop()):
                verdict = "more" if change > 0 else "less"
                name = f"{resource} of {seat} at the opening"
                told = f"{change:+} in each of {OPENINGS} deals"
                says = f"{name}: {told}: {verdict}"
                yield Finding(name, Interval(change, change, change), verdict, says, told)

    def _changed(self) -> list[Finding]:
        """The uses that differ, at a false discovery rate of 5 %."""
        if self.count < FEWEST:
            return []
        changes, variances = self._changes()
        found = discoveries(np.full(len(changes), self.batches), changes, variances)
        told = [at for at, is_real in enumerate(found) if is_real]
        told.sort(key=lambda at: -abs(changes[at]))
        return [
            self._use(at, mean_interval(self.batches, float(changes[at]), float(variances[at])))
            for at in told[:MOST_USES]
        ]

    def _changes(self) -> tuple[np.ndarray, np.ndarray]:
        """By use, the mean increase in the second version, and its variance."""
        changes = (self.sums[1] - self.sums[0]) / self.batches
        return changes, np.maximum(0, self.squares / self.batches - changes**2)

    def _never(self) -> Iterator[Finding]:
        """What only the second version has, but never uses."""
        for name, total in zip(self.uses[1].names, self.totals[1].tolist(), strict=True):
            found = Interval(0, 0, RARE / max(1, self.count))
            if total == 0 and found.high <= self.within and name not in self.common:
                says = f"{name}: none in {quantity(self.count, 'game')}, and not in the first"
                yield Finding(name, found, "never used", says, "none")

    def _use(self, at: int, found: Interval) -> Finding:
        first, second = (float(sums[at] / self.batches) for sums in self.sums)
        verdict = "more" if found.value > 0 else "less" if second else "never used"
        name = self.common[at]
        told = f"{first:.2f} -> {second:.2f}, {estimate(name, found, signed=True)}"
        return Finding(name, found, verdict, f"{name}: {told}: {verdict}", told)


def _opening_of(game: Game, seed: int) -> State:
    """A deal at the beginning of its first round, if everybody declines all earlier offers."""
    state = start(game, Seed(seed))
    return state if state.rounds_begun else rollout(state, _decline, MOST_BEFORE, rounds=1)


def _decline(state: State, offered: Sequence[Choice]) -> Choice:
    return next((one for one in offered if one.declines), offered[0])


def verdict_of(found: Interval, near: float) -> str:
    """`more`, `less`, `same` (within `near`) or `not known yet`; a certain difference of less than
    `near` is the same.
    """
    if -near <= found.low and found.high <= near:
        return "same"
    if found.low > 0:
        return "more"
    return "less" if found.high < 0 else "not known yet"


def compare(
    first: Version,
    second: Version,
    players: Sequence[str],
    runner: Runner,
    within: float = 0.02,
    command: str = "",
    shift: int = 0,
    learn: int = 0,
) -> Result:
    """Plays both versions on the same deals, with each kind of player in all seats, until the share
    of the first seat is known to be more, less, or the same within `within`.

    shift: the offset of the second version's deals from those of the first. learn: games from which
    searching players learn about a version with no learned values. Raises Problems if a version has
    errors.
    """
    games = game_of(first), game_of(second)
    title = f"{second.arguments} against {first.arguments}"
    if games[0].hash == games[1].hash and not shift:
        section = Section("They are the same game: nothing was played.", ())
        return result(title, command, [section], runner)
    sections = list[Section]()
    for kind in players:
        arms = [in_all_seats(first, kind), in_all_seats(second, kind, shift)]
        sections += _sections(kind, arms, games, runner, within, learn)
    return result(title, command, sections, runner)


def _sections(
    kind: str, arms: list[Arm], games: tuple[Game, Game], runner: Runner, within: float, learn: int
) -> Iterator[Section]:
    """A section for players unaware of what has changed, and of searching ones also aware."""
    if not arms[0].thinks:
        about = f"{kind}, direct: it does not know what has changed"
        yield _section(about, arms, games, runner, within)
        return
    old = foreign_evaluation(games[1], games[0])
    about = f"{kind}, direct: it thinks that things are worth what they are in the first game"
    yield _section(about, [arms[0], replace(arms[1], evaluation=old)], games, runner, within)
    evaluations = [_learned(arm.version, kind, learn, runner) for arm in arms]
    about = f"{kind}, adapted: it has learned what things are worth in each game"
    if None in evaluations:
        unknown = " and ".join(
            arm.version.arguments for arm, one in zip(arms, evaluations, strict=True) if one is None
        )
        why = f"nothing that helps was learned about {unknown}; see --learn, and `targi train`"
        yield Section(f"{about}. Not played: {why}", ())
        return
    own = [replace(arm, evaluation=one) for arm, one in zip(arms, evaluations, strict=True)]
    yield _section(about, own, games, runner, within)


def _learned(version: Version, kind: str, games: int, runner: Runner) -> Evaluation | None:
    """Values from a file, or learned from that many games; None if nothing was learned, or it does
    not help.
    """
    game = game_of(version)
    if (known := own_values(game)) is not None:
        return known.evaluation(game)
    if not games or runner.interrupted:
        return None
    use_c(game)
    playouts, part = int(kind.partition(":")[2] or USUAL.playouts), runner.part(ENDLESS)
    try:
        found = [*Training(version, games, playouts, 1, part).run()]
    except Problems:
        return None  # there is nothing to learn
    runner.interrupted |= part.interrupted
    return found[0].values.evaluation(game) if found and found[0].passed else None


def _section(
    about: str, arms: Sequence[Arm], games: tuple[Game, Game], runner: Runner, within: float
) -> Section:
    found, verdict = _Comparison(games, within), ""
    for batches in runner.play(arms):
        found.add(batches)
        if verdict := found.verdict():
            break
    if not found.count:
        return Section(f"{about}. No pair of games has ended.", ())
    remarks = [_stopped(found, verdict)]
    saved = found.pairs[found.main].saved() if found.main in found.pairs else 0.0
    remarks.append(f"the same deals save {100 * saved:.0f} % of the games for {found.main}")
    remarks += _apart(games)
    about = f"{about}; {quantity(found.count, 'pair')} of games"
    return Section(about, tuple(found.findings()), tuple(remarks), found.count, (CAUTION,))


def _stopped(found: _Comparison, verdict: str) -> str:
    same = f"the same within {100 * found.within:g} %"
    if found.main not in found.pairs:
        return "no seat of both can win"
    if not verdict:
        return f"the games ended before it was known whether {found.main} is {same}"
    return f"stopped when it was known: {found.main} is {same if verdict == 'same' else verdict}"


def _apart(games: tuple[Game, Game]) -> list[str]:
    """The names that only one version has."""
    found = []
    for sort in ("players", "resources"):
        names = [set(getattr(game, sort)) for game in games]
        if other := sorted(names[0] ^ names[1]):
            found.append(f"not in both, so not compared: {', '.join(other)}")
    return found
