"""Chooses numbers, options and decks so that play meets targets; all candidates are checked."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Literal

import numpy as np
import optuna

from targi_dsl.lab.findings import Finding, Result, Section, amount, estimate, quantity, result
from targi_dsl.lab.measures import columns, first_share, is_share, measures, rows_of
from targi_dsl.lab.runner import Runner, in_all_seats
from targi_dsl.lab.statistics.samples import Sums
from targi_dsl.lab.version import Version, game_of, numbers, unknown
from targi_dsl.search.estimates import Interval
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen

RACING = 64
"""The most candidates that are all played; of more, a sampler picks so many."""

FIRST = 200
"""Deals of the first heat, and of each that the sampler asks for; every heat doubles them."""

FRESH = 1_000_000
"""The offset of the deals on which the best is measured again from those on which it was picked."""

SHOWN = 8
"""The most candidates that are shown, nearest first."""


Sort = Literal["define", "option", "deck"]


class Vary(Frozen):
    """Something that may vary, and its candidates: a definition with its numbers, an option with
    its values, or a deck with its cards.
    """

    sort: Sort
    name: str
    values: range | tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Vary:
        """Reads `define N: 1..4`, `option NAME: one | other` or `deck ZONE: cards | others`; raises
        ValueError if it is not written so.
        """
        if found := _RANGE.fullmatch(text):
            values = range(int(found[2]), int(found[3]) + 1)
            if values:
                return cls("define", found[1], values)
        if found := _VALUES.fullmatch(text):
            names = tuple(one.strip() for one in found[3].split("|"))
            if all(names) and len(set(names)) == len(names):
                return cls("option" if found[1] == "option" else "deck", found[2], names)
        raise ValueError(
            f"'{text}' is nothing that may be another, such as 'define days: 3..7',"
            " 'option bumping: mild | rough' or 'deck pile: some_cards | other_cards'"
        )


_RANGE = re.compile(r"\s*(?:define\s+)?(\w+)\s*:\s*(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})\s*")
_VALUES = re.compile(r"\s*(option|deck)\s+(\w+)\s*:(.+)")


SORTS: tuple[Sort, ...] = ("option", "deck", "define")


def _suggest(trial: optuna.trial.Trial, one: Vary) -> int | str:
    name = f"{one.sort} {one.name}"
    if isinstance(one.values, range):
        return trial.suggest_int(name, one.values[0], one.values[-1])
    return str(trial.suggest_categorical(name, one.values))


class Target(Frozen):
    """A measure and what it should be: a share from 0 to 1, or a mean."""

    measure: str
    value: float

    @classmethod
    def of(cls, text: str) -> Target:
        """Reads `first seat 50 %` or `mean rounds 11`; ValueError if it is not written so."""
        found = re.fullmatch(r" *(?:mean +)?(.*?[^\W\d]) +(-?\d{1,9}(?:\.\d{1,6})?) *(%)? *", text)
        if found is None:
            raise ValueError(
                f"'{text}' is no target, such as 'first seat 50 %' or 'mean rounds 11'"
            )
        return cls(found[1], float(found[2]) / (100 if found[3] else 1))


class _Candidate:
    """A version and its measurements."""

    def __init__(
        self, version: Version, label: str, targets: Sequence[Target], near: float
    ) -> None:
        self.version, self.label, self.targets, self.near = version, label, targets, near
        self.sums = [Sums() for _ in targets]

    def add(self, found: dict[str, np.ndarray]) -> None:
        """Adds the measures of some games."""
        count = len(next(iter(found.values())))
        for target, sums in zip(self.targets, self.sums, strict=True):
            sums.add(found.get(target.measure, np.zeros(count)))

    @property
    def count(self) -> int:
        """The games that have been measured."""
        return self.sums[0].count

    @property
    def intervals(self) -> list[Interval]:
        """The estimate of each measure."""
        each = zip(self.targets, self.sums, strict=True)
        return [sums.interval(of_share=is_share(one.measure)) for one, sums in each]

    def tolerance(self, target: Target) -> float:
        """The tolerance of a target: absolute for a share, relative for a mean."""
        return self.near if is_share(target.measure) else self.near * max(1.0, abs(target.value))

    @property
    def distances(self) -> tuple[float, ...]:
        """The distance of each measure from its target, in tolerances."""
        each = zip(self.targets, self.sums, strict=True)
        return tuple(abs(sums.mean - one.value) / self.tolerance(one) for one, sums in each)

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds on the greatest distance of a measure, in tolerances."""
        low = high = 0.0
        for target, found in zip(self.targets, self.intervals, strict=True):
            ends = sorted(abs(end - target.value) for end in found[1:])
            is_inside = found.holds(target.value)
            low = max(low, 0.0 if is_inside else ends[0] / self.tolerance(target))
            high = max(high, ends[1] / self.tolerance(target))
        return low, high


class TuningResult(Frozen):
    """The result of tuning, and the version that comes nearest."""

    result: Result
    version: Version


def tune(
    version: Version,
    varied: Sequence[Vary],
    targets: Sequence[Target],
    kind: str,
    runner: Runner,
    near: float = 0.01,
    command: str = "",
) -> TuningResult:
    """Searches for the numbers with which the measures come nearest to their targets. Raises
    Problems for an unknown definition or measure, and if no candidate is a valid game.
    """
    game, known = game_of(version), numbers(version.sheet)
    for one in varied:
        if one.sort == "define" and one.name not in known:
            raise unknown(f"{version.sheet} defines no number `{one.name}`", one.name, known)
    names = {"first seat": first_share(game)} if len(game.players) > 1 else {}
    names |= {name: name for name in measures(game)}
    for target in targets:
        if target.measure not in names:
            raise unknown(f"nothing is measured as `{target.measure}`", target.measure, names)
    sought = [Target(names[one.measure], one.value) for one in targets]
    search = _Tuning(version, sought, kind, runner, near)
    pool = search.grid(varied) if prod(_sizes(varied)) <= RACING else search.sample(varied)
    best = search.race(pool)
    again = search.measure_again(best)
    title = f"Tuning {version.arguments}"
    front = _front(pool)
    sections = [_ranking(pool, front, len(sought) > 1), _verification(again, best)]
    if search.invalid:
        remark = f"no valid games, so left out: {search.invalid} candidates"
        sections[0] = Section(sections[0].about, sections[0].findings, (remark,))
    return TuningResult(result(title, command, sections, runner), best.version)


def _sizes(varied: Sequence[Vary]) -> list[int]:
    return [len(one.values) for one in varied]


class _Tuning:
    """The candidates, and the games they play."""

    def __init__(
        self, version: Version, targets: Sequence[Target], kind: str, runner: Runner, near: float
    ) -> None:
        self.version, self.targets, self.kind = version, targets, kind
        self.runner, self.near, self.invalid = runner, near, 0
        seconds = runner.seconds or float("inf")
        self._end, self._over = (time.monotonic() + seconds * part for part in (0.7, 1))
        self._why: Problems | None = None

    def grid(self, varied: Sequence[Vary]) -> list[_Candidate]:
        """All candidates that are valid games."""
        ranges: list[Sequence[int | str]] = [one.values for one in varied]
        every = product(*ranges)
        found = [self._candidate(varied, values) for values in every]
        return self._some([one for one in found if one is not None])

    def sample(self, varied: Sequence[Vary]) -> list[_Candidate]:
        """Candidates that a sampler (optuna's TPE) expects to be near."""
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
        found: dict[tuple[int | str, ...], _Candidate | None] = {}
        for _ in range(RACING):
            trial = study.ask()
            values = tuple(_suggest(trial, one) for one in varied)
            if values not in found:
                found[values] = self._candidate(varied, values)
            candidate = found[values]
            if candidate is not None and not candidate.count:
                self._play([candidate], 0, FIRST)
            if candidate is None or not candidate.count:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, max(candidate.distances))
            if self._is_over:
                break
        return self._some([one for one in found.values() if one is not None])

    def race(self, pool: Sequence[_Candidate]) -> _Candidate:
        """The candidate that comes nearest: after each heat, those that are certainly farther away
        than another drop out.
        """
        left, done = [*pool], max(one.count for one in pool)
        while done < self.runner.games and not self._is_over:
            step = min(max(done, FIRST), self.runner.games - done)
            self._play(left, done, step)
            done += step
            measured = [one for one in left if one.count]
            if not measured:
                break
            nearest = min(one.bounds[1] for one in measured)
            left = [one for one in measured if one.bounds[0] <= nearest]
            if len(left) == 1 or nearest <= 1:
                break
        ended = [one for one in left if one.count]
        if not ended:
            raise Problems([_none("no game of any candidate has ended", "Play more games.")])
        return min(ended, key=_farness)

    def measure_again(self, best: _Candidate) -> _Candidate:
        """The best on deals that picked nothing; with no games if no time is left."""
        again = _Candidate(best.version, best.label, self.targets, self.near)
        game, arm = game_of(best.version), in_all_seats(best.version, self.kind, FRESH)
        seconds = max(0.01, self._over - time.monotonic())
        for (batch,) in self.runner.play([arm], 0, seconds):
            if batch.numbers:
                again.add(columns(game, rows_of(game, batch)))
        return again

    @property
    def _is_over(self) -> bool:
        return self.runner.interrupted or time.monotonic() > self._end

    def _candidate(self, varied: Sequence[Vary], values: Sequence[int | str]) -> _Candidate | None:
        each = [*zip(varied, values, strict=True)]
        options, decks, sets = (
            {one.name: str(value) for one, value in each if one.sort == sort} for sort in SORTS
        )
        version = self.version.changed(options, decks, sets)
        try:
            game_of(version)
        except Problems as error:
            self.invalid += 1
            self._why = self._why or error
            return None
        label = ", ".join(f"{one.name} {value}" for one, value in each)
        return _Candidate(version, label, self.targets, self.near)

    def _some(self, found: list[_Candidate]) -> list[_Candidate]:
        if found:
            return found
        why = self._why.problems[0].title if self._why else ""
        raise Problems([_none("no candidate is a valid game", f"The first has: {why}")])

    def _play(self, candidates: Sequence[_Candidate], done: int, deals: int) -> None:
        arms = [in_all_seats(one.version, self.kind, done) for one in candidates]
        seconds = max(0.01, self._end - time.monotonic())
        for batches in self.runner.play(arms, deals, seconds):
            for one, batch in zip(candidates, batches, strict=True):
                if batch.numbers:
                    game = game_of(one.version)
                    one.add(columns(game, rows_of(game, batch)))


def _none(title: str, text: str) -> Problem:
    return Problem("E620", title, None, text)


def _farness(one: _Candidate) -> tuple[float, float]:
    """The greatest distance of a measure, and the sum of all."""
    return max(one.distances), sum(one.distances)


def _front(pool: Sequence[_Candidate]) -> list[_Candidate]:
    """The Pareto front: candidates that no other beats in every target."""
    played = [one for one in pool if one.count]
    return [one for one in played if not any(_beats(other, one) for other in played)]


def _beats(one: _Candidate, other: _Candidate) -> bool:
    pairs = [*zip(one.distances, other.distances, strict=True)]
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def _ranking(pool: Sequence[_Candidate], front: Sequence[_Candidate], several: bool) -> Section:
    shown = front if several else [one for one in pool if one.count]
    shown = sorted(shown, key=_farness)[:SHOWN]
    of = "that no other beats in every target" if several else "that come nearest"
    about = f"{len(pool)} candidates; those {of}:"
    return Section(about, tuple(found for one in shown for found in _of_candidate(one)))


def _of_candidate(one: _Candidate) -> list[Finding]:
    return [
        Finding(
            target.measure,
            found,
            "",
            f"{one.label}: {target.measure} {estimate(target.measure, found)};"
            f" {quantity(one.count, 'game')}",
        )
        for target, found in zip(one.targets, one.intervals, strict=True)
    ]


def _verification(again: _Candidate, best: _Candidate) -> Section:
    """Whether the best meets the targets on fresh deals."""
    if not again.count:
        why = "not measured on fresh deals, since no time was left."
        return Section(f"The nearest, {best.label}: {why}", ())
    findings = []
    for target, found in zip(again.targets, again.intervals, strict=True):
        near = again.tolerance(target)
        ends = (abs(found.low - target.value), abs(found.high - target.value))
        if max(ends) <= near:
            verdict = "met"
        elif found.low - near <= target.value <= found.high + near:
            verdict = "met as far as is known"
        else:
            away = amount(target.measure, found.value - target.value, signed=True)
            verdict = f"not met: no candidate comes nearer than {away}"
        wanted = amount(target.measure, target.value)
        says = f"{target.measure}: {estimate(target.measure, found)}, wanted {wanted}: {verdict}"
        findings.append(Finding(target.measure, found, verdict.split(":")[0], says))
    about = f"The nearest, {best.label}, on {again.count:,} fresh deals:"
    return Section(about, tuple(findings))
